/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/friction_ladder.h"

#include "identify/common/sample_pass.h"
#include "identify/loop/friction_climb.h"
#include "identify/loop/friction_conclusions.h"
#include "identify/loop/friction_misfit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Residuals below this part of the force are what the steps of a walk leave, not noise. */
static const double steps_leave = 1e-5;

/* What all models are fitted with, and their fits. */
struct climb {
    struct friction_climb base;
    double *room, *residuals; /* room is owned; residuals have AR_MOST + 1 zeros before them */
};

static bool is_cancelled(const struct climb *climb)
{
    return climb->base.cancel && atomic_load(climb->base.cancel);
}

void friction_ladder_not_made(struct friction_ladder *ladder, enum verdict verdict)
{
    *ladder = (struct friction_ladder){.verdict = verdict,
                                       .model = -1,
                                       .rival_model = -1,
                                       .rms = NAN,
                                       .stribeck_exponent = NAN,
                                       .correlation_samples = NAN,
                                       .lack_of_fit = NAN,
                                       .lack_of_fit_expected = NAN};
    for (enum friction_parameter p = 0; p < FRICTION_PARAMETERS; p++)
        ladder->figure[p] = (struct friction_figure){NAN, NAN, NAN, NAN, verdict_sentence(verdict), NAN, false};
}

static double rms_of(const struct climb *climb)
{
    double squares = 0;
    for (size_t i = 0; i < climb->base.motions.all.samples; i++)
        squares += climb->residuals[i] * climb->residuals[i];
    return sqrt(squares / (double)climb->base.motions.all.samples);
}

static void noise_from(const struct climb *climb, struct ar_model *noise)
{
    const size_t samples = climb->base.motions.all.samples;
    double products[AR_MOST + 1] = {0};
    lagged_products(lanes_widest(), climb->residuals, samples, 0, AR_MOST + 1, products);
    for (size_t lag = 0; lag <= AR_MOST; lag++)
        products[lag] /= (double)samples;
    ar_model_from(products, samples, noise);
}

static double innovation_of(const struct climb *climb, const struct ar_model *noise)
{
    const size_t samples = climb->base.motions.all.samples;
    double squares = 0;
    for (size_t i = noise->order; i < samples; i++) {
        double left = climb->residuals[i];
        for (size_t k = 0; k < noise->order; k++)
            left -= noise->coefficient[k] * climb->residuals[i - 1 - k];
        squares += left * left;
    }
    return squares / (double)(samples - noise->order);
}

/* Of elements, of which there are no others that are held, those that the fit found. */
static double unknowns_of(const struct friction_fit *fit)
{
    double count = 0;
    for (enum friction_column c = 0; c < FRICTION_UNKNOWNS; c++)
        if (friction_column_used(&fit->point.row, c))
            count += !(fit->held & 1u << c) || fit->point.row.shape != FRICTION_MAXWELL;
    return count;
}

static double bic(double samples, double mean_square, double unknowns)
{
    return samples * log(mean_square + steps_leave * steps_leave) + unknowns * log(fmax(samples, 2));
}

static bool may_be_chosen(const struct friction_rung *rung)
{
    return rung->verdict == VERDICT_OK && !rung->reduced;
}

/* The one with the least of a figure each; `count` where none may be chosen. */
static size_t best_of(const struct friction_ladder *ladder, const double figure[FRICTION_RUNGS])
{
    size_t best = ladder->count;
    for (size_t r = 0; r < ladder->count; r++)
        if (may_be_chosen(&ladder->rung[r]) && (best == ladder->count || figure[r] < figure[best]))
            best = r;
    return best;
}

/* By how many samples a residual is known as well as by one of independent ones. */
static double memory_of(const struct climb *climb, const struct ar_model *noise)
{
    const double variance = pow(rms_of(climb), 2);
    const double memory = variance > 0 ? noise->innovation * ar_gain_at(noise, 0) / variance : 1;
    return fmax(1, fmin(memory, (double)climb->base.motions.all.samples / 10));
}

