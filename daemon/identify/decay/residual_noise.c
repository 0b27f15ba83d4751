/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Residuals are not the noise: the fit has taken out of them whatever of the noise looked like a decay. With few
 * effective samples that is much of it, and errors promised from the bare residuals are too small. */

#include "identify/decay/residual_noise.h"

#include <math.h>
#include <string.h>

/* Rounds of putting back and learning anew; each changes what is put back by less. */
enum { ROUNDS = 6 };

/* What is put back may not be more than this many times what the residuals show: there the record is too short to tell
 * noise from decay, and the rounds would run away. */
static const double MOST_PUT_BACK = 3.0;

/* The covariances of the noise at all lags: those of the residuals, and a line spectrum of what the fit took. */
static void put_back(const struct residual_statistics *residual, double taken_at_zero, double taken_at_angle,
                     double angle, double covariance[AR_MOST + 1])
{
    const double n = (double)residual->samples;
    const double taken = taken_at_zero + taken_at_angle, most = MOST_PUT_BACK * n * residual->autocovariance[0];
    const double part = taken > most ? most / taken : 1.0;
    for (size_t lag = 0; lag <= AR_MOST; lag++)
        covariance[lag] =
            residual->autocovariance[lag] + part * (taken_at_zero + taken_at_angle * cos((double)lag * angle)) / n;
}

/* Least degrees of freedom: Student's quantiles grow without bounds below. */
static const double LEAST_FREEDOM = 3.0;

/* Degrees of freedom with which a spectral density is known: 2 over the variance of its logarithm, by the delta method
 * from the covariance of Yule-Walker's coefficients, innovation inverse(Gamma)/n (Brockwell and Davis 1991, 8.1; the
 * inverse by Gohberg and Semencul), and from that of the innovation, 2/n. White noise beside the model has no shape
 * that could be wrong. INFINITY: no coefficients. */
static double density_freedom(const struct ar_model *model, double n, double weight, double angle)
{
    const size_t order = model->order;
    double filter[AR_MOST + 1] = {1.0}, slope[AR_MOST], re = 0.0, im = 0.0, by_shape = 0.0;
    if (order == 0)
        return INFINITY;
    for (size_t k = 0; k < order; k++)
        filter[k + 1] = -model->coefficient[k];
    for (size_t k = 0; k <= order; k++) {
        re += filter[k] * cos((double)k * angle);
        im -= filter[k] * sin((double)k * angle);
    }
    for (size_t k = 1; k <= order; k++)
        slope[k - 1] = 2.0 * (re * cos((double)k * angle) - im * sin((double)k * angle)) / (re * re + im * im);
    for (size_t column = 0; column < order; column++) {
        double lower = 0.0, upper = 0.0;
        for (size_t row = column; row < order; row++) {
            lower += filter[row - column] * slope[row];
            upper += filter[order - (row - column)] * slope[row];
        }
        by_shape += lower * lower - upper * upper;
    }
    return fmax(2.0 * n / (2.0 + weight * weight * by_shape), LEAST_FREEDOM);
}

void residual_noise_from(const struct residual_statistics *residual, const struct free_parameters *free, double angle,
                         struct residual_noise *noise)
{
    const double n = (double)residual->samples;
    double unknowns = 0.0;
    for (int p = 0; p < FIT_PARAMETERS; p++)
        unknowns += free->free[p] ? 1.0 : 0.0;
    const double at_zero = free->free[FIT_BIAS] ? 1.0 : 0.0, at_angle = unknowns - at_zero;
    const double freedom = n > unknowns ? n - unknowns : 1.0;
    /* Of residuals that are nothing at all there is nothing to put back. */
    double covariance[AR_MOST + 1];
    memcpy(covariance, residual->autocovariance, sizeof covariance);
    struct ar_model *model = &noise->model;
    *model = (struct ar_model){.innovation = residual->autocovariance[0] * n / freedom};
    /* White noise has learnt all by the second round. */
    double before = 0.0;
    for (int round = 0; round < ROUNDS && fabs(model->innovation - before) > 1e-12 * before; round++) {
        before = model->innovation;
        put_back(residual, at_zero * model->innovation * ar_gain_at(model, 0.0),
                 at_angle * model->innovation * ar_gain_at(model, angle), angle, covariance);
        ar_model_from(covariance, residual->samples, model);
    }
    /* A model that was clearly better stands alone. Below a hundred samples it shares with white noise, by Akaike
     * weights (Burnham and Anderson 2002): correlation that is chance would make errors too small as often as too
     * large. */
    noise->white = residual->autocovariance[0] * n / freedom;
    noise->weight = n < 100.0 ? 1.0 / (1.0 + exp(-0.5 * model->gain)) : 1.0;
    const double slow = model->innovation * ar_gain_at(model, 0.0);
    noise->effective_samples = slow > covariance[0] ? n * covariance[0] / slow : n;
    noise->freedom = fmin(density_freedom(model, freedom, noise->weight, angle), freedom);
    noise->bias_freedom = fmin(density_freedom(model, freedom, noise->weight, 0.0), freedom);
}
