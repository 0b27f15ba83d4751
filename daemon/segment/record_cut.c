/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A candidate has ended: is it a decay, and between which extrema is its record? Everything that only a look at the
 * whole motion can tell stands here; the search itself judges half cycle by half cycle. */

#include "segment/record_cut.h"

#include "segment/beats.h"
#include "segment/certain_end.h"
#include "segment/ending.h"
#include "segment/free_fit.h"
#include "segment/record_take.h"
#include "segment/release.h"
#include "segment/rhythm.h"
#include "segment/surroundings.h"
#include "segment/tolerances.h"

#include <math.h>

/* A mass that is away from the rest position by this many swings is in somebody's hand: friction holds it within one.
 */
#define FAR_OFF_SWINGS 3
/* The first swing must stand out of noise and steps so far: a tremor of about their size may look like a decay, the
 * more often the fewer half cycles it has. What exceeds five deviations of the noise is no noise. Where nothing is
 * asked, two motions of hands among 4452 decays pass for decays; with 15 steps for few half cycles, and 40 out of a
 * swinging, one of the decays is missed; with 20 deviations out of a swinging the record of a measured seismometer has
 * only three half cycles at one of 31 places where its recording may begin. Without the first row more decays are
 * invented in 27 of 150 streams that tremble by some three steps, and without the last one 14 more in 8020 quiet
 * streams and nine more in as many of beats. */
struct detection_limit {
    double deviations, steps;
};
static const struct detection_limit limit_of_long = {CERTAIN_DEVIATIONS, 5}, /* eight half cycles and more */
    limit_of_few = {3 * CERTAIN_DEVIATIONS, 10},                             /* fewer */
    limit_out_of_swinging = {8 * CERTAIN_DEVIATIONS, 20}; /* fewer, and it swung before: a beat has as many */
/* One free motion may leave this part of the first swing of half cycles that are not few: a rig may be uneven. */
#define UNEVEN_MISFIT_OF_FIRST 0.03
/* A variance is larger than it is expected to be by so many of its deviations once in 1,500 fits of 32 means, and once
 * in 3,600 of 90 (chi squared). */
enum { VARIANCE_DEVIATIONS = 4 };
/* When a mass is let go out of a swinging, one of the half cycles before its record departs from the free motion behind
 * by so many times what that leaves. What random forces keep swinging departs alike before and behind, and by chance
 * leaves little of a few half cycles: of 1481 such motions of few 33 had more, and of 113 longer ones four; of 150
 * decays one had less, of few. A seismometer whose half periods are uneven has 3.2. */
enum { DEPARTS_OF_FEW = 12, DEPARTS_OF_EIGHT = 3 };
/* The noise of a stream that has begun lately is known to a twelfth, which adds this part of it to what is allowed.
 * Otherwise the decay of a measured seismometer is missed at some of 30 places where its recording may begin. */
#define NOISE_IN_DOUBT 0.5
/* So few half cycles look like a free motion by chance. */
enum { FEWEST_BEHIND = 3 };
/* The half cycle before a record is mostly free, and in the one before that the mass was let go. */
enum { RELEASE_HALF_CYCLES = 2 };
/* The rms of a cosine is this part of its swing. */
#define RMS_OF_SWING (M_SQRT1_2 / 2)
/* So many half cycles on either side of the first extremum tell whether a motion beats; so many at least must be before
 * it. */
enum { BEAT_HALF_CYCLES = 4, FEWEST_BEFORE = 3 };
/* A half cycle of a short decay has at least so many samples: a little less than twenty a cycle. */
#define FEWEST_IN_HALF_PERIOD 9.5
/* A decay of so many half cycles is long, and beyond doubt; one of fewer than SHORT_DECAY has few, and must show more.
 */
enum { LONG_DECAY = 20, SHORT_DECAY = 8 };
/* A swinging shows three reversals in so many half periods before the half cycle that leads up to the first extremum.
 */
