/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/ring_down/ring_down.h"

#include "identify/common/motion_unit.h"
#include "identify/ring_down/calm_lines.h"
#include "identify/ring_down/law_fitting.h"
#include "identify/ring_down/mode_duration.h"
#include "identify/ring_down/mode_repeats.h"
#include "identify/ring_down/ring_down_mode.h"
#include "identify/ring_down/ring_down_search.h"
#include "identify/ring_down/ring_down_sensors.h"
#include "identify/ring_down/ring_down_without_lines.h"
#include "identify/ring_down/sensed_blows.h"
#include "identify/ring_down/stretch.h"
#include "identify/ring_down/undisturbed.h"
#include "identify/ring_down/unexplained_modes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ring-downs of one record that are compared. */
enum { REPEATS_MOST = 8 };
/* A mode is the same behind another blow where its frequency is as near: a joint that slips as a whole lowers it by up
 * to a tenth, as the strongest of Deaner et al. (2015) does from its stuck to its slipping stiffness. */
#define SAME_MODE 0.1

/* A record on its way. */
struct looking {
    struct ring_down_sensors of;
    enum sensed sensed;
    const struct record_seen *seen; /* NULL: nothing */
    const struct identify_settings *settings;
    size_t first_onset; /* of the first blow; 0: the record begins behind it */
};

/* What is said of a blow before its modes are looked at. */
static enum verdict begin_with(const struct stretch *stretch, const struct blow *blow, struct ring_down *ring_down)
{
    const double period_s = 1 / stretch->rate_hz;
    ring_down->mode_count = ring_down->line_count = ring_down->left.count = 0;
    ring_down->cut_short = NULL;
    ring_down->blow_s = ring_down->blows > 0 ? stretch->start_s + (double)blow->onset * period_s : NAN;
    ring_down->double_hit_s = NAN;
    ring_down->wild = 0;
    ring_down->ended_by = blow->ended;
    ring_down->clipped = blow->clipped_until > 0;
    ring_down->fell_to_tenth = blow->fell_to_tenth;
    /* The next blow may come while the hammer of this one is still there. */
    if (blow->end - blow->start < LEAST_STAMPS)
        return VERDICT_NO_RING_DOWN;
    ring_down->start_s = stretch->start_s + (double)blow->start * period_s;
    ring_down->end_s = stretch->start_s + (double)(blow->end - 1) * period_s;
    return VERDICT_OK;
}

static double largest_of(const double *level, size_t from, size_t to)
{
    double largest = 0;
    for (size_t i = from; i < to; i++)
        largest = fmax(largest, fabs(level[i]));
    return largest;
}

/* A disturbed ring-down ends before the blow's, and one behind a second contact begins later. */
static void note_end(const struct ring_down_samples *samples, const struct blow *blow, struct ring_down *ring_down)
{
    const size_t count = samples->count, part = count < 4 ? count : count / 4;
    ring_down->ended_by = samples->ends;
    if (count == blow->end - blow->start && blow->second == 0)
        return;
    ring_down->end_s = ring_down->start_s + (double)(count - 1) / samples->rate_hz;
    ring_down->fell_to_tenth = ring_down->fell_to_tenth && largest_of(samples->level[0], count - part, count) <=
                                                               0.1 * largest_of(samples->level[0], 0, part);
}

/* A hammer that came back made the motion another one: what is between the two contacts is left out. */
static enum verdict leave_second_contact(const struct looking *looking, struct blow *blow, struct ring_down *ring_down)
{
    const struct ring_down_sensors *of = &looking->of;
    const struct stretch *stretch = of->stretch[0];
    const struct sensed_blows sensed = {of->stretch, of->sensors, of->count, looking->seen};
    const enum verdict verdict = sensed_blows_leave_second(&sensed, blow);
    ring_down->wild = blow->wild;
    if (verdict != VERDICT_OK || blow->second == 0)
        return verdict;
    ring_down->double_hit_s = stretch->start_s + (double)blow->second / stretch->rate_hz;
    ring_down->start_s = stretch->start_s + (double)blow->start / stretch->rate_hz;
    return VERDICT_OK;
}

