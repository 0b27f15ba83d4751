/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/model_choice.h"

#include "identify/decay_model.h"

#include <math.h>
#include <stdlib.h>

enum { HIGHEST_ORDER = 16 };

/* Unknowns of each fit: omega_n, x0, bias, t0, the damping terms, and the variance. */
static double unknowns_of(enum damping_model model)
{
    return model == DAMPING_VISCOUS_COULOMB ? 7 : 6;
}

static double aicc_of(double squares, double samples, double unknowns)
{
    /* Exact data leave no residual; the smallest normal number keeps the logarithm finite. */
    const double variance = fmax(squares / samples, 1e-300);
    return samples * log(variance) + 2 * unknowns * samples / (samples - unknowns - 1);
}

/* The samples that count: unflagged, and not before `from_s`. */
static bool counts(const struct decay_record *record, size_t i, double from_s)
{
    return (!record->flags || record->flags[i] == 0) && decay_record_time(record, i) >= from_s;
}

/* Residuals of one fit on the common samples, walking down the half cycles; returns how many. */
static size_t residuals_of(const struct decay_record *record, const struct full_record_fit *fit, double from_s,
                           double *residual)
{
    const double parameters[FIT_PARAMETERS] = {
        [FIT_OMEGA_N] = fit->omega_n.value, [FIT_ZETA] = fit->zeta.value, [FIT_X_K] = fit->x_k.value,
        [FIT_X0] = fit->x0.value,           [FIT_BIAS] = fit->bias.value, [FIT_T0] = fit->t0.value,
    };
    const struct decay_shape shape = decay_shape(parameters);
    struct decay_half_cycle half = decay_first_half_cycle(parameters);
    size_t count = 0;
    for (size_t i = 0; i < record->count; i++) {
        if (!counts(record, i, from_s))
            continue;
        const double phase = shape.omega_d * (decay_record_time(record, i) - parameters[FIT_T0]);
        while (phase >= (double)half.j * M_PI)
            decay_next_half_cycle(parameters, &shape, &half);
        double base[DECAY_BASES];
        decay_base_at(&shape, phase - (double)(half.j - 1) * M_PI, base);
        residual[count++] = record->displacement[i] - parameters[FIT_BIAS] - decay_level(parameters, &half) -
                            decay_amplitude(parameters, &half) * base[BASE_G];
    }
    return count;
}

/* Levinson-Durbin on the residuals' autocovariances: the autoregressive model whose own AICc is smallest. */
static size_t autoregression(const double *residual, size_t count, double coefficient[HIGHEST_ORDER])
{
    double covariance[HIGHEST_ORDER + 1] = {0}, trial[HIGHEST_ORDER] = {0}, previous[HIGHEST_ORDER];
    for (size_t lag = 0; lag <= HIGHEST_ORDER; lag++)
        for (size_t i = lag; i < count; i++)
            covariance[lag] += residual[i] * residual[i - lag] / (double)count;
    double variance = covariance[0], best = aicc_of(variance * (double)count, (double)count, 1);
    size_t order = 0;
    for (size_t p = 1; p <= HIGHEST_ORDER && variance > 1e-12 * covariance[0]; p++) {
        double reflection = covariance[p];
        for (size_t k = 1; k < p; k++)
            reflection -= trial[k - 1] * covariance[p - k];
        reflection /= variance;
        for (size_t k = 0; k < p; k++)
            previous[k] = trial[k];
        for (size_t k = 1; k < p; k++)
            trial[k - 1] = previous[k - 1] - reflection * previous[p - k - 1];
        trial[p - 1] = reflection;
        variance *= 1 - reflection * reflection;
        const double merit = aicc_of(variance * (double)count, (double)count, (double)p + 1);
        if (merit < best) {
            best = merit;
            order = p;
            for (size_t k = 0; k < p; k++)
                coefficient[k] = trial[k];
        }
    }
    return order;
}

/* Sum of squares of what the autoregression cannot foresee. */
static double whitened_squares(const double *residual, size_t count, const double *coefficient, size_t order)
{
    double squares = 0;
    for (size_t i = order; i < count; i++) {
        double innovation = residual[i];
        for (size_t k = 0; k < order; k++)
            innovation -= coefficient[k] * residual[i - k - 1];
        squares += innovation * innovation;
    }
    return squares;
}

static double first_common_time(const struct full_record_fit fits[MODEL_COUNT])
{
    double from_s = -INFINITY;
    for (size_t n = 0; n < MODEL_COUNT; n++)
        if (fits[n].verdict == VERDICT_OK)
            from_s = fmax(from_s, fits[n].t0.value);
    return from_s;
}

static void judge(const struct decay_record *record, const struct full_record_fit fits[MODEL_COUNT], double *residual,
                  struct model_merit merits[MODEL_COUNT])
{
    const double from_s = first_common_time(fits);
    double coefficient[HIGHEST_ORDER] = {0};
    size_t order = 0;
    bool whitened = false;
    for (size_t n = MODEL_COUNT; n-- > 0;) {
        if (fits[n].verdict != VERDICT_OK)
            continue;
        const size_t count = residuals_of(record, &fits[n], from_s, residual);
        if (!whitened)
            order = autoregression(residual, count, coefficient);
        whitened = true;
        const double samples = (double)count - (double)order, unknowns = unknowns_of(fits[n].model);
        if (samples > unknowns + 1)
            merits[n].aicc = aicc_of(whitened_squares(residual, count, coefficient, order), samples, unknowns);
        else
            merits[n].verdict = VERDICT_TOO_FEW_SAMPLES;
    }
}

void model_choice(const struct decay_record *record, const struct full_record_fit fits[MODEL_COUNT],
                  struct model_merit merits[MODEL_COUNT])
{
    for (size_t n = 0; n < MODEL_COUNT; n++)
        merits[n] = (struct model_merit){fits[n].model, fits[n].verdict, NAN, fits[n].rms};
    double *residual = malloc((record->count + 1) * sizeof *residual);
    if (residual)
        judge(record, fits, residual, merits);
    for (size_t n = 0; n < MODEL_COUNT && !residual; n++)
        merits[n].verdict = VERDICT_NO_MEMORY;
    free(residual);
}
