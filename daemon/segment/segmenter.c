/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One channel, from samples to decays: cuts the stream into gapless stretches and these into chunks, keeps the noise
 * floor up to date, lets the finder look, and tells the listener. The judgements are in the files that it calls. */

#include "segment/segmenter.h"

#include "segment/chunk.h"
#include "segment/cutting.h"
#include "segment/decay_finder.h"
#include "segment/flat_crests.h"
#include "segment/front.h"
#include "segment/sample_history.h"
#include "segment/stamp_holes.h"
#include "segment/surroundings.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum {
    FEED_AT_ONCE = 256,    /* samples that are taken in between two looks */
    IDLE_SAMPLES = 4096,   /* kept while nothing is found */
    FLOOR_CHUNKS = 16,     /* after which the past may be let go */
    MARGIN = 4,            /* samples on either side that the noise floor and spikes need */
    SETTLED_FROM = 6,      /* half cycles that a beat has before nothing in it is looked at again */
    SHOWN_FROM = 2,        /* half cycles that a candidate has before it is called a decay */
    LEAST_TO_FADE = 12,    /* extrema of a motion of which next to nothing remains */
    DISTURBED_AT_LAST = 3, /* half cycles that may be spoilt by what ended it */
};

/* Of the first swing: hum of 1 % of X_0 makes swings up to that size, and a little more. */
#define HUM_REMAINS 0.015

struct segmenter {
    struct segment_settings settings;
    struct segment_listener listener;
    struct sample_history history;
    struct front front;
    struct decay_finder finder;
    struct stamp_holes holes;
    uint64_t analysed;       /* samples of this stretch whose noise and spikes are known */
    uint64_t expected_index; /* of the next sample */
    bool in_stretch;         /* false: the next sample begins a new one */
    bool gap_told;           /* segmenter_gap() was called since the last sample */
    double latest;           /* displacement */
    enum segment_phase told; /* the latest phase that the listener knows */
    double rest_level;       /* where the mass rested last; NAN: not known */
    double quiet_level;      /* where nothing moved for long; a long hold, maybe */
    uint64_t samples, lost_samples, gaps, decays;
    uint64_t drops[DROP_REASONS];
};

