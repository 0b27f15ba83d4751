/* SPDX-License-Identifier: GPL-3.0-or-later */

/* All that the finder finds becomes decays or drops, and the listener is told. The judgements are in the files that are
 * called. */

#include "segment/flat_crests.h"
#include "segment/record_cut.h"
#include "segment/segmenter_state.h"

#include <float.h>
#include <math.h>

enum {
    LONG_BEAT = 6,  /* half cycles of a candidate that grew from which on no part of it is looked at again */
    SHOWN_FROM = 2, /* half cycles from which on a candidate is called a decay */
};

/* A mass is held when it is so many times the hysteresis away from where it rested, and as long as it is half of that:
 * noise does not toggle it. */
enum { HELD_FROM_HYSTERESES = 4, HELD_UNTIL_HYSTERESES = 2 };

/* For people: "held" is only away from the rest position and not decaying, whoever holds it. */
static enum segment_phase phase(const struct segmenter *segmenter)
{
    const struct decay_finder *finder = &segmenter->finder;
    if (isnan(segmenter->signal_quality.noise.sd))
        return SEGMENT_STARTING;
    if (finder->following && !finder->record_done && candidate_half_cycles(&finder->candidate) >= SHOWN_FROM)
        return SEGMENT_DECAYING;
    double away = fabs(segmenter->looked_at - segmenter->rest_level) / segmenter->signal_quality.hysteresis;
    return away > (segmenter->told == SEGMENT_HELD ? HELD_UNTIL_HYSTERESES : HELD_FROM_HYSTERESES) ? SEGMENT_HELD
                                                                                                   : SEGMENT_IDLE;
}

/* Until a signal has changed for the first time, any reversal counts, and the hysteresis is the smallest double: people
 * are told 0. */
static double shown_hysteresis(const struct signal_quality *signal_quality)
{
    if (isnan(signal_quality->noise.sd))
        return NAN;
    return signal_quality->hysteresis > DBL_MIN ? signal_quality->hysteresis : 0;
}

/* Amplitude and frequency are those of a running decay; at other times they are NAN. */
void segmenter_state(const struct segmenter *segmenter, struct segment_state *state)
{
    const struct candidate *candidate = &segmenter->finder.candidate;
    *state = (struct segment_state){
        .phase = phase(segmenter),
        .amplitude = NAN,
        .frequency_hz = NAN,
        .displacement = segmenter->latest,
        .noise_floor = segmenter->signal_quality.noise.sd,
        .hysteresis = shown_hysteresis(&segmenter->signal_quality),
        .samples = segmenter->samples,
        .lost_samples = segmenter->lost_samples,
        .gaps = segmenter->gaps,
        .decays = segmenter->decays,
    };
    for (int reason = 0; reason < DROP_REASONS; reason++)
        state->drops[reason] = segmenter->drops[reason];
    if (state->phase != SEGMENT_DECAYING)
        return;
    state->half_cycle = candidate_half_cycles(candidate);
    state->amplitude = candidate->swing[candidate->count - 2] / 2;
    state->frequency_hz = 0.5 / (candidate->half_period * segmenter->history.period_s);
}

/* Without a listener for progress nothing is worked out. */
static void tell_progress(struct segmenter *segmenter)
{
    struct segment_state state;
    if (!segmenter->listener.progress)
        return;
    segmenter_state(segmenter, &state);
    segmenter->told = state.phase;
    segmenter->listener.progress(segmenter->listener.context, &state);
}

void segmenter_tell_phase(struct segmenter *segmenter)
{
    if (segmenter->listener.progress && phase(segmenter) != segmenter->told)
        tell_progress(segmenter);
}

void segmenter_drop(struct segmenter *segmenter, enum drop_reason reason)
{
    const struct candidate *candidate = &segmenter->finder.candidate;
    double at = candidate->count ? candidate->extrema[0].position : segmenter->finder.from;
    segmenter->drops[reason]++;
    if (segmenter->listener.dropped)
        segmenter->listener.dropped(segmenter->listener.context, reason, sample_history_time(&segmenter->history, at));
}

static struct ended_candidate ended_of(struct segmenter *segmenter, struct finder_end *end)
{
    const struct decay_finder *finder = &segmenter->finder;
    return (struct ended_candidate){
        .candidate = &finder->candidate,
        .history = &segmenter->history,
        .settings = &segmenter->settings,
        .noise = &segmenter->signal_quality.channel,
        .end = end,
        .rest_level = segmenter->rest_level,
        .quiet_level = segmenter->quiet_level,
        .from = finder->from,
        .rhythm = rhythm_half_period(&finder->rhythm, &segmenter->history),
        .decays_until = finder->decays_until,
    };
}

/* The fate of a candidate that is no decay. One whose swings grew after many half cycles, and without a blow, is a
 * beat: its motion goes on and is not looked at again. */
static enum candidate_fate drop_candidate(struct segmenter *segmenter, const struct finder_end *end,
                                          enum drop_reason reason)
{
    segmenter_drop(segmenter, reason);
    bool long_enough = candidate_half_cycles(&segmenter->finder.candidate) >= LONG_BEAT;
    bool beat = reason == DROP_NOT_DECAYING && end->grew;
    return beat && long_enough ? CANDIDATE_KEEPS_MOTION : CANDIDATE_DROPPED;
}

