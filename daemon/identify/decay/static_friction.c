/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the stop tells of static friction: it held the mass at X_n, and it did not hold it at X_{n-1}. */

#include "identify/decay/static_friction.h"

#include "motion/half_cycle_law.h"

#include <math.h>
#include <stddef.h>

/* Half cycles after which the search for the rest position gives up: far more than any sensor resolves. */
static const size_t HALF_CYCLE_LIMIT = 1000000;

/* Normal quantile of a two-sided 95 % interval. */
static const double COVERAGE = 1.959963984540054;

/* An uncertainty that is not known (a parameter at its bound, say) widens nothing. */
static double known_or_zero(double se)
{
    return isfinite(se) ? se : 0;
}

/* The extremum X_n at which the mass stopped. */
struct stop {
    double misfit;       /* |X_n - measured rest|; the stop is the X_n where it is smallest */
    double left;         /* |X_{n-1}|; NAN when there is no stop */
    double highest_left; /* the largest |X_{n-1}| of all stops that the measured rest allows within its uncertainty */
};

/* Walks down the extrema (SHK Eq. 4) as long as the mass can still move. The first extremum counts positive. */
static struct stop find_stop(double x0, double q, double x_k, double rest, double tolerance, double x_k_spread)
{
    struct stop stop = {.misfit = INFINITY, .left = NAN, .highest_left = NAN};
    double height = x0;            /* |X_j|; negative when the mass stops before it crosses zero */
    double side = 1, before = NAN; /* the extremum before the one that is left */
    for (size_t j = 1; j < HALF_CYCLE_LIMIT && height > x_k && height + tolerance >= fabs(rest); j++) {
        const double left = height;
        height = law_next_height(q, x_k, height);
        side = -side;
        const double misfit = fabs(side * height - rest);
        if (misfit < stop.misfit) {
            stop.misfit = misfit;
            stop.left = left;
        }
        if (misfit <= tolerance)
            stop.highest_left = fmax(stop.highest_left, left);
        /* Hardly above x_k, within what is known of it: the mass may as well have stayed where it seems to have left,
         * and then it left the extremum before. */
        if (misfit <= stop.misfit && left <= x_k + x_k_spread + tolerance)
            stop.highest_left = fmax(stop.highest_left, before);
        before = left;
        /* Rounding at the end of a nearly undamped chain: no progress is no stop. */
        if (height >= left)
            break;
    }
    stop.highest_left = fmax(stop.highest_left, stop.left);
    return stop;
}

static bool usable(const struct estimate *zeta, const struct estimate *x_k, const struct estimate *x0,
                   const struct estimate *bias)
{
    return isfinite(zeta->value) && zeta->value >= 0 && zeta->value < 1 && isfinite(x_k->value) && x_k->value >= 0 &&
           isfinite(x0->value) && isfinite(bias->value) && fabs(x0->value) > x_k->value;
}

static enum verdict bracket_from(double rest, double spread, double bias_spread, const struct estimate *x_k,
                                 const struct stop *stop, struct static_friction *bracket)
{
    bracket->rest = fabs(rest);
    if (!isfinite(stop->left))
        return VERDICT_REST_CONTRADICTS_DECAY;
    bracket->last_extremum = stop->left;
    /* Real friction creeps a little before it holds: a misfit below x_k is not yet a contradiction. */
    const double x_k_spread = COVERAGE * known_or_zero(x_k->se);
    const double x_k_max = x_k->at_bound && isfinite(x_k->high) ? x_k->high : x_k->value + x_k_spread;
    /* Static friction is never below Coulomb friction, hence the second limit. */
    const double lower = fmax(fabs(rest) - spread, x_k->value - x_k_spread);
    const double upper = stop->highest_left + bias_spread;
    if (stop->misfit > spread + x_k_max || !(lower < upper))
        return VERDICT_REST_CONTRADICTS_DECAY;
    bracket->x_s_min = fmax(lower, 0);
    bracket->x_s_max = upper;
    return VERDICT_OK;
}

enum verdict static_friction_bracket(double rest_position, double rest_position_se, const struct estimate *zeta,
                                     const struct estimate *x_k, const struct estimate *x0, const struct estimate *bias,
                                     struct static_friction *bracket)
{
    *bracket = (struct static_friction){VERDICT_NOT_COMPUTED, NAN, NAN, NAN, NAN};
    if (!isfinite(rest_position) || !usable(zeta, x_k, x0, bias))
        return bracket->verdict;
    const double side = x0->value < 0 ? -1 : 1;
    const double rest = side * (rest_position - bias->value);
    const double bias_spread = COVERAGE * known_or_zero(bias->se);
    const double spread = hypot(COVERAGE * known_or_zero(rest_position_se), bias_spread);
    const double q = law_q(law_beta(zeta->value));

    const double x_k_spread = COVERAGE * known_or_zero(x_k->se);
    const struct stop stop = find_stop(fabs(x0->value), q, x_k->value, rest, spread, x_k_spread);
    bracket->verdict = bracket_from(rest, spread, bias_spread, x_k, &stop, bracket);
    return bracket->verdict;
}
