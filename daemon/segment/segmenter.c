/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One channel, from samples to what is looked at: cuts the stream into gapless stretches and these into chunks, keeps
 * the noise floor up to date, and lets go of the past. */

#include "segment/segmenter.h"

#include "segment/chunk.h"
#include "segment/record_cut.h"
#include "segment/segmenter_state.h"
#include "segment/spread.h"
#include "segment/surroundings.h"

#include <math.h>
#include <stdlib.h>

enum {
    FEED_AT_ONCE = 256,  /* samples that are taken in between two looks */
    IDLE_SAMPLES = 4096, /* kept while nothing is found */
    FLOOR_CHUNKS = 16,   /* after which the past may be let go */
    SWINGS_KEPT = 8,     /* lengths of a swing that is just going on, before it turns */
    LATE = 4,            /* half periods after which a motion may be begun at the latest, and two to spare */
};

struct segmenter *segmenter_create(const struct segment_settings *settings, const struct segment_listener *listener)
{
    struct segmenter *segmenter = calloc(1, sizeof *segmenter);
    if (!segmenter)
        return NULL;
    segmenter->settings = *settings;
    segmenter->listener = *listener;
    segmenter->latest = segmenter->looked_at = segmenter->rest_level = segmenter->quiet_level = NAN;
    sample_history_init(&segmenter->history);
    signal_quality_init(&segmenter->signal_quality, settings->resolution);
    const struct finder_limits limits = {.stop_below = settings->stop_below,
                                         .max_duration_s = settings->max_duration_s,
                                         .max_samples = settings->max_samples,
                                         .tells_all = listener->progress != NULL};
    decay_finder_init(&segmenter->finder, &limits);
    stamp_holes_init(&segmenter->holes, settings->stamps_tell_holes);
    return segmenter;
}

void segmenter_destroy(struct segmenter *segmenter)
{
    if (!segmenter)
        return;
    sample_history_clear(&segmenter->history);
    decay_finder_clear(&segmenter->finder);
    free(segmenter);
}

/* Lets go of what neither a running candidate nor one that may come will need. */
static void raise_floor(struct segmenter *segmenter)
{
    const struct decay_finder *finder = &segmenter->finder;
    struct sample_history *history = &segmenter->history;
    uint64_t end = segmenter->analysed, keep = 0;
    if (finder->following && !finder->record_done) {
        keep = record_cut_keep(&finder->candidate, history, &segmenter->settings);
    } else {
        /* Nothing is followed: enough of the past for a motion that is just turning, and for a
         * look at its surroundings if it has a rhythm. What has not moved out of the noise yet has no swing. */
        const struct turning_points *points = &finder->points;
        uint64_t swing = points->direction != 0 ? points->extreme.number - points->last.number : 0;
        uint64_t before = points->seen > 1 ? points->last.number - points->before.number : 0;
        uint64_t wanted = SWINGS_KEPT * swing > IDLE_SAMPLES ? SWINGS_KEPT * swing : IDLE_SAMPLES;
        uint64_t rhythm = (SURROUNDINGS_HALF_PERIODS + LATE) * (before < swing ? before : swing);
        wanted = wanted > rhythm ? wanted : rhythm;
        uint64_t most = segmenter->settings.max_samples > 0 ? segmenter->settings.max_samples : UINT64_MAX;
        wanted = wanted < most ? wanted : most;
        keep = end > wanted ? end - wanted : 0;
    }
    /* The next chunk's look reaches back so far. */
    sample_history_raise_floor(history, keep < end - SIGNAL_MARGIN ? keep : end - SIGNAL_MARGIN);
}

/* A mass that has not moved for long rests here, or is held here without a tremor. */
static void learn_quiet_level(struct segmenter *segmenter)
{
    const struct decay_finder *finder = &segmenter->finder;
    uint64_t since = finder->points.extreme.number > finder->points.highest.number ? finder->points.extreme.number
                                                                                   : finder->points.highest.number;
    if (!finder->following && segmenter->analysed > since + IDLE_SAMPLES)
        segmenter->quiet_level = sample_history_value(&segmenter->history, segmenter->analysed - 1);
}

/* The mass is taken to rest at the place where a stream begins until something better is known; a spike or a clipped
 * sample does not say where that is. */
