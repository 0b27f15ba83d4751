/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which damping is it? Residuals of neighbouring samples are alike on real rigs, so they are
 * whitened first: otherwise each sample would count as news and the richest model would always win. */

#include "identify/decay/model_choice.h"

#include "identify/common/ar_model.h"
#include "identify/common/sample_pass.h"
#include "identify/decay/decay_residuals.h"
#include "identify/decay/fit_values.h"
#include "identify/decay/rung_of_model.h"

#include <math.h>
#include <string.h>

/* Residuals below this part of X_0 are rounding and tell nothing of a model. */
static const double ROUNDING = 1e-10;

/* Unknowns of each fit: those of the motion, the damping terms, and the variance. */
static double unknowns_of(enum damping_model model)
{
    double unknowns = 1;
    for (enum fit_parameter p = 0; p < FIT_PARAMETERS; p++)
        unknowns += damping_model_has(model, p) ? 1 : 0;
    return unknowns;
}

/* squares: of residuals in units of `scale`, so that no unit can make them overflow. */
static double aicc_of(double squares, double scale, double samples, double unknowns)
{
    /* The last term is the correction for short records (AICc). */
    const double variance = fmax(squares / samples, ROUNDING * ROUNDING);
    return samples * (log(variance) + 2 * log(scale)) + 2 * unknowns * samples / (samples - unknowns - 1);
}

bool model_comparable(const struct full_record_fit *fit)
{
    const bool fitted =
        fit->verdict == VERDICT_OK || fit->verdict == VERDICT_OUT_OF_PHASE || fit->verdict == VERDICT_NOT_DECAYING;
    return fitted && fit_has_values(fit) && fit->estimate[FIT_OMEGA_N].value > 0;
}

/* Residuals with what came before them: before the first, zeros. */
struct residual_line {
    double value[AR_MOST + RESIDUALS_MOST];
    size_t all; /* that have passed */
};

/* Puts the next residuals behind those that are remembered; returns where. */
static const double *come_next(struct residual_line *line, const double *residual, size_t count)
{
    memcpy(line->value + AR_MOST, residual, count * sizeof *residual);
    return line->value + AR_MOST;
}

static void pass_by(struct residual_line *line, size_t count)
{
    memmove(line->value, line->value + count, AR_MOST * sizeof *line->value);
    line->all += count;
}

/* What a noise model is learnt from. */
struct learning {
    struct residual_line line;
    double autocovariance[AR_MOST + 1];
};

static void learn(void *taker, const double *residual, size_t count)
{
    struct learning *learning = taker;
    const double *here = come_next(&learning->line, residual, count);
    lagged_products(lanes_widest(), here, count, 0, AR_MOST + 1, learning->autocovariance);
    pass_by(&learning->line, count);
}

/* Sum of squares of what the noise model cannot foresee. */
struct whitening {
    struct residual_line line;
    const struct ar_model *noise;
    double squares;
};

static void whiten(void *taker, const double *residual, size_t count)
{
    struct whitening *whitening = taker;
    const struct ar_model *noise = whitening->noise;
    const double *here = come_next(&whitening->line, residual, count);
    const size_t all = whitening->line.all;
    /* The first `order` residuals have no complete past: they are left out for every model alike. */
    const size_t first = all < noise->order ? noise->order - all : 0;
    double innovation[RESIDUALS_MOST], squares = 0;
    memcpy(innovation, here, count * sizeof *here);
    for (size_t k = 0; k < noise->order; k++)
        for (size_t i = first; i < count; i++)
            innovation[i] -= noise->coefficient[k] * *(here + i - k - 1);
    for (size_t i = first; i < count; i++)
        squares += innovation[i] * innovation[i];
    whitening->squares += squares;
    pass_by(&whitening->line, count);
}

/* One record, the samples that all models are asked about, and the amplitude in whose multiples residuals count. */
struct judged {
    const struct decay_record *record;
    struct sample_range range;
    double amplitude;
};

static void hand_over(const struct judged *judged, const struct full_record_fit *fit, residual_taker *take, void *taker)
{
    double values[FIT_PARAMETERS];
    fit_values(fit, values);
    decay_residuals(judged->record, values, judged->range.first, judged->range.last, judged->amplitude, take, taker);
}

/* The autoregressive model whose own AICc is smallest. */
static void learn_noise(const struct judged *judged, const struct full_record_fit *fit, struct ar_model *noise)
{
    struct learning learning = {.line = {.all = 0}};
    hand_over(judged, fit, learn, &learning);
    const size_t all = learning.line.all;
    for (size_t lag = 0; lag <= AR_MOST; lag++)
        learning.autocovariance[lag] /= (double)(all > 0 ? all : 1);
    ar_model_from(learning.autocovariance, all, noise);
}

/* AICc of one fit, NAN with too few samples. */
static double merit_of(const struct judged *judged, const struct full_record_fit *fit, const struct ar_model *noise)
{
    struct whitening whitening = {.line = {.all = 0}, .noise = noise};
    hand_over(judged, fit, whiten, &whitening);
    const double samples = (double)whitening.line.all - (double)noise->order, unknowns = unknowns_of(fit->model);
    return samples > unknowns + 1 ? aicc_of(whitening.squares, judged->amplitude, samples, unknowns) : (double)NAN;
}

static void judge(const struct decay_record *record, const struct full_record_fit fits[MODEL_COUNT],
                  struct model_merit merits[MODEL_COUNT])
{
    const struct full_record_fit *whole = &fits[CLOSED_FORM];
    const struct judged judged = {record, whole->range, fabs(whole->estimate[FIT_X0].value)};
    struct ar_model noise;
    /* One noise model for all: learnt from each fit's own residuals, it would forgive a bad model its misfit. */
    learn_noise(&judged, whole, &noise);
    for (size_t n = 0; n < MODEL_COUNT; n++) {
        if (!model_comparable(&fits[n]))
            continue;
        merits[n].aicc = merit_of(&judged, &fits[n], &noise);
        if (isnan(merits[n].aicc))
            merits[n].verdict = VERDICT_TOO_FEW_SAMPLES;
    }
}

/* The caller's array is filled in any case: a model without merit still has its verdict. */
void model_choice(const struct decay_record *record, const struct full_record_fit fits[MODEL_COUNT],
                  struct model_merit merits[MODEL_COUNT])
{
    for (size_t n = 0; n < MODEL_COUNT; n++)
        merits[n] = (struct model_merit){fits[n].model, fits[n].verdict, NAN, fits[n].rms};
    if (model_comparable(&fits[CLOSED_FORM]))
        judge(record, fits, merits);
}

/* A term that does not enter explains nothing that the others do not; where none does, naming one would be a guess. */
struct damping_choice damping_choice_from(enum damping_model model, const double likelihood_ratio[FIT_PARAMETERS])
{
    struct damping_choice choice = {.verdict = VERDICT_OK, .threshold = TERM_ENTERS};
    unsigned terms = 0;
    bool known = true;
    for (enum fit_parameter p = 0; p < FIT_PARAMETERS; p++) {
        choice.likelihood_ratio[p] = likelihood_ratio[p];
        if (!decay_parameters[p].term || !damping_model_has(model, p))
            continue;
        known = known && !isnan(likelihood_ratio[p]);
        terms |= likelihood_ratio[p] > TERM_ENTERS ? 1u << p : 0u;
    }
    if (!known)
        choice.verdict = VERDICT_NOT_COMPUTED;
    else if (!terms)
        choice.verdict = VERDICT_UNDECIDED;
    else
        choice.terms = damping_model_terms(damping_model_within(model, terms));
    return choice;
}
