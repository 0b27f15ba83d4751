/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LOOP_LIMITS_H
#define FRICID_IDENTIFY_LOOP_LIMITS_H

#include "identify/common/estimate.h"
#include "identify/loop/loop_signal.h"

/* Whether a channel is cut off at the limits of its sensor. */

/* Lowest and highest value, and how often a channel stands at one of them, for six samples or more. */
struct loop_extent {
    double lowest, highest;
    size_t stretches;
};
struct loop_extent loop_extent_of(const double *values, size_t count);

/* late_s: of the force. VERDICT_OK, VERDICT_DISPLACEMENT_CLIPPED, VERDICT_FORCE_CLIPPED or VERDICT_NO_MEMORY. */
enum verdict loop_look_at_limits(const struct loop_signal *signal, const struct loop_extent *way,
                                 const struct loop_extent *force, double late_s);

#endif
