/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_HALF_CYCLE_H
#define FRICID_SEGMENT_HALF_CYCLE_H

#include "segment/sample_history.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* The samples of one presumed half cycle say this about it. Between two extrema a free decay moves as y = a + D
 * s(theta), s = (1 - g(theta))/(1 + q), with g and q of motion/half_cycle_law.h: friction changes a and D but not the
 * shape. Samples are averaged into at most HALF_CYCLE_BINS bins first. */
struct half_cycle {
    bool usable;           /* enough samples, none of them clipped */
    double swing;          /* D: displacement at the end minus that at the start; signed */
    double start;          /* a: displacement at the start */
    double shift;          /* how much later than presumed it happened, positions; 0 when it cannot be told */
    double shift_variance; /* of the shift, from the residual; see half_cycle_shift_se() */
    double residual;       /* rms of the bins about the shape */
    double swing_se;       /* of D, from the residual */
    double bin_size;       /* samples a bin, on average */
    size_t bins;
    double root_share; /* 1 / sqrt(bins): of the noise of a bin, what is left in a mean of them all */
};

/* 48 bins show the shape as well as 10000 samples do, and bound the work; five leave two more than there are
 * unknowns. */
enum { HALF_CYCLE_BINS = 48, HALF_CYCLE_FEWEST_BINS = 5 };

/* The standard uncertainty of the shift, positions, is the length where the shift cannot be told. It is seldom needed,
 * so that its root is not kept. */
static inline double half_cycle_shift_se(const struct half_cycle *half)
{
    return sqrt(half->shift_variance);
}

/* The shift is told of a swing of more than so many of its standard errors; without one it is noise divided by noise.
 * Noise alone has such a swing once in 180 half cycles of 32 bins, and once in ten of five (Student's t). */
#define SHIFT_TOLD_DEVIATIONS 3

/* It tells whether a swing, of this standard error, is large enough to tell the shift. */
static inline bool half_cycle_tells_shift(double swing, double swing_se)
{
    return fabs(swing) > SHIFT_TOLD_DEVIATIONS * swing_se && fabs(swing) > 0;
}

/* Fits [start, start + length) with the damping beta (LF 1998) = xi. */
void half_cycle_fit(const struct sample_history *history, double start, double length, double beta,
                    struct half_cycle *half);

/* An extremum in which a free motion may have ended a half cycle. */
struct motion_end {
    double position, level;
    double half_period;
    double swing; /* signed, of the half cycle that follows */
    double beta;
};

/* It tells how the samples from `back` positions before the extremum on follow the shape of a free motion, relative to
 * one with the swing that follows: 1 or a little more when they do, 0 when the mass was held still. NAN when there are
 * too few. *residual: rms of what that leaves. */
double motion_before(const struct sample_history *history, const struct motion_end *end, double back, double *residual);

/* A mass that follows by less than this, half way between the two, was held. */
#define LEAST_FREE_FOLLOW 0.5

#endif
