/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_TESTS_CLOSED_FORM_DECAY_H
#define FRICID_TESTS_CLOSED_FORM_DECAY_H

/* A decay straight from SHK Eqs. 3-5, half cycle by half cycle. It shares nothing with the library, so that it can
 * judge it. */

#include "identify/decay/record.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* The true values; x0 may be negative. x_s below x_k counts as x_k. */
struct true_decay {
    double omega_n, zeta, x_k, x_s, x0, bias, t0;
};

/* How it is measured. */
struct sampling {
    double start_s, period_s;
    size_t count;
    double noise; /* standard deviation */
    double step;  /* of an ideal converter; 0: none */
};

static inline double true_beta(const struct true_decay *truth)
{
    return truth->zeta / sqrt(1 - truth->zeta * truth->zeta);
}

static inline double true_omega_d(const struct true_decay *truth)
{
    return truth->omega_n * sqrt(1 - truth->zeta * truth->zeta);
}

/* X_j with its sign, bias not included; *rests (may be NULL) says whether the mass has stopped there or before. */
static inline double true_extremum(const struct true_decay *truth, size_t j, bool *rests)
{
    const double q = exp(-true_beta(truth) * M_PI);
    const double hold = truth->x_s > truth->x_k ? truth->x_s : truth->x_k;
    double x = truth->x0, sigma = truth->x0 > 0 ? 1 : -1;
    bool stopped = fabs(x) <= hold;
    for (size_t n = 0; n < j && !stopped; n++) {
        x = -(x - sigma * truth->x_k) * q + sigma * truth->x_k;
        sigma = -sigma;
        stopped = fabs(x) <= hold;
    }
    if (rests)
        *rests = stopped;
    return x;
}

/* y(t), bias included. Before t0 the mirror image of what follows: the mass comes up to its first extremum. */
static inline double true_displacement(const struct true_decay *truth, double t)
{
    const double beta = true_beta(truth), q = exp(-beta * M_PI);
    const double hold = truth->x_s > truth->x_k ? truth->x_s : truth->x_k;
    double phase = true_omega_d(truth) * (t - truth->t0), x = truth->x0, sigma = truth->x0 > 0 ? 1 : -1;
    if (phase < 0) {
        /* The half cycle before: X_0 = -(X_{-1} - sigma x_k) q + sigma x_k with the sigma of that half cycle. */
        sigma = -sigma;
        x = -(x - sigma * truth->x_k) / q + sigma * truth->x_k;
        phase += M_PI;
    }
    while (phase >= M_PI && fabs(x) > hold) {
        x = -(x - sigma * truth->x_k) * q + sigma * truth->x_k;
        sigma = -sigma;
        phase -= M_PI;
    }
    if (fabs(x) <= hold)
        return truth->bias + x;
    const double shape = exp(-beta * phase) * (cos(phase) + beta * sin(phase));
    return truth->bias + (x - sigma * truth->x_k) * shape + sigma * truth->x_k;
}

/* Half cycles until rest, at most `limit`. */
static inline size_t true_half_cycles(const struct true_decay *truth, size_t limit)
{
    bool rests = false;
    size_t n = 0;
    while (n < limit && (true_extremum(truth, n, &rests), !rests))
        n++;
    return n;
}

/* A measured record; the caller frees displacement. rng may be NULL when there is no noise. */
static inline struct decay_record measured_record(const struct true_decay *truth, const struct sampling *sampling,
                                                  gsl_rng *rng, double **displacement)
{
    double *y = calloc(sampling->count > 0 ? sampling->count : 1, sizeof *y);
    if (!y)
        abort();
    for (size_t i = 0; i < sampling->count; i++) {
        y[i] = true_displacement(truth, sampling->start_s + (double)i * sampling->period_s);
        if (sampling->noise > 0)
            y[i] += gsl_ran_gaussian(rng, sampling->noise);
        if (sampling->step > 0)
            y[i] = round(y[i] / sampling->step) * sampling->step;
    }
    *displacement = y;
    return (struct decay_record){
        .displacement = y,
        .count = sampling->count,
        .start_s = sampling->start_s,
        .period_s = sampling->period_s,
        .first_extremum_s = NAN,
        .resolution = sampling->step,
    };
}

#endif
