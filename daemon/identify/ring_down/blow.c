/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ring_down/blow.h"

#include "identify/decay/record.h"

#include <math.h>
#include <stdlib.h>

/* The time within which a blow shows; a rise that takes longer is motion. */
#define BLOCK_S 0.002
/* Half the period of the slowest mode that can be told from a blow. */
#define LOOK_BACK_S 0.25
/* Noise of one block passes twice the largest of a quarter of a second before it once in 1e8 blocks. */
#define RISE 2.0
/* The calm that there must be before a blow, and for how long a hammer can stay. */
#define CALM_S 0.005
#define CONTACT_S 0.02

/* A blow takes so many blocks to rise. */
enum { RISING = 2, LEAST_BLOCK = 4, LEAST_CALM = 32, FLAT_SAMPLES = 3 };

/* Blocks of samples: their means, and how far they go from the mean of what was before them. */
struct blocks {
    const double *samples;
    const uint8_t *flags; /* of samples, or NULL */
    size_t length, count, look_back, calm, contact;
    double *mean, *peak;
};

/* A sensor's zero may be larger than the motion, and drift. */
static double middle_before(const struct blocks *blocks, size_t block)
{
    const size_t from = block > blocks->look_back ? block - blocks->look_back : 0;
    double sum = 0;
    for (size_t k = from; k < block; k++)
        sum += blocks->mean[k];
    return block > from ? sum / (double)(block - from) : blocks->mean[0];
}

static void fill_blocks(struct blocks *blocks)
{
    for (size_t k = 0; k < blocks->count; k++) {
        const double *in_block = &blocks->samples[k * blocks->length];
        double sum = 0, peak = 0;
        for (size_t i = 0; i < blocks->length; i++)
            sum += in_block[i];
        blocks->mean[k] = sum / (double)blocks->length;
        const double middle = middle_before(blocks, k);
        for (size_t i = 0; i < blocks->length; i++)
            peak = fmax(peak, fabs(in_block[i] - middle));
        blocks->peak[k] = peak;
    }
}

static double largest(const struct blocks *blocks, size_t from, size_t to)
{
    double most = 0;
    for (size_t k = from; k < to && k < blocks->count; k++)
        most = fmax(most, blocks->peak[k]);
    return most;
}

/* Before a blow that may show in this block could begin. */
static double largest_before(const struct blocks *blocks, size_t block)
{
    const size_t to = block > RISING ? block - RISING : 0;
    return largest(blocks, to > blocks->look_back ? to - blocks->look_back : 0, to);
}

/* What a blow in this block must pass. The largest of few samples of noise says little of those to come: near the
 * record's beginning the rise is up to twice as large. */
static double rise_at(const struct blocks *blocks, size_t block)
{
    const double missing = block < blocks->look_back ? 1 - (double)block / (double)blocks->look_back : 0;
    return RISE * (1 + pow(missing, 4)) * largest_before(blocks, block);
}

/* The first block from `from` on that is a blow's; blocks->count: none is. */
static size_t next_blow(const struct blocks *blocks, size_t from)
{
    size_t block = from > blocks->calm + RISING ? from : blocks->calm + RISING;
    while (block < blocks->count) {
        if (blocks->peak[block] > rise_at(blocks, block))
            break;
        block++;
    }
    return block;
}

/* The first sample that leaves what was before. */
static size_t onset_in(const struct blocks *blocks, size_t block)
{
    const double middle = middle_before(blocks, block - RISING), before = 0.75 * rise_at(blocks, block);
    size_t i = (block - RISING) * blocks->length;
    while (i < (block + 1) * blocks->length - 1 && !(fabs(blocks->samples[i] - middle) > before))
        i++;
    return i;
}

/* The hammer pushes as long again as it took to its largest force, which is where the first crest of the signal is. */
static size_t start_after(const struct blocks *blocks, size_t onset)
{
    const size_t end = onset + blocks->contact * blocks->length, all = blocks->count * blocks->length;
    const double middle = middle_before(blocks, onset / blocks->length);
    size_t crest = onset;
    double height = 0;
    for (size_t i = onset; i < end && i < all; i++) {
        const double here = fabs(blocks->samples[i] - middle);
        if (here < 0.5 * height)
            break;
        crest = here > height ? i : crest;
        height = fmax(height, here);
    }
    return onset + 2 * (crest - onset) + blocks->length;
}

/* The largest and the smallest sample, and the step of the converter: the smallest that two neighbours are apart. */
struct limits {
    double most, least, step;
};

static struct limits limits_of(const double *samples, size_t from, size_t to)
{
    struct limits limits = {samples[from], samples[from], INFINITY};
    for (size_t i = from; i < to; i++) {
        const double apart = i > from ? fabs(samples[i] - samples[i - 1]) : 0;
        limits.most = fmax(limits.most, samples[i]);
        limits.least = fmin(limits.least, samples[i]);
        limits.step = apart > 0 ? fmin(limits.step, apart) : limits.step;
    }
    return limits;
}

/* How many samples from this one on are alike. */
static size_t row_length(const double *samples, size_t from, size_t to)
{
    size_t i = from + 1;
    while (i < to && samples[i] == samples[from])
        i++;
    return i - from;
}

/* A crest that n samples of the same step stand for falls, up to the next sample on either side, by no more than its
 * parabola does, whose top is as high as that step at most: ((n + 1)/(n - 1))^2 steps, and one of rounding. What is cut
 * off has steeper sides. */