enum { SWINGING_HALF_PERIODS = 3 };
/* So many half cycles of a short decay may belong to what was there before and after it. */
enum { MOST_IN_FRONT = 2, MOST_BEHIND = 4 };

/* The first extremum from `first` on whose amplitude is below the window's upper edge; candidate->count when none. */
static size_t first_within_window(const struct candidate *candidate, size_t first, double start_below)
{
    size_t j = first;
    while (j + 1 < candidate->count && candidate->swing[j] / 2 >= start_below)
        j++;
    return j + 1 < candidate->count ? j : candidate->count;
}

/* Beats of tremor and hum fall and grow smoothly; a decay begins with a release and ends with a stop or a knock. */
static bool is_beat(const struct ended_candidate *ended, size_t first, size_t last)
{
    const struct candidate *candidate = ended->candidate;
    if (!swings_level_off(candidate, first, last) || swings_beat(candidate, first, last) ||
        swings_rise_and_fall(candidate, first, last))
        return true;
    return last - first < LONG_DECAY && ended->end->grew;
}

/* A hand that trembles makes a few falling swings now and then. This asks whether they are away from where the mass
 * rests. */
static bool is_far_off(const struct ended_candidate *ended, size_t first, size_t last)
{
    const struct candidate *candidate = ended->candidate;
    double middle = (candidate->extrema[last - 1].level + candidate->extrema[last].level) / 2;
    double far = FAR_OFF_SWINGS * candidate->swing[first];
    return fabs(middle - ended->rest_level) > far && !(fabs(middle - ended->quiet_level) < far);
}

/* What came before the first extremum is looked at from this position on, which is behind limits of the sensor and
 * older decays. */
static double surroundings_from(const struct ended_candidate *ended, size_t first, double half_periods)
{
    const struct candidate *candidate = ended->candidate;
    double crest = candidate->extrema[first].position, begin = crest - half_periods * candidate->half_period;
    return clipped_before(ended->history, fmax(begin, ended->decays_until), crest);
}

/* It tells whether a motion of about its size led up to it, in whatever rhythm. */
static bool was_swinging(const struct ended_candidate *ended, size_t first)
{
    const struct candidate *candidate = ended->candidate;
    double from = surroundings_from(ended, first, OSCILLATES_HALF_PERIODS);
    return oscillates_before(ended->history, candidate->extrema[first].position, candidate->half_period,
                             candidate->swing[first], from);
}

static bool stands_out(const struct ended_candidate *ended, size_t first, const struct detection_limit *limit)
{
    const struct channel_noise *noise = ended->noise;
    return ended->candidate->swing[first] > fmax(limit->deviations * noise->sd, limit->steps * noise->step);
}

/* It tells whether a fit leaves no more than noise, rounding and this part of the first swing. */
static bool explains(const struct ended_candidate *ended, const struct free_fit *fit, size_t first, double part)
{
    const struct channel_noise *noise = ended->noise;
    if (isinf(fit->rms))
        return false;
    double chance = 1 + VARIANCE_DEVIATIONS * sqrt(2 / (double)fit->means);
    double model = part * ended->candidate->swing[first], rounding = STEPS_OF_RESIDUAL * noise->step;
    double allowed = chance * noise->sd * noise->sd / fit->mean_size + model * model + rounding * rounding;
    return fit->rms * fit->rms <= allowed;
}

/* Half cycles of a candidate, all taken to be of one length. */
static struct free_span span_of(const struct candidate *candidate, size_t first, size_t last)
{
    double begin = candidate->extrema[first].position, end = candidate->extrema[last].position;
    return (struct free_span){begin, (end - begin) / (double)(last - first), last - first};
}

/* It tells whether one free motion explains a short decay. */
static bool is_one_motion(const struct ended_candidate *ended, size_t first, size_t last, double part)
{
    const struct free_span span = span_of(ended->candidate, first, last);
    struct free_fit fit = free_fit_of(ended->history, &span);
    return explains(ended, &fit, first, part);
}

