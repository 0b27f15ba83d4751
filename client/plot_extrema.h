/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_PLOT_EXTREMA_H
#define FRICID_CLIENT_PLOT_EXTREMA_H

#include <stdbool.h>
#include <stddef.h>

/* The crests and troughs of a decay whose samples come one after the other, as a picture shows them: each is the vertex
 * of a parabola through the samples nearest to it. */

struct plot_point {
    double time_s, displacement;
};

struct plot_extremum {
    struct plot_point at;
    bool is_known; /* or the sensor was at its limit, and it only counts */
};

struct plot_extrema {
    double bias, half_period_s;
    double clear; /* so far beyond the bias a swing to the other side has begun */
    double side;  /* of the present swing, 1 or -1 */
    struct plot_point *swing;
    size_t swing_count, swing_room;
    struct plot_extremum *extremum;
    size_t count, room;
    bool is_clipped; /* the present swing */
    bool no_memory;
};

/* The first swing is the first one to `side`; half_period_s is about what a swing takes. */
void plot_extrema_begin(struct plot_extrema *extrema, double bias, double side, double clear, double half_period_s);

/* The next sample, in order of time; spikes are left out. */
void plot_extrema_add(struct plot_extrema *extrema, struct plot_point sample, bool clipped);

/* After the last sample: the last swing, where its crest is behind the samples. 0 or -ENOMEM. */
int plot_extrema_end(struct plot_extrema *extrema);

void plot_extrema_clear(struct plot_extrema *extrema);

#endif
