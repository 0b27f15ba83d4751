/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_PLOT_CURVE_H
#define FRICID_CLIENT_PLOT_CURVE_H

#include "client/plot_script.h"

/* Pictures of tables, as scripts for gnuplot: friction over speed, and the response over the frequency. */

/* "torque" where the displacement has the unit of an angle, or else "force". */
const char *plot_force_word(const char *unit);

/* A label of an axis, "x" or "y". */
void put_plot_label(FILE *stream, const char *axis, const char *what, const char *unit);

/* The points of a curve as $curve, and the panel that shows them with the curve and its band, or where nothing was
 * measured these alone. */
void put_curve_points(FILE *stream, const json_t *points);
void put_curve_panel(FILE *stream, const char *unit, bool measured);

/* The picture of a result of the kind curve, whose points stand in it. of: what it is of; NULL: as the result says. */
void plot_curve(FILE *stream, const struct plot_terminal *terminal, const json_t *result, const char *of,
                const struct glyphs *glyphs);

/* That of one of the kind response: before the samples, one answer of the method `samples` after the other, and what is
 * drawn of them. */
struct plot_response {
    FILE *stream;
    const struct plot_terminal *terminal; /* NULL: whatever gnuplot shows by itself */
    const json_t *result;
    const char *of; /* NULL: as the result says */
    size_t figures; /* so far */
    size_t columns;
};
void plot_response_begin(struct plot_response *plot);
void plot_response_samples(struct plot_response *plot, const json_t *samples);
void plot_response_end(struct plot_response *plot, const struct glyphs *glyphs);

#endif
