/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_JOINT_CONTRADICTION_H
#define FRICID_IDENTIFY_JOINT_CONTRADICTION_H

#include "identify/ladder/joint_fit.h"

/* Whether channels see one motion: what each of them finds by itself, freed of its gain. */

/* This part of all runs with sound channels is said to contradict itself. */
#define JOINT_FALSE_ALARMS 0.004

/* Which limit of one among so many comparisons, in joint standard errors, that makes: 3.3 for the four figures of a
 * pair, 4.1 for those of eight channels. */
double joint_errors_most(size_t comparisons);

struct joint_contradiction {
    bool found;
    enum ladder_parameter
        figure;            /* that of which the difference is largest; LADDER_PARAMETERS: none could be compared */
    size_t channel, other; /* those two that differ in it, in the order of the channels */
    double errors;         /* by so many joint standard errors; NAN: as above */
    size_t comparisons;    /* so many were made, of each figure in each pair */
    double limit;          /* joint_errors_most() of them */
};

/* Compares the channels by themselves, pair by pair, in the frequency, the time of release and every term of the rung
 * in units of X_0. */
struct joint_contradiction joint_contradiction_of(const struct joint_fit *fit);

#endif
