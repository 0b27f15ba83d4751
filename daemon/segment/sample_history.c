/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The segmenter's memory: one stretch of samples, contiguous, whose front is let go. Contiguous, because every fit
 * runs over it; moving the front costs little when it is done rarely. */

#include "segment/sample_history.h"

#include "identify/decay/record.h"
#include "motion/sampling_pace.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SMALLEST_CAPACITY = 1024 };

void sample_history_init(struct sample_history *history)
{
    *history = (struct sample_history){.period_s = 1};
}

void sample_history_clear(struct sample_history *history)
{
    free(history->displacement);
    free(history->time_s);
    free(history->flags);
    sample_history_init(history);
}

/* The arrays stay allocated: stretches may be short and many. */
void sample_history_restart(struct sample_history *history, const struct stretch *stretch)
{
    /* Whether there is an array for time stamps is decided here once. */
    if (history->stamped != stretch->stamped)
        sample_history_clear(history);
    history->count = 0;
    history->first = history->floor = history->ready = history->clipped = history->flagged = 0;
    history->base_index = stretch->base_index;
    history->stamped = stretch->stamped;
    history->origin_s = stretch->stamped ? stretch->first_stamp_s : stretch->origin_s;
    /* The pace of stamps is learned before anything is looked at. One stamp alone has none: any unit will do for it. */
    history->period_s = stretch->stamped && !(stretch->period_s > 0) ? 1 : stretch->period_s;
}

/* Moves what is kept to the front; the numbers of the samples stay. */
static void let_go(struct sample_history *history)
{
    size_t gone = (size_t)(history->floor - history->first);
    if (gone == 0)
        return;
    size_t left = history->count - gone;
    memmove(history->displacement, history->displacement + gone, left * sizeof(double));
    memmove(history->flags, history->flags + gone, left);
    if (history->time_s)
        memmove(history->time_s, history->time_s + gone, left * sizeof(double));
    history->first += gone;
    history->count = left;
}

/* All arrays get the new size, or the history stays usable: where some have moved and others not, each still holds the
 * smaller of both sizes. */
static int resize(struct sample_history *history, size_t capacity)
{
    double *displacement = realloc(history->displacement, capacity * sizeof(double));
    if (displacement)
        history->displacement = displacement;
    uint8_t *flags = realloc(history->flags, capacity);
    if (flags)
        history->flags = flags;
    double *time_s = history->stamped ? realloc(history->time_s, capacity * sizeof(double)) : NULL;
    if (time_s)
        history->time_s = time_s;
    const bool all = displacement && flags && (!history->stamped || time_s);
    if (all || capacity < history->capacity)
        history->capacity = capacity;
    return all ? 0 : -ENOMEM;
}

int sample_history_reserve(struct sample_history *history, size_t more, size_t max_samples)
{
    if (history->count + more <= history->capacity)
        return 0;
    let_go(history);
    size_t needed = history->count + more;
    if (needed > max_samples)
        return -ENOSPC;
    /* Twice the need: moving the front away then costs less than one move a sample. */
    size_t wanted = 2 * needed > SMALLEST_CAPACITY ? 2 * needed : SMALLEST_CAPACITY;
    /* After a long decay the memory goes back; the factor keeps it from growing and shrinking by turns. */
    bool far_too_large = history->capacity > 8 * wanted;
    if (history->capacity < wanted || far_too_large) {
        int failed = resize(history, wanted);
        if (failed && needed > history->capacity)
            return failed;
    }
    return 0;
}

/* Flagged samples are rare, and so this is kept out of the loop that copies. */
static void note_flags(struct sample_history *history, uint64_t number, uint8_t flag)
{
    if (flag)
        history->flagged = number + 1 > history->flagged ? number + 1 : history->flagged;
    if (flag & SAMPLE_CLIPPED)
        history->clipped = number + 1 > history->clipped ? number + 1 : history->clipped;
}

/* A block without flags still fills the array: later samples of the stretch may have some. */
void sample_history_append(struct sample_history *history, const double *displacement, const double *time_s,
                           const uint8_t *flags, size_t count)
{
    uint64_t end = sample_history_held(history);
    memcpy(history->displacement + history->count, displacement, count * sizeof(double));
    if (history->stamped)
        memcpy(history->time_s + history->count, time_s, count * sizeof(double));
    if (flags)
        memcpy(history->flags + history->count, flags, count);
    else
        memset(history->flags + history->count, 0, count);
    for (size_t i = 0; flags && i < count; i++)
        note_flags(history, end + i, flags[i]);
    history->count += count;
    history->ready = sample_history_held(history);
}

/* The median of the distances between these time stamps, at least two. */
static double usual_distance(const double *time_s, size_t samples)
{
    double sorted[LEARNING_SAMPLES];
    for (size_t i = 0; i + 1 < samples; i++) {
        double distance = time_s[i + 1] - time_s[i];
        size_t j = i;
        for (; j > 0 && sorted[j - 1] > distance; j--)
            sorted[j] = sorted[j - 1];
        sorted[j] = distance;
    }
    return sorted[(samples - 2) / 2];
}

/* Only the first samples are looked at: a hole further on must not stretch the period, and one among them not either.
 */
void sample_history_learn_period(struct sample_history *history)
{
    size_t samples = history->count < LEARNING_SAMPLES ? history->count : LEARNING_SAMPLES;
    if (!history->stamped || history->first > 0 || samples < 2)
        return;
    const double *time_s = history->time_s;
    double longest = SAMPLING_GAP_STEPS * usual_distance(time_s, samples), sum = 0, count = 0;
    for (size_t i = 0; i + 1 < samples; i++) {
        double distance = time_s[i + 1] - time_s[i];
        sum += distance <= longest ? distance : 0;
        count += distance <= longest;
    }
    double period_s = sum / count;
    if (period_s > 0 && isfinite(period_s))
        history->period_s = period_s;
}

void sample_history_mark(struct sample_history *history, uint64_t number, uint8_t flag)
{
    if (number != sample_history_in_sight(history, number))
        return;
    history->flags[number - history->first] |= flag;
    note_flags(history, number, flag);
}

/* This only sets the mark; the memory is moved when room is needed. */
void sample_history_raise_floor(struct sample_history *history, uint64_t floor)
{
    if (history->count > 0)
        history->floor = sample_history_in_sight(history, floor);
}

void sample_history_show(struct sample_history *history, uint64_t ready)
{
    uint64_t held = sample_history_held(history);
    ready = ready < held ? ready : held;
    if (history->count > 0)
        history->ready = ready > history->floor ? ready : history->floor + 1;
}

bool sample_history_search_clipped(const struct sample_history *history, uint64_t from, uint64_t to)
{
    for (uint64_t i = from > history->floor ? from : history->floor; i < to && i < history->clipped; i++)
        if (sample_history_flags(history, i) & SAMPLE_CLIPPED)
            return true;
    return false;
}

uint64_t sample_history_stamped_at(const struct sample_history *history, double position)
{
    uint64_t low = history->floor, high = sample_history_end(history);
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (sample_history_position(history, middle) < position)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

double sample_history_time(const struct sample_history *history, double position)
{
    if (history->stamped)
        return history->origin_s + position * history->period_s;
    return history->origin_s + ((double)history->base_index + position) * history->period_s;
}
