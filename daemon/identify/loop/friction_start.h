/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_FRICTION_START_H
#define FRICID_IDENTIFY_FRICTION_START_H

#include "identify/loop/friction_fit.h"

/* Where fits of a friction model begin, and which of them goes on. */

/* Fits whose sums of squares differ by less than this share are one. */
#define FRICTION_SAME_OPTIMUM 1e-6

/* The smallest dip that a search looks for: F_S/F_C - 1. */
#define FRICTION_LEAST_RATIO 0.15

/* One of `count` values from least to most, each the same factor beyond the one before. */
double friction_on_grid(double least, double most, size_t k, size_t count);

/* Takes the start, with its linear unknowns, where that leaves less. */
void friction_consider_start(const struct friction_motion *motion, const struct friction_point *start,
                             struct friction_fit *best);

/* Takes the fit where that leaves less, and adds its passes in any case. */
void friction_take_better(const struct friction_fit *fit, struct friction_fit *best);

/* A simpler model's fit as a start of the model of a point; a dip that it lacks is the smallest there is,
 * and stops that do not harden in it are nearly springs at first. */
struct friction_point friction_start_from(const struct friction_fit *simple, const struct friction_point *of);

/* The model of a point where it is the simpler one that it contains, as far as its bounds let it. */
struct friction_point friction_start_within(const struct friction_motion *motion, const struct friction_fit *simple,
                                            const struct friction_point *of);

/* Begins all parts in a deflection. */
void friction_start_at(double start, struct friction_point *point);

#endif