static struct ring_down_samples samples_behind(const struct looking *looking, const struct blow *blow, bool struck)
{
    return (struct ring_down_samples){
        .sensed = looking->sensed,
        .count = blow->end - blow->start,
        .rate_hz = looking->of.stretch[0]->rate_hz,
        .begins = blow->clipped_until > 0 && blow->start == blow->clipped_until ? RING_DOWN_CLIPPING
                  : struck || blow->start > 0                                   ? RING_DOWN_HAMMER_LEFT
                                                                                : RING_DOWN_RECORD_BEGINS,
        .ends = blow->ended,
    };
}

/* Whether nothing stands out because what rings was seen for fewer cycles than a mode needs, and still moves where its
 * samples end. What does not even swing to and fro rings not. */
static bool ends_too_early(const struct ring_down_samples *samples, const struct ring_down *ring_down)
{
    const double *level = samples->level[0];
    size_t half_cycles = 0;
    for (size_t i = 1; i < samples->count; i++)
        half_cycles += level[i] * level[i - 1] < 0;
    return !ring_down->fell_to_tenth && half_cycles > 1 && (double)half_cycles < 2 * MODE_LEAST_CYCLES;
}

static enum verdict look_behind(const struct looking *looking, struct blow *blow, struct ring_down *ring_down)
{
    if (blow->end - blow->start > RING_DOWN_SAMPLES_MOST)
        return VERDICT_TOO_LONG;
    enum verdict verdict = leave_second_contact(looking, blow, ring_down);
    if (verdict != VERDICT_OK)
        return verdict;
    double *raw[PASS_SENSORS], *levels[PASS_SENSORS];
    struct undisturbed undisturbed;
    struct ring_down_samples samples = samples_behind(looking, blow, !isnan(ring_down->blow_s));
    ring_down_sensors_behind(&looking->of, blow->start, &samples, raw, levels, ring_down);
    verdict = undisturbed_part(&samples, levels, &undisturbed);
    if (verdict != VERDICT_OK)
        return verdict;
    if (samples.count < LEAST_STAMPS) {
        ring_down->ended_by = samples.ends;
        return VERDICT_NO_RING_DOWN;
    }
    note_end(&samples, blow, ring_down);
    /* Before a later blow there is a ring-down. */
    const struct calm_before calm = {blow->start, blow->onset == looking->first_onset ? blow->onset : 0};
    verdict = ring_down_search(&samples, &undisturbed, looking->settings, ring_down);
    if (verdict == VERDICT_OK)
        verdict = ring_down_tell_lines(&samples, calm, looking->settings, ring_down);
    if (verdict == VERDICT_OK)
        verdict = unexplained_modes_name(&samples, looking->settings, ring_down);
    mode_durations_name(&samples, looking->settings, ring_down->mode, ring_down->mode_count);
    verdict = ring_down_conclude(looking->settings, verdict, ring_down);
    if (verdict == VERDICT_NO_RING_DOWN && ends_too_early(&samples, ring_down))
        return VERDICT_TOO_FEW_HALF_CYCLES;
    /* The first answer waits for no second look. */
    if (verdict == VERDICT_OK && !looking->settings->more_follows &&
        steady_lines_beside(ring_down->line, ring_down->line_count, ring_down->mode, ring_down->mode_count))
        verdict = ring_down_without_lines(&samples, calm, raw, levels, looking->settings, ring_down);
    return verdict == VERDICT_OK
               ? ring_down_conclude(looking->settings, calm_lines_doubt(&samples, calm, ring_down), ring_down)
               : verdict;
}

/* How much all other modes moved, over this one, at the first sample: behind a filter's first cycles more damping would
 * look as if the others had moved more. */
static double others_of(const struct ring_down *ring_down, const struct ring_down_mode *mode)
{
    double sum = 0;
    for (size_t r = 0; r < ring_down->mode_count; r++)
        if (&ring_down->mode[r] != mode && ring_down->mode[r].points > 0)
            sum += ring_down->mode[r].at_first_sample;
    return sum / mode->at_first_sample;
}

