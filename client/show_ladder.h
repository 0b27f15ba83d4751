/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_SHOW_LADDER_H
#define FRICID_CLIENT_SHOW_LADDER_H

#include "client/screen.h"

#include <jansson.h>
#include <stdio.h>

/* The rungs of a result's ladder that explain the record best, a row each, the chosen one first; nothing of a result
 * without one. unit: of displacement. 0 or a negative errno when memory is short. */
int show_ladder(const json_t *result, const char *unit, const struct glyphs *glyphs, FILE *out);

#endif
