/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_PLOT_MOTION_H
#define FRICID_CLIENT_PLOT_MOTION_H

#include "client/plot_extrema.h"
#include "motion/half_cycle_law.h"

#include <jansson.h>
#include <stddef.h>

struct plot_piece;

/* The motion that a result's recommended figures describe, walked along in order of time. Without a rung of the ladder
 * it is in closed form. */
struct plot_motion {
    double omega_d, beta, q, x_k, bias;
    double half_cycles; /* behind it */
    struct law_extremum first, extremum;
    double omega_n; /* of a rung */
    double t0;
    const json_t *clock_steps; /* of a rung: borrowed from the result */
    struct plot_piece *pieces; /* owned: plot_motion_clear(); NULL: closed form */
    size_t count, capacity, next;
    struct plot_point *turns; /* owned: those of a rung, from the bias; NULL: closed form */
    size_t turn_count, turn_capacity;
};

/* From a RESULT of the protocol, up to so long after the first extremum. A result without figures has a motion of NAN.
 * 0 or -ENOMEM. */
int plot_motion_begin(struct plot_motion *motion, const json_t *result, double until_s);

/* Displacement at a time from the first extremum, not before the last one that was asked for; NAN before the first
 * extremum. */
double plot_motion_at(struct plot_motion *motion, double time_s);

/* Back to the first extremum. */
void plot_motion_restart(struct plot_motion *motion);

void plot_motion_clear(struct plot_motion *motion);

#endif