/* It tells whether the motion had been going on like this: one swinging whose amplitude and phase change smoothly
 * explains the half cycles on both sides of the first extremum, and a free motion does not explain those behind it
 * clearly better. Then the mass was neither let go nor hit there, and the shaking did not end; the swings fall because
 * they beat. */
static bool went_on_before(const struct ended_candidate *ended, size_t first, size_t last)
{
    const struct candidate *candidate = ended->candidate;
    const struct free_span behind =
        span_of(candidate, first, last - first < BEAT_HALF_CYCLES ? last : first + BEAT_HALF_CYCLES);
    struct free_span both = behind;
    double stream = sample_history_position(ended->history, ended->history->floor);
    double from = fmax(surroundings_from(ended, first, BEAT_HALF_CYCLES + 1), stream);
    for (size_t before = 0; before < BEAT_HALF_CYCLES && both.start - both.length >= from; before++) {
        both.start -= both.length;
        both.half_cycles++;
    }
    if (both.half_cycles < behind.half_cycles + FEWEST_BEFORE)
        return false;
    struct free_fit beat = modulated_fit_of(ended->history, &both);
    /* The first question seldom decides by itself, but mostly saves the second fit, which costs far more. */
    return explains(ended, &beat, first, LOOSE_MISFIT_OF_SWING) &&
           beat.rms < BETTER_FIT_RATIO * free_fit_of(ended->history, &behind).rms;
}

/* It tells how far the half cycles before the first extremum depart, rms, from their shape and from a swing that lies
 * in line with the two that follow. The one that departs most counts; INFINITY where one of them cannot be seen. */
static double departure_before(const struct ended_candidate *ended, size_t first, const struct free_span *behind)
{
    const struct candidate *candidate = ended->candidate;
    const struct candidate_extremum *extrema = candidate->extrema + first;
    const double *swing = candidate->swing + first;
    double next = copysign(swing[0], extrema[1].level - extrema[0].level);
    double after = -copysign(swing[behind->half_cycles > 1 ? 1 : 0], next), largest = 0;
    for (int before = 1; before <= RELEASE_HALF_CYCLES; before++) {
        struct half_cycle half;
        half_cycle_fit(ended->history, behind->start - before * behind->length, behind->length, candidate->beta, &half);
        if (!half.usable)
            return INFINITY;
        double bend = half.swing + 2 * next + after; /* their signs alternate */
        largest = fmax(largest, hypot(RMS_OF_SWING * bend, half.residual));
        after = next;
        next = half.swing;
    }
    return largest;
}

/* It tells whether a motion that came out of a swinging was let go: what happened before it does not happen behind.
 * Where noise hides that, one free motion will do, if it has more than the fewest half cycles or comes to rest. */
static bool was_let_go(const struct ended_candidate *ended, size_t first, size_t last)
{
    bool few = last - first < SHORT_DECAY, fewest = last - first <= FEWEST_BEHIND;
    const struct free_span behind = span_of(ended->candidate, first, few ? last : first + SHORT_DECAY);
    struct free_fit fit = free_fit_of(ended->history, &behind);
    double doubt = NOISE_IN_DOUBT * ended->noise->sd / sqrt(fit.mean_size) / ended->candidate->swing[first];
    if ((!fewest || ended->end->by == DECAY_END_REST) &&
        explains(ended, &fit, first, hypot(CLEAN_MISFIT_OF_SWING, doubt)))
        return true;
    return departure_before(ended, first, &behind) > (few ? DEPARTS_OF_FEW : DEPARTS_OF_EIGHT) * fit.rms;
}

/* It tells whether a decay that is not long shows what it must beyond what the search asked for; *reason: what it does
 * not show. */
