/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_SAMPLE_HISTORY_H
#define FRICID_SEGMENT_SAMPLE_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The latest samples of one gapless stretch of a stream, contiguous in memory: the front is let go when it is not
 * needed any more, so memory grows only to what a decay and its pre-trigger occupy.
 *
 * Samples are numbered from 0 at the start of the stretch. A position is a place between samples on the time axis in
 * units of the sampling period: the sample number itself, or with time stamps (t - first stamp) / nominal period. */
struct sample_history {
    double *displacement;
    double *time_s; /* NULL when uniform */
    uint8_t *flags;
    size_t capacity;
    size_t count;        /* held now */
    uint64_t first;      /* number of the oldest sample held */
    uint64_t floor;      /* samples before this are not to be looked at, held or not */
    uint64_t clipped;    /* one more than the number of the latest clipped sample; 0: none */
    uint64_t flagged;    /* one more than the number of the latest flagged sample; 0: none */
    uint64_t base_index; /* stream index of sample number 0 */
    bool stamped;
    double origin_s, period_s; /* of the source; with time stamps: first stamp and nominal period */
};

/* What a stretch starts with. */
struct stretch {
    uint64_t base_index;
    bool stamped;
    double origin_s, period_s;
    double first_stamp_s;
};

void sample_history_init(struct sample_history *history);
void sample_history_clear(struct sample_history *history);

/* Forgets everything and begins a stretch. */
void sample_history_restart(struct sample_history *history, const struct stretch *stretch);

/* Makes room for `more` samples while keeping those from the floor on. -ENOMEM, or -ENOSPC when more than
 * max_samples would be held. */
int sample_history_reserve(struct sample_history *history, size_t more, size_t max_samples);

/* Appends after a reserve; time_s and flags may be NULL as announced by the stretch. */
void sample_history_append(struct sample_history *history, const double *displacement, const double *time_s,
                           const uint8_t *flags, size_t count);

/* With time stamps: takes the pace of the stretch's first samples, at most LEARNING_SAMPLES of them, for the nominal
 * period. That of a source with holes in it would include these. */
enum { LEARNING_SAMPLES = 24 };
void sample_history_learn_period(struct sample_history *history);

void sample_history_mark(struct sample_history *history, uint64_t number, uint8_t flag);

/* Raises the floor: what lies before may be let go. The floor, not what happens to be held, decides what is looked at,
 * so that nothing depends on how the stream is cut into calls. */
void sample_history_raise_floor(struct sample_history *history, uint64_t floor);

/* Sample by sample, as sample_history_clipped_within() may have to. */
bool sample_history_search_clipped(const struct sample_history *history, uint64_t from, uint64_t to);

/* Nearly always decided by the first comparison: hardly any stretch has a clipped sample. */
static inline bool sample_history_clipped_within(const struct sample_history *history, uint64_t from, uint64_t to)
{
    return from < history->clipped && sample_history_search_clipped(history, from, to);
}

/* Whether a sample of [from, to) is flagged. What comes later must not matter: it may not be there yet. */
static inline bool sample_history_flagged_within(const struct sample_history *history, uint64_t from, uint64_t to)
{
    bool any = false;
    for (uint64_t i = from; i < to && i < history->flagged; i++)
        any |= history->flags[i - history->first] != 0;
    return any;
}

/* One more than the number of the newest sample. */
static inline uint64_t sample_history_end(const struct sample_history *history)
{
    return history->first + history->count;
}

static inline double sample_history_value(const struct sample_history *history, uint64_t number)
{
    return history->displacement[number - history->first];
}

static inline uint8_t sample_history_flags(const struct sample_history *history, uint64_t number)
{
    return history->flags[number - history->first];
}

/* Position of a sample that is held. */
static inline double sample_history_position(const struct sample_history *history, uint64_t number)
{
    if (!history->stamped)
        return (double)(int64_t)number;
    return (history->time_s[number - history->first] - history->origin_s) / history->period_s;
}

/* The first sample at or after a position, if they are evenly spaced and it is not before them all. */
static inline uint64_t sample_after(double position)
{
    int64_t below = (int64_t)position;
    return (uint64_t)below + ((double)below < position);
}

/* What sample_history_at() does with time stamps. */
uint64_t sample_history_stamped_at(const struct sample_history *history, double position);

/* The first sample from the floor on that lies at or after a position; the end when there is none. */
static inline uint64_t sample_history_at(const struct sample_history *history, double position)
{
    if (history->stamped)
        return sample_history_stamped_at(history, position);
    if (!(position > (double)(int64_t)history->floor))
        return history->floor;
    uint64_t end = sample_history_end(history);
    if (position >= (double)(int64_t)end)
        return end;
    return sample_after(position);
}

/* Source clock at a position, s. */
double sample_history_time(const struct sample_history *history, double position);

#endif