struct segmenter *segmenter_create(const struct segment_settings *settings, const struct segment_listener *listener)
{
    struct segmenter *segmenter = calloc(1, sizeof *segmenter);
    if (!segmenter)
        return NULL;
    segmenter->settings = *settings;
    segmenter->listener = *listener;
    segmenter->latest = segmenter->rest_level = segmenter->quiet_level = NAN;
    sample_history_init(&segmenter->history);
    front_init(&segmenter->front, settings->resolution);
    const struct finder_limits limits = {.stop_below = settings->stop_below,
                                         .max_duration_s = settings->max_duration_s,
                                         .max_samples = settings->max_samples,
                                         .tells_all = listener->progress != NULL};
    decay_finder_init(&segmenter->finder, &limits);
    stamp_holes_restart(&segmenter->holes);
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

/* For people: "held" is only away from the rest position and not decaying, whoever holds it. It takes less to stay held
 * than to become it, so that noise does not toggle it. */
static enum segment_phase phase(const struct segmenter *segmenter, double displacement)
{
    const struct decay_finder *finder = &segmenter->finder;
    if (isnan(segmenter->front.noise.sd))
        return SEGMENT_STARTING;
    if (finder->following && !finder->drained && finder->candidate.count > SHOWN_FROM)
        return SEGMENT_DECAYING;
    double away = fabs(displacement - segmenter->rest_level) / segmenter->front.hysteresis;
    return away > (segmenter->told == SEGMENT_HELD ? 2 : 4) ? SEGMENT_HELD : SEGMENT_IDLE;
}

/* Of a signal that has never changed any reversal counts: what stands in for nothing is no figure for people. */
static double shown_hysteresis(const struct front *front)
{
    if (isnan(front->noise.sd))
        return NAN;
    return front->hysteresis > DBL_MIN ? front->hysteresis : 0;
}

/* Amplitude and frequency are those of a running decay; at other times they are NAN. */
void segmenter_state(const struct segmenter *segmenter, struct segment_state *state)
{
    const struct candidate *candidate = &segmenter->finder.candidate;
    *state = (struct segment_state){
        .phase = phase(segmenter, segmenter->latest),
        .amplitude = NAN,
        .frequency_hz = NAN,
        .displacement = segmenter->latest,
        .noise_floor = segmenter->front.noise.sd,
        .hysteresis = shown_hysteresis(&segmenter->front),
        .samples = segmenter->samples,
        .lost_samples = segmenter->lost_samples,
        .gaps = segmenter->gaps,
        .decays = segmenter->decays,
    };
    for (int reason = 0; reason < DROP_REASONS; reason++)
        state->drops[reason] = segmenter->drops[reason];
    if (state->phase != SEGMENT_DECAYING)
        return;
    state->half_cycle = candidate->count - 1;
    state->amplitude = candidate->swing[candidate->count - 2] / 2;
    state->frequency_hz = 0.5 / (candidate->half_period * segmenter->history.period_s);
}

/* Whoever asked for no progress costs nothing. */
static void tell_progress(struct segmenter *segmenter)
{
    struct segment_state state;
    if (!segmenter->listener.progress)
        return;
    segmenter_state(segmenter, &state);
    segmenter->told = state.phase;
    segmenter->listener.progress(segmenter->listener.context, &state);
}

/* Idle, held or decaying: told when it changes. */
static void tell_phase(struct segmenter *segmenter)
{
    if (segmenter->listener.progress && phase(segmenter, segmenter->latest) != segmenter->told)
        tell_progress(segmenter);
}

static void drop(struct segmenter *segmenter, enum drop_reason reason)
{
    const struct candidate *candidate = &segmenter->finder.candidate;
    double at = candidate->count ? candidate->extrema[0].position : segmenter->finder.from;
    segmenter->drops[reason]++;
    if (segmenter->listener.dropped)
        segmenter->listener.dropped(segmenter->listener.context, reason, sample_history_time(&segmenter->history, at));
}

/* The motion goes on, but not in the record. */
static bool settled_early(const struct finder_end *end)
{
    return end->by == DECAY_END_STOP_BELOW || end->by == DECAY_END_MAX_LENGTH;
}

/* Makes a decay of the candidate, or drops it with a reason. A half cycle by itself goes unsaid: every movement makes
 * some. */
static enum candidate_fate settle(struct segmenter *segmenter, struct finder_end *end)
{
    const struct cutting cutting = {
        .candidate = &segmenter->finder.candidate,
        .history = &segmenter->history,
        .settings = &segmenter->settings,
        .noise = &segmenter->front.channel,
        .end = end,
        .rest_level = segmenter->rest_level,
        .quiet_level = segmenter->quiet_level,
        .from = segmenter->finder.from,
        .rhythm = rhythm_half_period(&segmenter->finder.rhythm, &segmenter->history),
        .kept = segmenter->finder.kept,
        .dropped = segmenter->finder.dropped,
    };
    enum drop_reason reason;
    if (segmenter->finder.drained) {
        segmenter->finder.kept = cutting.candidate->extrema[cutting.candidate->count - 1].position;
        return CANDIDATE_SETTLED;
    }
    if (segmenter->finder.candidate.count <= SHOWN_FROM)
        return CANDIDATE_UNSAID;
    if (flat_crests_show_limit(&segmenter->finder.candidate, &segmenter->history, &segmenter->front.rails,
                               &segmenter->front.channel))
        noise_floor_meets_limit(&segmenter->front.noise);
    size_t last;
    struct decay *decay = cut_decay(&cutting, &last, &reason);
    if (!decay) {
        drop(segmenter, reason);
        bool long_enough = segmenter->finder.candidate.count > SETTLED_FROM;
        bool beat = reason == DROP_NOT_DECAYING && end->by == DECAY_END_NOISE_FLOOR;
        return beat && long_enough ? CANDIDATE_SETTLED : CANDIDATE_DROPPED;
    }
    rhythm_learn(&segmenter->finder.rhythm, cutting.candidate, &segmenter->history, last - decay->half_cycles, last);
    /* What comes behind the record may be a decay of its own. */
    if (!settled_early(end))
        candidate_forget_after(&segmenter->finder.candidate, last);
    const struct candidate *candidate = &segmenter->finder.candidate;
    segmenter->finder.kept = candidate->extrema[candidate->count - 1].position;
    segmenter->decays++;
    if (!isnan(decay->rest.position))
        segmenter->rest_level = decay->rest.position;
    segmenter->listener.decay(segmenter->listener.context, decay);
    return CANDIDATE_SETTLED;
}

/* The candidate is settled although its motion goes on: see it out without finding it again. */
static void settle_early(struct segmenter *segmenter, enum decay_end by)
{
    struct finder_end end = {.by = by};
    settle(segmenter, &end);
    segmenter->finder.drained = true;
}

/* Looked at while the decay runs, so that a limit ends it at once and not after its rest. */
static void after_half_cycle(struct segmenter *segmenter)
{
    struct decay_finder *finder = &segmenter->finder;
    if (finder->drained) {
        candidate_thin_out(&finder->candidate);
        return;
    }
    if (finder->candidate.count > SHOWN_FROM)
        tell_progress(segmenter);
    enum decay_end limit;
    if (decay_finder_at_limit(finder, &segmenter->history, &limit))
        settle_early(segmenter, limit);
}

static void lose_candidate(struct segmenter *segmenter)
{
    drop(segmenter, DROP_NO_MEMORY);
    decay_finder_resume(&segmenter->finder, &segmenter->history, CANDIDATE_SETTLED, 0);
}

/* Whether hum is all that remains of a motion, whatever disturbed its last half cycles: it was there before them. */
static bool fades_into_hum(const struct candidate *candidate)
{
    struct candidate before = *candidate;
    if (candidate->count < LEAST_TO_FADE || !(candidate_last_swing(candidate) < HUM_REMAINS * candidate->swing[0]))
        return false;
    before.count -= DISTURBED_AT_LAST;
    return candidate_is_rippled(&before);
}

/* Looks for the next one, which must be larger than what remains of this one. */
static void leave_candidate(struct segmenter *segmenter, const struct finder_end *end, enum candidate_fate fate)
{
    const struct candidate *candidate = &segmenter->finder.candidate;
    bool goes_on = end->by == DECAY_END_NOISE_FLOOR || end->by == DECAY_END_REST ||
                   (fate == CANDIDATE_SETTLED && fades_into_hum(candidate));
    double swing = candidate->count > 1 ? candidate->swing[candidate->count - 2] : 0;
    decay_finder_resume(&segmenter->finder, &segmenter->history, fate,
                        goes_on ? fmax(1.5 * swing, 2 * segmenter->front.hysteresis) : 0);
}

/* Looks at everything before number `ready`. One step at a time until the finder needs more samples; what it tells
 * may settle, drop or lose a candidate. */
static void look(struct segmenter *segmenter, uint64_t ready, bool last_chance)
{
    struct finder_end end;
    const struct channel_noise *noise = &segmenter->front.channel;
    for (;;) {
        segmenter->finder.candidate.step = noise->step;
        switch (decay_finder_step(&segmenter->finder, &segmenter->history, noise, segmenter->front.hysteresis, ready,
                                  last_chance, &end)) {
        case FINDER_WAITS:
            return;
        case FINDER_BEGINS:
            break;
        case FINDER_HALF_CYCLE:
            after_half_cycle(segmenter);
            break;
        case FINDER_ENDS:
            end.ready = ready;
            leave_candidate(segmenter, &end, settle(segmenter, &end));
            break;
        case FINDER_NO_MEMORY:
            lose_candidate(segmenter);
            break;
        }
    }
}

/* Lets go of what neither a running candidate nor one that may come will need. */
static void raise_floor(struct segmenter *segmenter)
{
    const struct decay_finder *finder = &segmenter->finder;
    struct sample_history *history = &segmenter->history;
    uint64_t end = segmenter->analysed, keep = 0;
    if (finder->following && !finder->drained) {
        keep = cutting_keep(&finder->candidate, history, &segmenter->settings);
    } else {
        /* Nothing is followed: enough of the past for a motion that is just turning, eight of its swings, and for a
         * look at its surroundings if it has a rhythm. */
        uint64_t swing = finder->points.extreme.number - finder->points.last.number;
        uint64_t before = finder->points.last.number - finder->points.before.number;
        uint64_t wanted = 8 * swing > IDLE_SAMPLES ? 8 * swing : IDLE_SAMPLES;
        uint64_t rhythm = (SURROUNDINGS_HALF_PERIODS + 4) * (before < swing ? before : swing);
        wanted = wanted > rhythm ? wanted : rhythm;
        uint64_t most = segmenter->settings.max_samples > 0 ? segmenter->settings.max_samples : UINT64_MAX;
        wanted = wanted < most ? wanted : most;
        keep = end > wanted ? end - wanted : 0;
    }
    sample_history_raise_floor(history, keep);
}

/* Where the mass has not moved for long: it rests, or is held without a tremor. */
static void learn_quiet_level(struct segmenter *segmenter)
{
    const struct decay_finder *finder = &segmenter->finder;
    uint64_t since = finder->points.extreme.number > finder->points.highest.number ? finder->points.extreme.number
                                                                                   : finder->points.highest.number;
    if (!finder->following && segmenter->analysed > since + IDLE_SAMPLES)
        segmenter->quiet_level = sample_history_value(&segmenter->history, segmenter->analysed - 1);
}

/* One chunk: its noise, its spikes, then the search. The search sees the stream chunk by chunk, whatever the calls. */
static void take_chunk(struct segmenter *segmenter)
{
    struct sample_history *history = &segmenter->history;
    uint64_t from = segmenter->analysed;
    if (from == MARGIN)
        sample_history_learn_period(history);
    front_take(&segmenter->front, history, from);
    segmenter->analysed += CHUNK;
    if (!decay_finder_waits(&segmenter->finder, history, segmenter->analysed))
        look(segmenter, segmenter->analysed, false);
    if (segmenter->analysed / CHUNK % FLOOR_CHUNKS == 0) {
        raise_floor(segmenter);
        learn_quiet_level(segmenter);
        tell_phase(segmenter);
    }
}

/* The stretch ends before the candidate does. */
static void cut_off(struct segmenter *segmenter, enum decay_end reason)
{
    struct finder_end end;
    bool settled = decay_finder_cut_off(&segmenter->finder, &segmenter->history, reason, &end);
    end.ready = sample_history_end(&segmenter->history);
    if (settled)
        leave_candidate(segmenter, &end, settle(segmenter, &end));
    else
        lose_candidate(segmenter);
}

/* No more samples in this stretch: looks at the remaining ones and ends a running candidate. */
static void end_stretch(struct segmenter *segmenter, enum decay_end reason)
{
    if (!segmenter->in_stretch)
        return;
    uint64_t ready = sample_history_end(&segmenter->history);
    if (segmenter->analysed <= MARGIN)
        sample_history_learn_period(&segmenter->history);
    look(segmenter, ready, true);
    /* What was followed may have hidden a decay that came after its beginning. */
    while (segmenter->finder.following) {
        cut_off(segmenter, reason);
        look(segmenter, ready, true);
    }
    segmenter->in_stretch = false;
    /* The mass may have been moved meanwhile. */
    segmenter->rest_level = segmenter->quiet_level = NAN;
}

static void begin_stretch(struct segmenter *segmenter, const struct stretch *stretch)
{
    sample_history_restart(&segmenter->history, stretch);
    decay_finder_restart(&segmenter->finder);
    front_restart(&segmenter->front);
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
        drop(segmenter, DROP_NO_MEMORY);
    segmenter->in_stretch = false;
    sample_history_clear(&segmenter->history);
    return false;
}

/* Finite samples without a gap. */
static void take(struct segmenter *segmenter, const struct stretch *stretch, const double *displacement,
                 const double *time_s, const uint8_t *flags, size_t count)
{
    struct stretch here = *stretch;
    if (!segmenter->in_stretch)
        begin_stretch(segmenter, &here);
    if (!make_room(segmenter, count)) {
        segmenter->lost_samples += count;
        return;
    }
    /* The first sample of all: the mass is taken to rest until something better is known. */
    if (segmenter->samples == 0)
        segmenter->rest_level = displacement[0];
    sample_history_append(&segmenter->history, displacement, time_s, flags, count);
    segmenter->samples += count;
    segmenter->latest = displacement[count - 1];
    /* The first MARGIN samples of a stretch are never judged by the noise floor: it needs neighbours on both sides. */
    if (segmenter->analysed == 0 && sample_history_end(&segmenter->history) >= MARGIN)
        segmenter->analysed = MARGIN;
    while (segmenter->analysed >= MARGIN &&
           sample_history_end(&segmenter->history) >= segmenter->analysed + CHUNK + MARGIN)
        take_chunk(segmenter);
}

static void open_gap(struct segmenter *segmenter, uint64_t lost)
{
    /* Lost samples in a row are one gap, however they were announced. */
    if (segmenter->in_stretch || segmenter->samples + segmenter->lost_samples == 0)
        segmenter->gaps++;
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

/* Takes in samples up to the next hole, or notes the hole. Returns how many samples that settles. */
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
    if (time_s && segmenter->settings.stamps_tell_holes)
        run = stamp_holes_run(&segmenter->holes, time_s, run, &lost);
    if (run > 0)
        take(segmenter, stretch, displacement, time_s, flags, run);
    else
        open_hole(segmenter, lost, time_s[0]);
    return run;
}

/* Small pieces at a time: memory is asked for piece by piece, and a hole cuts a call into two stretches. */
void segmenter_feed(struct segmenter *segmenter, uint64_t first_index, const double *displacement, const double *time_s,
                    const uint8_t *flags, size_t count, double origin_s, double period_s)
{
    if (count == 0)
        return;
    bool known = segmenter->samples + segmenter->lost_samples > 0;
    if (known && !segmenter->gap_told && first_index != segmenter->expected_index)
        open_gap(segmenter, first_index > segmenter->expected_index ? first_index - segmenter->expected_index : 0);
    segmenter->gap_told = false;
    for (size_t i = 0; i < count;) {
        size_t most = count - i < FEED_AT_ONCE ? count - i : FEED_AT_ONCE;
        const struct stretch stretch = {first_index + i, time_s != NULL, origin_s, period_s, time_s ? time_s[i] : 0};
        i +=
            take_run(segmenter, &stretch, displacement + i, time_s ? time_s + i : NULL, flags ? flags + i : NULL, most);
    }
    segmenter->expected_index = first_index + count;
}

void segmenter_set_resolution(struct segmenter *segmenter, double resolution)
{
    front_set_resolution(&segmenter->front, resolution);
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