/* Modes of a pair have one band, those without a law nothing else. */
static double frequency_of(const struct ring_down_mode *mode)
{
    return mode->motion.there ? mode->motion.law.parameter[MICROSLIP_OMEGA_0] / (2 * M_PI)
                              : ring_down_mode_centre(mode);
}

static const struct ring_down_mode *nearest_mode(const struct ring_down *among, const struct ring_down_mode *like)
{
    const double sought = frequency_of(like);
    const struct ring_down_mode *found = NULL;
    double least = SAME_MODE * sought;
    for (size_t r = 0; r < among->mode_count; r++) {
        const double off = fabs(frequency_of(&among->mode[r]) - sought);
        if (!(off < least))
            continue;
        least = off;
        found = &among->mode[r];
    }
    return found;
}

/* Of two modes that are near to each other a blow may show one alone: each must be the other's nearest. */
static struct repeated_mode mode_again(const struct ring_down *other, const struct ring_down *first,
                                       const struct ring_down_mode *like)
{
    const struct ring_down_mode *found = nearest_mode(other, like);
    if (!found || nearest_mode(first, found) != like)
        return (struct repeated_mode){NULL, NAN};
    return (struct repeated_mode){found, others_of(other, found)};
}

/* What the blows behind the first of these, all of them, say of its modes. */
static enum verdict look_at_others(const struct looking *looking, struct blow *blows, size_t all,
                                   struct ring_down *first)
{
    const size_t count = all < REPEATS_MOST ? all : REPEATS_MOST;
    struct ring_down *others = calloc(count, sizeof *others);
    if (!others)
        return VERDICT_NO_MEMORY;
    enum verdict verdict = VERDICT_OK;
    for (size_t i = 1; i < count && verdict == VERDICT_OK; i++) {
        others[i].blows = first->blows;
        enum verdict of_other = begin_with(looking->of.stretch[0], &blows[i], &others[i]);
        if (of_other == VERDICT_OK)
            of_other = look_behind(looking, &blows[i], &others[i]);
        if (others[i].cut_short)
            first->cut_short = others[i].cut_short;
        if (of_other == VERDICT_CANCELLED || of_other == VERDICT_NO_MEMORY)
            verdict = of_other;
    }
    for (size_t r = 0; r < first->mode_count && verdict == VERDICT_OK; r++) {
        struct repeated_mode seen[REPEATS_MOST] = {{&first->mode[r], others_of(first, &first->mode[r])}};
        for (size_t i = 1; i < count; i++)
            seen[i] = mode_again(&others[i], first, &first->mode[r]);
        mode_repeats_of(seen, count, &first->mode[r].repeats);
    }
    free(others);
    return verdict;
}

/* What is said of one blow beside the sensors that say nothing of any. */
static enum verdict look_at_blow(const struct looking *looking, struct blow *blow, size_t dead,
                                 struct ring_down *ring_down)
{
    ring_down->dead_count = dead;
    const enum verdict verdict = begin_with(looking->of.stretch[0], blow, ring_down);
    return verdict == VERDICT_OK ? look_behind(looking, blow, ring_down) : verdict;
}

/* The first blow of `all` behind which something rings speaks for the record: a hammer may hit twice. Where nothing
 * does behind any, that speaks behind which most modes were looked at, the first of such. tried: how many were looked
 * at. */
static enum verdict look_for_ringing(const struct looking *looking, struct blow *blows, size_t all, size_t *tried,
                                     struct ring_down *ring_down)
{
    const size_t dead = ring_down->dead_count;
    enum verdict verdict = look_at_blow(looking, &blows[0], dead, ring_down), of_most = verdict;
    *tried = 1;
    if (all == 1 || verdict == VERDICT_OK || law_fitting_is_over(verdict))
        return verdict;
    struct ring_down *most = malloc(sizeof *most);
    if (!most)
        return VERDICT_NO_MEMORY;
    *most = *ring_down;
    for (; *tried < all && verdict != VERDICT_OK && !law_fitting_is_over(verdict); ++*tried) {
        verdict = look_at_blow(looking, &blows[*tried], dead, ring_down);
        if (ring_down->mode_count <= most->mode_count)
            continue;
        *most = *ring_down;
        of_most = verdict;
    }
    if (verdict != VERDICT_OK && !law_fitting_is_over(verdict)) {
        *ring_down = *most;
        verdict = of_most;
    }
    free(most);
    return verdict;
}

