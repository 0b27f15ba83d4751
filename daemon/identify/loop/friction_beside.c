/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/friction_beside.h"

#include "identify/loop/friction_conclusions.h"
#include "identify/loop/friction_gain.h"

#include <math.h>

static const enum friction_term beside[FRICTION_BESIDE_TERMS] = {FRICTION_SPRING, FRICTION_LEVELS, FRICTION_PATH,
                                                                 FRICTION_MASS, FRICTION_FREE_EXPONENT};

/* The rung with the least evidence, of those that are whole and of a shape; FRICTION_SHAPES: of any. */
static size_t least_evident(const struct friction_weighing *weighing, const double evidence[FRICTION_RUNGS],
                            enum friction_shape shape)
{
    size_t best = friction_least_rung(weighing);
    double least = INFINITY;
    for (size_t r = 0; r < weighing->climb->count; r++) {
        const struct friction_fit *fit = &weighing->climb->fit[r];
        if (fit->abandoned || friction_is_reduced(fit) || (shape != FRICTION_SHAPES && fit->point.row.shape != shape))
            continue;
        if (evidence[r] < least) {
            least = evidence[r];
            best = r;
        }
    }
    return best;
}

/* noise: that by which residuals are whitened; NULL: they are taken as they are, which no walk has to tell. */
static void find_evidence_by(const struct friction_weighing *weighing, double samples, const struct ar_model *noise,
                             double floor, double evidence[FRICTION_RUNGS])
{
    const struct friction_motion *motion = &weighing->climb->motions.all;
    for (size_t r = 0; r < weighing->climb->count; r++) {
        const struct friction_fit *fit = &weighing->climb->fit[r];
        evidence[r] = INFINITY;
        if (fit->abandoned)
            continue;
        if (noise)
            friction_residuals(motion, &fit->point, weighing->residuals);
        const double left = noise ? friction_innovation(weighing, noise) : fit->squares / (double)motion->samples;
        evidence[r] = friction_bic(samples, left, floor, friction_unknowns(fit));
    }
}

/* By the noise of the rung that leaves least. What the best rung leaves may be the same in every loop, and no noise:
 * then it is that by samples that are as good as independent, as for the chosen model. By how many samples. */
static double find_evidence(const struct friction_weighing *weighing, double evidence[FRICTION_RUNGS])
{
    const struct friction_motion *motion = &weighing->climb->motions.all;
    const struct friction_fit *fit = weighing->climb->fit;
    const double samples = (double)motion->samples;
    struct ar_model noise;
    const struct friction_fit *least = &fit[friction_least_rung(weighing)];
    friction_residuals(motion, &least->point, weighing->residuals);
    friction_noise(weighing, &noise);
    const double share = friction_share_whitened(&noise, least->squares / samples);
    find_evidence_by(weighing, samples, noise.order > 0 ? &noise : NULL, friction_floor(samples, share), evidence);
    friction_residuals(motion, &fit[least_evident(weighing, evidence, FRICTION_SHAPES)].point, weighing->residuals);
    const double independent = friction_independent_samples(weighing);
    if (!isfinite(independent))
        return samples;
    find_evidence_by(weighing, independent, NULL, friction_floor(independent, 1), evidence);
    return independent;
}

static size_t best_rung(const struct friction_weighing *weighing, enum friction_shape shape)
{
    double evidence[FRICTION_RUNGS];
    find_evidence(weighing, evidence);
    return least_evident(weighing, evidence, shape);
}

/* What is looked for beside the models: the probe that is better than the best rung by most. */
struct beside_search {
    size_t best; /* rung */
    double gain;
    struct friction_probe probe;
};

/* Those of its terms that do not vanish in a fit. */
static unsigned terms_left(const struct friction_fit *fit)
{
    static const struct {
        enum friction_term term;
        enum friction_column column;
    } own[] = {{FRICTION_VISCOUS, COLUMN_SIGMA_2},
               {FRICTION_BRISTLE, COLUMN_SIGMA_1},
               {FRICTION_STRIBECK, COLUMN_RATIO},
               {FRICTION_SPRING, COLUMN_K_X},
               {FRICTION_MASS, COLUMN_MASS}};
    unsigned terms = fit->point.row.terms;
    for (size_t k = 0; k < sizeof own / sizeof *own; k++)
        if (fit->held & 1u << own[k].column)
            terms &= ~FRICTION_BIT(own[k].term);
    if (!(terms & FRICTION_BIT(FRICTION_STRIBECK)))
        terms &= ~FRICTION_BIT(FRICTION_FREE_EXPONENT);
    return terms;
}

