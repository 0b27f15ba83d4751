/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_SHOW_LINES_H
#define FRICID_CLIENT_SHOW_LINES_H

#include "client/screen.h"

#include <jansson.h>
#include <stdio.h>

/* The steady lines of a ring-down's record, each with its errors; amplitudes are in the unit. */
void show_steady_lines(const json_t *lines, const char *unit, const struct glyphs *glyphs, FILE *out);

/* The lines that stand out of the noise and are no modes: a line of text for each reason. */
void show_lines_left_out(const json_t *lines, const struct glyphs *glyphs, FILE *out);

#endif
