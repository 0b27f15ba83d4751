/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/friction_ladder.h"

#include "identify/loop/friction_beside.h"
#include "identify/loop/friction_conclusions.h"
#include "identify/loop/friction_doubt.h"
#include "identify/loop/friction_dropped_dip.h"
#include "identify/loop/friction_exponent.h"
#include "identify/loop/friction_figure.h"
#include "identify/loop/friction_gain.h"
#include "identify/loop/friction_offsets.h"
#include "identify/loop/friction_one_frequency.h"
#include "identify/loop/friction_quantity.h"
#include "identify/loop/friction_unseen.h"
#include "identify/loop/friction_weights.h"
#include "identify/loop/friction_whitened.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What all models are fitted with, and their fits. */
struct climb {
    struct friction_climb base;
    struct friction_weighing weighing;
    double *room;                        /* owned: of the residuals */
    struct friction_misfit_room *misfit; /* owned */
};

void friction_ladder_not_made(struct friction_ladder *ladder, enum verdict verdict)
{
    *ladder = (struct friction_ladder){.verdict = verdict,
                                       .model = -1,
                                       .rival_model = -1,
                                       .every = 1,
                                       .rms = NAN,
                                       .stribeck_exponent = NAN,
                                       .correlation_samples = NAN,
                                       .lack_of_fit = NAN,
                                       .lack_of_fit_expected = NAN,
                                       .displacement_steps = NAN};
    for (enum friction_parameter p = 0; p < FRICTION_PARAMETERS; p++)
        ladder->figure[p] = (struct friction_figure){NAN, NAN, NAN, NAN, verdict_sentence(verdict), NAN, false};
}

static bool may_be_chosen(const struct friction_rung *rung)
{
    return rung->verdict == VERDICT_OK && !rung->reduced;
}

/* Models leave as much as each other whose figures differ by less, which no noise brings about: an element that slips
 * in every sample is the rigid shape. */
static const double same_figure = 1e-3;

/* The one with the least of a figure each, of those that leave as much the first, which says less; `count` where none
 * may be chosen. */
static size_t best_of(const struct friction_ladder *ladder, const double figure[FRICTION_RUNGS])
{
    size_t best = ladder->count;
    for (size_t r = 0; r < ladder->count; r++)
        if (may_be_chosen(&ladder->rung[r]) && (best == ladder->count || figure[r] < figure[best] - same_figure))
            best = r;
    return best;
}

/* Of the chosen model's residual: its memory, and what of it is misfit. */
static void look_at_residual(const struct climb *climb, struct friction_ladder *ladder)
{
    struct ar_model noise;
    friction_residuals(&climb->base.motions.all, &climb->base.fit[ladder->chosen].point, climb->weighing.residuals);
    friction_noise(&climb->weighing, &noise);
    ladder->correlation_samples = friction_memory(&climb->weighing, &noise);
    const struct friction_misfit misfit =
        friction_misfit_of(&climb->base.motions.all, climb->weighing.residuals, climb->weighing.misfit);
    ladder->lack_of_fit = misfit.ratio;
    ladder->lack_of_fit_expected = misfit.expected;
    ladder->lacks_fit = misfit.ratio > misfit.expected;
    /* What is the same in every loop is known no better from many loops than from one. */
    ladder->correlation_samples *= ladder->lacks_fit ? misfit.loops : 1;
}

/* The one with the least BIC by samples that are as good as independent. */
static size_t best_by_independent(const struct climb *climb, const struct friction_ladder *ladder)
{
    const double unit = climb->base.motions.all.unit_force;
    const double independent = (double)climb->base.motions.all.samples / ladder->correlation_samples;
    double evidence[FRICTION_RUNGS];
    for (size_t r = 0; r < ladder->count; r++)
        evidence[r] = friction_bic(independent, pow(ladder->rung[r].rms / unit, 2), friction_floor(independent, 1),
                                   friction_unknowns(&climb->base.fit[r]));
    return best_of(ladder, evidence);
}

static bool is_simpler(const struct friction_rung *rung, const struct friction_rung *full)
{
    return rung != full && may_be_chosen(rung) &&
           friction_row_contains(&friction_rows[rung->row], &friction_rows[full->row]);
}

static bool has_simpler(const struct friction_ladder *ladder, size_t at)
{
    bool has = false;
    for (size_t r = 0; r < ladder->count; r++)
        has = has || is_simpler(&ladder->rung[r], &ladder->rung[at]);
    return has;
}

/* A term that noise of the displacement brings about takes off what that noise adds to the squares, or this many times
 * as much by chance. */
static const double shaking_most = 4;

