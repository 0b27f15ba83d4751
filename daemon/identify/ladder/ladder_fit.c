/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ladder/ladder_fit.h"

#include "identify/ladder/ladder_start.h"

#include <math.h>
#include <string.h>

/* Last step on the extrema, which only lead to the samples, and on the samples, as a part of the sum of squares. */
static const double NEAR = 1e-3, THERE = 1e-8;
enum { NEAR_PASSES = 12, LESSENED_MOST = 20 };

/* Passes over the samples: a few for every rung, and many where it is then found that a rung's residual is at most
 * CONTENDER times the least of all. One that leaves more has no say, and the way to its optimum is long, since what it
 * leaves is no noise. Rungs that leave nearly as little as the best, CLOSE in the sum of squares, go on to a last step
 * of FINE, since a bent valley is followed in many short ones. */
enum { PATIENCE = 8, PASSES = 160 };
static const double CONTENDER = 2, CLOSE = 1.1, FINE = 1e-9;

/* Where presliding may begin, in units of X_0, evenly by the logarithm; and where it is looked for again from a rigid
 * optimum, with a few passes over the samples each. */
static const double X_D_FIRST = 1e-5, X_D_LAST = 1, X_D_LIFTS[] = {1e-5, 3e-4, 0.004, 0.02, 0.1, 0.5};
enum { STARTS = 16, LIFTS = sizeof X_D_LIFTS / sizeof X_D_LIFTS[0], LIFT_PASSES = 3 };

/* What a fit works with. */
struct climb {
    const struct ladder_data *data;
    const atomic_bool *cancel;
    const struct ladder_rung *below; /* the rungs that are done */
    size_t below_count;
    int passes;
    double tolerance;
    bool lifts; /* friction that is rigid is let yield */
};

static bool contains(unsigned terms, unsigned others)
{
    return !(others & ~terms);
}

/* Takes an optimum on the samples when it is better. */
static void settle(const struct climb *climb, const double *from, struct ladder_rung *rung)
{
    struct ladder_rung tried = {.terms = rung->terms};
    memcpy(tried.parameters, from, sizeof tried.parameters);
    tried.verdict = ladder_minimise(ladder_sample_pass, climb->data, tried.terms, climb->tolerance, climb->passes,
                                    climb->cancel, tried.parameters, &tried.normal);
    if (tried.verdict == VERDICT_CANCELLED || tried.normal.squares <= rung->normal.squares)
        *rung = tried;
}

/* The slow flow's values; presliding begins where they leave least. */
static void slow_flow(const struct climb *climb, unsigned terms, double parameters[LADDER_PARAMETERS])
{
    const int starts = ladder_terms_have(terms, LADDER_X_D) ? STARTS : 1;
    double least = INFINITY;
    for (int n = 0; n < starts; n++) {
        double tried[LADDER_PARAMETERS];
        const double x_d = X_D_FIRST * pow(X_D_LAST / X_D_FIRST, n / (STARTS - 1.0));
        const double left = ladder_start(climb->data, terms, x_d, tried);
        if (n > 0 && !(left < least))
            continue;
        least = left;
        memcpy(parameters, tried, sizeof tried);
    }
}

/* From a slow flow to the optimum on the extrema. Friction that ends the motion before the last of them, and springs
 * that let the mass escape, are lessened first. False: it is of no use. */
static bool follow_extrema(const struct climb *climb, unsigned terms, double parameters[LADDER_PARAMETERS])
{
    for (int tries = 0; tries < LESSENED_MOST; tries++) {
        struct ladder_normal normal;
        ladder_minimise(ladder_extrema_pass, climb->data, terms, NEAR, NEAR_PASSES, climb->cancel, parameters, &normal);
        if (isfinite(normal.squares))
            return true;
        parameters[LADDER_X_K] *= 0.8;
        parameters[LADDER_CUBIC] *= 0.8;
        parameters[LADDER_SQUARE] *= 0.8;
    }
    return false;
}

/* From the slow flow over the extrema to the optimum on the samples. */
static void climb_by_extrema(const struct climb *climb, struct ladder_rung *rung)
{
    double parameters[LADDER_PARAMETERS];
    slow_flow(climb, rung->terms, parameters);
    if (follow_extrema(climb, rung->terms, parameters))
        settle(climb, parameters, rung);
}

/* The best of the rungs that this one contains; NULL: none. */
static const struct ladder_rung *best_below(const struct climb *climb, unsigned terms)
{
    const struct ladder_rung *best = NULL;
    for (size_t n = 0; n < climb->below_count; n++)
        if (contains(terms, climb->below[n].terms) && (!best || climb->below[n].normal.squares < best->normal.squares))
            best = &climb->below[n];
    return best;
}

/* Whether a rung's presliding is none: friction is rigid, or there is none that could yield. */
static bool rigid(const struct ladder_rung *rung)
{
    return !(rung->parameters[LADDER_X_D] > 0) || !(rung->parameters[LADDER_X_K] > 0);
}

/* Whether presliding vanished on a rung, and on the best one below. */
static bool vanished(const struct climb *climb, const struct ladder_rung *rung)
{
    const struct ladder_rung *below = best_below(climb, rung->terms);
    return ladder_terms_have(rung->terms, LADDER_X_D) && rigid(rung) && below && rigid(below);
}

/* Whether a rung leaves more than one that it contains. */
static bool leaves_more(const struct climb *climb, const struct ladder_rung *rung)
{
    const struct ladder_rung *below = best_below(climb, rung->terms);
    return below && rung->normal.squares > below->normal.squares;
}