static enum verdict look_at(struct looking *looking, struct ring_down *ring_down)
{
    struct blow blows[BLOWS_MOST];
    enum verdict verdict = ring_down_sensors_find(&looking->of, looking->seen, blows, &ring_down->blows);
    if (verdict != VERDICT_OK)
        return verdict;
    const size_t all = ring_down->blows > 0 ? ring_down->blows : 1;
    looking->first_onset = ring_down->blows > 0 ? blows[0].onset : 0;
    size_t tried;
    verdict = look_for_ringing(looking, blows, all, &tried, ring_down);
    /* What is compared of other blows are their backbones, which the first answer has not. */
    const size_t compared = looking->settings->more_follows ? 1 : all - tried + 1;
    const enum verdict of_others =
        verdict == VERDICT_OK ? look_at_others(looking, &blows[tried - 1], compared, ring_down) : VERDICT_OK;
    return of_others != VERDICT_OK && !ring_down_stands(looking->settings, of_others, ring_down) ? of_others : verdict;
}

static enum sensed sensed_of(const char *quantity)
{
    return strcmp(quantity, QUANTITY_ACCELERATION) == 0 ? SENSED_ACCELERATION
           : strcmp(quantity, QUANTITY_VELOCITY) == 0   ? SENSED_VELOCITY
                                                        : SENSED_DISPLACEMENT;
}

static enum verdict look_at_stretches(const struct stretch *stretches, size_t count, const struct record_seen *seen,
                                      const struct identify_settings *settings, struct ring_down *ring_down)
{
    struct looking looking = {.sensed = sensed_of(ring_down->quantity), .seen = seen, .settings = settings};
    const enum verdict verdict = ring_down_sensors_of(stretches, count, ring_down, &looking.of);
    return verdict == VERDICT_OK ? look_at(&looking, ring_down) : verdict;
}

static enum verdict look_at_traces(const struct record *record, const struct identify_settings *settings,
                                   struct ring_down *ring_down)
{
    struct stretch stretches[PASS_SENSORS] = {{.raw = NULL}};
    const size_t count = record->count < PASS_SENSORS ? record->count : PASS_SENSORS;
    struct sample_range range = {0, 0};
    ring_down->quantity = motion_unit_of(record->traces[0].unit).quantity;
    if (!ring_down->quantity)
        return VERDICT_UNIT_UNKNOWN;
    if (record->traces[0].count == 0)
        return VERDICT_TOO_FEW_SAMPLES;
    enum verdict verdict = stretch_range(record->traces, count, &range);
    for (size_t m = 0; m < count && verdict == VERDICT_OK; m++) {
        snprintf(ring_down->name[m], sizeof ring_down->name[m], "%s", record->traces[m].channel);
        verdict = stretch_of(&record->traces[m], range, &stretches[m]);
    }
    if (verdict == VERDICT_OK)
        verdict = look_at_stretches(stretches, count, record->seen, settings, ring_down);
    for (size_t m = 0; m < count; m++)
        stretch_clear(&stretches[m]);
    return verdict;
}

enum verdict analyse_ring_down(const struct record *record, enum verdict left_for,
                               const struct identify_settings *settings, void *findings)
{
    struct ring_down *ring_down = findings;
    *ring_down = (struct ring_down){.f_n_hz = estimate_unknown(),
                                    .zeta = estimate_unknown(),
                                    .blow_s = NAN,
                                    .double_hit_s = NAN,
                                    .start_s = NAN,
                                    .end_s = NAN};
    if (record->seen && record->seen->read_as && *record->seen->read_as) {
        snprintf(ring_down->reading, sizeof ring_down->reading, "%s", record->seen->read_as);
        ring_down->read_as = ring_down->reading;
    }
    ring_down->verdict = left_for != VERDICT_OK ? left_for : look_at_traces(record, settings, ring_down);
    return ring_down->verdict;
}