static bool may_be_shaking(const struct friction_fit *simpler, const struct friction_fit *full,
                           const struct friction_widening *widening)
{
    return simpler->squares - full->squares < shaking_most * widening->squares;
}

/* The best of the simpler models than a rung from which the evidence does not fall to it, noise of the displacement
 * being taken for what it is; the rung itself where there is none. */
static size_t simpler_than(const struct climb *climb, const struct friction_ladder *ladder, size_t at,
                           const struct friction_widening *widening)
{
    const struct friction_fit *fit = climb->base.fit;
    size_t best = at;
    for (size_t r = 0; r < ladder->count; r++)
        if (is_simpler(&ladder->rung[r], &ladder->rung[at]) && may_be_shaking(&fit[r], &fit[at], widening) &&
            (best == at || ladder->rung[r].evidence < ladder->rung[best].evidence) &&
            !(friction_gain(&climb->weighing, &fit[r], &fit[at], widening) > 0))
            best = r;
    return best;
}

/* A rung without the terms that noise of the displacement brings about. */
static size_t without_shaking(const struct climb *climb, const struct friction_ladder *ladder, size_t at)
{
    struct friction_widening widening;
    for (size_t simpler; has_simpler(ladder, at) && friction_widen(&climb->weighing, &climb->base.fit[at], &widening);
         at = simpler)
        if ((simpler = simpler_than(climb, ladder, at, &widening)) == at)
            break;
    return at;
}

/* Neither exponent's dip is told, as at one speed, see friction_conclude_one_speed(). */
static bool tells_no_dip(const struct climb *climb, const struct friction_exponents *exponents)
{
    bool none = true;
    for (size_t k = 0; k < exponents->count; k++)
        none = none && isnan(exponents->exponent[k].f_s.value);
    return none || friction_motion_has_one_speed(&climb->base.motions.all);
}

/* Of two tied models each is as likely as the other: what they disagree on is known no better than that. */
static void doubt_tie(const struct friction_ladder *ladder, struct friction_rung *chosen)
{
    static const double as_likely = 0.5;
    const struct friction_rung *rival = &ladder->rung[ladder->rival];
    for (enum friction_parameter p = 0; p < FRICTION_PARAMETERS && ladder->tie; p++)
        friction_figure_doubt(&chosen->figure[p], rival->figure[p].value, rival->figure[p].se, as_likely);
}

/* What the record, other models and the drive leave open of the figures of each rung, most of it of the chosen one. */
static void doubt(struct climb *climb, struct friction_ladder *ladder)
{
    struct friction_rung *chosen = &ladder->rung[ladder->chosen], other;
    friction_doubt_motion(&climb->weighing, &climb->base.fit[ladder->chosen], chosen);
    const double samples = (double)ladder->samples / (ladder->lacks_fit ? ladder->correlation_samples : 1);
    const double share = friction_choose_exponent(&climb->weighing, samples, ladder->chosen, chosen, &other);
    friction_doubt_alternatives(&climb->weighing, ladder->chosen, ladder->rung);
    friction_doubt_dropped_dip(&climb->weighing, samples, ladder->chosen, ladder->rung);
    friction_conclude_dip(chosen);
    friction_doubt_exponent(&other, share, chosen, &ladder->exponents);
    doubt_tie(ladder, chosen);
    for (size_t r = 0; r < ladder->count; r++)
        friction_doubt_stiffness(&climb->base.motions.all, ladder->count, r, ladder->rung);
    const bool one_frequency = friction_motion_has_one_frequency(&climb->base.motions.all);
    for (size_t r = 0; r < ladder->count; r++) {
        friction_conclude_level(&climb->base.motions.all, &climb->base.fit[r], &ladder->rung[r]);
        if (one_frequency)
            friction_conclude_one_frequency(&ladder->rung[r]);
    }
    if (tells_no_dip(climb, &ladder->exponents))
        ladder->exponents.count = 0;
}

/* Behind a turn a force follows the displacement by up to 2 sigma_0: the standard deviation of what is rounded off a
 * displacement, a step over the square root of 12, is a force there of 0.06 F_C where the step is a tenth of
 * F_C/sigma_0, and shapes of presliding differ by no more. */
static const double coarse_steps = 0.1;

/* The force by which a step moves the contact, over the level; where that is not reached, for an element of it does not
 * slip, over half the range of the force, which is the motion's unit. */
