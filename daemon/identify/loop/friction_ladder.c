/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/friction_ladder.h"

#include "identify/common/sample_pass.h"
#include "identify/loop/friction_conclusions.h"
#include "identify/loop/friction_misfit.h"
#include "identify/loop/friction_search.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Residuals below this part of the force are rounding, not noise. */
static const double rounding = 1e-11;

/* What all models are fitted with, and their fits. */
struct climb {
    const atomic_bool *cancel;
    struct friction_motions motions;
    double exponent;
    struct friction_fit *fit; /* owned; FRICTION_ROWS */
    double *room, *residuals; /* room is owned; residuals have AR_MOST + 1 zeros before them */
};

static bool is_cancelled(const struct climb *climb)
{
    return climb->cancel && atomic_load(climb->cancel);
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
        ladder->figure[p] = (struct friction_figure){NAN, NAN, NAN, NAN, verdict_sentence(verdict), NAN};
}

/* --- fits --- */

/* A fit that hands its values up: it has the same unknowns beside one linear one. Shapes without a closed form have few
 * rows and no grid of dips, so that all hand up. */
static bool hands_up(const struct friction_row *simple, const struct friction_row *full)
{
    const unsigned more = full->terms & ~simple->terms;
    return friction_row_extends(simple, full) &&
           (!friction_shape_is_closed(full->shape) ||
            (more && !(more & (more - 1)) && !(more & FRICTION_BIT(FRICTION_STRIBECK))));
}

/* Every set of terms that another shape has, Dahl's has too, and before it. */
static const struct friction_fit *dahl_with_terms_of(const struct climb *climb, const struct friction_row *row)
{
    size_t r = 0;
    while (friction_rows[r].shape != FRICTION_DAHL || friction_rows[r].terms != row->terms)
        r++;
    return &climb->fit[r];
}

/* Of what the models before a row leave. */
static double least_squares(const struct climb *climb, size_t row)
{
    double least = INFINITY;
    for (size_t r = 0; r < row; r++)
        least = fmin(least, climb->fit[r].squares);
    return least;
}

static void fit_row(struct climb *climb, size_t r)
{
    const struct friction_fit *simpler[FRICTION_ROWS];
    size_t count = 0;
    for (size_t k = 0; k < r; k++)
        if (hands_up(&friction_rows[k], &friction_rows[r]))
            simpler[count++] = &climb->fit[k];
    if (friction_rows[r].shape == FRICTION_MAXWELL)
        friction_search_slip(&climb->motions.all, &friction_rows[r], dahl_with_terms_of(climb, &friction_rows[r]),
                             least_squares(climb, r), simpler, count, &climb->fit[r]);
    else if (friction_shape_is_closed(friction_rows[r].shape))
        friction_search(&climb->motions, &friction_rows[r], climb->exponent, simpler, count, &climb->fit[r]);
    else
        friction_search_bent(&climb->motions, &friction_rows[r], dahl_with_terms_of(climb, &friction_rows[r]), simpler,
                             count, &climb->fit[r]);
}

/* That exponent of Stribeck's dip, 1 or 2, with which the model with all terms leaves less; then the steps that what it
 * leaves calls for. 0 or -ENOMEM. */
static int prepare(const struct loop_signal *signal, struct climb *climb)
{
    static const struct friction_row all = {NULL, FRICTION_DAHL,
                                            FRICTION_BIT(FRICTION_VISCOUS) | FRICTION_BIT(FRICTION_STRIBECK) |
                                                FRICTION_BIT(FRICTION_BRISTLE)};
    struct friction_fit one, two;
    friction_search(&climb->motions, &all, 1, NULL, 0, &one);
    friction_search(&climb->motions, &all, 2, NULL, 0, &two);
    climb->exponent = one.squares < two.squares ? 1 : 2;
    return friction_motions_refine(signal, one.squares < two.squares ? &one : &two, &climb->motions);
}

/* --- evidence --- */

static double rms_of(const struct climb *climb)
{
    double squares = 0;
    for (size_t i = 0; i < climb->motions.all.samples; i++)
        squares += climb->residuals[i] * climb->residuals[i];
    return sqrt(squares / (double)climb->motions.all.samples);
}

static void noise_from(const struct climb *climb, struct ar_model *noise)
{
    const size_t samples = climb->motions.all.samples;
    double products[AR_MOST + 1] = {0};
    lagged_products(lanes_widest(), climb->residuals, samples, 0, AR_MOST + 1, products);
    for (size_t lag = 0; lag <= AR_MOST; lag++)
        products[lag] /= (double)samples;
    ar_model_from(products, samples, noise);
}

static double innovation_of(const struct climb *climb, const struct ar_model *noise)
{
    const size_t samples = climb->motions.all.samples;
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
    return samples * log(mean_square + rounding * rounding) + unknowns * log(fmax(samples, 2));
}

static bool may_be_chosen(const struct friction_rung *rung)
{
    return rung->verdict == VERDICT_OK && !rung->reduced;
}

/* The one with the least of a figure each; `count` where none may be chosen. */
static size_t best_of(const struct friction_ladder *ladder, const double figure[FRICTION_ROWS])
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
    return fmax(1, fmin(memory, (double)climb->motions.all.samples / 10));
}

