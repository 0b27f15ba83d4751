/* SPDX-License-Identifier: GPL-3.0-or-later */

/* This file goes from extrema to samples: what of the history is the record, what its pre-trigger, and what the mass
 * did after it. */

#include "segment/record_take.h"

#include "segment/spread.h"
#include "segment/tolerances.h"

#include <math.h>

/* The record begins NEAR_EXTREMUM before its first extremum, but at least two samples, and ends this part of a half
 * period before its last one, where friction may stop the mass: half a thousandth of a swing away. */
#define END_BEFORE_EXTREMUM 0.015
/* At least so many samples before it, so that none of the record's lies behind the extremum. */
#define END_BEFORE_SAMPLES 0.6

/* The mass rests at the mean of the samples after the stop. */
static struct rest_observation observe_rest(const struct ended_candidate *ended, double stop)
{
    double length = ended->candidate->half_period;
    struct spread spread = spread_between(ended->history, stop + STOP_UNCERTAINTY * length, stop + length);
    if (spread.count < 2)
        return (struct rest_observation){.position = NAN, .se = NAN};
    double variance = spread.rms * spread.rms, step = ended->noise->step;
    /* Noise of less than half a step does not average the rounding away, whose variance that of STEPS_OF_ROUNDING is.
     */
    double rounding = variance < step * step / 4 ? step * step / 12 : 0;
    return (struct rest_observation){.position = spread.mean, .se = sqrt(variance / spread.count + rounding)};
}

/* Time stamps may come far more densely than at the stretch's pace. Then a record that begins and ends a little inside
 * of its extrema may have no sample. */
static struct decay *copy_samples(const struct ended_candidate *ended, double first, double last,
                                  enum drop_reason *reason)
{
    const struct sample_history *history = ended->history;
    double length = ended->candidate->half_period;
    uint64_t crest = sample_history_at(history, first);
    uint64_t begin = sample_history_at(history, first - NEAR_EXTREMUM * length);
    /* The record begins at least two samples before its first extremum, so that whoever refines it finds some on both
     * sides. */
    if (begin + 2 > crest)
        begin = crest > history->floor + 2 ? crest - 2 : history->floor;
    /* The moment of the stop is not known better than this, and what lies behind it is not free motion. */
    uint64_t end = sample_history_at(history, last - fmax(END_BEFORE_EXTREMUM * length, END_BEFORE_SAMPLES));
    uint64_t before =
        sample_history_at(history, first - NEAR_EXTREMUM * length - 2 * length * ended->settings->pretrigger_cycles);
    if (before > begin)
        before = begin;
    if (end <= crest) {
        *reason = DROP_TOO_SHORT;
        return NULL;
    }
    const struct sample_span span = sample_history_span(history, before, end);
    const struct decay_samples samples = {
        .displacement = span.displacement,
        .time_s = span.time_s,
        .flags = history->flagged > before ? span.flags : NULL,
        .count = (size_t)(end - before),
        .start_s = sample_history_time(history, sample_history_position(history, before)),
        .period_s = history->period_s,
    };
    struct decay *decay = decay_from_samples(&samples, (size_t)(begin - before));
    *reason = DROP_NO_MEMORY;
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

struct decay *record_take(const struct ended_candidate *ended, const struct release *release, size_t last,
                          enum drop_reason *reason)
{
    const struct sample_history *history = ended->history;
    double first = ended->candidate->extrema[release->first].position;
    double stop = ended->candidate->extrema[last].position;
    struct decay *decay = copy_samples(ended, first, stop, reason);
    if (!decay)
        return NULL;
    set_period(decay);
    decay->record.first_extremum_s = sample_history_time(history, first);
    decay->record.resolution = ended->noise->step;
    decay->record.noise = ended->noise->sd;
    decay->ended_by = ended->end->by;
    decay->half_cycles = last - release->first;
    /* Nobody saw the first half cycle of a motion in which the stream begins. */
    decay->dropped_first_half_cycle = !isnan(release->position);
    if (decay->dropped_first_half_cycle)
        decay->released_s = sample_history_time(history, release->position);
    if (decay->ended_by == DECAY_END_REST)
        decay->rest = observe_rest(ended, stop);
    return decay;
}
