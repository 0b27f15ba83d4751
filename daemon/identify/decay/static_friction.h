/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_STATIC_FRICTION_H
#define FRICID_IDENTIFY_STATIC_FRICTION_H

#include "identify/decay/rest_tail.h"
#include "identify/ladder/ladder.h"

/* The static (break-away) displacement x_s = f_s/k between two limits, from where the mass came to rest. */
struct static_friction {
    enum verdict verdict;
    double x_s_min, x_s_max; /* displacement unit, widened by the uncertainties that went in */
    double rest;             /* |X_n|, the rest position from the bias, displacement unit */
    double last_extremum;    /* |X_{n-1}|, the last extremum that the mass left, displacement unit */
};

/* Where a decay ended, and what it was: estimates of one section. */
struct end_of_decay {
    struct rest_observation rest;
    const struct estimate *zeta, *x_k, *x0, *bias;
};

/* max(|X_n|, x_k) <= x_s < |X_{n-1}|, for a decay whose extrema follow X_j of SHK Eq. 4.
 *
 * The mass may stop before it crosses zero: |X_{n-1}| is then the extremum before, on the same side.
 * VERDICT_NOT_COMPUTED when the rest's position is NAN (the mass did not come to rest) or an estimate is missing;
 * VERDICT_REST_CONTRADICTS_DECAY when the decay has no stop near it. Friction counts as alike in both directions. */
enum verdict static_friction_bracket(const struct end_of_decay *end, struct static_friction *bracket);

/* The same for a decay whose extrema are those of the chosen rung of a ladder that has spoken: at X_n and X_{n-1}
 * counts the force of its springs over k. VERDICT_NEVER_STICKS where the rung has presliding: what gives way at any
 * force has no break-away. */
enum verdict static_friction_of_rung(const struct ladder *ladder, const struct rest_observation *rest,
                                     struct static_friction *bracket);

#endif
