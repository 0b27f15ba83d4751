/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/common/ar_model.h"

#include <math.h>
#include <string.h>

double ar_gain_at(const struct ar_model *model, double angle)
{
    double re = 1.0, im = 0.0;
    for (size_t k = 0; k < model->order; k++) {
        re -= model->coefficient[k] * cos((double)(k + 1) * angle);
        im += model->coefficient[k] * sin((double)(k + 1) * angle);
    }
    return 1.0 / (re * re + im * im);
}

/* A noise model must be this much better than white noise: the criterion alone would see colour in every third white
 * record. Below a hundred samples colour is too important to be missed and too weak to be seen: there the
 * best noise model is given even where it is no better, with its gain. */
static double least_gain(size_t samples)
{
    return samples < 100 ? -8.0 : 2.0;
}

/* Corrected Akaike criterion of an order with the given innovation variance. */
static double penalty(size_t order, double samples)
{
    double unknowns = (double)order + 1.0;
    return 2.0 * unknowns * samples / (samples - unknowns - 1.0);
}

static double criterion(double innovation, size_t order, double samples)
{
    return samples * log(innovation) + penalty(order, samples);
}

/* Levinson-Durbin: from each order to the next by one reflection coefficient. */
void ar_model_from(const double *autocovariance, size_t samples, struct ar_model *model)
{
    double coefficient[AR_MOST] = {0}, innovation = autocovariance[0], n = (double)samples;
    *model = (struct ar_model){.innovation = innovation};
    if (!(innovation > 0.0) || samples < 20)
        return;
    const double white = criterion(innovation, 0, n);
    double least = white - least_gain(samples), log_innovation = log(innovation);
    /* Ten samples a coefficient at least. */
    for (size_t order = 1; order <= AR_MOST && order <= (samples < 100 ? 1 : samples / 10); order++) {
        double sum = autocovariance[order], previous[AR_MOST];
        for (size_t k = 1; k < order; k++)
            sum -= coefficient[k - 1] * autocovariance[order - k];
        double reflection = sum / innovation;
        memcpy(previous, coefficient, sizeof previous);
        coefficient[order - 1] = reflection;
        for (size_t k = 1; k < order; k++)
            coefficient[k - 1] = previous[k - 1] - reflection * previous[order - 1 - k];
        innovation *= 1.0 - reflection * reflection;
        /* The past foretells everything: rounding is all that is left to model. */
        if (!(innovation > 1e-12 * autocovariance[0]))
            return;
        /* log x >= 1 - 1/x tells most orders that gain too little without the logarithm. */
        double value = n * (1.0 - model->innovation / innovation) + n * log_innovation + penalty(order, n);
        if (value < least)
            value = criterion(innovation, order, n);
        if (value < least) {
            log_innovation = log(innovation);
            least = value;
            model->order = order;
            model->innovation = innovation;
            model->gain = white - value;
            memcpy(model->coefficient, coefficient, sizeof coefficient);
        }
    }
}