/* The luckiest set of so many terms, of all sets of as many, has to be better by this (the extended BIC of Chen and
 * Chen 2008). */
static double luck_of(size_t terms)
{
    double sets = 1;
    for (size_t k = 0; k < terms; k++)
        sets *= (double)(FRICTION_BESIDE_TERMS - k) / (double)(k + 1);
    return 2 * log(sets);
}

/* A term is taken that is worth it by more, and dropped where it is worth it by less. */
static double luck(void)
{
    return luck_of(1);
}

/* How much more it has to be where several are new at once. */
static double luck_beyond_one(unsigned before, unsigned after)
{
    size_t added = 0;
    for (size_t k = 0; k < FRICTION_BESIDE_TERMS; k++)
        added += (after & ~before & FRICTION_BIT(beside[k])) != 0;
    return added > 1 ? luck_of(added) - luck_of(1) : 0;
}

/* A rung with other terms. What stood in for a new one vanishes beside it, and is left out. */
static void probe_terms(const struct friction_weighing *weighing, size_t rung, unsigned terms,
                        struct beside_search *search)
{
    struct friction_probe probe;
    if (friction_is_cancelled(weighing) || !friction_climb_to(weighing->climb, rung, terms, &probe))
        return;
    const unsigned left = terms_left(&probe.fit);
    if (left != terms && !friction_climb_to(weighing->climb, rung, left, &probe))
        return;
    if (friction_is_reduced(&probe.fit))
        return;
    const struct friction_fit *best = &weighing->climb->fit[search->best];
    const double gain = friction_gain(weighing, best, &probe.fit, NULL) -
                        luck_beyond_one(best->point.row.terms, probe.fit.point.row.terms);
    if (gain > search->gain) {
        search->gain = gain;
        search->probe = probe;
    }
}

/* With one term more each. */
static void probe_beside(const struct friction_weighing *weighing, size_t rung, struct beside_search *search)
{
    const unsigned terms = weighing->climb->fit[rung].point.row.terms;
    for (size_t k = 0; k < FRICTION_BESIDE_TERMS; k++)
        probe_terms(weighing, rung, terms | FRICTION_BIT(beside[k]), search);
}

/* In some of these the force is linear, and none may be worth it without the others: a shape's best model and its plain
 * one, in which nothing stands in for them yet, are looked at with all at once. */
static void probe_linear(const struct friction_weighing *weighing, enum friction_shape shape,
                         struct beside_search *search)
{
    const unsigned linear =
        FRICTION_BIT(FRICTION_VISCOUS) | FRICTION_BIT(FRICTION_SPRING) | FRICTION_BIT(FRICTION_MASS);
    const size_t best = best_rung(weighing, shape);
    for (size_t r = 0; r < weighing->climb->count; r++) {
        const struct friction_row *row = &weighing->climb->fit[r].point.row;
        if (row->shape == shape && (r == best || row->terms == 0))
            probe_terms(weighing, r, row->terms | linear, search);
    }
}

/* What any contact may have is asked of the best model, of the best of Dahl's shape, which no odd shape has to stand in
 * for, and at first of Dahl's without a dip, which friction along the path may look like. */
static void ask_beside(const struct friction_weighing *weighing, bool first, struct beside_search *search)
{
    const size_t dahl = best_rung(weighing, FRICTION_DAHL);
    if (first) {
        probe_linear(weighing, FRICTION_RIGID, search);
        probe_linear(weighing, FRICTION_DAHL, search);
    }
    probe_beside(weighing, search->best, search);
    if (dahl != search->best)
        probe_beside(weighing, dahl, search);
    for (size_t r = 0; first && r < weighing->climb->count; r++) {
        const struct friction_row *row = &weighing->climb->fit[r].point.row;
        if (row->shape == FRICTION_DAHL && !(row->terms & ~FRICTION_BIT(FRICTION_VISCOUS)) && r != dahl)
            probe_beside(weighing, r, search);
    }
}

