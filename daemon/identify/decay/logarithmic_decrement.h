/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LOGARITHMIC_DECREMENT_H
#define FRICID_IDENTIFY_LOGARITHMIC_DECREMENT_H

#include "identify/common/estimate.h"
#include "identify/decay/extremum.h"

#include <stddef.h>

/* The logarithmic decrement: all damping is taken for viscous. Kept because users compare with it; where there is
 * friction as well, its zeta depends on the amplitude. */
struct logarithmic_decrement {
    enum verdict verdict;
    struct estimate zeta; /* 1 */
    double delta;         /* the decrement of a whole cycle, 2 pi beta */
    double rms;           /* of the logarithms about the straight line, 1 */
    size_t swings;        /* differences of neighbouring extrema that took part */
};

/* ln |Y_{j+1} - Y_j| falls by beta pi a half cycle (SHK 2007 Eq. 4 with x_k = 0): a straight line through all swings,
 * each weighted by its size. Differences of extrema know no bias. stride: half cycles
 * from one of these extrema to the next. Needs three swings; se and interval come from the
 * scatter about the line. VERDICT_TOO_FEW_HALF_CYCLES, _NOT_FINITE, _NOT_DECAYING or _OK. */
enum verdict logarithmic_decrement(const struct extremum *extrema, size_t count, size_t stride,
                                   struct logarithmic_decrement *result);

#endif
