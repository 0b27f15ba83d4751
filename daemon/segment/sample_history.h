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
 * units of the sampling period: the sample number itself, or with time stamps (t - first stamp) / nominal period.
 *
 * What always holds:
 * - Samples [first, first + count) are held. As soon as there is one, those in sight are [floor, ready), at least one,
 *   and first <= floor < ready <= first + count. What is in sight depends on the stream alone, and not on how it is cut
 *   into calls.
 * - Whoever looks, looks at samples in sight. The members up to `first` are for sample_history.[ch] alone: all others
 *   ask for one sample, and get the nearest in sight, or for a span, and get it only if all of it is in sight. So a
 *   number or a position that was worked out wrongly, or whose samples are gone, leads to a wrong judgement at worst.
 * - Displacements and time stamps are finite, and each stamp comes after the one before: whoever appends sees to it.
 * - Positions are finite, 0 to MOST_POSITION, and do not fall from a sample to the next, whatever the stamps are. Two
 *   may be alike. */
struct sample_history {
    double *displacement;
    double *time_s; /* NULL when uniform */
    uint8_t *flags;
    size_t capacity;
    size_t count;        /* held now */
    uint64_t first;      /* number of the oldest sample held */
    uint64_t floor;      /* samples before this are out of sight, held or not */
    uint64_t ready;      /* and so are those from this one on */
    uint64_t clipped;    /* one more than the number of the latest clipped sample; 0: none */
    uint64_t flagged;    /* one more than the number of the latest flagged sample; 0: none */
    uint64_t base_index; /* stream index of sample number 0 */
    bool stamped;
    double origin_s, period_s; /* of the source; with time stamps: first stamp and nominal period */
};

/* A stretch starts with this. */
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

/* Appends after a reserve; time_s and flags may be NULL as announced by the stretch. The flags of samples that had none
 * are 0. */
void sample_history_append(struct sample_history *history, const double *displacement, const double *time_s,
                           const uint8_t *flags, size_t count);

/* With time stamps: takes the pace of the stretch's first samples, at most LEARNING_SAMPLES of them, for the nominal
 * period. Distances that are holes beside most of the others are left out. */
enum { LEARNING_SAMPLES = 24 };
void sample_history_learn_period(struct sample_history *history);

/* Adds a flag to a sample in sight; others are passed over. */
void sample_history_mark(struct sample_history *history, uint64_t number, uint8_t flag);

/* Raises the floor, to the newest sample in sight at most: what lies before may be let go. */
void sample_history_raise_floor(struct sample_history *history, uint64_t floor);

/* Lets samples before number `ready` be seen, of those held, and no others: after an append that is all of them. */
void sample_history_show(struct sample_history *history, uint64_t ready);

/* One more than the number of the newest sample held. */
static inline uint64_t sample_history_held(const struct sample_history *history)
{
    return history->first + history->count;
}

/* One more than the number of the newest sample in sight. */
static inline uint64_t sample_history_end(const struct sample_history *history)
{
    return history->ready;
}

/* The sample in sight that is nearest to a number. */
static inline uint64_t sample_history_in_sight(const struct sample_history *history, uint64_t number)
{
    uint64_t end = sample_history_end(history);
    number = number < end ? number : end - 1;
    return number > history->floor ? number : history->floor;
}

/* Samples as they lie in memory. All are NULL when one of them is not in sight; time_s is NULL as well when samples are
 * uniform. */
struct sample_span {
    const double *displacement;
    const double *time_s;
    const uint8_t *flags;
};

static inline struct sample_span sample_history_span(const struct sample_history *history, uint64_t from, uint64_t to)
{
    /* This has no branch, for a caller that needs one has it at hand. */
    bool in_sight = (from >= history->floor) & (from <= to) & (to <= sample_history_end(history));
    size_t at = (size_t)(from - history->first);
    return in_sight ? (struct sample_span){history->displacement + at, history->stamped ? history->time_s + at : NULL,
                                           history->flags + at}
                    : (struct sample_span){NULL, NULL, NULL};
}

static inline double sample_history_value(const struct sample_history *history, uint64_t number)
{
    return history->displacement[sample_history_in_sight(history, number) - history->first];
}

static inline uint8_t sample_history_flags(const struct sample_history *history, uint64_t number)
{
    return history->flags[sample_history_in_sight(history, number) - history->first];
}

/* Sample by sample, as sample_history_clipped_within() may have to. */
bool sample_history_search_clipped(const struct sample_history *history, uint64_t from, uint64_t to);

/* Nearly always decided by the first comparison: hardly any stretch has a clipped sample. */
static inline bool sample_history_clipped_within(const struct sample_history *history, uint64_t from, uint64_t to)
{
    return from < history->clipped && sample_history_search_clipped(history, from, to);
}

/* It tells whether a sample of [from, to) is flagged. What comes later must not matter: it may not be there yet. */
static inline bool sample_history_flagged_within(const struct sample_history *history, uint64_t from, uint64_t to)
{
    bool any = false;
    for (uint64_t i = from; i < to && i < history->flagged; i++)
        any |= sample_history_flags(history, i) != 0;
    return any;
}

/* Beyond this, numbers are not told apart by a position. */
#define MOST_POSITION 0x1p53

static inline double sample_history_position(const struct sample_history *history, uint64_t number)
{
    number = sample_history_in_sight(history, number);
    if (!history->stamped)
        return (double)(int64_t)number;
    double position = (history->time_s[number - history->first] - history->origin_s) / history->period_s;
    return position < MOST_POSITION ? position : MOST_POSITION;
}

/* The first sample at or after a position from 0 to MOST_POSITION, if they are evenly spaced. */
static inline uint64_t sample_after(double position)
{
    int64_t below = (int64_t)position;
    return (uint64_t)below + ((double)below < position);
}

/* It does what sample_history_at() does, with time stamps. */
uint64_t sample_history_stamped_at(const struct sample_history *history, double position);

/* The first sample in sight that lies at or after a position; the end when there is none. */
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
