/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_JOINT_CONTRADICTION_H
#define FRICID_IDENTIFY_JOINT_CONTRADICTION_H

#include "identify/ladder/joint_fit.h"

/* Whether channels see one motion: what each of them finds by itself, freed of its gain. */

/* Channels contradict each other beyond this. The largest of the differences of a sound pair is below 2.5 in 95 %. */
#define JOINT_ERRORS_MOST 3.3

struct joint_contradiction {
    bool found;
    enum ladder_parameter
        figure;            /* that of which the difference is largest; LADDER_PARAMETERS: none could be compared */
    size_t channel, other; /* those two that differ in it, the one that sees more of it first */
    double errors;         /* by so many joint standard errors; NAN: as above */
};

/* Compares the channels by themselves, pair by pair, in the frequency, the time of release and every term of the rung
 * in units of X_0. */
struct joint_contradiction joint_contradiction_of(const struct joint_fit *fit);

#endif
