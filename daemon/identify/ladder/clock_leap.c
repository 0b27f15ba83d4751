/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ladder/clock_leap.h"

#include <math.h>

/* A half cycle that is odd by less than this part is left to the residual, which tells it better; and of those of one
 * record noise makes none as odd as this many standard deviations. */
static const double LEAST = 0.01, DEVIATIONS = 8;

/* Fewer extrema do not say what is usual. The first of all often has few samples on one side, and the half cycles that
 * are looked at begin behind all that lean on it. */
enum { EXTREMA_LEAST = 16, FIRST = 3 };

static double length_from(const struct ladder_data *data, size_t n)
{
    return data->extremum_time[n + 1] - data->extremum_time[n];
}

/* By how much a half cycle is longer than those next to it on the same side, between which others lie. */
static double oddness(const struct ladder_data *data, size_t n)
{
    return length_from(data, n) - 0.5 * (length_from(data, n - 2) + length_from(data, n + 2));
}

/* The same as the distance that the mass goes meanwhile, of which noise makes as much in small swings as in large. */
static double strangeness(const struct ladder_data *data, size_t n)
{
    return fabs(oddness(data, n)) * fmin(data->height[n], data->height[n + 3]);
}

/* The median, as a standard deviation; found by halving, since they are not kept. */
static double usual_strangeness(const struct ladder_data *data, double most)
{
    static const double OF_NORMAL = 0.6745;
    enum { HALVINGS = 40 };
    double low = 0, high = most;
    for (int halving = 0; halving < HALVINGS; halving++) {
        const double middle = 0.5 * (low + high);
        size_t below = 0, above = 0;
        for (size_t n = FIRST; n + 4 <= data->extrema; n++)
            *(strangeness(data, n) < middle ? &below : &above) += 1;
        *(below < above ? &low : &high) = middle;
    }
    return high / OF_NORMAL;
}

/* Behind the widest gap between the samples of a half cycle: a clock that leaps leaves one. */
static size_t sample_behind_gap(const struct ladder_data *data, size_t half_cycle)
{
    const double from = data->extremum_time[half_cycle], to = data->extremum_time[half_cycle + 1];
    size_t behind = 1;
    double widest = 0;
    for (size_t i = 1; i < data->count && data->time[i] <= to; i++) {
        const double gap = data->time[i] - data->time[i - 1];
        if (data->time[i] < from || gap <= widest)
            continue;
        widest = gap;
        behind = i;
    }
    return behind;
}

static bool is_beside(const struct clock_steps *known, size_t half_cycle)
{
    bool beside = false;
    for (size_t k = 0; k < known->count; k++)
        beside = beside || (half_cycle < known->step[k].extremum + 3 && known->step[k].extremum < half_cycle + 4);
    return beside;
}

/* 0: there is none. */
static size_t oddest_of(const struct ladder_data *data, const struct clock_steps *known)
{
    size_t oddest = 0;
    for (size_t n = FIRST; n + 4 <= data->extrema; n++)
        if (!is_beside(known, n) && (oddest == 0 || strangeness(data, n) > strangeness(data, oddest)))
            oddest = n;
    return oddest;
}

bool clock_leap_find(const struct ladder_data *data, const struct clock_steps *known, struct clock_step *step)
{
    const size_t oddest = data->extrema < EXTREMA_LEAST ? 0 : oddest_of(data, known);
    if (oddest == 0)
        return false;
    const double odd = oddness(data, oddest), strange = strangeness(data, oddest);
    if (!(fabs(odd) > LEAST * M_PI) || !(strange > DEVIATIONS * usual_strangeness(data, strange)))
        return false;
    const struct estimate lost = {.value = -odd * data->unit_s, .se = NAN, .low = NAN, .high = NAN};
    const struct estimate unknown = {.value = NAN, .se = NAN, .low = NAN, .high = NAN};
    *step = (struct clock_step){.found = true,
                                .time_s = unknown,
                                .lost_s = lost,
                                .sample = sample_behind_gap(data, oddest),
                                .extremum = oddest + 1};
    return true;
}
