/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_SHAPE_H
#define FRICID_SEGMENT_SHAPE_H

#include "segment/half_cycle.h"
#include "segment/sample_history.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* The shape of a free half cycle, tabulated from sample to sample. Half cycles that follow each other have nearly the
 * same length and damping: with a table, and what least squares makes of it for the two numbers of samples that there
 * can be, a fit needs a few sums over the samples and no more. */

/* The two columns of the model over so many samples come to this. */
struct shape_columns {
    double per_sample, per_freedom; /* 1 / n, 1 / (n - 3) */
    double root_share;              /* 1 / root of n */
    double cosine, sine;            /* means */
    double cc, cs, ss;              /* inverse of the matrix of products about the means */
};

struct shape {
    double length, beta; /* of the half cycle, positions; length 0: nothing is tabulated */
    double q;            /* what damping leaves of a swing */
    double turn;         /* angle from sample to sample */
    double per_slope;    /* turns the share of the slope into a shift */
    size_t fewest;       /* samples in a half cycle; there may be one more */
    struct shape_columns columns[2];
    double cosine[HALF_CYCLE_BINS], sine[HALF_CYCLE_BINS];
};

/* Tabulates this length and damping; nothing when there are too few samples in it, or more than HALF_CYCLE_BINS. */
void shape_tabulate(struct shape *shape, double length, double beta);

/* A length that is off by d, relative to it, leaves an rms of 0.09 d of the swing, and a damping that is off by d one
 * of 0.0185 d: so many times more of that makes as much. */
#define DAMPING_LIKE_LENGTH 5

/* It tells whether a half cycle of this length and damping has the shape in the table: `slack` is what the length may
 * be off by, relative to it. */
static inline bool shape_suits(const struct shape *shape, double length, double beta, double slack)
{
    return fabs(length - shape->length) <= slack * length && fabs(beta - shape->beta) <= DAMPING_LIKE_LENGTH * slack;
}

/* Fits [start, start + length) as half_cycle_fit() does. False when the table does not hold for its samples: they have
 * time stamps or flags, are missing, or are not as many. */
bool shape_fit(const struct shape *shape, const struct sample_history *history, double start, double length,
               struct half_cycle *half);

#endif
