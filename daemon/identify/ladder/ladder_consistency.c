/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ladder/ladder_consistency.h"

#include "identify/ladder/ladder_estimate.h"
#include "motion/small_cholesky.h"

#include <math.h>
#include <string.h>

/* Joint standard errors: one record of four hundred in noise alone. */
static const double ERRORS_MOST = 3;

/* NAN where the extrema do not tell friction. */
static struct estimate friction_of_extrema(const struct ladder_reopened *open, const atomic_bool *cancel)
{
    enum { PASSES = 80 };
    static const double THERE = 1e-10;
    const struct estimate unknown = {.value = NAN, .se = NAN, .low = NAN, .high = NAN};
    double parameters[LADDER_PARAMETERS], inverse[LADDER_PARAMETERS][LADDER_PARAMETERS];
    bool free[LADDER_PARAMETERS];
    struct ladder_normal normal;
    struct small_cholesky cholesky;
    memcpy(parameters, open->parameters, sizeof parameters);
    if (!ladder_terms_have(open->terms, LADDER_X_K) ||
        ladder_minimise(ladder_extrema_pass, &open->data, open->terms, THERE, PASSES, cancel, parameters, &normal) !=
            VERDICT_OK)
        return unknown;
    ladder_free(open->terms, parameters, &normal, free);
    if (!free[LADDER_X_K] || !cholesky_factorise(&normal.matrix[0][0], LADDER_PARAMETERS, free, 0, 1e-14, &cholesky))
        return unknown;
    cholesky_invert(&cholesky, LADDER_PARAMETERS, &inverse[0][0]);
    const double freedom = 2 * (double)open->data.extrema - (double)cholesky.unknowns;
    const double se = sqrt(inverse[LADDER_X_K][LADDER_X_K] * normal.squares / fmax(freedom, 1)) * open->data.unit;
    return ladder_two_sided(parameters[LADDER_X_K] * open->data.unit, se);
}

struct ladder_consistency ladder_consistency_of(const struct ladder_reopened *open, const struct estimate *x_k,
                                                const atomic_bool *cancel)
{
    struct ladder_consistency consistency = {.x_k = friction_of_extrema(open, cancel)};
    consistency.errors = fabs(consistency.x_k.value - x_k->value) / hypot(consistency.x_k.se, x_k->se);
    consistency.contradicts = consistency.errors > ERRORS_MOST;
    return consistency;
}
