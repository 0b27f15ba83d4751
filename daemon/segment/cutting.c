/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "segment/cutting.h"

#include "segment/half_cycle.h"
#include "segment/release.h"

#include <math.h>

/* The record begins this part of a half period before its first extremum, but at least two samples. */
#define LEAD 0.05
/* A growing swing does not spoil a candidate that has shown a decay this long. */
enum { LONG_DECAY = 20 };

size_t first_within_window(const struct candidate *candidate, size_t first, double start_below)
{
    size_t j = first;
    while (j + 1 < candidate->count && candidate->swing[j] / 2 >= start_below)
        j++;
    return j + 1 < candidate->count ? j : candidate->count;
}

static double mean(const double *values, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return sum / (double)count;
}

/* Whether the swings [first, last) fall by more than their uncertainty. */
static bool decays(const struct candidate *candidate, size_t first, size_t last)
{
    size_t swings = last - first, third = swings / 3 ? swings / 3 : 1;
    double early = mean(candidate->swing + first, third);
    double late = mean(candidate->swing + last - third, third);
    double uncertainty = candidate->noise * sqrt(2.0 / (double)third);
    return early - late > 2 * uncertainty && late < 0.999 * early;
}

static enum drop_reason why_too_short(const struct finder_end *end)
{
    if (end->by == DECAY_END_CLIPPED)
        return DROP_CLIPPED;
    if (end->by == DECAY_END_GAP)
        return DROP_GAP;
    if (end->grew)
        return DROP_NOT_DECAYING;
    return end->irregular ? DROP_IRREGULAR_PERIOD : DROP_TOO_SHORT;
}

/* The first extremum once more, now that the half period is well known. */
static double refine(const struct cutting *cutting, size_t extremum)
{
    const struct candidate *candidate = cutting->candidate;
    double seen = candidate->extrema[extremum].position, refined, level;
    bool trough = candidate->extrema[extremum + 1].level > candidate->extrema[extremum].level;
    double width = 0.25 * candidate->half_period;
    if (!vertex_fit(cutting->history, seen, width, trough ? 1 : -1, &refined, &level))
        return seen;
    return fabs(refined - seen) < 0.15 * candidate->half_period ? refined : seen;
}

/* Mean over the samples after the stop. */
static struct rest_observation observe_rest(const struct cutting *cutting, double stop)
{
    const struct sample_history *history = cutting->history;
    double length = cutting->candidate->half_period;
    uint64_t from = sample_history_at(history, stop + 0.1 * length), to = sample_history_at(history, stop + length);
    double sum = 0, squares = 0, count = 0;
    double reference = from < to ? sample_history_value(history, from) : 0;
    for (uint64_t i = from; i < to; i++) {
        if (sample_history_flags(history, i))
            continue;
        double y = sample_history_value(history, i) - reference;
        sum += y;
        squares += y * y;
        count++;
    }
    if (count < 2)
        return (struct rest_observation){.position = NAN, .se = NAN};
    double variance = fmax(squares - sum * sum / count, 0) / (count - 1);
    double step = cutting->noise->step;
    /* Noise smaller than the step does not average the rounding away. */
    double rounding = variance < step * step / 4 ? step * step / 12 : 0;
    return (struct rest_observation){.position = reference + sum / count, .se = sqrt(variance / count + rounding)};
}

static struct decay *copy_samples(const struct cutting *cutting, double first, double last)
{
    const struct sample_history *history = cutting->history;
    double length = cutting->candidate->half_period;
    uint64_t crest = sample_history_at(history, first);
    uint64_t begin = sample_history_at(history, first - LEAD * length);
    if (begin + 2 > crest)
        begin = crest > history->floor + 2 ? crest - 2 : history->floor;
    uint64_t end = sample_history_at(history, last);
    if (end < sample_history_end(history) && sample_history_position(history, end) <= last)
        end++;
    uint64_t before =
        sample_history_at(history, first - LEAD * length - 2 * length * cutting->settings->pretrigger_cycles);
    if (before > begin)
        before = begin;
    size_t at = (size_t)(before - history->first);
    const struct decay_samples samples = {
        .displacement = history->displacement + at,
        .time_s = history->stamped ? history->time_s + at : NULL,
        .flags = history->flags + at,
        .count = (size_t)(end - before),
        .start_s = sample_history_time(history, sample_history_position(history, before)),
        .period_s = history->period_s,
    };
    struct decay *decay = decay_from_samples(&samples, (size_t)(begin - before));
    if (decay)
        decay->first_index = history->base_index + begin;
    return decay;
}

/* With time stamps the record's period is their mean spacing. */
static void set_period(struct decay *decay)
{
    struct decay_record *record = &decay->record;
    if (record->time_s && record->count > 1)
        record->period_s = (record->time_s[record->count - 1] - record->time_s[0]) / (double)(record->count - 1);
}

/* The extrema [*first, *last] of the record, or why there is no record. */
static bool choose(const struct cutting *cutting, struct release *release, size_t *last, enum drop_reason *reason)
{
    const struct candidate *candidate = cutting->candidate;
    const struct segment_settings *settings = cutting->settings;
    *release = release_find(candidate, cutting->history, cutting->from);
    size_t first = release->first;
    if (!isnan(settings->start_below))
        first = first_within_window(candidate, first, settings->start_below);
    *last = candidate->count - 1;
    while (!isnan(settings->stop_below) && *last > first && candidate->swing[*last - 1] / 2 < settings->stop_below)
        (*last)--;
    size_t fewest = settings->min_half_cycles ? settings->min_half_cycles : 1;
    size_t half_cycles = *last > first ? *last - first : 0;
    release->first = first;
    *reason = why_too_short(cutting->end);
    if (half_cycles < fewest)
        return false;
    *reason = DROP_NOT_DECAYING;
    return decays(candidate, first, *last) && !(cutting->end->grew && half_cycles < LONG_DECAY);
}

struct decay *cut_decay(const struct cutting *cutting, enum drop_reason *reason)
{
    struct release release;
    size_t last;
    if (!choose(cutting, &release, &last, reason))
        return NULL;
    const struct sample_history *history = cutting->history;
    double first = refine(cutting, release.first), stop = cutting->candidate->extrema[last].position;
    struct decay *decay = copy_samples(cutting, first, stop);
    *reason = DROP_NO_MEMORY;
    if (!decay)
        return NULL;
    set_period(decay);
    decay->record.first_extremum_s = sample_history_time(history, first);
    decay->record.resolution = cutting->noise->step;
    decay->record.noise = cutting->noise->sd;
    decay->ended_by = cutting->end->by;
    decay->half_cycles = last - release.first;
    decay->dropped_first_half_cycle = true;
    if (!isnan(release.position))
        decay->released_s = sample_history_time(history, release.position);
    if (decay->ended_by == DECAY_END_REST)
        decay->rest = observe_rest(cutting, stop);
    return decay;
}

uint64_t cutting_keep(const struct candidate *candidate, const struct sample_history *history,
                      const struct segment_settings *settings)
{
    size_t first = isnan(settings->start_below) ? 0 : first_within_window(candidate, 0, settings->start_below);
    if (first >= candidate->count)
        first = candidate->count - 1;
    double back = 2 * candidate->half_period * fmax(settings->pretrigger_cycles + 0.1, 1);
    return sample_history_at(history, candidate->extrema[first].position - back);
}
