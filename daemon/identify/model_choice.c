/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Is the damping viscous, Coulomb or both? Residuals of neighbouring samples are alike on real rigs, so they are
 * whitened first: otherwise each sample would count as news and the richest model would always win. */

#include "identify/model_choice.h"

#include "identify/half_cycle_pass.h"
#include "identify/residual_statistics.h"
#include "identify/sample_pass.h"

#include <math.h>
#include <stdlib.h>

/* Residuals below this part of X_0 are rounding and tell nothing of a model. */
static const double ROUNDING = 1e-10;

/* Unknowns of each fit: omega_n, x0, bias, t0, the damping terms, and the variance. */
static double unknowns_of(enum damping_model model)
{
    return model == DAMPING_VISCOUS_COULOMB ? 7 : 6;
}

/* squares: of residuals in units of `scale`, so that no unit can make them overflow. */
static double aicc_of(double squares, double scale, double samples, double unknowns)
{
    /* The last term is the correction for short records (AICc). */
    const double variance = fmax(squares / samples, ROUNDING * ROUNDING);
    return samples * (log(variance) + 2 * log(scale)) + 2 * unknowns * samples / (samples - unknowns - 1);
}

static bool flagged(const struct decay_record *record, size_t i)
{
    return record->flags && record->flags[i] != 0;
}

/* A fit whose parameters are there; one that is out of phase, or stops before the record does, is a bad model, but it
 * can be compared. */
static bool comparable(const struct full_record_fit *fit)
{
    const bool fitted =
        fit->verdict == VERDICT_OK || fit->verdict == VERDICT_OUT_OF_PHASE || fit->verdict == VERDICT_NOT_DECAYING;
    return fitted && isfinite(fit->omega_n.value) && fit->omega_n.value > 0 && isfinite(fit->zeta.value) &&
           isfinite(fit->x_k.value) && isfinite(fit->x0.value) && fabs(fit->x0.value) > 0 &&
           isfinite(fit->bias.value) && isfinite(fit->t0.value);
}

/* A fit's own decay, walked down half cycle by half cycle; residuals in units of `scale`. */
struct residual_walk {
    const struct decay_record *record;
    double parameters[FIT_PARAMETERS], scale;
    struct decay_shape shape;
    struct decay_half_cycle half;
};

static struct residual_walk residual_walk_of(const struct decay_record *record, const struct full_record_fit *fit,
                                             double scale)
{
    struct residual_walk walk = {
        .record = record,
        .parameters = {[FIT_OMEGA_N] = fit->omega_n.value,
                       [FIT_ZETA] = fit->zeta.value,
                       [FIT_X_K] = fit->x_k.value,
                       [FIT_X0] = fit->x0.value,
                       [FIT_BIAS] = fit->bias.value,
                       [FIT_T0] = fit->t0.value},
        .scale = scale,
    };
    walk.shape = decay_shape(walk.parameters);
    walk.half = decay_first_half_cycle(walk.parameters);
    return walk;
}

/* Goes on to the half cycle of sample i; theta there. */
static double walk_to(struct residual_walk *walk, size_t i)
{
    const double phase = walk->shape.omega_d * (decay_record_time(walk->record, i) - walk->parameters[FIT_T0]);
    while (phase >= (double)walk->half.j * M_PI)
        decay_next_half_cycle(walk->parameters, &walk->shape, &walk->half);
    return phase - (double)(walk->half.j - 1) * M_PI;
}

/* Uniform samples, none flagged: half a cycle at once. */
static size_t plain_residuals(struct residual_walk *walk, struct sample_range range, double *residual)
{
    struct decay_shape shape = walk->shape;
    shape.omega_d *= walk->record->period_s;
    const struct half_cycle_pass pass =
        half_cycle_pass_with(lanes_widest(), &shape, walk->parameters[FIT_BIAS], 1 / walk->scale);
    struct half_cycle_lag sums = {0};
    for (size_t i = range.first; i < range.last;) {
        const double theta = walk_to(walk, i), left = ceil((M_PI - theta) / shape.omega_d);
        const size_t rest = range.last - i, count = left < (double)rest ? (size_t)fmax(left, 1) : rest;
        const struct half_cycle_curve curve = {decay_level(walk->parameters, &walk->half) / walk->scale,
                                               decay_amplitude(walk->parameters, &walk->half) / walk->scale};
        half_cycle_residuals(&pass, &curve, theta, walk->record->displacement + i, count, residual, &sums);
        residual += count;
        i += count;
    }
    return range.last - range.first;
}

