/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_DECAY_LAW_H
#define FRICID_SEGMENT_DECAY_LAW_H

#include "motion/half_cycle_law.h"
#include "segment/extremes.h"

#include <stddef.h>

/* So many of the latest swings tell the law: noise averages out, and what a rig's damping changes with amplitude is not
 * much yet. */
enum { DECAY_LAW_SWINGS = 12 };

/* The law by which the swings of a free decay follow each other: law_next_swing(). */
struct decay_law {
    double q;   /* within [0, 1]; 0 where nothing is left of a swing, but for rounding */
    double x_k; /* displacement unit, >= 0 */
};

/* It fits by least squares over count swings; with fewer than three, all damping is taken as viscous. */
struct decay_law decay_law_fit(const double *swing, size_t count);

/* The swing that the law expects after this one; 0 when the mass would not move again. */
static inline double decay_law_next(const struct decay_law *law, double swing)
{
    return larger(law_next_swing(law->q, law->x_k, swing), 0);
}

/* The most by which one of count swings, two at least, departs from what the law makes of the one before, beyond this
 * part of what it makes of it; displacement unit, 0 at least. */
double decay_law_departure(const struct decay_law *law, const double *swing, size_t count, double forgiven);

#endif
