/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_PLOT_LOOP_H
#define FRICID_CLIENT_PLOT_LOOP_H

#include "client/plot_script.h"

/* The picture of a record of loops as a script for gnuplot, at the contact: force over displacement with what the
 * chosen model says of the motion, and below what that leaves over; beside these the friction of what slides over its
 * speed with the band of the curve, or else that of the model, the elements of Maxwell-slip, and what every listed loop
 * dissipates. */
struct plot_loop {
    FILE *stream;
    const struct plot_terminal *terminal; /* NULL: whatever gnuplot shows by itself */
    const json_t *result;                 /* RESULT of the protocol */
    const char *of;                       /* NULL: as the result says */
    double *figure;                       /* owned: row by row */
    size_t figures, capacity, columns;
    bool of_velocity; /* and not of displacement */
    int error;        /* 0, or -ENOMEM: not all samples are there */
};

/* Before the samples; one answer of the method `samples` after the other; what is drawn of them. 0, -ENOMEM, or
 * -ERANGE: there are too few samples, or their times do not increase. */
void plot_loop_begin(struct plot_loop *plot);
void plot_loop_samples(struct plot_loop *plot, const json_t *samples);
int plot_loop_end(struct plot_loop *plot, const struct glyphs *glyphs);
void plot_loop_clear(struct plot_loop *plot);

#endif
