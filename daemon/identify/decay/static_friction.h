/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_STATIC_FRICTION_H
#define FRICID_IDENTIFY_STATIC_FRICTION_H

#include "identify/common/estimate.h"

/* The static (break-away) displacement x_s = f_s/k between two limits, from where the mass came to rest. */
struct static_friction {
    enum verdict verdict;
    double x_s_min, x_s_max; /* displacement unit, widened by the uncertainties that went in */
    double rest;             /* |X_n|, the rest position from the bias, displacement unit */
    double last_extremum;    /* |X_{n-1}|, the last extremum that the mass left, displacement unit */
};

/* max(|X_n|, x_k) <= x_s < |X_{n-1}|, for a decay whose extrema follow X_j of SHK Eq. 4.
 *
 * rest_position: mean displacement after the stop as measured (bias included), displacement unit; the other arguments
 * are estimates of the same decay. The mass may stop before it crosses zero: |X_{n-1}| is then the extremum before, on
 * the same side. VERDICT_NOT_COMPUTED when rest_position is NAN (the mass did not come to rest) or an estimate is
 * missing; VERDICT_REST_CONTRADICTS_DECAY when the decay has no stop near rest_position. Friction counts as alike in
 * both directions. */
enum verdict static_friction_bracket(double rest_position, double rest_position_se, const struct estimate *zeta,
                                     const struct estimate *x_k, const struct estimate *x0, const struct estimate *bias,
                                     struct static_friction *bracket);

#endif
