/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_PLOT_LOOP_H
#define FRICID_CLIENT_PLOT_LOOP_H

#include "client/plot_script.h"

/* The picture of a record of loops as a script for gnuplot: force over displacement, and below it what every listed
 * loop dissipates, with standard uncertainties. */
struct plot_loop {
    FILE *stream;
    const struct plot_terminal *terminal; /* NULL: whatever gnuplot shows by itself */
    const json_t *result;                 /* RESULT of the protocol */
    size_t figures;                       /* so far: samples times columns */
    size_t columns;
    bool of_velocity; /* and not of displacement */
};

/* Everything before the samples; one answer of the method `samples` after the other; what is drawn of them. */
void plot_loop_begin(struct plot_loop *plot);
void plot_loop_samples(struct plot_loop *plot, const json_t *samples);
void plot_loop_end(struct plot_loop *plot, const struct glyphs *glyphs);

#endif
