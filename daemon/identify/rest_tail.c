/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/rest_tail.h"

#include "identify/small_least_squares.h"

#include <math.h>

enum { FEWEST_SAMPLES = 8, STOP_LIMIT = 100000 };

/* A harmonic of the decay's own period fitted to one cycle. */
struct harmonic {
    double mean, mean_se;
    double amplitude;
    double noise;        /* standard deviation of the residuals */
    double amplitude_se; /* displacement unit */
};

static bool usable(const struct decay_record *record, size_t i)
{
    return (!record->flags || record->flags[i] == 0) && isfinite(record->displacement[i]);
}

static size_t first_at_or_after(const struct decay_record *record, double time)
{
    size_t low = 0, high = record->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (decay_record_time(record, middle) < time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Constant, cosine and sine over the samples [from, to), in two passes: solve, then residuals. */
static bool fit_harmonic(const struct decay_record *record, size_t from, size_t to, double omega,
                         struct harmonic *harmonic)
{
    struct small_least_squares equations = {.unknowns = 3};
    double x[SMALL_MAX] = {0}, inverse[SMALL_MAX][SMALL_MAX], squares = 0;
    const double start = decay_record_time(record, from), level = record->displacement[from];
    size_t samples = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = from; i < to; i++) {
            if (!usable(record, i))
                continue;
            const double phase = omega * (decay_record_time(record, i) - start);
            const double row[3] = {1, cos(phase), sin(phase)}, value = record->displacement[i] - level;
            if (pass == 0)
                small_least_squares_add(&equations, row, value);
            else
                squares += pow(value - x[0] - row[1] * x[1] - row[2] * x[2], 2);
            samples += pass == 0;
        }
        if (pass == 0 && (samples < FEWEST_SAMPLES || !small_least_squares_solve(&equations, x, inverse)))
            return false;
    }
    harmonic->noise = sqrt(squares / (double)(samples - 3));
    harmonic->mean = level + x[0];
    harmonic->mean_se = harmonic->noise * sqrt(inverse[0][0]);
    harmonic->amplitude = hypot(x[1], x[2]);
    harmonic->amplitude_se = harmonic->noise * sqrt(fmax(inverse[1][1], inverse[2][2]));
    return isfinite(harmonic->amplitude) && isfinite(harmonic->noise);
}

/* How the decay would go on behind its last extremum. */
struct outlook {
    double half_cycle_s;
    double amplitude; /* a half cycle after the last extremum, displacement unit */
    double stop_s;    /* where |X_j| <= x_k stops it at the latest, source clock; INFINITY: not foreseen */
};

/* From the fit, when x_k stands clear of its error. */
static void foresee_stop(const struct extrema_fit *fit, double after_s, struct outlook *outlook)
{
    const double x_k = fit->x_k.value, q = exp(-M_PI * fit->zeta.value / sqrt(1 - pow(fit->zeta.value, 2)));
    const bool certain = !fit->x_k.at_bound && x_k > 2 * fit->x_k.se;
    double height = fabs(fit->x0.value), time = fit->t0.value;
    for (size_t j = 0; j < STOP_LIMIT && height > x_k; j++) {
        height = q * height - (1 + q) * x_k;
        time += outlook->half_cycle_s;
        if (time > after_s + 0.5 * outlook->half_cycle_s && time < after_s + 1.5 * outlook->half_cycle_s)
            outlook->amplitude = fmax(height, 0);
    }
    if (certain && height <= x_k)
        outlook->stop_s = time;
}

static struct outlook look_ahead(const struct extremum *extrema, size_t count, const struct extrema_fit *fit)
{
    const struct extremum *last = &extrema[count - 1];
    const double swing = fabs(last->displacement - extrema[count - 2].displacement) / 2;
    struct outlook outlook = {
        .half_cycle_s = (last->time_s - extrema[0].time_s) / (double)(count - 1),
        .amplitude = 0.4 * swing, /* a cautious guess: even zeta = 0.25 leaves 0.44 of a swing for the next one */
        .stop_s = INFINITY,
    };
    if (fit->verdict == VERDICT_OK)
        foresee_stop(fit, last->time_s, &outlook);
    return outlook;
}

/* Steps of a sensor that no noise blurs hide a position by this much. */
static double step_uncertainty(const struct decay_record *record, const struct harmonic *harmonic)
{
    return harmonic->noise < 0.45 * record->resolution ? record->resolution / sqrt(12.0) : 0;
}

struct rest_observation rest_tail_find(const struct decay_record *record, const struct extremum *extrema, size_t count,
                                       const struct extrema_fit *fit)
{
    const struct rest_observation not_seen = {NAN, NAN};
    if (count < 2)
        return not_seen;
    const struct outlook outlook = look_ahead(extrema, count, fit);
    if (!(outlook.half_cycle_s > 0))
        return not_seen;
    const double stop_s = fmin(extrema[count - 1].time_s + outlook.half_cycle_s, outlook.stop_s);
    const size_t from = first_at_or_after(record, stop_s);
    const size_t to = first_at_or_after(record, stop_s + 2 * outlook.half_cycle_s);
    struct harmonic harmonic;
    if (to >= record->count || !fit_harmonic(record, from, to, M_PI / outlook.half_cycle_s, &harmonic))
        return not_seen;
    const double step = step_uncertainty(record, &harmonic);
    const bool still = harmonic.amplitude <= 4 * harmonic.amplitude_se + 2 * step;
    const bool motion_expected = outlook.amplitude > 12 * harmonic.amplitude_se + 4 * step;
    if (!still || !(motion_expected || isfinite(outlook.stop_s)))
        return not_seen;
    return (struct rest_observation){harmonic.mean, hypot(harmonic.mean_se, step)};
}
