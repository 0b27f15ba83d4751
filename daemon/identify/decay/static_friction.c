/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the stop tells of static friction: it held the mass at X_n, and it did not hold it at X_{n-1}. */

#include "identify/decay/static_friction.h"

#include "identify/ladder/ladder_estimate.h"
#include "identify/ladder/ladder_motion.h"
#include "motion/half_cycle_law.h"

#include <math.h>
#include <stddef.h>

/* Half cycles after which the search for the rest position gives up: far more than any sensor resolves; of a rung, more
 * than a record that the ladder takes. */
static const size_t HALF_CYCLE_LIMIT = 1000000, RUNG_HALF_CYCLE_LIMIT = 8000;

/* Half of a 95 % interval. An uncertainty that is not known (a parameter at its bound, say) widens nothing. */
static double half_width(double se)
{
    return ladder_two_sided(0, isfinite(se) ? se : 0).high;
}

/* The extremum X_n at which the mass stopped. Forces are those of the springs over k, as displacements. */
struct stop {
    double misfit;       /* |X_n - measured rest|; the stop is the X_n where it is smallest */
    double left;         /* |X_{n-1}|; NAN when there is no stop */
    double left_force;   /* that of the springs there, which the mass overcame */
    double highest_left; /* the largest such force of all stops that the measured rest allows within its uncertainty */
};

/* A walk down the extrema of a decay, which asks of each whether the mass stopped there. */
struct stop_search {
    double rest, tolerance; /* the measured rest, from the bias, and within what */
    double held_below;      /* a force that friction may as well have held */
    struct stop stop;
    double left, left_force, force_before; /* |X_{j-1}| and the forces at X_{j-1} and X_{j-2}; NAN before the walk */
};

static void take_extremum(struct stop_search *search, double x, double force)
{
    struct stop *stop = &search->stop;
    const double misfit = isfinite(search->left) ? fabs(x - search->rest) : INFINITY;
    if (misfit < stop->misfit) {
        stop->misfit = misfit;
        stop->left = search->left;
        stop->left_force = search->left_force;
    }
    if (misfit <= search->tolerance)
        stop->highest_left = fmax(stop->highest_left, search->left_force);
    /* Hardly above x_k, within what is known of it: the mass may as well have stayed where it seems to have left,
     * and then it left the extremum before. */
    if (misfit <= stop->misfit && search->left_force <= search->held_below)
        stop->highest_left = fmax(stop->highest_left, search->force_before);
    search->force_before = search->left_force;
    search->left_force = fabs(force);
    search->left = fabs(x);
}

/* Walks down the extrema (SHK Eq. 4) as long as the mass can still move. */
static void walk_law(double x0, double q, double x_k, struct stop_search *search)
{
    double height = fabs(x0), side = copysign(1, x0); /* |X_j|; negative when the mass stops before it crosses zero */
    take_extremum(search, x0, x0);
    for (size_t j = 1; j < HALF_CYCLE_LIMIT && height > x_k && height + search->tolerance >= fabs(search->rest); j++) {
        const double left = height;
        height = law_next_height(q, x_k, height);
        side = -side;
        take_extremum(search, side * height, height);
        /* Rounding at the end of a nearly undamped chain: no progress is no stop. */
        if (height >= left)
            break;
    }
}

/* The same of a rung, whose turns have no closed form. */
struct rung_search {
    const double *parameters;
    struct stop_search search;
};

/* Springs that are not alike on both sides have extrema that rise and fall by turns: two say how far the motion is. */
static bool take_turn(void *taker, const struct ladder_turn *turn)
{
    struct rung_search *rung = taker;
    const double before = rung->search.left;
    take_extremum(&rung->search, turn->x, ladder_spring(rung->parameters, turn->x));
    return fmax(before, rung->search.left) + rung->search.tolerance >= fabs(rung->search.rest);
}

/* --- what it says --- */

static bool usable(const struct end_of_decay *end)
{
    const double zeta = end->zeta->value, x_k = end->x_k->value;
    return isfinite(end->rest.position) && isfinite(zeta) && zeta >= 0 && zeta < 1 && isfinite(x_k) && x_k >= 0 &&
           isfinite(end->x0->value) && isfinite(end->bias->value) && fabs(end->x0->value) > x_k;
}

