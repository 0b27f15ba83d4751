/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Does the record itself show the mass at rest behind its last extremum? For records that no segmenter has cut. */

#include "identify/decay/rest_tail.h"

#include "identify/common/correlated_noise.h"
#include "identify/common/sensor_steps.h"
#include "identify/common/small_least_squares.h"
#include "motion/half_cycle_law.h"

#include <math.h>

enum { FEWEST_SAMPLES = 8, LOOKS = 4 };

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

/* A displacement near all of them, so that nothing cancels; 0 when there is none. A flagged sample may be anything. */
static double first_usable(const struct decay_record *record, size_t from, size_t to)
{
    while (from < to && !usable(record, from))
        from++;
    return from < to ? record->displacement[from] : 0;
}

/* Constant, cosine and sine over the samples [from, to), in two passes: solve, then residuals. */
static bool fit_harmonic(const struct decay_record *record, size_t from, size_t to, double omega,
                         struct harmonic *harmonic)
{
    struct small_least_squares equations = {.unknowns = 3};
    double x[SMALL_MAX] = {0}, inverse[SMALL_MAX][SMALL_MAX], squares = 0;
    const double start = decay_record_time(record, from), level = first_usable(record, from, to);
    double previous = 0, neighbours = 0;
    size_t samples = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = from; i < to; i++) {
            if (!usable(record, i))
                continue;
            const double phase = omega * (decay_record_time(record, i) - start);
            const double row[3] = {1, cos(phase), sin(phase)}, value = record->displacement[i] - level;
            if (pass == 0) {
                small_least_squares_add(&equations, row, value);
                samples++;
                continue;
            }
            const double residual = value - x[0] - row[1] * x[1] - row[2] * x[2];
            squares += residual * residual;
            neighbours += residual * previous;
            previous = residual;
        }
        if (pass == 0 && (samples < FEWEST_SAMPLES || !small_least_squares_solve(&equations, x, inverse)))
            return false;
    }
    harmonic->noise = sqrt(squares / (double)(samples - 3));
    const double spread = harmonic->noise * correlated_noise_factor(squares, neighbours);
    harmonic->mean = level + x[0];
    harmonic->mean_se = spread * sqrt(inverse[0][0]);
    harmonic->amplitude = hypot(x[1], x[2]);
    harmonic->amplitude_se = spread * sqrt(fmax(inverse[1][1], inverse[2][2]));
    return isfinite(harmonic->amplitude) && isfinite(harmonic->noise);
}

/* How the decay would go on behind its last extremum, one half cycle after the other. */
struct outlook {
    double half_cycle_s;
    double time_s;    /* of the extremum in question, source clock */
    double amplitude; /* |X_j| there, were the mass still moving */
    double q, x_k;    /* of SHK Eq. 4 */
    bool stops;       /* x_k stands clear of its error, so that |X_j| <= x_k stops the mass */
};

static void look_further(struct outlook *outlook)
{
    outlook->amplitude = fmax(law_next_height(outlook->q, outlook->x_k, outlook->amplitude), 0);
    outlook->time_s += outlook->half_cycle_s;
}

static struct outlook outlook_from(const struct extremum *extrema, size_t count, const struct extrema_fit *fit)
{
    const struct extremum *last = &extrema[count - 1];
    struct outlook outlook = {
        .half_cycle_s = (last->time_s - extrema[0].time_s) / (double)(count - 1),
        .time_s = last->time_s,
        .amplitude = fabs(last->displacement - extrema[count - 2].displacement) / 2,
        .q = 0.4, /* a cautious guess: even zeta = 0.25 leaves 0.44 of a swing for the next one */
    };
    if (fit->verdict == VERDICT_OK) {
        outlook.amplitude = fabs(last->displacement - fit->estimate[FIT_BIAS].value);
        outlook.q = law_q(law_beta(fit->estimate[FIT_ZETA].value));
        outlook.x_k = fit->estimate[FIT_X_K].value;
        outlook.stops =
            !fit->estimate[FIT_X_K].at_bound && fit->estimate[FIT_X_K].value > 2 * fit->estimate[FIT_X_K].se;
    }
    return outlook;
}

