/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_JACOBSEN_AYRE_H
#define FRICID_IDENTIFY_JACOBSEN_AYRE_H

#include "identify/common/estimate.h"
#include "identify/decay/extremum.h"

#include <stddef.h>

/* Jacobsen and Ayre (Engineering Vibrations, 1958): viscous damping from the part of the record with large amplitudes,
 * where it dominates, and friction from the part with small ones. Kept because users compare with it. */
struct jacobsen_ayre {
    enum verdict verdict;
    struct estimate zeta; /* 1 */
    struct estimate x_k;  /* displacement unit */
    size_t large, small;  /* swings of which the one and the other came */
};

/* Swings S_j = |Y_{j+1} - Y_j| follow S_{j+1} = q S_j - 2 (1 + q) x_k (LF 1998 Eq. 9 in absolute values). q comes
 * from the larger half of the swings, less what friction takes there; x_k from the smaller half, less what viscous
 * damping takes there; both at once. Standard errors come from the scatter within the halves, as if the steps were
 * independent; they share extrema, which makes the errors too large rather than too small. Needs six swings.
 * VERDICT_TOO_FEW_HALF_CYCLES, _NOT_FINITE, _NOT_DECAYING, _UNDERDETERMINED or _OK. */
enum verdict jacobsen_ayre(const struct extremum *extrema, size_t count, struct jacobsen_ayre *result);

#endif