/* Of the chosen model's residual: its memory, and what of it is misfit. */
static void look_at_residual(const struct climb *climb, struct friction_ladder *ladder)
{
    struct ar_model noise;
    friction_residuals(&climb->base.motions.all, &climb->base.fit[ladder->chosen].point, climb->residuals);
    noise_from(climb, &noise);
    ladder->correlation_samples = memory_of(climb, &noise);
    const struct friction_misfit misfit = friction_misfit_of(&climb->base.motions.all, climb->residuals);
    ladder->lack_of_fit = misfit.ratio;
    ladder->lack_of_fit_expected = misfit.expected;
    ladder->lacks_fit = misfit.ratio > misfit.expected;
    /* What is the same in every loop is known no better from many loops than from one. */
    ladder->correlation_samples *= ladder->lacks_fit ? misfit.loops : 1;
}

/* The one with the least BIC by samples that are as good as independent. */
static size_t best_by_independent(const struct climb *climb, const struct friction_ladder *ladder)
{
    const double samples = (double)climb->base.motions.all.samples, unit = climb->base.motions.all.unit_force;
    double evidence[FRICTION_RUNGS];
    for (size_t r = 0; r < ladder->count; r++)
        evidence[r] = bic(samples / ladder->correlation_samples, pow(ladder->rung[r].rms / unit, 2),
                          unknowns_of(&climb->base.fit[r]));
    return best_of(ladder, evidence);
}

/* Another model's value, that counts by a share, is in the uncertainty. */
static void doubt(struct friction_figure *figure, const struct friction_figure *other, double share)
{
    const double apart = other->value - figure->value;
    const double se = sqrt(figure->se * figure->se + share * apart * apart), wider = se / figure->se;
    if (!isfinite(wider))
        return;
    if (figure->logarithmic) {
        figure->low = figure->value * pow(figure->low / figure->value, wider);
        figure->high = figure->value * pow(figure->high / figure->value, wider);
    } else {
        figure->low = figure->value - wider * (figure->value - figure->low);
        figure->high = figure->value + wider * (figure->high - figure->value);
    }
    figure->se = se;
}

/* Where the record hardly tells the exponents of the dip apart, the other one counts by its likelihood of so many
 * samples. */
static void doubt_exponent(const struct climb *climb, double samples, struct friction_rung *rung,
                           const struct friction_fit *fit)
{
    const struct friction_motion *motion = &climb->base.motions.all;
    struct friction_point start = fit->point;
    struct friction_rung other;
    struct friction_fit refined;
    struct ar_model noise;
    if (!friction_column_used(&start.row, COLUMN_RATIO))
        return;
    start.exponent = 3 - start.exponent;
    friction_fit_from(motion, &start, &refined);
    friction_residuals(motion, &fit->point, climb->residuals);
    noise_from(climb, &noise);
    const double here = innovation_of(climb, &noise);
    friction_residuals(motion, &refined.point, climb->residuals);
    const double there = innovation_of(climb, &noise);
    const double share = 1 / (1 + pow(there / here, samples / 2));
    friction_conclude(motion, &refined, &noise, &other);
    for (enum friction_parameter p = 0; p < FRICTION_PARAMETERS && other.verdict == VERDICT_OK; p++)
        doubt(&rung->figure[p], &other.figure[p], share);
}

/* A residual that is the same in every loop is no noise: whitened, it would speak of corners alone. There the model
 * with the least BIC by independent samples is chosen, and the other is its rival. */