/* Steps of a sensor that no noise blurs hide a position by this much. */
static double step_uncertainty(const struct decay_record *record, const struct harmonic *harmonic)
{
    return noise_blurs_steps(harmonic->noise, record->resolution) ? 0 : record->resolution / sqrt(12.0);
}

/* Standard deviation of the samples [from, to). */
static double spread_of(const struct decay_record *record, size_t from, size_t to)
{
    double mean = 0, squares = 0, samples = 0;
    for (size_t i = from; i < to; i++) {
        if (!usable(record, i))
            continue;
        const double step = record->displacement[i] - mean;
        mean += step / ++samples;
        squares += step * (record->displacement[i] - mean);
    }
    return samples > 1 ? sqrt(squares / (samples - 1)) : 0;
}

/* The harmonic in the cycle from `time_s` on, or in as much of it as there is, but at least half of it: true when it
 * holds no motion. Four standard errors: noise alone hardly ever looks like that much motion. */
static bool still_from(const struct decay_record *record, double time_s, double half_cycle_s, struct harmonic *harmonic)
{
    const size_t from = first_at_or_after(record, time_s);
    const size_t to = first_at_or_after(record, time_s + 2 * half_cycle_s);
    const double last_s = decay_record_time(record, record->count - 1);
    if (last_s < time_s + half_cycle_s || !fit_harmonic(record, from, to, M_PI / half_cycle_s, harmonic))
        return false;
    const double step = step_uncertainty(record, harmonic);
    /* Less than a cycle can take a slow part of the motion for a level: the harmonic must not explain anything then. */
    const bool in_part = to == record->count;
    const double rounding = 1e-12 * fabs(harmonic->mean);
    if (in_part && spread_of(record, from, to) > 1.5 * harmonic->noise + step + rounding)
        return false;
    return harmonic->amplitude <= 4 * harmonic->amplitude_se + 2 * step;
}

/* Is the mass at rest from the extremum in question on, though motion, or a stop, was to be expected? */
static bool rests_at(const struct decay_record *record, const struct outlook *outlook, struct rest_observation *rest)
{
    struct harmonic harmonic, later;
    if (!still_from(record, outlook->time_s, outlook->half_cycle_s, &harmonic))
        return false;
    const double step = step_uncertainty(record, &harmonic);
    /* Twelve standard errors: motion that was there could not have been missed. */
    const bool motion_expected = outlook->amplitude > 12 * harmonic.amplitude_se + 4 * step;
    const bool stop_expected = outlook->stops && outlook->amplitude <= outlook->x_k;
    /* A last half cycle as small as that may look like rest, and is none: half a cycle later it is over for certain. */
    if (still_from(record, outlook->time_s + outlook->half_cycle_s, outlook->half_cycle_s, &later))
        harmonic = later;
    *rest = (struct rest_observation){harmonic.mean, hypot(harmonic.mean_se, step_uncertainty(record, &harmonic))};
    return motion_expected || stop_expected;
}

struct rest_observation rest_tail_find(const struct decay_record *record, const struct extremum *extrema, size_t count,
                                       const struct extrema_fit *fit)
{
    const struct rest_observation not_seen = {NAN, NAN};
    if (count < 2)
        return not_seen;
    struct outlook outlook = outlook_from(extrema, count, fit);
    if (!(outlook.half_cycle_s > 0))
        return not_seen;
    /* The last extremum may be the one where the mass rests; or later ones may have been too small to be found. */
    for (int n = 0; n <= LOOKS; n++) {
        struct rest_observation rest;
        if (rests_at(record, &outlook, &rest))
            return rest;
        look_further(&outlook);
    }
    return not_seen;
}