static bool is_sure(const struct ended_candidate *ended, size_t first, size_t last, enum drop_reason *reason)
{
    *reason = DROP_IN_DOUBT;
    if (rhythm_is_kept(ended->rhythm, ended->candidate, first, last) || last - first >= LONG_DECAY)
        return true;
    bool few = last - first < SHORT_DECAY, swung = few && was_swinging(ended, first);
    if (!stands_out(ended, first,
                    swung ? &limit_out_of_swinging
                    : few ? &limit_of_few
                          : &limit_of_long) ||
        is_far_off(ended, first, last))
        return false;
    *reason = DROP_IRREGULAR_PERIOD;
    if (ended->candidate->half_period < FEWEST_IN_HALF_PERIOD)
        return false;
    return is_one_motion(ended, first, last, few ? DEPARTURE_OF_SWING : UNEVEN_MISFIT_OF_FIRST);
}

/* The longest run of half cycles that passes: what released the mass, or ended the decay, may reach further in than the
 * search noticed, as in a seismometer that a file shows from the middle of its motion on. *reason: why all of them
 * together do not. */
static bool find_sure_run(const struct ended_candidate *ended, size_t fewest, size_t *first, size_t *last,
                          enum drop_reason *reason)
{
    size_t all = *last - *first;
    enum drop_reason of_part;
    for (size_t gone = 0; gone <= MOST_IN_FRONT + MOST_BEHIND && all - gone >= fewest; gone++)
        for (size_t front = gone > MOST_BEHIND ? gone - MOST_BEHIND : 0; front <= MOST_IN_FRONT && front <= gone;
             front++)
            if (is_sure(ended, *first + front, *last - (gone - front), gone > 0 ? &of_part : reason)) {
                *first += front;
                *last -= gone - front;
                return true;
            }
    return false;
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

/* The first extremum from `first` on that is not clipped itself: a sample or two at the limit look like a turning
 * point until the limit is known. */
static size_t first_unclipped(const struct ended_candidate *ended, size_t first)
{
    const struct candidate *candidate = ended->candidate;
    const struct sample_history *history = ended->history;
    for (; first + 1 < candidate->count; first++) {
        uint64_t from = sample_history_at(history, candidate->extrema[first].position);
        uint64_t to = sample_history_at(history, candidate->extrema[first + 1].position);
        if (!sample_history_clipped_within(history, from, to))
            break;
    }
    return first;
}

static size_t fewest_half_cycles(const struct segment_settings *settings)
{
    return settings->min_half_cycles ? settings->min_half_cycles : 1;
}

/* The extrema of a record, as far as window, length and swings tell; reason: why there is none. */
struct record_range {
    size_t begins, first, last; /* begins: the first extremum before the window is asked for */
    enum drop_reason reason;
};

/* It sets the range of a record whose first free extremum is `first`, and tells whether its swings fall. */
static bool falls_from(const struct ended_candidate *ended, size_t first, struct record_range *range)
{
    const struct candidate *candidate = ended->candidate;
    const struct segment_settings *settings = ended->settings;
    range->begins = range->first = first_unclipped(ended, first);
    if (!isnan(settings->start_below))
        range->first = first_within_window(candidate, range->first, settings->start_below);
    range->last = candidate->count - 1;
    while (!isnan(settings->stop_below) && range->last > range->first &&
           candidate->swing[range->last - 1] / 2 < settings->stop_below)
        range->last--;
    range->reason = why_too_short(ended->end);
    if (range->last < range->first + fewest_half_cycles(settings))
        return false;
    range->reason = DROP_NOT_DECAYING;
    return swings_fall(candidate, range->first, range->last) && !is_beat(ended, range->first, range->last);
}

/* The extrema [release->first, *last] of the record, or why there is no record. The order matters: window and length
 * first, for they are the user's; then what the motion itself shows. */
static bool choose_extrema(const struct ended_candidate *ended, struct release *release, size_t *last,
                           enum drop_reason *reason)
{
    struct record_range ranges[2];
    /* It may have been let go before its first extremum or before its second. The search for the release takes longer
     * than all else here, and most candidates are motions of a hand, or hum, whose swings fall from neither. */
    const bool falls[2] = {falls_from(ended, 0, &ranges[0]), falls_from(ended, 1, &ranges[1])};
    *reason = ranges[1].reason;
    if (!falls[1] && !falls[0] && ranges[0].reason == ranges[1].reason)
        return false;
    *release = release_find(ended->candidate, ended->history, ended->from);
    const struct record_range *range = &ranges[release->first];
    *reason = range->reason;
    if (!falls[release->first])
        return false;
    release->first = range->first;
    *last = range->last;
    if (!find_sure_run(ended, fewest_half_cycles(ended->settings), &release->first, last, reason))
        return false;
    *reason = DROP_NOT_DECAYING;
    /* A record that begins where the window does has a motion before it that was let go. */
    size_t begins = range->first > range->begins ? range->begins : release->first;
    return !went_on_before(ended, begins, *last) && (!was_swinging(ended, begins) || was_let_go(ended, begins, *last));
}

/* How it ended is known better from its last half cycles; a limit of the user's is one whatever these show. A record
 * that would become too short keeps what is in doubt. */
static void correct_end(const struct ended_candidate *ended, size_t first, size_t *last)
{
    struct finder_end *end = ended->end;
    size_t seen = *last, fewest = ended->settings->min_half_cycles;
    const struct ending ending = {.candidate = ended->candidate,
                                  .history = ended->history,
                                  .first = first,
                                  .last = seen,
                                  .step = ended->noise->step,
                                  .ready = end->ready};
    if (end->by == DECAY_END_STOP_BELOW || end->by == DECAY_END_MAX_LENGTH || end_is_certain(&ending, end->by))
        return;
    end->by = ending_name(&ending, end->by, last);
    if (*last < first + fewest)
        *last = seen;
}

/* It tells whether the stream began so shortly before this extremum that no swinging could have been seen. */
static bool begins_stream(const struct ended_candidate *ended, size_t first)
{
    const struct candidate *candidate = ended->candidate;
    double stream = sample_history_position(ended->history, ended->history->floor);
    return candidate->extrema[first].position - SWINGING_HALF_PERIODS * candidate->half_period < stream;
}

/* Nobody knows whether a motion that was there when the stream began was released. If it grows again, or has few half
 * cycles that neither stop nor keep the rhythm of the rig, it may be a beat or a tremor. */
static bool may_be_beat(const struct ended_candidate *ended, const struct release *release, size_t last)
{
    size_t first = release->first;
    if (rhythm_is_kept(ended->rhythm, ended->candidate, first, last))
        return false;
    if (release->unseen && ended->end->grew)
        return true;
    bool unfinished = last - first < SHORT_DECAY && ended->end->by == DECAY_END_NEW_EXCITATION;
    bool falls_cleanly = swings_fall_cleanly(ended->candidate, first, last);
    return unfinished && (release->unseen || (begins_stream(ended, first) && !falls_cleanly));
}

/* The decay is the caller's. */
struct decay *cut_decay(const struct ended_candidate *ended, size_t *end, enum drop_reason *reason)
{
    struct release release;
    size_t last;
    if (!choose_extrema(ended, &release, &last, reason))
        return NULL;
    correct_end(ended, release.first, &last);
    *reason = DROP_NOT_DECAYING;
    if (may_be_beat(ended, &release, last))
        return NULL;
    *end = last;
    return record_take(ended, &release, last, reason);
}

/* Samples are kept as far back as the pre-trigger or the look at the surroundings will reach. Where an amplitude is
 * waited for, what came before it tells whether the mass was let go at all. */
uint64_t record_cut_keep(const struct candidate *candidate, const struct sample_history *history,
                         const struct segment_settings *settings)
{
    /* In front of a short one half cycles may still be found, and what was before them is looked at as well. */
    bool is_long = candidate_half_cycles(candidate) >= LONG_DECAY + MOST_IN_FRONT + MOST_BEHIND;
    double surroundings = is_long ? OSCILLATES_HALF_PERIODS : SURROUNDINGS_HALF_PERIODS;
    /* One half period more, for where the first extremum lies may be corrected. */
    double back = candidate->half_period * (fmax(2 * settings->pretrigger_cycles, surroundings) + 1);
    return sample_history_at(history, candidate->extrema[0].position - back);
}
