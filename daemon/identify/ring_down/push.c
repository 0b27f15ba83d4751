/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A push does not follow from the samples before it: what the weights of a prediction leave of the samples has a burst
 * there, however many modes ring, and whether it makes them larger or smaller. A soft push, of slow modes, is slow,
 * too, and then hardly differs from what is predicted from one sample to the next: it is looked for at lower rates,
 * too. */

#include "identify/ring_down/push.h"

#include "identify/common/fisher_quantile.h"
#include "identify/ring_down/baseband.h"
#include "identify/ring_down/prediction.h"

#include <errno.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

/* A push is looked for in what lies within 2 ms, and held against what is left in 30 ms before and behind it. */
#define PUSH_S 0.002
#define BESIDE_S 0.03
enum { LEAST_PUSH = 4, LEAST_BESIDE = 40 };
/* White noise makes such a burst in one stretch of 1e6; and where it is not white, or modes are bent by a joint, bursts
 * are half as high again before they count. */
#define CHANCE 1e-6
#define NOT_WHITE 1.5
/* A joint turns its motion back more sharply than weights foretell, in every half cycle. By squares such bursts fall to
 * less than a quarter over the three half cycles that a push may hide where the damping ratio is above 0.07 alone. */
#define MOST_FALL 4.0
/* A joint that slips as a whole leaves bursts of 6e-4 of the largest motion where there is no noise. Bursts count from
 * five times this on, and a push that makes none so large changes no figure. */
#define LEAST_SHARE 2e-4
/* By the lowest rate the slowest modes, of 2 Hz, are sampled ten times a cycle, as others are by the rates above it. */
#define LEAST_RATE_HZ 20.0

/* Samples at a rate, and where pushes are looked for in them. */
struct searched {
    const double *samples;
    size_t count, within;
    double rate_hz;
    double least; /* mean square of what is no burst */
};

/* Samples of a window about a place that is looked at. Behind a push the weights still see its own samples for as long
 * as they reach. */
struct place {
    size_t push, beside; /* lengths of a burst, and of what it is held against on either side */
    size_t first;        /* place of a window */
    size_t behind;       /* samples that a window has from the last place on */
    double most;         /* times what is beside it, by squares: a burst */
};

static struct place place_in(const struct searched *searched, size_t used)
{
    const size_t push = prediction_samples_in(PUSH_S, searched->rate_hz, LEAST_PUSH),
                 beside = prediction_samples_in(BESIDE_S, searched->rate_hz, LEAST_BESIDE),
                 memory = prediction_memory(searched->rate_hz),
                 zone = searched->within < used ? searched->within : used;
    const double chance = CHANCE * (double)push / (double)zone;
    return (struct place){.push = push,
                          .beside = beside,
                          .first = memory + (push > 2 * LEAST_PUSH ? push : 2 * LEAST_PUSH),
                          .behind = 2 * push + memory + beside,
                          .most = NOT_WHITE * fisher_quantile(chance, (double)push, (double)beside)};
}

static void find_burst(const struct prediction *prediction, const struct searched *searched, const struct place *place,
                       struct sensed_push *found)
{
    const size_t n = prediction->memory, push = place->push, beside = place->beside;
    for (size_t i = place->first; i < searched->within && i + place->behind <= prediction->count; i++) {
        const size_t before = i > n + beside ? i - beside : n, behind = i + 2 * push + n;
        const double there = fmax(prediction_left(prediction, before, i),
                                  fmax(prediction_left(prediction, behind, behind + beside), searched->least));
        const double burst = prediction_left(prediction, i, i + push);
        if (!(burst > place->most * there &&
              burst > MOST_FALL * prediction_largest_left(prediction, push, behind, behind + beside))) {
            if (found->until > 0)
                return;
            continue;
        }
        found->onset = found->until > 0 ? found->onset : i + push - 1;
        found->until = i + 2 * push;
    }
}