static void guess_rest_level(struct segmenter *segmenter)
{
    const struct sample_history *history = &segmenter->history;
    const struct spread first = spread_between(history, 0, sample_history_position(history, segmenter->analysed));
    segmenter->rest_level = first.count > 0 ? first.mean : NAN;
}

/* A chunk is asked for its noise, then for its spikes, and then searched. The search sees the stream chunk by chunk,
 * whatever the calls. */
static void take_chunk(struct segmenter *segmenter)
{
    struct sample_history *history = &segmenter->history;
    uint64_t from = segmenter->analysed;
    if (from == SIGNAL_MARGIN)
        sample_history_learn_period(history);
    sample_history_show(history, from + CHUNK + SIGNAL_MARGIN);
    signal_quality_take(&segmenter->signal_quality, history, from);
    segmenter->analysed += CHUNK;
    sample_history_show(history, segmenter->analysed);
    /* This is done in the first stretch only: behind a gap nothing is known. */
    if (from == SIGNAL_MARGIN && segmenter->samples == sample_history_held(history))
        guess_rest_level(segmenter);
    segmenter->looked_at = sample_history_value(history, segmenter->analysed - 1);
    if (!decay_finder_waits(&segmenter->finder, history, segmenter->analysed))
        segmenter_look(segmenter, segmenter->analysed, false);
    if (segmenter->analysed / CHUNK % FLOOR_CHUNKS == 0) {
        raise_floor(segmenter);
        learn_quiet_level(segmenter);
        segmenter_tell_phase(segmenter);
    }
}

/* The mass may be moved before the next one begins. */
static void leave_stretch(struct segmenter *segmenter)
{
    segmenter->in_stretch = false;
    segmenter->rest_level = segmenter->quiet_level = NAN;
}

/* It ends a stretch that has no more samples: it looks at the remaining ones, and ends a running candidate. */
static void end_stretch(struct segmenter *segmenter, enum decay_end reason)
{
    if (!segmenter->in_stretch)
        return;
    uint64_t ready = sample_history_held(&segmenter->history);
    sample_history_show(&segmenter->history, ready);
    if (segmenter->analysed <= SIGNAL_MARGIN)
        sample_history_learn_period(&segmenter->history);
    else if (ready > segmenter->analysed + SIGNAL_MARGIN)
        signal_quality_end_stretch(&segmenter->signal_quality, &segmenter->history, segmenter->analysed,
                                   ready - SIGNAL_MARGIN);
    segmenter_look(segmenter, ready, true);
    /* What was followed may have hidden a decay that came after its beginning. */
    while (segmenter->finder.following) {
        segmenter_cut_off(segmenter, reason);
        segmenter_look(segmenter, ready, true);
    }
    leave_stretch(segmenter);
}

/* Missing samples in a row are one gap, however they were announced. */
static void count_gap(struct segmenter *segmenter, bool in_stretch)
{
    if (in_stretch || segmenter->samples + segmenter->lost_samples == 0)
        segmenter->gaps++;
}

static void begin_stretch(struct segmenter *segmenter, const struct stretch *stretch)
{
    sample_history_restart(&segmenter->history, stretch);
    decay_finder_restart(&segmenter->finder);
    signal_quality_restart(&segmenter->signal_quality);
    segmenter->analysed = 0;
    segmenter->in_stretch = true;
}

/* Room for more samples, at the cost of the running candidate if need be. */
static bool make_room(struct segmenter *segmenter, size_t count)
{
    size_t most = segmenter->settings.max_samples;
    /* A decay of max_samples, its pre-trigger and what is looked at around it. */
    most = most > 0 && most < SIZE_MAX / 4 ? 2 * most + 4 * IDLE_SAMPLES : SIZE_MAX / 32;
    if (sample_history_reserve(&segmenter->history, count, most) == 0)
        return true;
    if (segmenter->finder.following)
        segmenter_drop(segmenter, DROP_NO_MEMORY);
    decay_finder_restart(&segmenter->finder);
    leave_stretch(segmenter);
    sample_history_clear(&segmenter->history);
    return false;
}