static void look_at_steps(const struct climb *climb, struct friction_ladder *ladder)
{
    const struct loop_signal *signal = climb->weighing.signal;
    const struct friction_motion *motion = &climb->base.motions.all;
    const struct friction_fit *fit = &climb->base.fit[ladder->chosen];
    ladder->displacement_steps = 0;
    if (signal->rounding > 0 && friction_row_has(&fit->point.row, FRICTION_SIGMA_0)) {
        const double level = fmin(friction_level_of(fit), 1) * motion->unit_force;
        const double moved_by = signal->step * friction_quantity_of(motion, fit, FRICTION_SIGMA_0).value;
        ladder->displacement_steps = level > 0 ? moved_by / level : NAN;
    }
    ladder->coarse_steps = isfinite(ladder->displacement_steps) && ladder->displacement_steps > coarse_steps;
}

/* What the chosen model says is the ladder's. */
static void tell_chosen(struct friction_ladder *ladder)
{
    ladder->model = ladder->rung[ladder->chosen].row;
    ladder->stribeck_exponent = ladder->rung[ladder->chosen].stribeck_exponent;
    ladder->rival_model = ladder->tie ? ladder->rung[ladder->rival].row : -1;
    ladder->rms = ladder->rung[ladder->chosen].rms;
    memcpy(ladder->figure, ladder->rung[ladder->chosen].figure, sizeof ladder->figure);
    ladder->spectrum = ladder->rung[ladder->chosen].spectrum;
    ladder->offsets = ladder->rung[ladder->chosen].offsets;
}

/* A term that is less than so many of its standard uncertainties is not seen. */
static const double seen_errors = 2;

/* Whether a rung is another one with terms in which the force is linear and none of which is seen. */
static bool has_unseen_beside(const struct friction_rung *simple, const struct friction_rung *full)
{
    static const struct {
        enum friction_term term;
        enum friction_parameter parameter;
    } linear[] = {{FRICTION_VISCOUS, FRICTION_SIGMA_2},
                  {FRICTION_BRISTLE, FRICTION_SIGMA_1},
                  {FRICTION_SPRING, FRICTION_K_X},
                  {FRICTION_MASS, FRICTION_MOVED_MASS}};
    unsigned more = friction_rows[full->row].terms & ~friction_rows[simple->row].terms;
    for (size_t k = 0; k < sizeof linear / sizeof *linear; k++) {
        const struct friction_figure *figure = &full->figure[linear[k].parameter];
        if (!(figure->value >= seen_errors * figure->se))
            more &= ~FRICTION_BIT(linear[k].term);
    }
    return friction_row_extends(&friction_rows[simple->row], &friction_rows[full->row]) && !more;
}

/* A residual that is the same in every loop is no noise: whitened, it would speak of corners alone. There the model
 * with the least BIC by independent samples is chosen, and the other is its rival; so it is where that has nothing more
 * that its figures show. Either is without the terms that noise of the displacement brings about: the steps of an
 * encoder may lie alike in every loop. */
static void choose(struct climb *climb, struct friction_ladder *ladder)
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
    const bool agree = ladder->rival == ladder->chosen;
    ladder->chosen = without_shaking(climb, ladder, ladder->chosen);
    ladder->rival = agree ? ladder->chosen : without_shaking(climb, ladder, ladder->rival);
    look_at_residual(climb, ladder);
    ladder->tie = ladder->rival != ladder->chosen;
    if (ladder->tie &&
        (ladder->lacks_fit || has_unseen_beside(&ladder->rung[ladder->rival], &ladder->rung[ladder->chosen]))) {
        const size_t whitened = ladder->chosen;
        ladder->chosen = ladder->rival;
        ladder->rival = whitened;
        look_at_residual(climb, ladder);
    }
    look_at_steps(climb, ladder);
    doubt(climb, ladder);
    tell_chosen(ladder);
}

/* What is known of each model, by the noise of the one that leaves least. */
static void conclude(struct climb *climb, struct friction_ladder *ladder)
{
    const struct friction_motion *motion = &climb->base.motions.all;
    const struct friction_fit *least = &climb->base.fit[friction_least_rung(&climb->weighing)];
    struct ar_model noise;
    friction_residuals(motion, &least->point, climb->weighing.residuals);
    friction_noise(&climb->weighing, &noise);
    const double samples = (double)(motion->samples - noise.order);
    const double share = friction_share_whitened(&noise, least->squares / (double)motion->samples);
    for (size_t r = 0; r < ladder->count && !friction_is_cancelled(&climb->weighing); r++) {
        struct friction_rung *rung = &ladder->rung[r];
        friction_residuals(motion, &climb->base.fit[r].point, climb->weighing.residuals);
        const double innovation = friction_innovation(&climb->weighing, &noise);
        struct ar_model own = noise;
        own.innovation = innovation;
        rung->row = (int)climb->base.row[r];
        rung->rms = friction_rms(&climb->weighing) * motion->unit_force;
        rung->evidence = friction_bic(samples, friction_whitened(motion, &climb->base.fit[r], &noise),
                                      friction_floor(samples, share), friction_unknowns(&climb->base.fit[r]));
        friction_conclude(motion, &climb->base.fit[r], &own, NULL, rung);
    }
}

