/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LINEAR_DECREMENT_H
#define FRICID_IDENTIFY_LINEAR_DECREMENT_H

#include "identify/common/estimate.h"
#include "identify/decay/extremum.h"

#include <stddef.h>

/* The linear decrement: all damping is taken for Coulomb friction. Kept because users compare with it; where there is
 * viscous damping as well, its x_k depends on the amplitude. */
struct linear_decrement {
    enum verdict verdict;
    struct estimate x_k; /* displacement unit */
    double per_cycle;    /* what an amplitude loses in a cycle, 4 x_k, displacement unit */
    double rms;          /* of the swings about the straight line, displacement unit */
    size_t swings;       /* differences of neighbouring extrema that took part */
};

/* An amplitude loses 4 x_k a cycle, so the swing |Y_{j+1} - Y_j| loses 4 x_k from one half cycle to the next (SHK 2007
 * Eq. 4 with zeta = 0): a straight line through all swings. Differences of extrema know no bias. stride: half cycles
 * from one of these extrema to the next. Needs three swings; se
 * and interval come from the scatter about the line. VERDICT_TOO_FEW_HALF_CYCLES, _NOT_FINITE, _NOT_DECAYING or _OK. */
enum verdict linear_decrement(const struct extremum *extrema, size_t count, size_t stride,
                              struct linear_decrement *result);

#endif
