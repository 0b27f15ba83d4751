/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_PLOT_RING_DOWN_H
#define FRICID_CLIENT_PLOT_RING_DOWN_H

#include "client/plot_script.h"

/* The picture of one ring-down as a script for gnuplot: the record; below it record and model of its strongest mode,
 * with what is left and as spectra; and frequency, damping ratio and loss of its modes against their amplitudes, with
 * 95 % bands. */
struct plot_ring_down {
    FILE *stream;
    const struct plot_terminal *terminal; /* NULL: whatever gnuplot shows by itself */
    const json_t *result;                 /* RESULT of the protocol */
    const char *of;                       /* what it is a picture of; NULL: as the result says */
    size_t samples;                       /* so far */
    size_t sensors;                       /* of the record */
};

/* Everything before the samples; one answer of the method `samples` after the other; what is drawn of them. */
void plot_ring_down_begin(struct plot_ring_down *plot);
void plot_ring_down_samples(struct plot_ring_down *plot, const json_t *samples);
void plot_ring_down_end(struct plot_ring_down *plot);

#endif
