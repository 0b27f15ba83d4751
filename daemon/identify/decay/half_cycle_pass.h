/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_HALF_CYCLE_PASS_H
#define FRICID_IDENTIFY_HALF_CYCLE_PASS_H

#include "identify/common/power_sums.h"
#include "identify/decay/decay_model.h"
#include "identify/decay/row_sums.h"
#include "motion/lanes.h"

#include <stdbool.h>

/* Passes over uniform samples, half cycle by half cycle, without a transcendental function a sample: e^((-beta + i)
 * theta) advances by one complex multiplication, several samples side by side. The same answers to rounding whichever
 * kind of processor. */

/* Sums of products of the base functions over samples of one half cycle; in column SUM_RESIDUAL those with the
 * residual. Rows are as long as the widest vector. */
enum { SUM_RESIDUAL = DECAY_BASES, SUM_COLUMNS = PARAMETER_COLUMNS };

struct half_cycle_sums {
    double base[DECAY_BASES][SUM_COLUMNS]; /* upper triangle until completed */
    double squares;                        /* of the residuals */
    size_t samples;
};

/* Sums over half cycles of W G W' and W h, where G are a half cycle's sums of products of base functions, h those with
 * the residual, and W the weights with which the derivatives are made of base functions. */
struct derivative_sums {
    double matrix[FIT_PARAMETERS][PARAMETER_COLUMNS];
    double gradient[PARAMETER_COLUMNS];
};

/* What one half cycle's samples are compared with: y = constant + amplitude g(theta). */
struct half_cycle_curve {
    double constant, amplitude;
};

static inline struct half_cycle_curve half_cycle_curve_of(const double *parameters, const struct decay_half_cycle *half)
{
    return (struct half_cycle_curve){parameters[FIT_BIAS] + decay_level(parameters, half),
                                     decay_amplitude(parameters, half)};
}

/* Sums over n < count of powers of what the phasor e^((-beta + i) theta) turns by from sample to sample, z, of |z|² and
 * of z². */
struct half_cycle_powers {
    struct power_sums first, envelope, second;
};

/* The phasor's turn over so many samples, and back by pi. */
struct half_cycle_rotation {
    size_t count;
    struct phasor rotation;
};

/* Sums over samples with the residual r; n counts from the first of them. */
struct residual_sums {
    double r, gr, sr, ngr, nsr, rr;
};

/* What all half cycles of a pass share. */
struct half_cycle_pass {
    struct half_cycle_powers powers[3]; /* whole half cycles have one or the other of two numbers of samples */
    struct half_cycle_rotation rotations[2];
    enum lanes_kind kind;
    double beta, omega_d;                                  /* omega_d in rad a sample */
    double offset, scale;                                  /* y = (displacement - offset) scale */
    const double *beyond;                                  /* end of the record, which may be read; NULL: not known */
    double lane_re[8], lane_im[8];                         /* e^((-beta + i) omega_d k) for the k-th lane */
    double stride_re[LANES_KINDS], stride_im[LANES_KINDS]; /* the same for all lanes' width */
    struct phasor twice;                                   /* and for twice that */
    /* The latest samples: where they began, the phasor there, how many they were, and for how many half cycles it has
     * been carried over; 0: not to be carried over. */
    double theta;
    struct phasor start;
    size_t count;
    int carried;
};

/* beyond is NULL, and the caller's to set. */
struct half_cycle_pass half_cycle_pass_with(enum lanes_kind kind, const struct decay_shape *shape, double offset,
                                            double scale);

/* Adds `count` samples from displacement on, the first of them at theta. Sums without the residual are closed forms:
 * only those with it look at the samples. */
void half_cycle_sums_add(struct half_cycle_pass *pass, const struct half_cycle_curve *curve, double theta,
                         const double *displacement, size_t count, struct half_cycle_sums *sums);

/* What a half cycle's sums are made of. powers: until the next call with the same pass. */
struct half_cycle_parts {
    const struct half_cycle_powers *powers;
    struct phasor start; /* at the first sample */
    struct residual_sums residual;
};

/* Of `count` samples, the first of them at theta. False where they cover so little of a half cycle that closed forms
 * would cancel. */
bool half_cycle_parts_of(struct half_cycle_pass *pass, const struct half_cycle_curve *curve, double theta,
                         const double *displacement, size_t count, struct half_cycle_parts *parts);

/* Sums over the samples near an extremum: of g, s, their products with each other and with the residual r. */
struct bend_sums {
    double g, s, gg, gs, ss, r, gr, sr, rr;
};

/* Of `count` samples from displacement on, the first of them at theta. */
void bend_sums_of(const struct half_cycle_pass *pass, const struct half_cycle_curve *curve, double theta,
                  const double *displacement, size_t count, struct bend_sums *sums);

/* The phasor at theta, where `count` samples begin: carried over from the half cycle before, as far as rounding allows.
 */
struct phasor half_cycle_phasor(struct half_cycle_pass *pass, double theta, size_t count);

/* Adds one sample. */
void half_cycle_sums_add_one(struct half_cycle_sums *sums, double theta, double g, double s, double residual);

/* After the last sample: fills what follows from the rest. */
void half_cycle_sums_complete(struct half_cycle_sums *sums);

/* weights: from decay_derivative_weights(). sums: completed. */
void derivative_sums_add(enum lanes_kind kind, const struct half_cycle_sums *sums,
                         double weights[DECAY_BASES][PARAMETER_COLUMNS], struct derivative_sums *total);

/* Samples of one half cycle by their base functions; count is a multiple of ROUNDED_TOGETHER, those that fill it up
 * have weight 0, all others 1. */
enum { ROUNDED_MOST = 256, ROUNDED_TOGETHER = 8 };

struct rounded_samples {
    double g[ROUNDED_MOST], s[ROUNDED_MOST], theta[ROUNDED_MOST], weight[ROUNDED_MOST];
    size_t count;
};

/* A model in steps of an encoder: m = constant + g_part g + s_part s. */
struct rounded_curve {
    double constant, g_part, s_part;
};

/* sums[b]: the sum of base_b (Q(m) - m), Q rounding to whole steps. */
void rounding_sums(enum lanes_kind kind, const struct rounded_samples *samples, const struct rounded_curve *curve,
                   double sums[DECAY_BASES]);

/* dy/dp of count samples of one half cycle from their base functions; what is behind the parameters stays as it is.
 * weights: from decay_derivative_weights(). */
void derivative_rows(enum lanes_kind kind, double weights[DECAY_BASES][PARAMETER_COLUMNS], const double *theta,
                     const double *g, const double *s, size_t count, double rows[][ROW_COLUMNS]);

/* g and s (decay_model.h) of count samples, the first of them at theta. */
void half_cycle_bases(const struct half_cycle_pass *pass, double theta, size_t count, double *g, double *s);

#endif