static bool is_cut_off(const double *samples, size_t at, size_t n, const struct limits *limits)
{
    const double crest = pow((double)(n + 1) / (double)(n - 1), 2) + 1;
    return fabs(samples[at] - samples[at - 1]) > crest * limits->step ||
           fabs(samples[at + n - 1] - samples[at + n]) > crest * limits->step;
}

/* Behind the last of several samples in a row that stand at the sensor's limit; 0: none do. */
static size_t clipped_until(const double *samples, size_t from, size_t to)
{
    const struct limits limits = limits_of(samples, from, to);
    size_t until = 0;
    for (size_t i = from + 1, n; i < to; i += n) {
        n = row_length(samples, i, to);
        const bool at_limit = samples[i] == limits.most || samples[i] == limits.least;
        if (at_limit && n >= FLAT_SAMPLES && i + n < to && is_cut_off(samples, i, n, &limits))
            until = i + n;
    }
    return until;
}

/* What is cut off is no motion: the ring-down begins behind it. */
static void look_for_clipping(const struct blocks *blocks, struct blow *blow)
{
    size_t until = blow->end > blow->onset ? clipped_until(blocks->samples, blow->onset, blow->end) : 0;
    for (size_t i = blow->onset; blocks->flags && i < blow->end; i++)
        if (blocks->flags[i] & SAMPLE_CLIPPED && i >= until)
            until = i + 1;
    blow->clipped = until > 0;
    if (until > blow->start)
        blow->start = until;
}

static bool fell_to_tenth(const struct blocks *blocks, const struct blow *blow)
{
    const size_t first = blow->start / blocks->length, last = blow->end / blocks->length;
    const size_t onset = blow->onset / blocks->length;
    if (last < first + 2)
        return false;
    /* A tenth at the end is as long as the motion at the start is looked at: half the slowest period. */
    const size_t reach = (last - first) / 2 < blocks->look_back ? (last - first) / 2 : blocks->look_back;
    const double begin = largest(blocks, first, first + reach), end = largest(blocks, last - reach, last);
    return end <= fmax(0.1 * begin, largest_before(blocks, onset));
}

static size_t find_all(const struct blocks *blocks, size_t sample_count, struct blow *blows, size_t most)
{
    size_t found = 0, block = next_blow(blocks, 0);
    while (block < blocks->count && found < most) {
        struct blow *blow = &blows[found++];
        blow->onset = onset_in(blocks, block);
        blow->start = start_after(blocks, blow->onset);
        block = next_blow(blocks, block + blocks->contact);
        blow->ended = block < blocks->count ? RING_DOWN_NEXT_BLOW : RING_DOWN_RECORD_ENDS;
        blow->end = block < blocks->count ? onset_in(blocks, block) : sample_count;
        blow->start = blow->start < blow->end ? blow->start : blow->end;
        look_for_clipping(blocks, blow);
        blow->fell_to_tenth = fell_to_tenth(blocks, blow);
    }
    return found;
}

/* A record that begins in it. */
static struct blow ring_down_alone(const struct blocks *blocks, size_t sample_count)
{
    struct blow blow = {.end = sample_count, .ended = RING_DOWN_RECORD_ENDS};
    look_for_clipping(blocks, &blow);
    blow.fell_to_tenth = fell_to_tenth(blocks, &blow);
    return blow;
}

/* What can be said of the samples before anything is looked for. */
static enum blow_search check(const double *samples, size_t count)
{
    bool equal = true;
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(samples[i]))
            return BLOWS_NOT_FINITE;
        equal = equal && samples[i] == samples[0];
    }
    return equal ? BLOWS_NO_SIGNAL : BLOWS_FOUND;
}

enum blow_search blows_of(const double *samples, const uint8_t *flags, size_t count, double rate_hz, struct blow *blows,
                          size_t most, size_t *found)
{
    struct blocks blocks = {.samples = samples, .flags = flags};
    const enum blow_search checked = check(samples, count);
    *found = 0;
    if (checked != BLOWS_FOUND)
        return checked;
    if (!(rate_hz > 0 && BLOCK_S * rate_hz < (double)count))
        return BLOWS_TOO_FEW_SAMPLES;
    blocks.length = (size_t)fmax(round(BLOCK_S * rate_hz), LEAST_BLOCK);
    const double block_s = (double)blocks.length / rate_hz;
    blocks.count = count / blocks.length;
    blocks.look_back = (size_t)ceil(LOOK_BACK_S / block_s);
    blocks.calm = (size_t)ceil(fmax(CALM_S * rate_hz, LEAST_CALM) / (double)blocks.length);
    blocks.contact = (size_t)ceil(CONTACT_S / block_s);
    if (blocks.count < blocks.calm + RISING + blocks.contact)
        return BLOWS_TOO_FEW_SAMPLES;
    blocks.mean = calloc(2 * blocks.count, sizeof *blocks.mean);
    if (!blocks.mean)
        return BLOWS_NO_MEMORY;
    blocks.peak = blocks.mean + blocks.count;
    fill_blocks(&blocks);
    *found = find_all(&blocks, count, blows, most);
    const double early = largest(&blocks, 0, blocks.look_back), all = largest(&blocks, 0, blocks.count);
    const enum blow_search result = *found > 0 ? BLOWS_FOUND : early == all ? BLOWS_NOTHING_BEFORE : BLOWS_NONE;
    if (result == BLOWS_NOTHING_BEFORE)
        blows[0] = ring_down_alone(&blocks, count);
    free(blocks.mean);
    return result;
}