/* Residuals of one fit on the unflagged samples of a range, in units of `scale`; returns how many. */
static size_t residuals_of(const struct decay_record *record, const struct full_record_fit *fit,
                           struct sample_range range, double scale, double *residual)
{
    struct residual_walk walk = residual_walk_of(record, fit, scale);
    if (!record->flags && !record->time_s)
        return plain_residuals(&walk, range, residual);
    size_t count = 0;
    for (size_t i = range.first; i < range.last; i++) {
        if (flagged(record, i))
            continue;
        double base[DECAY_BASES];
        decay_base_at(&walk.shape, walk_to(&walk, i), base);
        const double x =
            decay_level(walk.parameters, &walk.half) + decay_amplitude(walk.parameters, &walk.half) * base[BASE_G];
        residual[count++] = (record->displacement[i] - walk.parameters[FIT_BIAS] - x) / scale;
    }
    return count;
}

/* The autoregressive model whose own AICc is smallest. Before the residuals there are AR_MOST zeros. */
static void learn_noise(const double *residual, size_t count, struct ar_model *noise)
{
    double autocovariance[AR_MOST + 1] = {0};
    lagged_products(lanes_widest(), residual, count, AR_MOST + 1, autocovariance);
    for (size_t lag = 0; lag <= AR_MOST; lag++)
        autocovariance[lag] /= (double)count;
    ar_model_from(autocovariance, count, noise);
}

/* Sum of squares of what the noise model cannot foresee. */
static double whitened_squares(const double *residual, size_t count, const struct ar_model *noise)
{
    double squares = 0;
    /* The first `order` residuals have no complete past: they are left out for every model alike. */
    for (size_t i = noise->order; i < count; i++) {
        double innovation = residual[i];
        for (size_t k = 0; k < noise->order; k++)
            innovation -= noise->coefficient[k] * residual[i - k - 1];
        squares += innovation * innovation;
    }
    return squares;
}

static void judge(const struct decay_record *record, const struct full_record_fit fits[MODEL_COUNT], double *residual,
                  struct model_merit merits[MODEL_COUNT])
{
    const struct full_record_fit *whole = &fits[MODEL_COUNT - 1];
    /* One noise model for all three: learnt from each fit's own residuals, it would forgive a bad model its misfit. */
    const double scale = fabs(whole->x0.value);
    struct ar_model noise;
    learn_noise(residual, residuals_of(record, whole, whole->range, scale, residual), &noise);
    for (size_t n = 0; n < MODEL_COUNT; n++) {
        if (!comparable(&fits[n]))
            continue;
        const size_t count = residuals_of(record, &fits[n], whole->range, scale, residual);
        const double samples = (double)count - (double)noise.order, unknowns = unknowns_of(fits[n].model);
        const double squares = whitened_squares(residual, count, &noise);
        if (samples > unknowns + 1)
            merits[n].aicc = aicc_of(squares, scale, samples, unknowns);
        else
            merits[n].verdict = VERDICT_TOO_FEW_SAMPLES;
    }
}

/* The caller's array is filled in any case: a model without merit still has its verdict. */
void model_choice(const struct decay_record *record, const struct full_record_fit fits[MODEL_COUNT],
                  struct model_merit merits[MODEL_COUNT])
{
    const struct full_record_fit *whole = &fits[MODEL_COUNT - 1];
    for (size_t n = 0; n < MODEL_COUNT; n++)
        merits[n] = (struct model_merit){fits[n].model, fits[n].verdict, NAN, fits[n].rms};
    if (!comparable(whole))
        return;
    double *residual = calloc(AR_MOST + whole->range.last - whole->range.first + 1, sizeof *residual);
    if (residual)
        judge(record, fits, residual + AR_MOST, merits);
    for (size_t n = 0; n < MODEL_COUNT && !residual; n++)
        merits[n].verdict = VERDICT_NO_MEMORY;
    free(residual);
}

/* A term that does not enter explains nothing that the other one does not; where neither does, naming one would be a
 * guess. */
struct damping_choice damping_choice_from(double viscous_ratio, double coulomb_ratio)
{
    const bool viscous = viscous_ratio > TERM_ENTERS, coulomb = coulomb_ratio > TERM_ENTERS;
    struct damping_choice choice = {VERDICT_OK, DAMPING_VISCOUS_COULOMB, viscous_ratio, coulomb_ratio};
    if (isnan(viscous_ratio) || isnan(coulomb_ratio))
        choice.verdict = VERDICT_NOT_COMPUTED;
    else if (!viscous && !coulomb)
        choice.verdict = VERDICT_UNDECIDED;
    else if (!viscous || !coulomb)
        choice.model = viscous ? DAMPING_VISCOUS : DAMPING_COULOMB;
    return choice;
}