static void choose(const struct climb *climb, struct friction_ladder *ladder)
{
    double evidence[FRICTION_RUNGS];
    for (size_t r = 0; r < ladder->count; r++)
        evidence[r] = ladder->rung[r].evidence;
    ladder->chosen = best_of(ladder, evidence);
    if (ladder->chosen == ladder->count) {
        ladder->verdict = VERDICT_UNDERDETERMINED;
        return;
    }
    look_at_residual(climb, ladder);
    ladder->rival = best_by_independent(climb, ladder);
    ladder->tie = ladder->rival != ladder->chosen;
    if (ladder->tie && ladder->lacks_fit) {
        const size_t whitened = ladder->chosen;
        ladder->chosen = ladder->rival;
        ladder->rival = whitened;
        look_at_residual(climb, ladder);
    }
    doubt_exponent(climb, (double)ladder->samples / (ladder->lacks_fit ? ladder->correlation_samples : 1),
                   &ladder->rung[ladder->chosen], &climb->base.fit[ladder->chosen]);
    ladder->model = ladder->rung[ladder->chosen].row;
    ladder->stribeck_exponent = climb->base.fit[ladder->chosen].point.exponent;
    ladder->rival_model = ladder->tie ? ladder->rung[ladder->rival].row : -1;
    ladder->rms = ladder->rung[ladder->chosen].rms;
    memcpy(ladder->figure, ladder->rung[ladder->chosen].figure, sizeof ladder->figure);
    ladder->spectrum = ladder->rung[ladder->chosen].spectrum;
}

/* That which leaves least. */
static size_t least_rung(const struct climb *climb)
{
    size_t least = 0;
    for (size_t r = 1; r < climb->base.count; r++)
        if (climb->base.fit[r].squares < climb->base.fit[least].squares)
            least = r;
    return least;
}

/* What is known of each model, by the noise of the one that leaves least. */
static void conclude(struct climb *climb, struct friction_ladder *ladder)
{
    const struct friction_motion *motion = &climb->base.motions.all;
    struct ar_model noise;
    friction_residuals(motion, &climb->base.fit[least_rung(climb)].point, climb->residuals);
    noise_from(climb, &noise);
    for (size_t r = 0; r < ladder->count && !is_cancelled(climb); r++) {
        struct friction_rung *rung = &ladder->rung[r];
        friction_residuals(motion, &climb->base.fit[r].point, climb->residuals);
        const double innovation = innovation_of(climb, &noise);
        struct ar_model own = noise;
        own.innovation = innovation;
        rung->row = (int)climb->base.row[r];
        rung->rms = rms_of(climb) * motion->unit_force;
        rung->evidence = bic((double)(motion->samples - noise.order), innovation, unknowns_of(&climb->base.fit[r]));
        friction_conclude(motion, &climb->base.fit[r], &own, rung);
    }
}

/* --- what stands beside --- */

static const enum friction_term beside[FRICTION_BESIDE_TERMS] = {FRICTION_SPRING, FRICTION_LEVELS, FRICTION_PATH,
                                                                 FRICTION_MASS};

/* How much the evidence falls from one fit to another, by the noise that the other leaves. Where what the first leaves
 * is the same in every loop, it has to fall by samples that are as good as independent. */
static double gain_of(const struct climb *climb, const struct friction_fit *from, const struct friction_fit *to)
{
    const struct friction_motion *motion = &climb->base.motions.all;
    const double samples = (double)motion->samples;
    struct ar_model noise;
    friction_residuals(motion, &to->point, climb->residuals);
    noise_from(climb, &noise);
    const double after = bic(samples, innovation_of(climb, &noise), unknowns_of(to));
    friction_residuals(motion, &from->point, climb->residuals);
    const double before = bic(samples, innovation_of(climb, &noise), unknowns_of(from));
    const struct friction_misfit misfit = friction_misfit_of(motion, climb->residuals);
    if (!(before > after) || !(misfit.ratio > misfit.expected))
        return before - after;
    noise_from(climb, &noise);
    const double independent = samples / memory_of(climb, &noise) / misfit.loops;
    return bic(independent, from->squares / samples, unknowns_of(from)) -
           bic(independent, to->squares / samples, unknowns_of(to));
}