/* Lets friction yield that is rigid: a few steps from each lift, and the best of what they lead to. */
static void lift(const struct climb *climb, unsigned terms, double parameters[LADDER_PARAMETERS])
{
    double from[LADDER_PARAMETERS], least = INFINITY;
    memcpy(from, parameters, sizeof from);
    for (int n = 0; n < LIFTS; n++) {
        double tried[LADDER_PARAMETERS];
        struct ladder_normal normal;
        memcpy(tried, from, sizeof tried);
        tried[LADDER_X_D] = X_D_LIFTS[n];
        ladder_minimise(ladder_sample_pass, climb->data, terms, climb->tolerance, LIFT_PASSES, climb->cancel, tried,
                        &normal);
        if (!(normal.squares < least) || !(tried[LADDER_X_D] > 0))
            continue;
        least = normal.squares;
        memcpy(parameters, tried, sizeof tried);
    }
}

/* From the optimum of the best rung below. As a last resort it is this rung's own, with its new terms at zero. */
static void climb_from_below(const struct climb *climb, struct ladder_rung *rung)
{
    const struct ladder_rung *below = best_below(climb, rung->terms);
    double from[LADDER_PARAMETERS];
    if (!below)
        return;
    const bool stiff = ladder_terms_have(rung->terms, LADDER_X_D) && rigid(below);
    memcpy(from, below->parameters, sizeof from);
    if (stiff && climb->lifts)
        lift(climb, rung->terms, from);
    if (!stiff || climb->lifts)
        settle(climb, from, rung);
    if (rung->verdict == VERDICT_CANCELLED || !leaves_more(climb, rung))
        return;
    const unsigned terms = rung->terms;
    *rung = *below;
    rung->terms = terms;
}

static void climb_rung(const struct climb *climb, struct ladder_rung *rung)
{
    rung->verdict = VERDICT_NOT_CONVERGED;
    climb_by_extrema(climb, rung);
    if (leaves_more(climb, rung))
        climb_from_below(climb, rung);
}

static bool is_contender(const struct ladder_rung *rung, double least)
{
    return rung->normal.squares < CONTENDER * CONTENDER * least;
}

/* Whether more passes are worth it: a contender that is not there yet, one close to the best, or one that leaves more
 * than one below it. */
static bool goes_on(const struct climb *climb, const struct ladder_rung *rung, double least)
{
    return (rung->verdict == VERDICT_NOT_CONVERGED && is_contender(rung, least)) ||
           rung->normal.squares < CLOSE * least || leaves_more(climb, rung);
}

static double least_squares(const struct ladder_rung rungs[LADDER_RUNGS])
{
    double least = INFINITY;
    for (size_t n = 0; n < LADDER_RUNGS; n++)
        least = fmin(least, rungs[n].normal.squares);
    return least;
}

void ladder_list(struct ladder_rung rungs[LADDER_RUNGS])
{
    size_t listed = 0;
    for (unsigned count = 1; count <= LADDER_TERMS; count++)
        for (unsigned terms = 1; terms < LADDER_BIT(LADDER_TERMS); terms++)
            if (ladder_terms_count(terms) == count && ladder_terms_allowed(terms))
                rungs[listed++] = (struct ladder_rung){
                    .terms = terms, .verdict = VERDICT_NOT_COMPUTED, .normal = {.squares = INFINITY}};
}

/* Whether friction yields beside all other terms. Where it is rigid there, however it is lifted, none of the others can
 * gain what would tell of presliding, and only this one is asked. */
static bool richest_yields(const struct ladder_data *data, const atomic_bool *cancel,
                           struct ladder_rung rungs[LADDER_RUNGS])
{
    struct ladder_rung *richest = &rungs[LADDER_RUNGS - 1];
    const struct climb climb = {data, cancel, rungs, LADDER_RUNGS - 1, PATIENCE, THERE, true};
    if (vanished(&climb, richest))
        climb_from_below(&climb, richest);
    return !rigid(richest);
}

/* Why a rung that did not end at its optimum did not. */
static enum verdict why_left(const struct ladder_rung *rung, double least)
{
    if (rung->verdict != VERDICT_NOT_CONVERGED)
        return rung->verdict;
    if (!isfinite(rung->normal.squares))
        return VERDICT_NO_SUCH_DECAY;
    return is_contender(rung, least) ? VERDICT_NOT_CONVERGED : VERDICT_NO_CONTENDER;
}

void ladder_fit(const struct ladder_data *data, const atomic_bool *cancel, struct ladder_rung rungs[LADDER_RUNGS])
{
    ladder_list(rungs);
    for (size_t n = 0; n < LADDER_RUNGS; n++) {
        const struct climb climb = {data, cancel, rungs, n, PATIENCE, THERE, false};
        climb_rung(&climb, &rungs[n]);
    }
    const double least = least_squares(rungs);
    const bool yields = richest_yields(data, cancel, rungs);
    for (size_t n = 0; n < LADDER_RUNGS; n++) {
        const struct climb climb = {data, cancel, rungs, n, PASSES, FINE, yields};
        if (!goes_on(&climb, &rungs[n], least))
            continue;
        settle(&climb, rungs[n].parameters, &rungs[n]);
        if (leaves_more(&climb, &rungs[n]) || (yields && vanished(&climb, &rungs[n])))
            climb_from_below(&climb, &rungs[n]);
    }
    const double reached = least_squares(rungs);
    for (size_t n = 0; n < LADDER_RUNGS; n++)
        rungs[n].verdict = why_left(&rungs[n], reached);
}
