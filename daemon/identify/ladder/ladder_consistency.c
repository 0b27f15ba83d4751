/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ladder/ladder_consistency.h"

#include "identify/ladder/ladder_estimate.h"
#include "identify/ladder/ladder_motion.h"
#include "motion/small_cholesky.h"

#include <math.h>
#include <string.h>

/* Joint standard errors: one record of four hundred in noise alone. */
static const double ERRORS_MOST = 3;

/* An extremum of the rung's motion that is not within this, in radians, was not found. */
static const double SAME_EXTREMUM = 0.5;

struct placing {
    struct ladder_reopened *open;
    const struct extremum *motion;
    size_t motions, next, place; /* the next extremum of the data, and the one of the motion that is next to it */
    bool all;
};

static double placed_at(const struct placing *placing, size_t place)
{
    const struct ladder_data *data = &placing->open->data;
    return (placing->motion[place].time_s - data->origin_s) / data->unit_s;
}

/* What is wrong with a place that was found in the motion is wrong with that in the record. */
static bool put_right(void *taker, const struct ladder_turn *turn)
{
    struct placing *placing = taker;
    struct ladder_data *data = &placing->open->data;
    const double *parameters = placing->open->parameters;
    const double time = parameters[LADDER_T0] + turn->time / parameters[LADDER_OMEGA_N];
    const size_t n = placing->next++;
    while (placing->place + 1 < placing->motions &&
           fabs(placed_at(placing, placing->place + 1) - time) < fabs(placed_at(placing, placing->place) - time))
        placing->place++;
    const double late = placed_at(placing, placing->place) - time;
    const double value = (placing->motion[placing->place].displacement - data->origin) / data->unit;
    data->extremum_time[n] -= late;
    data->extremum_value[n] -= value - (parameters[LADDER_BIAS] + turn->x);
    placing->all = placing->all && fabs(late) < SAME_EXTREMUM;
    return placing->next < data->extrema;
}

static bool put_extrema_right(struct ladder_reopened *open, const struct extremum *motion, size_t motions)
{
    struct placing placing = {.open = open, .motion = motion, .motions = motions, .all = motions > 0};
    const struct ladder_takers takers = {put_right, NULL, &placing};
    return motions > 0 && ladder_walk(open->parameters, open->terms, INFINITY, WALK_EXACT, &takers) && placing.all &&
           placing.next == open->data.extrema;
}

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

struct ladder_consistency ladder_consistency_of(struct ladder_reopened *open, const struct extremum *motion,
                                                size_t motions, const struct estimate *x_k, const atomic_bool *cancel)
{
    const struct estimate unknown = {.value = NAN, .se = NAN, .low = NAN, .high = NAN};
    struct ladder_consistency consistency = {.x_k = unknown};
    if (put_extrema_right(open, motion, motions))
        consistency.x_k = friction_of_extrema(open, cancel);
    consistency.errors = fabs(consistency.x_k.value - x_k->value) / hypot(consistency.x_k.se, x_k->se);
    consistency.contradicts = consistency.errors > ERRORS_MOST;
    return consistency;
}