/* The rung with the least evidence by the noise of that which leaves least; dahl: of that shape. */
static size_t best_rung(const struct climb *climb, bool dahl)
{
    const struct friction_motion *motion = &climb->base.motions.all;
    struct ar_model noise;
    size_t best = least_rung(climb);
    double least = INFINITY;
    friction_residuals(motion, &climb->base.fit[best].point, climb->residuals);
    noise_from(climb, &noise);
    for (size_t r = 0; r < climb->base.count; r++) {
        const struct friction_fit *fit = &climb->base.fit[r];
        if (fit->abandoned || friction_is_reduced(fit) || (dahl && fit->point.row.shape != FRICTION_DAHL))
            continue;
        friction_residuals(motion, &fit->point, climb->residuals);
        const double evidence = bic((double)motion->samples, innovation_of(climb, &noise), unknowns_of(fit));
        if (evidence < least) {
            least = evidence;
            best = r;
        }
    }
    return best;
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
    } own[] = {
        {FRICTION_VISCOUS, COLUMN_SIGMA_2}, {FRICTION_BRISTLE, COLUMN_SIGMA_1}, {FRICTION_STRIBECK, COLUMN_RATIO}};
    unsigned terms = fit->point.row.terms;
    for (size_t k = 0; k < sizeof own / sizeof *own; k++)
        if (fit->held & 1u << own[k].column)
            terms &= ~FRICTION_BIT(own[k].term);
    return terms;
}

/* A rung with other terms. What stood in for a new one vanishes beside it, and is left out. */
static void probe_terms(const struct climb *climb, size_t rung, unsigned terms, struct beside_search *search)
{
    struct friction_probe probe;
    if (is_cancelled(climb) || !friction_climb_to(&climb->base, rung, terms, &probe))
        return;
    const unsigned left = terms_left(&probe.fit);
    if (left != terms && !friction_climb_to(&climb->base, rung, left, &probe))
        return;
    if (friction_is_reduced(&probe.fit))
        return;
    const double gain = gain_of(climb, &climb->base.fit[search->best], &probe.fit);
    if (gain > search->gain) {
        search->gain = gain;
        search->probe = probe;
    }
}

/* With one term more each. */
static void probe_beside(const struct climb *climb, size_t rung, struct beside_search *search)
{
    const unsigned terms = climb->base.fit[rung].point.row.terms;
    for (size_t k = 0; k < FRICTION_BESIDE_TERMS; k++)
        probe_terms(climb, rung, terms | FRICTION_BIT(beside[k]), search);
}

/* What any contact may have is asked of the best model, of the best of Dahl's shape, which no odd shape has to stand in
 * for, and at first of Dahl's without a dip, which friction along the path may look like. */
static void ask_beside(const struct climb *climb, bool first, struct beside_search *search)
{
    const size_t dahl = best_rung(climb, true);
    probe_beside(climb, search->best, search);
    if (dahl != search->best)
        probe_beside(climb, dahl, search);
    for (size_t r = 0; first && r < climb->base.count; r++) {
        const struct friction_row *row = &climb->base.fit[r].point.row;
        if (row->shape == FRICTION_DAHL && !(row->terms & ~FRICTION_BIT(FRICTION_VISCOUS)) && r != dahl)
            probe_beside(climb, r, search);
    }
}

static unsigned terms_beside(const struct climb *climb, size_t rung)
{
    unsigned terms = 0;
    for (size_t k = 0; k < FRICTION_BESIDE_TERMS; k++)
        terms |= climb->base.fit[rung].point.row.terms & FRICTION_BIT(beside[k]);
    return terms;
}

/* Takes the probe for the best rung; false: none gains more than that. */
static bool take_probe(struct climb *climb, double least_gain, struct beside_search *search)
{
    if (!(search->gain > least_gain))
        return false;
    search->best = climb->base.count;
    friction_climb_take(&climb->base, &search->probe);
    return true;
}

