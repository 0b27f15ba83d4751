/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One walk over the residuals for all that is asked of them afterwards: their size, their correlation from sample to
 * sample, and a phase lag that wanders, which shows a frequency that drifts. */

#include "identify/residual_statistics.h"

#include <math.h>
#include <string.h>

/* Phase lag of one half cycle: the residual against the slope of the model. */
struct lag_sums {
    double residual_slope, slope_slope, residual_residual;
    size_t samples;
    double last_root; /* of the half cycle before: root of what its lag explained, with the sign of the lag */
};

/* The last residuals, for products with earlier ones; 0 where a sample was left out. */
struct history {
    double value[AR_MOST];
    size_t next;
};

/* A frequency that drifts makes neighbours lag alike; noise does not, however strongly it is correlated: noise
 * slower than a half cycle even gives them opposite lags, because the slope changes sign. Four samples at least:
 * fewer would take their noise for a lag. */
static void close_half_cycle(struct lag_sums *sums, double turn_per_time, struct residual_statistics *statistics)
{
    double root = 0.0;
    /* A residual that is the slope times a constant is a model that comes too late by that constant. */
    if (sums->samples >= 4 && sums->slope_slope > 0.0) {
        double delay = sums->residual_slope / sums->slope_slope;
        double explained = delay * sums->residual_slope;
        double rest = fmax(sums->residual_residual - explained, 0.0) / (double)(sums->samples - 1);
        root = copysign(sqrt(explained), delay);
        statistics->phase_squares += explained;
        statistics->phase_coherence += root * sums->last_root;
        statistics->half_cycles++;
        /* Five standard deviations: noise alone makes a lag as well. */
        if (explained > 25.0 * rest)
            statistics->largest_lag = fmax(statistics->largest_lag, fabs(delay) * turn_per_time);
    }
    *sums = (struct lag_sums){.last_root = root};
}

static void take_residual(double residual, struct history *history, struct residual_statistics *statistics)
{
    statistics->sum_of_squares += residual * residual;
    for (size_t lag = 1; lag <= AR_MOST; lag++)
        statistics->autocovariance[lag] += residual * history->value[(history->next + AR_MOST - lag) % AR_MOST];
}

static void remember(double residual, struct history *history)
{
    history->value[history->next] = residual;
    history->next = (history->next + 1) % AR_MOST;
}

void residual_statistics_of(const struct scaled_record *scaled, const double *parameters, size_t first, size_t last,
                            struct residual_statistics *statistics)
{
    struct decay_walk walk = decay_walk_from(parameters);
    struct history history = {0};
    struct lag_sums lag = {0};
    double mean = 0.0;
    memset(statistics, 0, sizeof *statistics);
    size_t j = walk.half.j;
    for (size_t i = first; i < last; i++) {
        double base[DECAY_BASES], residual = 0.0;
        if (scaled_usable(scaled, i)) {
            decay_base_at(&walk.shape, decay_walk_to(&walk, scaled_time(scaled, i)), base);
            if (walk.half.j != j) {
                close_half_cycle(&lag, walk.shape.omega_d, statistics);
                j = walk.half.j;
            }
            double y = scaled_value(scaled, i), deviation = y - mean;
            residual = y - decay_value_here(&walk, base, NULL);
            /* dy/dt = amplitude omega_d g'(theta), g' = -(1 + beta²) s. */
            double slope = -decay_amplitude(parameters, &walk.half) * walk.shape.omega_d * base[BASE_S] *
                           (1.0 + walk.shape.beta * walk.shape.beta);
            lag.residual_slope += residual * slope;
            lag.slope_slope += slope * slope;
            lag.residual_residual += residual * residual;
            lag.samples++;
            statistics->samples++;
            mean += deviation / (double)statistics->samples;
            statistics->total_squares += deviation * (y - mean);
            take_residual(residual, &history, statistics);
        }
        remember(residual, &history);
    }
    close_half_cycle(&lag, walk.shape.omega_d, statistics);
    double n = statistics->samples ? (double)statistics->samples : 1.0;
    statistics->autocovariance[0] = statistics->sum_of_squares / n;
    for (size_t k = 1; k <= AR_MOST; k++)
        statistics->autocovariance[k] /= n;
}

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
 * record. Below a hundred samples colour is too important to be missed and too weak to be seen: there the best noise
 * model counts even where it is no better, and Student's few degrees of freedom pay for it. */
static double least_gain(size_t samples)
{
    return samples < 100 ? -8.0 : 2.0;
}

/* Corrected Akaike criterion of an order with the given innovation variance. */
static double criterion(double innovation, size_t order, double samples)
{
    double unknowns = (double)order + 1.0;
    return samples * log(innovation) + 2.0 * unknowns * samples / (samples - unknowns - 1.0);
}

/* Levinson-Durbin: from each order to the next by one reflection coefficient. */
void ar_model_from(const double *autocovariance, size_t samples, struct ar_model *model)
{
    double coefficient[AR_MOST] = {0}, innovation = autocovariance[0], n = (double)samples;
    *model = (struct ar_model){.innovation = innovation};
    if (!(innovation > 0.0) || samples < 20)
        return;
    double least = criterion(innovation, 0, n) - least_gain(samples);
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
        double value = criterion(innovation, order, n);
        if (value < least) {
            least = value;
            model->order = order;
            model->innovation = innovation;
            memcpy(model->coefficient, coefficient, sizeof coefficient);
        }
    }
}
