/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/ring_down/dropout.h"

#include "identify/ring_down/stretch.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

/* Surroundings on either side: half the period of the slowest mode, in which a motion has a crest. */
#define AROUND_S 0.25
/* Fewer in a row say nothing. */
enum { LEAST_ROW = 3 };
/* Samples stand still for so long by chance in one record of 1e5. */
#define CHANCE 1e-5

/* What is known of samples. */
struct rows {
    const double *samples;
    size_t count, around;
    double step;   /* of the converter */
    size_t *equal; /* owned: how many samples up to one are as the one before them */
};

static void count_equals(struct rows *rows)
{
    for (size_t i = 1; i < rows->count; i++)
        rows->equal[i] = rows->equal[i - 1] + (rows->samples[i] != rows->samples[i - 1] ? 0 : 1);
}

/* That a row is so long where samples are as their neighbours as often as around it; everywhere in the record. */
static double chance_of(const struct rows *rows, size_t from, size_t to)
{
    const size_t before = from > rows->around ? from - rows->around : 0;
    const size_t behind = to + rows->around < rows->count ? to + rows->around : rows->count - 1;
    const size_t equal = rows->equal[from] - rows->equal[before] + rows->equal[behind] - rows->equal[to - 1];
    const size_t pairs = from - before + behind - (to - 1);
    const double share = ((double)equal + 1) / ((double)pairs + 2);
    return (double)rows->count * pow(share, (double)(to - from - 1));
}

/* A crest falls to its two neighbours on either side by no more than the parabola through it does, whose top is a step
 * high at most, and one step of rounding. Of two, because one may be as high as the row by chance. */
static bool goes_on_by_leap(const struct rows *rows, size_t from, size_t to)
{
    const double n = (double)(to - from);
    for (size_t off = 1; off <= 2; off++) {
        const double crest = (pow((n + 2 * (double)off - 1) / (n - 1), 2) + 1) * rows->step;
        if ((from >= off && fabs(rows->samples[from - off] - rows->samples[from]) > crest) ||
            (to - 1 + off < rows->count && fabs(rows->samples[to - 1 + off] - rows->samples[from]) > crest))
            return true;
    }
    return false;
}

/* Crests of several modes may be as flat as a row, but then others beside it are, too. */
static bool is_longer_than_others(const struct rows *rows, size_t from, size_t to)
{
    const size_t before = from > rows->around ? from - rows->around : 0;
    const size_t behind = to + rows->around < rows->count ? to + rows->around : rows->count;
    size_t length = 1, longest = 1;
    for (size_t i = before + 1; i < behind; i++) {
        const bool in_row = i >= from && i < to;
        length = !in_row && rows->equal[i] > rows->equal[i - 1] ? length + 1 : 1;
        longest = length > longest ? length : longest;
    }
    return to - from > 2 * longest;
}

static bool is_dropout(const struct rows *rows, size_t from, size_t to)
{
    return to - from >= LEAST_ROW && goes_on_by_leap(rows, from, to) && chance_of(rows, from, to) < CHANCE &&
           is_longer_than_others(rows, from, to);
}

/* Of 1 or more samples; 0 or -ENOMEM. */
static int look_at_rows(const double *samples, size_t count, double rate_hz, struct rows *rows)
{
    *rows = (struct rows){.samples = samples,
                          .count = count,
                          .around = (size_t)(AROUND_S * rate_hz) + 1,
                          .step = stretch_step(samples, count),
                          .equal = calloc(count, sizeof *rows->equal)};
    if (!rows->equal)
        return -ENOMEM;
    count_equals(rows);
    return 0;
}

int dropout_start(const double *samples, size_t count, double rate_hz, size_t *start)
{
    struct rows rows;
    *start = count;
    if (count == 0)
        return 0;
    if (look_at_rows(samples, count, rate_hz, &rows) != 0)
        return -ENOMEM;
    for (size_t from = 0, to; from < count && *start == count; from = to) {
        to = from + 1;
        while (to < count && rows.equal[to] > rows.equal[to - 1])
            to++;
        if (is_dropout(&rows, from, to))
            *start = from;
    }
    free(rows.equal);
    return 0;
}

/* A coarse converter whose samples mostly rested before, as those of a motion that died out do, goes on resting. */
static bool moved_before(const struct rows *rows, size_t from)
{
    const size_t before = from > rows->around ? from - rows->around : 0;
    return 2 * (rows->equal[from] - rows->equal[before]) < from - before;
}

int dropout_for_good(const double *samples, size_t count, double rate_hz, size_t *start)
{
    struct rows rows;
    size_t from = count;
    *start = count;
    if (count == 0)
        return 0;
    if (look_at_rows(samples, count, rate_hz, &rows) != 0)
        return -ENOMEM;
    while (from > 1 && samples[from - 1] == samples[from - 2])
        from--;
    if (is_dropout(&rows, from - 1, count) && moved_before(&rows, from - 1))
        *start = from - 1;
    free(rows.equal);
    return 0;
}