/* Of the chosen model's residual: its memory, and what of it is misfit. */
static void look_at_residual(const struct climb *climb, struct friction_ladder *ladder)
{
    struct ar_model noise;
    friction_residuals(&climb->motions.all, &climb->fit[ladder->chosen].point, climb->residuals);
    noise_from(climb, &noise);
    ladder->correlation_samples = memory_of(climb, &noise);
    const struct friction_misfit misfit = friction_misfit_of(&climb->motions.all, climb->residuals);
    ladder->lack_of_fit = misfit.ratio;
    ladder->lack_of_fit_expected = misfit.expected;
    ladder->lacks_fit = misfit.ratio > misfit.expected;
    /* What is the same in every loop is known no better from many loops than from one. */
    ladder->correlation_samples *= ladder->lacks_fit ? misfit.loops : 1;
}

/* The one with the least BIC by samples that are as good as independent. */
static size_t best_by_independent(const struct climb *climb, const struct friction_ladder *ladder)
{
    const double samples = (double)climb->motions.all.samples, unit = climb->motions.all.unit_force;
    double evidence[FRICTION_ROWS];
    for (size_t r = 0; r < ladder->count; r++)
        evidence[r] =
            bic(samples / ladder->correlation_samples, pow(ladder->rung[r].rms / unit, 2), unknowns_of(&climb->fit[r]));
    return best_of(ladder, evidence);
}

/* A residual that is the same in every loop is no noise: whitened, it would speak of corners alone. There the model
 * with the least BIC by independent samples is chosen, and the other is its rival. */
static void choose(const struct climb *climb, struct friction_ladder *ladder)
{
    double evidence[FRICTION_ROWS];
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
    ladder->model = (int)ladder->chosen;
    ladder->stribeck_exponent = climb->fit[ladder->chosen].point.exponent;
    ladder->rival_model = ladder->tie ? (int)ladder->rival : -1;
    ladder->rms = ladder->rung[ladder->chosen].rms;
    memcpy(ladder->figure, ladder->rung[ladder->chosen].figure, sizeof ladder->figure);
    ladder->spectrum = ladder->rung[ladder->chosen].spectrum;
}

/* What is known of each model, by the noise of the one that leaves least. */
static void conclude(struct climb *climb, struct friction_ladder *ladder)
{
    const struct friction_motion *motion = &climb->motions.all;
    struct ar_model noise;
    size_t least = 0;
    for (size_t r = 1; r < ladder->count; r++)
        if (climb->fit[r].squares < climb->fit[least].squares)
            least = r;
    friction_residuals(motion, &climb->fit[least].point, climb->residuals);
    noise_from(climb, &noise);
    for (size_t r = 0; r < ladder->count && !is_cancelled(climb); r++) {
        struct friction_rung *rung = &ladder->rung[r];
        friction_residuals(motion, &climb->fit[r].point, climb->residuals);
        const double innovation = innovation_of(climb, &noise);
        struct ar_model own = noise;
        own.innovation = innovation;
        rung->row = (int)r;
        rung->rms = rms_of(climb) * motion->unit_force;
        rung->evidence = bic((double)(motion->samples - noise.order), innovation, unknowns_of(&climb->fit[r]));
        friction_conclude(motion, &climb->fit[r], &own, rung);
    }
}

static enum verdict make_room(const struct loop_signal *signal, struct climb *climb)
{
    climb->room = calloc(signal->count + AR_MOST + 1 + FRICTION_PADDING, sizeof *climb->room);
    climb->fit = calloc(FRICTION_ROWS, sizeof *climb->fit);
    if (!climb->room || !climb->fit || friction_motions_make(signal, 1, &climb->motions) != 0)
        return VERDICT_NO_MEMORY;
    climb->residuals = climb->room + AR_MOST + 1;
    return VERDICT_OK;
}

static enum verdict climb_all(const struct loop_signal *signal, struct climb *climb, struct friction_ladder *ladder)
{
    if (climb->motions.all.samples < 10 * AR_MOST || !(climb->motions.thinned.samples > FRICTION_UNKNOWNS))
        return VERDICT_TOO_FEW_SAMPLES;
    ladder->samples = climb->motions.all.samples;
    if (prepare(signal, climb) != 0)
        return VERDICT_NO_MEMORY;
    for (size_t r = 0; r < FRICTION_ROWS && !is_cancelled(climb); r++)
        fit_row(climb, r);
    if (is_cancelled(climb))
        return VERDICT_CANCELLED;
    ladder->count = FRICTION_ROWS;
    ladder->verdict = VERDICT_OK;
    conclude(climb, ladder);
    choose(climb, ladder);
    return is_cancelled(climb) ? VERDICT_CANCELLED : ladder->verdict;
}

enum verdict friction_ladder_identify(const struct loop_signal *signal, const atomic_bool *cancel,
                                      struct friction_ladder *ladder)
{
    struct climb climb = {.cancel = cancel};
    friction_ladder_not_made(ladder, VERDICT_OK);
    enum verdict verdict = signal->count > FRICTION_LADDER_SAMPLES_MOST ? VERDICT_TOO_LONG : make_room(signal, &climb);
    if (verdict == VERDICT_OK)
        verdict = climb_all(signal, &climb, ladder);
    friction_motions_clear(&climb.motions);
    free(climb.room);
    free(climb.fit);
    if (verdict != VERDICT_OK)
        friction_ladder_not_made(ladder, verdict);
    return verdict;
}
