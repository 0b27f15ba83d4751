/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ladder/ladder_fit.h"

#include "identify/ladder/ladder_start.h"

#include <math.h>
#include <string.h>

/* Last step on the extrema, which only lead to the samples, and on the samples, as a part of the sum of squares. */
static const double NEAR = 1e-3, THERE = 1e-8;
enum { FIRST_PASSES = 6, NEAR_PASSES = 12, LESSENED_MOST = 20 };

/* Passes over the samples: a few for every rung, and many where it is then found that a rung's residual is at most
 * CONTENDER times the least of all. One that leaves more has no say, and the way to its optimum is long, since what it
 * leaves is no noise. */
enum { PATIENCE = 8, PASSES = 80 };
static const double CONTENDER = 2;

/* Where presliding begins, in units of X_0: from nearly rigid to nearly elastic; and where it is looked for again from
 * a rigid optimum. */
static const double X_D_STARTS[] = {0.003, 0.03, 0.2}, X_D_LIFTS[] = {0.004, 0.02, 0.1, 0.5};
enum {
    STARTS = sizeof X_D_STARTS / sizeof X_D_STARTS[0],
    LIFTS = sizeof X_D_LIFTS / sizeof X_D_LIFTS[0],
};

/* What a fit works with. */
struct climb {
    const struct ladder_data *data;
    const atomic_bool *cancel;
    const struct ladder_rung *below; /* the rungs that are done */
    size_t below_count;
    int passes;
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
    tried.verdict = ladder_minimise(ladder_sample_pass, climb->data, tried.terms, THERE, climb->passes, climb->cancel,
                                    tried.parameters, &tried.normal);
    if (tried.verdict == VERDICT_CANCELLED || tried.normal.squares <= rung->normal.squares)
        *rung = tried;
}

/* The slow flow's values, and what they leave of the extrema. Friction that ends the motion too early, or a spring that
 * lets the mass escape, is lessened first. */
static double slow_flow(const struct climb *climb, unsigned terms, double x_d, double *parameters)
{
    struct ladder_normal normal;
    ladder_start(climb->data, terms, x_d, parameters);
    for (int tries = 0; tries < LESSENED_MOST; tries++) {
        ladder_extrema_pass(climb->data, terms, parameters, &normal);
        if (isfinite(normal.squares))
            break;
        parameters[LADDER_X_K] *= 0.8;
        parameters[LADDER_CUBIC] *= 0.8;
        parameters[LADDER_SQUARE] *= 0.8;
    }
    return normal.squares;
}

/* From the extrema alone: a few steps from each start, from the best of them to the optimum on the extrema, and on to
 * that on the samples. */
static void climb_by_extrema(const struct climb *climb, struct ladder_rung *rung)
{
    double best[LADDER_PARAMETERS], least = INFINITY;
    const bool yields = ladder_terms_have(rung->terms, LADDER_X_D);
    struct ladder_normal normal;
    for (int n = 0; n < (yields ? STARTS : 1); n++) {
        double parameters[LADDER_PARAMETERS];
        double squares = slow_flow(climb, rung->terms, X_D_STARTS[n], parameters);
        if (yields && isfinite(squares)) {
            ladder_minimise(ladder_extrema_pass, climb->data, rung->terms, NEAR, FIRST_PASSES, climb->cancel,
                            parameters, &normal);
            squares = normal.squares;
        }
        if (squares < least) {
            least = squares;
            memcpy(best, parameters, sizeof best);
        }
    }
    if (!isfinite(least))
        return;
    ladder_minimise(ladder_extrema_pass, climb->data, rung->terms, NEAR, NEAR_PASSES, climb->cancel, best, &normal);
    settle(climb, best, rung);
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

/* From the optimum of the best rung below, where that leaves less or presliding vanished. As a last resort it is this
 * rung's own, with its new terms at zero. */
static void climb_from_below(const struct climb *climb, struct ladder_rung *rung)
{
    const struct ladder_rung *below = best_below(climb, rung->terms);
    const bool yields = below && ladder_terms_have(rung->terms, LADDER_X_D) && rigid(below);
    const bool vanished = yields && rigid(rung);
    if (!below || (rung->normal.squares <= below->normal.squares && !vanished))
        return;
    for (int n = 0; n < (yields ? LIFTS : 1) && rung->verdict != VERDICT_CANCELLED; n++) {
        double from[LADDER_PARAMETERS];
        memcpy(from, below->parameters, sizeof from);
        if (yields)
            from[LADDER_X_D] = X_D_LIFTS[n];
        settle(climb, from, rung);
    }
    if (rung->verdict == VERDICT_CANCELLED || rung->normal.squares <= below->normal.squares)
        return;
    const unsigned terms = rung->terms;
    *rung = *below;
    rung->terms = terms;
}

static void climb_rung(const struct climb *climb, struct ladder_rung *rung)
{
    rung->verdict = VERDICT_NOT_CONVERGED;
    climb_by_extrema(climb, rung);
    climb_from_below(climb, rung);
}

/* Whether more passes are worth it: a contender that is not there yet, or one that leaves more than one below it. */
static bool goes_on(const struct climb *climb, const struct ladder_rung *rung, double least)
{
    const struct ladder_rung *below = best_below(climb, rung->terms);
    return (rung->verdict == VERDICT_NOT_CONVERGED && rung->normal.squares < CONTENDER * CONTENDER * least) ||
           (below && rung->normal.squares > below->normal.squares);
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

void ladder_fit(const struct ladder_data *data, const atomic_bool *cancel, struct ladder_rung rungs[LADDER_RUNGS])
{
    ladder_list(rungs);
    for (size_t n = 0; n < LADDER_RUNGS; n++) {
        const struct climb climb = {data, cancel, rungs, n, PATIENCE};
        climb_rung(&climb, &rungs[n]);
    }
    const double least = least_squares(rungs);
    for (size_t n = 0; n < LADDER_RUNGS; n++) {
        const struct climb climb = {data, cancel, rungs, n, PASSES};
        if (!goes_on(&climb, &rungs[n], least))
            continue;
        settle(&climb, rungs[n].parameters, &rungs[n]);
        climb_from_below(&climb, &rungs[n]);
    }
}
