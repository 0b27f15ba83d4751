/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_SHOW_JOINT_H
#define FRICID_CLIENT_SHOW_JOINT_H

#include "client/screen.h"

#include <jansson.h>
#include <stdio.h>

/* What the channels of the result's run say together, and whether they contradict each other; nothing of a result
 * without it. 0 or a negative errno when memory is short. */
int show_joint(const json_t *result, const struct glyphs *glyphs, FILE *out);

#endif
