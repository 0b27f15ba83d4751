/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_SHOW_JUDGEMENT_H
#define FRICID_CLIENT_SHOW_JUDGEMENT_H

#include "client/figures.h"
#include "client/screen.h"

#include <jansson.h>
#include <stdio.h>

/* What a result says about itself, as parts of the sheet on a stream. `unit` is that of displacement. A result
 * of an older daemon has none of it, and then nothing is printed. */

/* A quantity ("zeta", "x_k", …) of a section of a result, or of a result's summary, with the combined standard
 * uncertainty: that of the noise alone is for the budget. */
struct figure judgement_figure(const json_t *result, const json_t *section, const char *quantity);

/* A line for each flag: what it is, the number behind it, and what to do. */
void judgement_print_flags(const json_t *result, const char *unit, const struct glyphs *glyphs, FILE *out);

/* Where mass and stiffness as configured differ from the frequency, but not by so much that a flag is raised. */
void judgement_print_unstated(const json_t *result, const struct glyphs *glyphs, FILE *out);

/* Which damping it is, with the evidence. */
void judgement_print_choice(const json_t *result, const struct glyphs *glyphs, FILE *out);

/* A line for each section that has a heading in its table, the classical methods for one. */
void judgement_print_sections(const json_t *result, const char *unit, const struct glyphs *glyphs, FILE *out);

/* f_n, zeta and x_k in windows of amplitude. 0 or a negative errno when memory is short. */
int judgement_print_windows(const json_t *result, const char *unit, const struct glyphs *glyphs, FILE *out);

/* The uncertainty budget, a row a quantity. 0 or a negative errno when memory is short. */
int judgement_print_budget(const json_t *result, const char *unit, const struct glyphs *glyphs, FILE *out);

#endif
