/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SHOW_CURVE_H
#define FRICID_SHOW_CURVE_H

#include "client/screen.h"

#include <jansson.h>
#include <stdio.h>

/* Prints what became of the dip of a curve of friction over speed, how well it explains the points, and each way alone.
 * curve: that object of a result; unit: of displacement. 0, or -ENOMEM. */
int show_curve(const json_t *curve, const char *unit, const struct glyphs *glyphs, FILE *out);

#endif