/* It takes in finite samples without a gap. */
static void take(struct segmenter *segmenter, const struct stretch *stretch, const double *displacement,
                 const double *time_s, const uint8_t *flags, size_t count)
{
    const bool was_in_stretch = segmenter->in_stretch;
    if (!was_in_stretch)
        begin_stretch(segmenter, stretch);
    if (!make_room(segmenter, count)) {
        count_gap(segmenter, was_in_stretch);
        segmenter->lost_samples += count;
        return;
    }
    sample_history_append(&segmenter->history, displacement, time_s, flags, count);
    segmenter->samples += count;
    segmenter->latest = displacement[count - 1];
    /* The first SIGNAL_MARGIN samples of a stretch are never judged by the noise floor: it needs neighbours on both
     * sides. */
    if (segmenter->analysed == 0 && sample_history_held(&segmenter->history) >= SIGNAL_MARGIN)
        segmenter->analysed = SIGNAL_MARGIN;
    while (segmenter->analysed >= SIGNAL_MARGIN &&
           sample_history_held(&segmenter->history) >= segmenter->analysed + CHUNK + SIGNAL_MARGIN)
        take_chunk(segmenter);
}

static void open_gap(struct segmenter *segmenter, uint64_t lost)
{
    count_gap(segmenter, segmenter->in_stretch);
    end_stretch(segmenter, DECAY_END_GAP);
    stamp_holes_restart(&segmenter->holes);
    segmenter->lost_samples += lost;
}

/* Samples are missing before this time stamp. */
static void open_hole(struct segmenter *segmenter, uint64_t lost, double at_s)
{
    open_gap(segmenter, lost);
    if (segmenter->listener.hole)
        segmenter->listener.hole(segmenter->listener.context, lost, at_s);
}

/* A sample that is not a number is a lost sample. */
static size_t finite_run(const double *displacement, const double *time_s, size_t count)
{
    size_t finite = chunk_finite(displacement, count);
    return time_s ? chunk_finite(time_s, finite) : finite;
}

static size_t lost_run(const double *displacement, const double *time_s, size_t count)
{
    size_t i = 0;
    while (i < count && !(isfinite(displacement[i]) && (!time_s || isfinite(time_s[i]))))
        i++;
    return i;
}

/* Takes in samples up to the next hole, or notes the hole. Returns how many samples that takes care of. */
static size_t take_run(struct segmenter *segmenter, const struct stretch *stretch, const double *displacement,
                       const double *time_s, const uint8_t *flags, size_t count)
{
    uint64_t lost = 0;
    size_t run = finite_run(displacement, time_s, count);
    if (run == 0) {
        run = lost_run(displacement, time_s, count);
        open_gap(segmenter, run);
        return run;
    }
    if (time_s)
        run = stamp_holes_run(&segmenter->holes, time_s, run, &lost);
    if (run > 0)
        take(segmenter, stretch, displacement, time_s, flags, run);
    else
        open_hole(segmenter, lost, time_s[0]);
    return run;
}

/* A call is taken in small pieces: memory is asked for piece by piece, and a hole cuts it into two stretches. */
void segmenter_feed(struct segmenter *segmenter, uint64_t first_index, const double *displacement, const double *time_s,
                    const uint8_t *flags, size_t count, double origin_s, double period_s)
{
    if (count == 0)
        return;
    bool known = segmenter->samples + segmenter->lost_samples > 0;
    if (known && !segmenter->gap_told && first_index != segmenter->expected_index)
        open_gap(segmenter, first_index > segmenter->expected_index ? first_index - segmenter->expected_index : 0);
    segmenter->gap_told = false;
    segmenter->expected_index = first_index + count;
    /* Samples without a time are lost: a period that nobody chose would give figures that nobody could tell from
     * others. */
    if (!time_s && !(period_s > 0 && isfinite(period_s))) {
        open_gap(segmenter, count);
        return;
    }
    for (size_t i = 0; i < count;) {
        size_t most = count - i < FEED_AT_ONCE ? count - i : FEED_AT_ONCE;
        const struct stretch stretch = {first_index + i, time_s != NULL, origin_s, period_s, time_s ? time_s[i] : 0};
        i +=
            take_run(segmenter, &stretch, displacement + i, time_s ? time_s + i : NULL, flags ? flags + i : NULL, most);
    }
}

void segmenter_set_resolution(struct segmenter *segmenter, double resolution)
{
    signal_quality_set_resolution(&segmenter->signal_quality, resolution);
}

/* The next sample may then have any index: the gap is counted once. */
void segmenter_gap(struct segmenter *segmenter, uint64_t lost)
{
    open_gap(segmenter, lost);
    segmenter->gap_told = true;
}

void segmenter_finish(struct segmenter *segmenter, enum decay_end reason)
{
    end_stretch(segmenter, reason);
}