/* Learns the rhythm of the rig and its rest from a decay, which ends at extremum `last`, and hands the decay to the
 * listener. */
static void hand_over(struct segmenter *segmenter, struct decay *decay, const struct finder_end *end, size_t last)
{
    struct decay_finder *finder = &segmenter->finder;
    struct candidate *candidate = &finder->candidate;
    rhythm_learn(&finder->rhythm, candidate, &segmenter->history, last - decay->half_cycles, last);
    /* What comes behind the record may be a decay of its own, unless a limit of the user's ended it while the motion
     * goes on. */
    if (end->by != DECAY_END_STOP_BELOW && end->by != DECAY_END_MAX_LENGTH)
        candidate_forget_after(candidate, last);
    finder->decays_until = candidate->extrema[candidate->count - 1].position;
    segmenter->decays++;
    if (!isnan(decay->rest.position))
        segmenter->rest_level = decay->rest.position;
    segmenter->listener.decay(segmenter->listener.context, decay);
}

/* What goes on behind a decay that a limit of the user's ended is part of that decay. Where the limit left no decay at
 * all, as of a tremor below stop_below, the motion is part of none. */
static void claim_rest_of_motion(struct decay_finder *finder)
{
    const struct candidate *candidate = &finder->candidate;
    if (finder->decays_until > candidate->extrema[0].position)
        finder->decays_until = candidate->extrema[candidate->count - 1].position;
}

/* Makes a decay of the candidate, or drops it with a reason. A half cycle by itself is not reported: every movement
 * makes some. */
static enum candidate_fate decide(struct segmenter *segmenter, struct finder_end *end)
{
    const struct candidate *candidate = &segmenter->finder.candidate;
    struct signal_quality *quality = &segmenter->signal_quality;
    if (segmenter->finder.record_done) {
        claim_rest_of_motion(&segmenter->finder);
        return CANDIDATE_KEEPS_MOTION;
    }
    if (candidate_half_cycles(candidate) < SHOWN_FROM)
        return CANDIDATE_UNREPORTED;
    flat_crests_mark(candidate, &segmenter->history, &quality->clipping, &quality->channel);
    const struct ended_candidate ended = ended_of(segmenter, end);
    enum drop_reason reason;
    size_t last;
    struct decay *decay = cut_decay(&ended, &last, &reason);
    if (!decay)
        return drop_candidate(segmenter, end, reason);
    hand_over(segmenter, decay, end, last);
    return CANDIDATE_KEEPS_MOTION;
}

/* The record is cut although the motion goes on, which is followed to its end so that it is not found again. */
static void decide_at_limit(struct segmenter *segmenter, enum decay_end by)
{
    struct finder_end end = {.by = by};
    decide(segmenter, &end);
    segmenter->finder.record_done = true;
}

/* Looked at while the decay runs, so that a limit ends it at once and not after its rest. */
static void after_half_cycle(struct segmenter *segmenter)
{
    struct decay_finder *finder = &segmenter->finder;
    if (finder->record_done) {
        candidate_thin_out(&finder->candidate);
        return;
    }
    tell_progress(segmenter);
    enum decay_end limit;
    if (decay_finder_at_limit(finder, &segmenter->history, &limit))
        decide_at_limit(segmenter, limit);
}

static void lose_candidate(struct segmenter *segmenter)
{
    segmenter_drop(segmenter, DROP_NO_MEMORY);
    decay_finder_resume(&segmenter->finder, &segmenter->history, CANDIDATE_KEEPS_MOTION, 0);
}

/* Looks for the next one, whose first swing must be larger than what remains of this motion: its last swing, where it
 * faded or friction stopped it. Of one that a hand stopped nothing remains. */
static void leave_candidate(struct segmenter *segmenter, const struct finder_end *end, enum candidate_fate fate)
{
    bool goes_on = end->by == DECAY_END_NOISE_FLOOR || end->by == DECAY_END_REST;
    double remains = goes_on ? candidate_last_swing(&segmenter->finder.candidate) : 0;
    decay_finder_resume(&segmenter->finder, &segmenter->history, fate, remains);
}

void segmenter_look(struct segmenter *segmenter, uint64_t ready, bool last_chance)
{
    struct finder_end end;
    const struct channel_noise *noise = &segmenter->signal_quality.channel;
    for (;;) {
        segmenter->finder.candidate.step = noise->step;
        switch (decay_finder_step(&segmenter->finder, &segmenter->history, noise, segmenter->signal_quality.hysteresis,
                                  ready, last_chance, &end)) {
        case FINDER_WAITS:
            return;
        case FINDER_BEGINS:
            break;
        case FINDER_HALF_CYCLE:
            after_half_cycle(segmenter);
            break;
        case FINDER_ENDS:
            end.ready = ready;
            leave_candidate(segmenter, &end, decide(segmenter, &end));
            break;
        case FINDER_NO_MEMORY:
            lose_candidate(segmenter);
            break;
        }
    }
}

void segmenter_cut_off(struct segmenter *segmenter, enum decay_end reason)
{
    struct finder_end end;
    bool done = decay_finder_cut_off(&segmenter->finder, &segmenter->history, reason, &end);
    end.ready = sample_history_end(&segmenter->history);
    if (done)
        leave_candidate(segmenter, &end, decide(segmenter, &end));
    else
        lose_candidate(segmenter);
}