static double x_k_spread(const struct end_of_decay *end)
{
    return half_width(end->x_k->se);
}

static struct stop_search search_for(const struct end_of_decay *end)
{
    const double tolerance = hypot(half_width(end->rest.se), half_width(end->bias->se));
    return (struct stop_search){.rest = end->rest.position - end->bias->value,
                                .tolerance = tolerance,
                                .held_below = end->x_k->value + x_k_spread(end) + tolerance,
                                .stop = {INFINITY, NAN, NAN, NAN},
                                .left = NAN,
                                .left_force = NAN,
                                .force_before = NAN};
}

/* rest_force: that of the springs where the mass rests. */
static enum verdict bracket_from(const struct end_of_decay *end, const struct stop_search *search, double rest_force,
                                 struct static_friction *bracket)
{
    const struct stop *stop = &search->stop;
    bracket->rest = fabs(search->rest);
    if (!isfinite(stop->left))
        return VERDICT_REST_CONTRADICTS_DECAY;
    bracket->last_extremum = stop->left;
    /* Real friction creeps a little before it holds: a misfit below x_k is not yet a contradiction. */
    const struct estimate *x_k = end->x_k;
    const double x_k_max = x_k->at_bound && isfinite(x_k->high) ? x_k->high : x_k->value + x_k_spread(end);
    /* Static friction is never below Coulomb friction, hence the second limit. */
    const double lower = fmax(fabs(rest_force) - search->tolerance, x_k->value - x_k_spread(end));
    const double upper = fmax(stop->highest_left, stop->left_force) + half_width(end->bias->se);
    if (stop->misfit > search->tolerance + x_k_max || !(lower < upper))
        return VERDICT_REST_CONTRADICTS_DECAY;
    bracket->x_s_min = fmax(lower, 0);
    bracket->x_s_max = upper;
    return VERDICT_OK;
}

enum verdict static_friction_bracket(const struct end_of_decay *end, struct static_friction *bracket)
{
    *bracket = (struct static_friction){VERDICT_NOT_COMPUTED, NAN, NAN, NAN, NAN};
    if (!usable(end))
        return bracket->verdict;
    struct stop_search search = search_for(end);
    walk_law(end->x0->value, law_q(law_beta(end->zeta->value)), end->x_k->value, &search);
    return bracket->verdict = bracket_from(end, &search, search.rest, bracket);
}

enum verdict static_friction_of_rung(const struct ladder *ladder, const struct rest_observation *rest,
                                     struct static_friction *bracket)
{
    const struct ladder_model *chosen = &ladder->models[ladder->chosen];
    const struct end_of_decay end = {*rest, &ladder->estimate[LADDER_ZETA], &ladder->estimate[LADDER_X_K],
                                     &ladder->estimate[LADDER_X0], &ladder->estimate[LADDER_BIAS]};
    double parameters[LADDER_MOTION];
    *bracket = (struct static_friction){VERDICT_NOT_COMPUTED, NAN, NAN, NAN, NAN};
    if (!usable(&end))
        return bracket->verdict;
    for (enum ladder_parameter p = 0; p < LADDER_MOTION; p++)
        parameters[p] = ladder_terms_have(chosen->terms, p) ? chosen->estimate[p].value : 0;
    /* One that lies at its bound is rigid. */
    if (parameters[LADDER_X_D] > 0)
        return bracket->verdict = VERDICT_NEVER_STICKS;
    struct rung_search rung = {parameters, search_for(&end)};
    const struct ladder_takers takers = {.turn = take_turn, .taker = &rung};
    /* A motion that does not come back has had its extrema before. */
    (void)ladder_walk(parameters, chosen->terms, M_PI * (double)RUNG_HALF_CYCLE_LIMIT, WALK_EXACT, &takers);
    return bracket->verdict = bracket_from(&end, &rung.search, ladder_spring(parameters, rung.search.rest), bracket);
}
