/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Is the damping viscous, Coulomb or both? Residuals of neighbouring samples are alike on real rigs, so they are
 * whitened first: otherwise each sample would count as news and the richest model would always win. */

#include "identify/model_choice.h"

#include "identify/fit_values.h"
#include "identify/half_cycle_pass.h"
#include "identify/residual_statistics.h"
#include "identify/sample_pass.h"

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
    return fitted && fit_has_values(fit) && fit->estimate[FIT_OMEGA_N].value > 0;
}

/* Residuals that are seen at once: no record is so long that they would need more memory. */
enum { BLOCK = 1024 };

/* A fit's own decay, walked down half cycle by half cycle; residuals in units of `scale`. */
struct residual_walk {
    const struct decay_record *record;
    size_t next, last; /* samples to come: [next, last) */
    double parameters[FIT_PARAMETERS], scale;
    struct decay_shape shape;
    struct decay_half_cycle half;
    struct half_cycle_pass pass; /* for uniform samples, none flagged */
    bool plain;
};

static struct residual_walk residual_walk_of(const struct decay_record *record, const struct full_record_fit *fit,
                                             struct sample_range range, double scale)
{
    struct residual_walk walk = {
        .record = record,
        .next = range.first,
        .last = range.last,
        .scale = scale,
        .plain = !record->flags && !record->time_s,
    };
    fit_values(fit, walk.parameters);
    walk.shape = decay_shape(walk.parameters);
    walk.half = decay_first_half_cycle(walk.parameters);
    struct decay_shape a_sample = walk.shape;
    a_sample.omega_d *= record->period_s;
    walk.pass = half_cycle_pass_with(lanes_widest(), &a_sample, walk.parameters[FIT_BIAS], 1 / scale);
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

/* Uniform samples, none flagged: what is left of a half cycle at once. Returns how many, `most` at most. */
static size_t plain_residuals(struct residual_walk *walk, size_t most, double *residual)
{
    const double theta = walk_to(walk, walk->next), left = fmax(ceil((M_PI - theta) / walk->pass.omega_d), 1);
    const size_t count = left < (double)most ? (size_t)left : most;
    const struct half_cycle_curve curve = {decay_level(walk->parameters, &walk->half) / walk->scale,
                                           decay_amplitude(walk->parameters, &walk->half) / walk->scale};
    struct half_cycle_lag unused = {0};
    half_cycle_residuals(&walk->pass, &curve, theta, walk->record->displacement + walk->next, count, residual, &unused);
    return count;
}

static double residual_at(struct residual_walk *walk, size_t i)
{
    double base[DECAY_BASES];
    decay_base_at(&walk->shape, walk_to(walk, i), base);
    const double x =
        decay_level(walk->parameters, &walk->half) + decay_amplitude(walk->parameters, &walk->half) * base[BASE_G];
    return (walk->record->displacement[i] - walk->parameters[FIT_BIAS] - x) / walk->scale;
}

/* The residuals of the next unflagged samples; 0 when there are no more. */
static size_t next_block(struct residual_walk *walk, double residual[BLOCK])
{
    size_t count = 0;
    while (count < BLOCK && walk->next < walk->last) {
        if (walk->plain) {
            const size_t room = BLOCK - count, rest = walk->last - walk->next;
            const size_t taken = plain_residuals(walk, room < rest ? room : rest, residual + count);
            count += taken;
            walk->next += taken;
        } else {
            if (!flagged(walk->record, walk->next))
                residual[count++] = residual_at(walk, walk->next);
            walk->next++;
        }
    }
    return count;
}

/* A block with what came before it: before the first, zeros. */
struct residual_line {
    double value[AR_MOST + BLOCK];
};

static void remember(struct residual_line *line, size_t count)
{
    memmove(line->value, line->value + count, AR_MOST * sizeof *line->value);
}

/* The autoregressive model whose own AICc is smallest. */
static void learn_noise(struct residual_walk walk, struct ar_model *noise)
{
    struct residual_line line = {{0}};
    double autocovariance[AR_MOST + 1] = {0};
    size_t all = 0, count;
    while ((count = next_block(&walk, line.value + AR_MOST)) > 0) {
        lagged_products(lanes_widest(), line.value + AR_MOST, count, 0, AR_MOST + 1, autocovariance);
        remember(&line, count);
        all += count;
    }
    for (size_t lag = 0; lag <= AR_MOST; lag++)
        autocovariance[lag] /= (double)(all > 0 ? all : 1);
    ar_model_from(autocovariance, all, noise);
}

/* Sum of squares of what the noise model cannot foresee in a block, but for its first residuals. */
static double whitened_squares(const double *residual, size_t first, size_t count, const struct ar_model *noise)
{
    double innovation[BLOCK], squares = 0;
    memcpy(innovation, residual, count * sizeof *residual);
    for (size_t k = 0; k < noise->order; k++)
        for (size_t i = first; i < count; i++)
            innovation[i] -= noise->coefficient[k] * *(residual + i - k - 1);
    for (size_t i = first; i < count; i++)
        squares += innovation[i] * innovation[i];
    return squares;
}

/* AICc of one fit, NAN with too few samples. */
static double merit_of(struct residual_walk walk, const struct ar_model *noise, double unknowns)
{
    struct residual_line line = {{0}};
    double squares = 0;
    size_t all = 0, count;
    while ((count = next_block(&walk, line.value + AR_MOST)) > 0) {
        /* The first `order` residuals have no complete past: they are left out for every model alike. */
        const size_t first = all < noise->order ? noise->order - all : 0;
        squares += whitened_squares(line.value + AR_MOST, first, count, noise);
        remember(&line, count);
        all += count;
    }
    const double samples = (double)all - (double)noise->order;
    return samples > unknowns + 1 ? aicc_of(squares, walk.scale, samples, unknowns) : (double)NAN;
}

static void judge(const struct decay_record *record, const struct full_record_fit fits[MODEL_COUNT],
                  struct model_merit merits[MODEL_COUNT])
{
    const struct full_record_fit *whole = &fits[MODEL_COUNT - 1];
    /* One noise model for all three: learnt from each fit's own residuals, it would forgive a bad model its misfit. */
    const double scale = fabs(whole->estimate[FIT_X0].value);
    struct ar_model noise;
    learn_noise(residual_walk_of(record, whole, whole->range, scale), &noise);
    for (size_t n = 0; n < MODEL_COUNT; n++) {
        if (!comparable(&fits[n]))
            continue;
        merits[n].aicc =
            merit_of(residual_walk_of(record, &fits[n], whole->range, scale), &noise, unknowns_of(fits[n].model));
        if (isnan(merits[n].aicc))
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
    if (comparable(whole))
        judge(record, fits, merits);
}

/* A term that does not enter explains nothing that the others do not; where none does, naming one would be a guess. */
struct damping_choice damping_choice_from(const double likelihood_ratio[FIT_PARAMETERS])
{
    struct damping_choice choice = {.verdict = VERDICT_OK, .model = DAMPING_VISCOUS_COULOMB};
    unsigned terms = 0;
    bool known = true;
    for (enum fit_parameter p = 0; p < FIT_PARAMETERS; p++) {
        choice.likelihood_ratio[p] = likelihood_ratio[p];
        if (!decay_parameters[p].term || !damping_model_has(choice.model, p))
            continue;
        known = known && !isnan(likelihood_ratio[p]);
        terms |= likelihood_ratio[p] > TERM_ENTERS ? 1u << p : 0u;
    }
    if (!known)
        choice.verdict = VERDICT_NOT_COMPUTED;
    else if (!terms)
        choice.verdict = VERDICT_UNDECIDED;
    else
        choice.model = damping_model_of(terms);
    return choice;
}
