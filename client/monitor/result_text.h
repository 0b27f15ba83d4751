/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_MONITOR_RESULT_TEXT_H
#define FRICID_CLIENT_MONITOR_RESULT_TEXT_H

#include "client/screen.h"

#include <jansson.h>

/* What `show` prints of a result, as lines of the width of the glyphs; free(). run: the results of its run; NULL: not
 * known. NULL when memory is short. */
char *result_text(const json_t *result, const json_t *run, const struct glyphs *glyphs);

#endif