/* The luckiest of so many terms has to be better by this (the extended BIC of Chen and Chen 2008). */
static double luck(void)
{
    return 2 * log(FRICTION_BESIDE_TERMS);
}

/* As long as one term more is worth it. */
static void find_beside(struct climb *climb, struct beside_search *search)
{
    for (size_t round = 0; round < FRICTION_BESIDE_TERMS; round++) {
        search->gain = luck();
        ask_beside(climb, round == 0, search);
        if (!take_probe(climb, luck(), search))
            return;
    }
}

/* As long as one of them less is. */
static void drop_beside(struct climb *climb, struct beside_search *search)
{
    for (size_t round = 0; round < FRICTION_BESIDE_TERMS; round++) {
        const unsigned terms = climb->base.fit[search->best].point.row.terms;
        search->gain = -luck();
        for (size_t k = 0; k < FRICTION_BESIDE_TERMS; k++)
            if (terms & FRICTION_BIT(beside[k]))
                probe_terms(climb, search->best, terms & ~FRICTION_BIT(beside[k]), search);
        if (!take_probe(climb, -luck(), search))
            return;
    }
}

/* All models are climbed with what the search found, of which the best may need less than that with which it was found.
 * Those of elements, which stand in for anything, come last. */
static void climb_beside(struct climb *climb)
{
    struct beside_search search = {.best = best_rung(climb, false)};
    find_beside(climb, &search);
    drop_beside(climb, &search);
    const unsigned found = terms_beside(climb, search.best);
    friction_climb_models(&climb->base, found, false);
    search.best = best_rung(climb, false);
    drop_beside(climb, &search);
    friction_climb_models(&climb->base, 0, true);
    friction_climb_models(&climb->base, found, true);
}

static enum verdict make_room(const struct loop_signal *signal, const atomic_bool *cancel, struct climb *climb)
{
    climb->room = calloc(signal->count + AR_MOST + 1 + FRICTION_PADDING, sizeof *climb->room);
    if (friction_climb_make(signal, cancel, &climb->base) != 0 || !climb->room)
        return VERDICT_NO_MEMORY;
    climb->residuals = climb->room + AR_MOST + 1;
    return VERDICT_OK;
}

static enum verdict climb_all(const struct loop_signal *signal, struct climb *climb, struct friction_ladder *ladder)
{
    const struct friction_motions *motions = &climb->base.motions;
    if (motions->all.samples < 10 * AR_MOST || !(motions->thinned.samples > FRICTION_UNKNOWNS))
        return VERDICT_TOO_FEW_SAMPLES;
    ladder->samples = motions->all.samples;
    if (friction_climb_base(signal, &climb->base) != 0)
        return VERDICT_NO_MEMORY;
    climb_beside(climb);
    if (is_cancelled(climb))
        return VERDICT_CANCELLED;
    ladder->count = climb->base.count;
    ladder->verdict = VERDICT_OK;
    conclude(climb, ladder);
    choose(climb, ladder);
    return is_cancelled(climb) ? VERDICT_CANCELLED : ladder->verdict;
}

enum verdict friction_ladder_identify(const struct loop_signal *signal, const atomic_bool *cancel,
                                      struct friction_ladder *ladder)
{
    struct climb climb = {.room = NULL};
    friction_ladder_not_made(ladder, VERDICT_OK);
    enum verdict verdict =
        signal->count > FRICTION_LADDER_SAMPLES_MOST ? VERDICT_TOO_LONG : make_room(signal, cancel, &climb);
    if (verdict == VERDICT_OK)
        verdict = climb_all(signal, &climb, ladder);
    friction_climb_clear(&climb.base);
    free(climb.room);
    if (verdict != VERDICT_OK)
        friction_ladder_not_made(ladder, verdict);
    return verdict;
}