static unsigned terms_beside(const struct friction_weighing *weighing, size_t rung)
{
    unsigned terms = 0;
    for (size_t k = 0; k < FRICTION_BESIDE_TERMS; k++)
        terms |= weighing->climb->fit[rung].point.row.terms & FRICTION_BIT(beside[k]);
    return terms;
}

/* Takes the probe for the best rung; false: none gains more than that, or there is no room. Beside a new term the other
 * exponent of a dip may be the better one: then it is that of all models from there on. */
static bool take_probe(struct friction_weighing *weighing, double least_gain, struct beside_search *search)
{
    struct friction_climb *climb = weighing->climb;
    if (!(search->gain > least_gain) || !friction_climb_take(climb, &search->probe, &search->best))
        return false;
    struct friction_fit *fit = &climb->fit[search->best];
    const double before = fit->squares;
    friction_try_other_exponent(&climb->motions.all, fit);
    if (fit->squares < before)
        climb->exponent = fit->point.value[COLUMN_EXPONENT];
    return true;
}

/* As long as one term more is worth it. */
static void find_beside(struct friction_weighing *weighing, struct beside_search *search)
{
    for (size_t round = 0; round < FRICTION_BESIDE_TERMS; round++) {
        search->gain = luck();
        ask_beside(weighing, round == 0, search);
        if (!take_probe(weighing, luck(), search))
            return;
    }
}

/* As long as one of them less is. */
static void drop_beside(struct friction_weighing *weighing, struct beside_search *search)
{
    for (size_t round = 0; round < FRICTION_BESIDE_TERMS; round++) {
        const unsigned terms = weighing->climb->fit[search->best].point.row.terms;
        search->gain = -luck();
        for (size_t k = 0; k < FRICTION_BESIDE_TERMS; k++)
            if (terms & FRICTION_BIT(beside[k]))
                probe_terms(weighing, search->best, terms & ~FRICTION_BIT(beside[k]), search);
        if (!take_probe(weighing, -luck(), search))
            return;
    }
}

/* Whether what a model leaves is the same in every loop. */
static bool lacks_fit(const struct friction_weighing *weighing, size_t rung)
{
    const struct friction_motion *motion = &weighing->climb->motions.all;
    friction_residuals(motion, &weighing->climb->fit[rung].point, weighing->residuals);
    const struct friction_misfit misfit = friction_misfit_of(motion, weighing->residuals, weighing->misfit);
    return misfit.ratio > misfit.expected;
}

/* Whether the best model lacks fit, or Maxwell-slip is near it. */
static bool asks_for_attraction(const struct friction_weighing *weighing)
{
    const struct friction_fit *fit = weighing->climb->fit;
    bool near = lacks_fit(weighing, best_rung(weighing, FRICTION_SHAPES));
    for (size_t r = 0; r < weighing->climb->count; r++)
        near = near || (fit[r].point.row.shape == FRICTION_MAXWELL &&
                        friction_column_used(&fit[r].point.row, COLUMN_RATIO) && !fit[r].abandoned);
    return near;
}

/* Looks at a rung with fewer terms where that may become the best one: a fit with less unknowns leaves no less, so that
 * it gains what those cost at most. above: how far the rung's evidence is above the least one. False: there is no room.
 */
static bool look_with(struct friction_weighing *weighing, size_t rung, unsigned fewer, double above, double samples)
{
    struct friction_climb *climb = weighing->climb;
    const unsigned gone = climb->fit[rung].point.row.terms & ~fewer;
    const double most = friction_bic(samples, 1, 0, __builtin_popcount(gone)) - friction_bic(samples, 1, 0, 0);
    struct friction_probe probe;
    size_t taken;
    return !gone || !(above < most) || !friction_climb_to(climb, rung, fewer, &probe) ||
           friction_climb_take(climb, &probe, &taken);
}

