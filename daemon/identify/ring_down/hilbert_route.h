/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_HILBERT_ROUTE_H
#define FRICID_IDENTIFY_HILBERT_ROUTE_H

#include "identify/common/estimate.h"
#include "identify/ring_down/hilbert_joint.h"
#include "identify/ring_down/law_fit.h"

#include <stdatomic.h>

/* The route of Deaner et al. (2015), for comparison with what others do: a Butterworth band-pass of order 4, forwards
 * and backwards, the Hilbert transform, polynomials of time through log amplitude and phase. It loses the first cycles
 * in its filter, has no errors, and its answer depends on the degree; it is never to be recommended. What a joint would
 * have to be for that curve is searched in the end. */

enum { HILBERT_POINTS = 30, HILBERT_LEAST_DEGREE = 2, HILBERT_MOST_DEGREE = 9 };

struct hilbert_route {
    enum verdict verdict;
    size_t degree; /* of both polynomials, by Akaike's criterion for small samples */
    size_t count;
    struct hilbert_point point[HILBERT_POINTS];
    struct hilbert_joint joint; /* with a verdict of its own */
};

/* law: a law that was fitted to the record, which says how far the mode stands above the noise. Verdicts: VERDICT_OK,
 * VERDICT_TOO_FEW_SAMPLES (nothing is left between the ends that the filter spoils), VERDICT_NOT_DECAYING (the
 * polynomial does not fall all the way), VERDICT_UNDERDETERMINED or VERDICT_NO_MEMORY. cancel: may be NULL. */
void hilbert_route(const struct mode_record *record, const struct law_fit *law, const atomic_bool *cancel,
                   struct hilbert_route *route);

/* The curve alone, with the best of degrees from least to most, which HILBERT_LEAST_DEGREE and HILBERT_MOST_DEGREE
 * bound. Verdicts: as above; the joint's is the same. */
void hilbert_curve(const struct mode_record *record, const struct law_fit *law, size_t least, size_t most,
                   struct hilbert_route *route);

/* Where there is none, or not yet. */
struct hilbert_route hilbert_route_without(enum verdict verdict);

#endif
