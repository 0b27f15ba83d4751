/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/friction_weighing.h"

#include "identify/common/sample_pass.h"

#include <math.h>

bool friction_is_cancelled(const struct friction_weighing *weighing)
{
    return weighing->climb->cancel && atomic_load(weighing->climb->cancel);
}

double friction_rms(const struct friction_weighing *weighing)
{
    double squares = 0;
    for (size_t i = 0; i < weighing->climb->motions.all.samples; i++)
        squares += weighing->residuals[i] * weighing->residuals[i];
    return sqrt(squares / (double)weighing->climb->motions.all.samples);
}

void friction_products(const struct friction_weighing *weighing, double products[AR_MOST + 1])
{
    const size_t samples = weighing->climb->motions.all.samples;
    lagged_products(lanes_widest(), weighing->residuals, samples, 0, AR_MOST + 1, products);
    for (size_t lag = 0; lag <= AR_MOST; lag++)
        products[lag] /= (double)samples;
}

void friction_noise(const struct friction_weighing *weighing, struct ar_model *noise)
{
    double products[AR_MOST + 1] = {0};
    friction_products(weighing, products);
    ar_model_from(products, weighing->climb->motions.all.samples, noise);
}

double friction_innovation(const struct friction_weighing *weighing, const struct ar_model *noise)
{
    const size_t samples = weighing->climb->motions.all.samples;
    double squares = 0;
    for (size_t i = noise->order; i < samples; i++) {
        double left = weighing->residuals[i];
        for (size_t k = 0; k < noise->order; k++)
            left -= noise->coefficient[k] * weighing->residuals[i - 1 - k];
        squares += left * left;
    }
    return squares / (double)(samples - noise->order);
}

double friction_unknowns(const struct friction_fit *fit)
{
    double count = 0;
    for (enum friction_column c = 0; c < FRICTION_UNKNOWNS; c++)
        if (friction_column_used(&fit->point.row, c))
            count += !(fit->held & 1u << c) || fit->point.row.shape != FRICTION_MAXWELL;
    return count;
}

/* What comes before and behind the turn at either end. */
static const double values_of_floor = 4;

double friction_floor(double samples, double share)
{
    return share * fmax(samples / values_of_floor, 1) * FRICTION_STEPS_LEAVE * FRICTION_STEPS_LEAVE;
}

double friction_share_whitened(const struct ar_model *noise, double mean_square)
{
    return mean_square > 0 ? fmin(noise->innovation / mean_square, 1) : 1;
}

double friction_bic(double samples, double mean_square, double floor, double unknowns)
{
    return samples * log(mean_square + floor) + unknowns * log(fmax(samples, 2));
}

/* Of the sum of squares, by the residual's autocorrelation (Bartlett 1946): 1 + 2 sum rho_k^2. */
static double memory_of_squares(const struct friction_weighing *weighing)
{
    double products[AR_MOST + 1] = {0}, memory = 1;
    lagged_products(lanes_widest(), weighing->residuals, weighing->climb->motions.all.samples, 0, AR_MOST + 1,
                    products);
    for (size_t lag = 1; lag <= AR_MOST && products[0] > 0; lag++)
        memory += 2 * pow(products[lag] / products[0], 2);
    return memory;
}

/* What swings has less memory in its sum than in its squares. */
double friction_memory(const struct friction_weighing *weighing, const struct ar_model *noise)
{
    const double variance = pow(friction_rms(weighing), 2);
    const double memory = variance > 0 ? noise->innovation * ar_gain_at(noise, 0) / variance : 1;
    return fmax(memory_of_squares(weighing), fmin(memory, (double)weighing->climb->motions.all.samples / 10));
}

size_t friction_least_rung(const struct friction_weighing *weighing)
{
    size_t least = 0;
    for (size_t r = 1; r < weighing->climb->count; r++)
        if (weighing->climb->fit[r].squares < weighing->climb->fit[least].squares)
            least = r;
    return least;
}