/* What vanishes in a model is no part of it: the model without that may have been climbed with other terms beside.
 * Shapes without a closed form are climbed with a dip, and with damped bristles, beside a viscous force alone; without
 * that the fit is near. */
static void leave_out(struct friction_weighing *weighing)
{
    static const unsigned beside_viscous = FRICTION_BIT(FRICTION_STRIBECK) | FRICTION_BIT(FRICTION_BRISTLE);
    const struct friction_climb *climb = weighing->climb;
    double evidence[FRICTION_RUNGS];
    const double samples = find_evidence(weighing, evidence);
    const double least = evidence[least_evident(weighing, evidence, FRICTION_SHAPES)];
    for (size_t r = 0, count = climb->count; r < count && !friction_is_cancelled(weighing); r++) {
        const unsigned left = terms_left(&climb->fit[r]);
        const unsigned without_viscous = left & beside_viscous ? left & ~FRICTION_BIT(FRICTION_VISCOUS) : left;
        const double above = evidence[r] - least;
        if (!climb->fit[r].abandoned &&
            (!look_with(weighing, r, left, above, samples) || !look_with(weighing, r, without_viscous, above, samples)))
            return;
    }
}

/* What was found beside, with the models that it calls for. A path may stand in for a spring where the shape is wrong,
 * so that all are looked at with one, too. */
static void climb_with(struct friction_climb *climb, unsigned found)
{
    const unsigned spring = FRICTION_BIT(FRICTION_SPRING);
    friction_climb_models(climb, found, false);
    if (found && !(found & spring))
        friction_climb_models(climb, spring, false);
}

/* The elements, and what is worth it beside them alone. */
static unsigned climb_elements(struct friction_weighing *weighing, unsigned found)
{
    struct friction_climb *climb = weighing->climb;
    struct beside_search search = {.gain = luck()};
    friction_climb_models(climb, 0, true);
    friction_climb_models(climb, found, true);
    search.best = best_rung(weighing, FRICTION_SHAPES);
    /* They stand in for a spring beside another shape, too. */
    if (climb->fit[search.best].point.row.shape == FRICTION_MAXWELL) {
        climb_with(climb, found | FRICTION_BIT(FRICTION_SPRING));
        search.best = best_rung(weighing, FRICTION_SHAPES);
    }
    if (climb->fit[search.best].point.row.shape != FRICTION_MAXWELL && !lacks_fit(weighing, search.best))
        return found;
    probe_linear(weighing, FRICTION_MAXWELL, &search);
    if (!take_probe(weighing, luck(), &search))
        return found;
    drop_beside(weighing, &search);
    const unsigned more = found | terms_beside(weighing, search.best);
    if (more != found) {
        climb_with(climb, more);
        friction_climb_models(climb, more, true);
    }
    return more;
}

void friction_climb_less(struct friction_weighing *weighing)
{
    leave_out(weighing);
    struct beside_search search = {.best = best_rung(weighing, FRICTION_SHAPES)};
    drop_beside(weighing, &search);
}

int friction_climb_beside(struct friction_weighing *weighing)
{
    struct beside_search search = {.best = best_rung(weighing, FRICTION_SHAPES)};
    find_beside(weighing, &search);
    drop_beside(weighing, &search);
    unsigned found = terms_beside(weighing, search.best);
    climb_with(weighing->climb, found);
    search.best = best_rung(weighing, FRICTION_SHAPES);
    drop_beside(weighing, &search);
    found |= terms_beside(weighing, search.best) & FRICTION_BIT(FRICTION_SPRING);
    const unsigned more = climb_elements(weighing, found);
    if (!friction_is_cancelled(weighing) && asks_for_attraction(weighing)) {
        /* What was found beside other models may have stood in for the attraction. */
        friction_climb_attraction(weighing->climb, 0);
        friction_climb_attraction(weighing->climb, found);
        friction_climb_attraction(weighing->climb, more);
        const int error = friction_climb_refine(weighing->signal, weighing->climb);
        if (error)
            return error;
    }
    /* What was found beside shapes that are none of elements may be theirs. */
    friction_climb_less(weighing);
    return 0;
}