static enum verdict make_room(const struct loop_signal *signal, const atomic_bool *cancel, struct climb *climb)
{
    climb->room = calloc(signal->count + AR_MOST + 1 + FRICTION_PADDING, sizeof *climb->room);
    climb->misfit = friction_misfit_room();
    if (friction_climb_make(signal, cancel, &climb->base) != 0 || !climb->room || !climb->misfit)
        return VERDICT_NO_MEMORY;
    climb->weighing = (struct friction_weighing){signal, &climb->base, climb->room + AR_MOST + 1, climb->misfit};
    return VERDICT_OK;
}

/* Fewer samples that count tell no noise with a memory. */
enum { SAMPLES_LEAST = 10 * AR_MOST };

/* There would be enough samples, were it not for those between two steps of an encoder, which seem to rest. */
static bool rest_by_steps(const struct loop_signal *signal)
{
    return signal->count >= SAMPLES_LEAST && loop_rests_between_steps(signal);
}

/* Why too few samples count: noise, where there would be enough without it. */
static enum verdict why_too_few(const struct loop_signal *signal, const struct friction_motions *motions)
{
    if (rest_by_steps(signal))
        return VERDICT_DISPLACEMENT_COARSE;
    const double hidden = friction_share_hidden(signal, &motions->parts, motions->samples) * (double)signal->count;
    return (double)motions->all.samples + hidden < SAMPLES_LEAST ? VERDICT_TOO_FEW_SAMPLES : VERDICT_DISPLACEMENT_NOISY;
}

static enum verdict climb_all(const struct loop_signal *signal, struct climb *climb, struct friction_ladder *ladder)
{
    const struct friction_motions *motions = &climb->base.motions;
    if (motions->all.samples < SAMPLES_LEAST || !(motions->thinned.samples > FRICTION_UNKNOWNS))
        return why_too_few(signal, motions);
    ladder->parts = motions->parts.cut;
    ladder->parts_left_out = motions->parts.left_out;
    ladder->samples = motions->all.samples;
    if (friction_climb_base(signal, &climb->base) != 0 || friction_climb_refine(signal, &climb->base) != 0 ||
        friction_climb_beside(&climb->weighing) != 0)
        return VERDICT_NO_MEMORY;
    friction_climb_hand_up(&climb->base);
    if (friction_climb_refine(signal, &climb->base) != 0)
        return VERDICT_NO_MEMORY;
    friction_climb_less(&climb->weighing);
    friction_climb_frictionless(&climb->base);
    if (friction_is_cancelled(&climb->weighing))
        return VERDICT_CANCELLED;
    ladder->count = climb->base.count;
    ladder->verdict = VERDICT_OK;
    conclude(climb, ladder);
    choose(climb, ladder);
    for (size_t r = 0; r < ladder->count; r++)
        friction_offsets_place(&motions->parts, &ladder->rung[r].offsets);
    friction_offsets_place(&motions->parts, &ladder->offsets);
    return friction_is_cancelled(&climb->weighing) ? VERDICT_CANCELLED : ladder->verdict;
}

/* In numbers why a record has no ladder, where they tell it. */
static void say_what_lacks(const struct loop_signal *signal, const struct climb *climb, enum verdict verdict,
                           struct friction_ladder *ladder)
{
    if (verdict == VERDICT_TOO_FEW_SAMPLES && climb->base.motions.all.samples < SAMPLES_LEAST)
        snprintf(ladder->lacks, sizeof ladder->lacks,
                 "of %zu samples %zu count, which are not those at rest, and the ladder needs %d that do",
                 signal->count, climb->base.motions.all.samples, SAMPLES_LEAST);
}

enum verdict friction_ladder_identify(const struct loop_signal *signal, const atomic_bool *cancel,
                                      struct friction_ladder *ladder)
{
    struct climb climb = {.room = NULL};
    friction_ladder_not_made(ladder, VERDICT_OK);
    enum verdict verdict = make_room(signal, cancel, &climb);
    if (verdict == VERDICT_OK)
        verdict = climb_all(signal, &climb, ladder);
    if (verdict != VERDICT_OK) {
        friction_ladder_not_made(ladder, verdict);
        say_what_lacks(signal, &climb, verdict, ladder);
    }
    friction_climb_clear(&climb.base);
    free(climb.room);
    free(climb.misfit);
    return verdict;
}
