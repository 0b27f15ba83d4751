/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Without friction the decay is linear in all but frequency and damping, and nothing has to be known of its phase. */

#include "identify/decay/decay_scan.h"

#include "identify/common/small_least_squares.h"

#include <math.h>

/* A cosine that is off by one step of the frequency is out of phase by half a radian after six half cycles. More than
 * twenty half cycles show their rhythm, and noise hides few of them. */
enum { FREQUENCIES = 81, MOST_HALF_CYCLES = 20, SAMPLES = 512 };
static const double LOWEST = 0.4, STEP = 1.023;
static const double DAMPING[] = {0.01, 0.05, 0.1, 0.2, 0.3, 0.45};

/* y = bias + e^(-rate t) (along cos + across sin)(omega_d t). */
struct cosine {
    double omega_n, zeta, bias, along, across;
    double explained; /* what it takes from the sum of squares about the mean */
};

/* The samples' mean is taken out: the explained part is then the fit's. */
static bool fit_cosine(const struct scaled_record *scaled, double mean, struct cosine *cosine)
{
    const double rate = cosine->zeta * cosine->omega_n;
    const double omega_d = cosine->omega_n * sqrt((1.0 - cosine->zeta) * (1.0 + cosine->zeta));
    struct small_least_squares equations = {.unknowns = 3};
    double found[3];
    /* Every so-manyth sample shows twenty half cycles well enough. */
    for (size_t i = 0; i < scaled->count; i += 1 + scaled->count / SAMPLES) {
        if (!scaled_usable(scaled, i))
            continue;
        const double time = scaled_time(scaled, i), envelope = exp(-rate * time);
        const double row[3] = {1.0, envelope * cos(omega_d * time), envelope * sin(omega_d * time)};
        small_least_squares_add(&equations, row, scaled_value(scaled, i) - mean);
    }
    if (!small_least_squares_solve(&equations, found, NULL))
        return false;
    cosine->bias = mean + found[0];
    cosine->along = found[1];
    cosine->across = found[2];
    cosine->explained = 0.0;
    for (size_t k = 0; k < 3; k++)
        cosine->explained += found[k] * equations.right[k];
    return true;
}

static double mean_of(const struct scaled_record *scaled)
{
    double sum = 0.0, samples = 0.0;
    for (size_t i = 0; i < scaled->count; i++)
        if (scaled_usable(scaled, i)) {
            sum += scaled_value(scaled, i);
            samples++;
        }
    return samples > 0.0 ? sum / samples : 0.0;
}

/* At an extremum the phase behind the crest of the undamped cosine is -atan(beta), or half a cycle more. */
static void start_at_extremum(const struct cosine *cosine, double parameters[FIT_PARAMETERS])
{
    const double omega_d = cosine->omega_n * sqrt((1.0 - cosine->zeta) * (1.0 + cosine->zeta));
    const double beta = cosine->zeta * cosine->omega_n / omega_d, crest = atan2(cosine->across, cosine->along);
    double phase = fmod(crest - atan(beta), M_PI);
    if (phase < 0.0)
        phase += M_PI;
    parameters[FIT_OMEGA_N] = cosine->omega_n;
    parameters[FIT_ZETA] = cosine->zeta;
    parameters[FIT_X_K] = 0.0;
    parameters[FIT_X0] = hypot(cosine->along, cosine->across) * exp(-beta * phase) * cos(phase - crest);
    parameters[FIT_BIAS] = cosine->bias;
    parameters[FIT_T0] = phase / omega_d;
}

bool decay_scan(const struct scaled_record *scaled, double omega_n, double parameters[FIT_PARAMETERS])
{
    struct cosine best = {.explained = 0.0};
    const double mean = mean_of(scaled), span = scaled_time(scaled, scaled->count - 1);
    if (!(omega_n * span < MOST_HALF_CYCLES * M_PI))
        return false;
    struct cosine trial = {.omega_n = LOWEST * omega_n};
    for (int step = 0; step < FREQUENCIES && trial.omega_n < M_PI; step++, trial.omega_n *= STEP)
        for (size_t k = 0; k < sizeof DAMPING / sizeof DAMPING[0]; k++) {
            trial.zeta = DAMPING[k];
            if (fit_cosine(scaled, mean, &trial) && trial.explained > best.explained)
                best = trial;
        }
    if (!(best.explained > 0.0))
        return false;
    start_at_extremum(&best, parameters);
    return parameters[FIT_X0] != 0.0;
}
