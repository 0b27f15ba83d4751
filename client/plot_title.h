/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_PLOT_TITLE_H
#define FRICID_CLIENT_PLOT_TITLE_H

#include "client/screen.h"

#include <jansson.h>
#include <stdio.h>

/* For gnuplot: what a picture is of, as `of` has it or, where that is NULL, as the result does; and what was found. */
void plot_title_put(FILE *stream, const json_t *result, const char *of, const struct glyphs *glyphs);

/* What a record of another kind is called, "record 7, channel loop", where `of` does not say it. */
struct phrase plot_record_name(const json_t *result, const char *of);

/* The title of its picture, behind a command as "set title ": its name with the figures that lists show and what is to
 * be known of them, or the reason why there are none, in lines that fit the picture. How many lines. */
size_t plot_record_title_put(FILE *stream, const char *command, const json_t *result, const char *of,
                             const struct glyphs *glyphs);

#endif
