/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ladder/ladder_comparison.h"

#include "identify/ladder/ladder_estimate.h"

#include <math.h>

/* What a term costs a rung that is to be heard in place of the chosen one: at this price one that is absent seems there
 * in one record of twenty-five. */
#define HEARD_TERM_COST 4.22

static bool is_known(const struct ladder_model *model)
{
    return model->verdict == VERDICT_OK && isfinite(model->criterion);
}

double ladder_term_ratio(const struct ladder *ladder, enum ladder_parameter term)
{
    double best[2] = {INFINITY, INFINITY};
    for (size_t n = 0; n < LADDER_RUNGS; n++) {
        const struct ladder_model *model = &ladder->models[n];
        const bool has = ladder_terms_have(model->terms, term);
        if (is_known(model))
            best[has] = fmin(best[has], model->criterion);
    }
    if (!isfinite(best[0]) || !isfinite(best[1]))
        return NAN;
    return fmax(best[0] - best[1] + LADDER_TERM_COST, 0);
}

static double value_in(const struct ladder_model *model, enum ladder_parameter parameter)
{
    return ladder_terms_have(model->terms, parameter) ? model->estimate[parameter].value : 0;
}

/* Whether a rung is the chosen one without this term or with it; or has it in place of another one, and then with what
 * it needs. */
static bool asks_for(unsigned terms, unsigned chosen, enum ladder_parameter term)
{
    const unsigned more = terms & ~chosen, less = chosen & ~terms, one = LADDER_BIT(term);
    if (!more || !less)
        return (more | less) == one;
    return more & one && (more & ~(one | ladder_parameters[term].needs)) == 0 && ladder_terms_count(less) == 1;
}

/* The criterion of a rung that is not to be chosen but heard. */
static double criterion_heard(const struct ladder_model *model)
{
    return model->criterion - (LADDER_TERM_COST - HEARD_TERM_COST) * ladder_terms_count(model->terms);
}

/* How much a rung has to say. One with a further term has all: a term too small to be seen moves the figures by as much
 * as its own error allows, and neither does a record in which it seems to be nothing show that it is absent, nor one in
 * which it almost seems there that it is there; by evidence, a term of half the visible size were held in half of all
 * records, and one release ten times as uncertain as the next. One that lacks a term which was found: as likely as it
 * is, were it and the chosen one all there is. */
static double say_of(const struct ladder_model *model, const struct ladder_model *chosen)
{
    const double farther = criterion_heard(model) - criterion_heard(chosen);
    return chosen->terms & ~model->terms ? 1 / (1 + exp(fmax(farther, 0) / 2)) : 1;
}

/* How far a rung's value and its own error reach from the estimate beyond the error of that, squared, as much as the
 * rung has to say. */
static double heard(const struct ladder_model *model, const struct ladder_model *chosen,
                    enum ladder_parameter parameter, double value, double se)
{
    const double distance = hypot(value_in(model, parameter) - value, model->spread[parameter]);
    const double squares = is_known(model) && isfinite(distance) ? fmax(distance * distance - se * se, 0) : 0;
    return squares > 0 ? say_of(model, chosen) * squares : 0;
}

/* What earlier releases leave of it, where the rung is the chosen one and this term. */
static double share_of(const struct ladder *ladder, const struct ladder_model *model, enum ladder_parameter term)
{
    const unsigned chosen = ladder->models[ladder->chosen].terms;
    return model->terms == (chosen | LADDER_BIT(term)) ? ladder->unseen.share[term] : 1;
}

/* Each term is asked by itself: two that are both unseen would be so far from the chosen rung together that one release
 * were many times as uncertain as the next. */
double ladder_model_uncertainty(const struct ladder *ladder, enum ladder_parameter parameter,
                                const struct estimate *estimate)
{
    const double se = estimate->at_bound ? estimate->high / ladder_upper_limit(0, 1) : estimate->se;
    const struct ladder_model *chosen = &ladder->models[ladder->chosen];
    double squares = 0;
    for (enum ladder_parameter term = 0; term < LADDER_TERMS; term++) {
        double most = 0;
        for (size_t n = 0; n < LADDER_RUNGS; n++)
            if (asks_for(ladder->models[n].terms, chosen->terms, term))
                most = fmax(most, share_of(ladder, &ladder->models[n], term) *
                                      heard(&ladder->models[n], chosen, parameter, estimate->value, se));
        squares += most;
    }
    return isfinite(se) ? sqrt(squares) : (double)NAN;
}

/* Under what a rung that has the term leaves room for, one-sided 95 %. */
static struct estimate absent(const struct ladder *ladder, enum ladder_parameter term)
{
    const struct ladder_model *best = NULL;
    for (size_t n = 0; n < LADDER_RUNGS; n++) {
        const struct ladder_model *model = &ladder->models[n];
        if (is_known(model) && ladder_terms_have(model->terms, term) && !(best && model->criterion >= best->criterion))
            best = model;
    }
    struct estimate none = {.value = 0, .se = NAN, .low = 0, .high = NAN, .at_bound = true};
    if (best) {
        const struct estimate *there = &best->estimate[term];
        none.high = there->at_bound ? there->high : ladder_upper_limit(there->value, there->se);
    }
    return none;
}

void ladder_speak(struct ladder *ladder)
{
    const struct ladder_model *chosen = &ladder->models[ladder->chosen];
    for (enum ladder_parameter p = 0; p < LADDER_PARAMETERS; p++) {
        const bool lacks = !ladder_terms_have(chosen->terms, p);
        ladder->estimate[p] = lacks && p < LADDER_DRAG ? absent(ladder, p) : chosen->estimate[p];
    }
    ladder->f_n_hz = chosen->f_n_hz;
}