static int look_in_window(const struct searched *window, const struct place *place, struct sensed_push *push)
{
    struct prediction prediction;
    *push = (struct sensed_push){0, 0};
    const int error = prediction_make(window->samples, window->count, window->rate_hz, &prediction);
    if (error == 0 && prediction_learn(&prediction))
        find_burst(&prediction, window, place, push);
    prediction_clear(&prediction);
    return error;
}

/* Windows overlap by what a push cannot be told in at their ends: each place is looked at once. */
static int look_at_rate(const struct searched *searched, struct sensed_push *push)
{
    const size_t wanted = prediction_wanted(searched->rate_hz);
    const size_t used = wanted < searched->count ? wanted : searched->count;
    *push = (struct sensed_push){0, 0};
    if (2 * used < wanted || searched->within == 0)
        return 0;
    const struct place place = place_in(searched, used);
    if (used < place.first + place.behind)
        return 0;
    const size_t left = searched->count - used, step = used - place.first - place.behind + 1;
    for (size_t from = 0; from + place.first < searched->within; from += step) {
        const size_t at = from < left ? from : left, within = searched->within - at;
        const struct searched window = {searched->samples + at, used, within, searched->rate_hz, searched->least};
        const int error = look_in_window(&window, &place, push);
        if (error)
            return error;
        if (push->until > 0) {
            *push = (struct sensed_push){push->onset + at, push->until + at};
            return 0;
        }
        if (at == left)
            return 0;
    }
    return 0;
}

/* The same at a lower rate, by samples of the one that there is. What the filter takes together is as far apart as its
 * taps reach. */
static int look_at_lower_rate(const struct searched *searched, size_t times, struct sensed_push *push)
{
    struct baseband_filter filter;
    const double rate_hz = searched->rate_hz, stop_hz = rate_hz / ((1 + BASEBAND_FLAT) * ((double)times + 1e-6));
    *push = (struct sensed_push){0, 0};
    int error = baseband_filter_create(rate_hz, 0, stop_hz, &filter);
    if (error)
        return error == -EDOM ? 0 : error;
    const size_t count = baseband_count(&filter, searched->count), half = filter.taps / 2;
    double *slower = calloc(count + 1, sizeof *slower);
    error = slower ? 0 : -ENOMEM;
    if (error == 0) {
        baseband_low_pass(&filter, searched->samples, searched->count, slower);
        const size_t within = searched->within > half ? (searched->within - half) / filter.step : 0;
        const struct searched lower = {slower, count, within < count ? within : count, rate_hz / (double)filter.step,
                                       searched->least};
        error = look_at_rate(&lower, push);
    }
    if (error == 0 && push->until > 0)
        *push = (struct sensed_push){push->onset * filter.step, push->until * filter.step + filter.taps};
    free(slower);
    baseband_filter_clear(&filter);
    return error;
}

static double least_of(const double *samples, size_t count, double step)
{
    const double mean = count > 0 ? gsl_stats_mean(samples, 1, count) : 0;
    double largest = 0;
    for (size_t i = 0; i < count; i++)
        largest = fmax(largest, fabs(samples[i] - mean));
    /* What rounds to a step or two is no burst. */
    return fmax(pow(LEAST_SHARE * largest, 2), isfinite(step) ? step * step / 3 : 0);
}

int push_at_its_rate(const double *samples, size_t count, double rate_hz, double step, size_t within,
                     struct sensed_push *push)
{
    const struct searched searched = {samples, count, within, rate_hz, least_of(samples, count, step)};
    return look_at_rate(&searched, push);
}

/* Of a push that several rates show the highest of them tells best when it was. */
int push_first(const double *samples, size_t count, double rate_hz, double step, size_t within,
               struct sensed_push *push)
{
    const struct searched searched = {samples, count, within, rate_hz, least_of(samples, count, step)};
    int error = look_at_rate(&searched, push);
    for (size_t times = 2; rate_hz / (double)times >= LEAST_RATE_HZ && error == 0; times *= 2) {
        struct sensed_push lower;
        error = look_at_lower_rate(&searched, times, &lower);
        if (error == 0 && lower.until > 0 && (push->until == 0 || lower.until <= push->onset))
            *push = lower;
    }
    return error;
}
