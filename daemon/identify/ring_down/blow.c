/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ring_down/blow.h"

#include "identify/decay/record.h"
#include "identify/ring_down/blow_blocks.h"
#include "identify/ring_down/hammer_contact.h"
#include "identify/ring_down/wild_sample.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdlib.h>

/* A sample at the sensor's limit stands there with so many others in a row. */
enum { FLAT_SAMPLES = 3 };
/* So few samples that rise, of the so many blocks at least that a blow's motion is looked for in, are no motion. */
enum { SPIKES_MOST = 2, SPIKE_BLOCKS = 3 };
/* Noise's mean square behind a spike passes that before it by more of its deviations once in three million times. */
#define DEVIATIONS 5

/* A record in blocks, all of which are held. */
struct searched {
    double *samples;
    const uint8_t *flags; /* of samples, or NULL */
    double rate_hz;
    struct blow_blocks blocks;
    size_t first_spike, bridged; /* 0: none was; how many places were */
    int error;                   /* -ENOMEM: memory is short */
};

static size_t onset_in(const struct searched *searched, size_t block)
{
    const struct blow_blocks *blocks = &searched->blocks;
    return blow_blocks_onset(blocks, block, &searched->samples[(block - BLOW_RISING) * blocks->length]);
}

/* The mean square about a level of samples that do not go beyond a limit. */
static double mean_square(const double *samples, size_t count, double middle, double beyond)
{
    double sum = 0;
    size_t within = 0;
    for (size_t i = 0; i < count; i++) {
        if (fabs(samples[i] - middle) > beyond)
            continue;
        sum += pow(samples[i] - middle, 2);
        within++;
    }
    return within > 0 ? sum / (double)within : 0;
}

/* Whether one or two samples alone make this block rise. A short push may show in as few, but then it leaves more
 * motion than there was since the blow before. */
static bool is_spike(const struct searched *searched, size_t block, size_t onset, size_t last)
{
    const struct blow_blocks *blocks = &searched->blocks;
    const double middle = blow_blocks_middle(blocks, block - BLOW_RISING), beyond = blow_blocks_beyond(blocks, block);
    const size_t longest = (blocks->contact > SPIKE_BLOCKS ? blocks->contact : SPIKE_BLOCKS) * blocks->length;
    const size_t all = blocks->count * blocks->length, behind = longest < all - onset ? longest : all - onset;
    const size_t since = last < block && last > BLOW_RISING ? (last - BLOW_RISING) * blocks->length : 0;
    const size_t quarter = blocks->look_back * blocks->length,
                 before = quarter < onset - since ? quarter : onset - since;
    size_t count = 0;
    for (size_t i = onset; i < onset + behind; i++)
        count += fabs(searched->samples[i] - middle) > beyond;
    const double was = mean_square(&searched->samples[onset - before], before, middle, INFINITY);
    const double chance = 1 + DEVIATIONS * sqrt(2 / (double)behind + 2 / (double)before);
    return count <= SPIKES_MOST && mean_square(&searched->samples[onset], behind, middle, beyond) <= chance * was;
}

/* Whether the block rose by wild samples, which are then bridged. */
static bool bridge_spike(struct searched *searched, size_t block, size_t last)
{
    struct blow_blocks *blocks = &searched->blocks;
    const size_t onset = onset_in(searched, block);
    bool bridged = false;
    if (!is_spike(searched, block, onset, last))
        return false;
    searched->error = wild_sample_bridge_at(searched->samples, blocks->count * blocks->length, searched->rate_hz,
                                            blocks->least_step, onset, &bridged);
    if (!bridged)
        return false;
    searched->bridged++;
    searched->first_spike = searched->first_spike > 0 ? searched->first_spike : onset;
    blow_blocks_take_again(blocks, (onset > SPIKES_MOST ? onset - SPIKES_MOST : 0) / blocks->length, searched->samples);
    return true;
}

/* The first block from `from` on that is a blow's; the count of blocks: none is. Spikes before it are bridged. last:
 * the block of the blow before; the count: there is none. */
static size_t next_blow(struct searched *searched, size_t from, size_t last)
{
    const struct blow_blocks *blocks = &searched->blocks;
    size_t block = from;
    while (block < blocks->count &&
           (!blow_blocks_rise(blocks, block) || (last < block && !blow_blocks_leap(blocks, block, last)) ||
            bridge_spike(searched, block, last)))
        block++;
    return block;
}

/* The hammer pushes as long again as it took to its largest force, which is where the first crest of the signal is:
 * that is a guess, for modes that are faster than the push have their crests sooner. */
static size_t guess_start(const struct searched *searched, size_t onset)
{
    const struct blow_blocks *blocks = &searched->blocks;
    const size_t end = onset + blocks->contact * blocks->length, all = blocks->count * blocks->length;
    const double middle = blow_blocks_middle(blocks, onset / blocks->length);
    size_t crest = onset;
    double height = 0;
    for (size_t i = onset; i < end && i < all; i++) {
        const double here = fabs(searched->samples[i] - middle);
        if (here < 0.5 * height)
            break;
        crest = here > height ? i : crest;
        height = fmax(height, here);
    }
    return onset + 2 * (crest - onset) + blocks->length;
}

/* Where the hammer has left, before the end of a blow. 0 or -ENOMEM. */
static int find_start(const struct searched *searched, struct blow *blow)
{
    const struct blow_blocks *blocks = &searched->blocks;
    size_t left;
    const int error = hammer_contact_left(&searched->samples[blow->onset], blow->end - blow->onset, searched->rate_hz,
                                          blocks->contact * blocks->length, &left);
    const size_t start = left > 0 ? blow->onset + left : guess_start(searched, blow->onset);
    blow->start = start < blow->end ? start : blow->end;
    blow->guessed = left == 0;
    return error;
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

/* Noise breaks the rows at a limit up. Of the samples of a crest that are within n steps of its top as many as the root
 * of 1/n are on the top step, of a parabola; and noise has fewer there the farther they are from the middle. More than
 * that are at a limit: once in 1e4 times they are so by chance. A converter's limits are as far above zero as below it:
 * where the largest and the smallest sample are, to a step, once in ten times at either is enough. */
#define NEAR_SPAN 0.05
#define CHANCE_AT_LIMIT 1e-4
#define CHANCE_AT_BOTH 0.1

static double chance_of_pile(const double *samples, size_t from, size_t to, double limit, const struct limits *limits)
{
    const double steps = floor(NEAR_SPAN * (limits->most - limits->least) / limits->step);
    unsigned at = 0, near = 0;
    for (size_t i = from; i < to; i++) {
        const double off = fabs(samples[i] - limit);
        at += samples[i] == limit;
        near += off < (steps - 0.5) * limits->step;
    }
    return at > 1 && steps > 1 ? gsl_cdf_binomial_Q(at - 1, 1 / sqrt(steps), near) : 1;
}

/* Whether the samples at the least and at the largest value are more than belong there. */
static void find_piles(const double *samples, size_t from, size_t to, const struct limits *limits, bool piled_up[2])
{
    const double chance[2] = {chance_of_pile(samples, from, to, limits->least, limits),
                              chance_of_pile(samples, from, to, limits->most, limits)};
    const bool both =
        fabs(limits->most + limits->least) < 1.5 * limits->step && fmax(chance[0], chance[1]) < CHANCE_AT_BOTH;
    for (int side = 0; side < 2; side++)
        piled_up[side] = both || chance[side] < CHANCE_AT_LIMIT;
}

/* Behind the last sample at a limit of the sensor, where several in a row or many of them show that it is one; 0: none
 * do. The largest sample may be a limit where the smallest is a trough, and the other way round. */
static size_t clipped_until(const double *samples, size_t from, size_t to)
{
    const struct limits limits = limits_of(samples, from, to);
    const double limit[2] = {limits.least, limits.most};
    size_t until[2] = {0, 0};
    bool cut_off[2];
    find_piles(samples, from, to, &limits, cut_off);
    for (size_t i = from + 1, n; i < to; i += n) {
        n = row_length(samples, i, to);
        for (int side = 0; side < 2; side++) {
            if (samples[i] != limit[side])
                continue;
            until[side] = i + n;
            if (n >= FLAT_SAMPLES && i + n < to && is_cut_off(samples, i, n, &limits))
                cut_off[side] = true;
        }
    }
    const size_t below = cut_off[0] ? until[0] : 0, above = cut_off[1] ? until[1] : 0;
    return below > above ? below : above;
}

/* What is cut off is no motion: the ring-down begins behind it. */
static void look_for_clipping(const struct searched *searched, struct blow *blow)
{
    size_t until = blow->end > blow->onset ? clipped_until(searched->samples, blow->onset, blow->end) : 0;
    for (size_t i = blow->onset; searched->flags && i < blow->end; i++)
        if (searched->flags[i] & SAMPLE_CLIPPED && i >= until)
            until = i + 1;
    blow->clipped_until = until;
    if (until > blow->start)
        blow->start = until;
}

/* A motion of less than two steps of the converter shows as these steps, not as itself. Where the sensor's noise does
 * not reach them either, the ring-down ends there. A motion crosses its middle, and noise does so by chance: only what
 * stays below for the slowest period is none. */
#define LEAST_STEPS 2

static void end_above_steps(const struct searched *searched, struct blow *blow)
{
    const double *samples = searched->samples;
    const size_t tail = blow->end - (blow->end - blow->start) / 4;
    size_t end = blow->end;
    double middle = 0;
    if (tail == blow->end)
        return;
    const struct limits limits = limits_of(samples, blow->start, blow->end);
    for (size_t i = tail; i < blow->end; i++)
        middle += samples[i] / (double)(blow->end - tail);
    while (end > blow->start && fabs(samples[end - 1] - middle) < LEAST_STEPS * limits.step)
        end--;
    if (blow->end - end < 2 * searched->blocks.look_back * searched->blocks.length)
        return;
    blow->end = end;
    blow->ended = RING_DOWN_NOISE;
}

/* The largest of 250 samples of noise, a quarter of a second at 1 kHz, passes that of others by this once in 117 times,
 * that of 1250 once in 700, and of 12 800 once in 10 000. */
#define NOISE_AGAIN 1.5

static bool fell_to_tenth(const struct blow_blocks *blocks, const struct blow *blow)
{
    const size_t first = blow->start / blocks->length, last = blow->end / blocks->length;
    const size_t onset = blow->onset / blocks->length;
    if (last < first + 2)
        return false;
    /* A tenth at the end is as long as the motion at the start is looked at: half the slowest period. */
    const size_t reach = (last - first) / 2 < blocks->look_back ? (last - first) / 2 : blocks->look_back;
    const double begin = blow_blocks_largest(blocks, first, first + reach);
    const double end = blow_blocks_largest(blocks, last - reach, last);
    return end <= fmax(0.1 * begin, NOISE_AGAIN * blow_blocks_before(blocks, onset));
}

/* What is to be known of a blow whose onset and end are. 0 or -ENOMEM. */
static int look_behind(const struct searched *searched, struct blow *blow)
{
    const int error = find_start(searched, blow);
    look_for_clipping(searched, blow);
    blow->fell_to_tenth = fell_to_tenth(&searched->blocks, blow);
    end_above_steps(searched, blow);
    return error;
}

static int find_all(struct searched *searched, size_t sample_count, struct blow *blows, size_t most, size_t *found)
{
    const struct blow_blocks *blocks = &searched->blocks;
    size_t block = next_blow(searched, 0, blocks->count);
    for (*found = 0; block < blocks->count && *found < most && searched->error == 0; (*found)++) {
        struct blow *blow = &blows[*found];
        const size_t before = searched->bridged;
        blow->onset = onset_in(searched, block);
        block = next_blow(searched, block + blocks->contact, block);
        blow->wild = searched->bridged - before;
        blow->ended = block < blocks->count ? RING_DOWN_NEXT_BLOW : RING_DOWN_RECORD_ENDS;
        blow->end = block < blocks->count ? onset_in(searched, block) : sample_count;
        const int error = look_behind(searched, blow);
        searched->error = searched->error ? searched->error : error;
    }
    return searched->error;
}

/* A record that begins in it, or so shortly before its blow that there was no calm. What a hammer pushed is no motion:
 * where the samples show that one did, the ring-down begins behind it; else it was let go before the first of them. 0
 * or -ENOMEM. */
static int ring_down_alone(const struct searched *searched, size_t sample_count, struct blow *blow)
{
    const struct blow_blocks *blocks = &searched->blocks;
    const size_t longest = (blocks->calm + BLOW_RISING + blocks->contact) * blocks->length;
    *blow = (struct blow){.end = sample_count, .ended = RING_DOWN_RECORD_ENDS};
    const int error = hammer_contact_left(searched->samples, sample_count, searched->rate_hz, longest, &blow->start);
    look_for_clipping(searched, blow);
    blow->fell_to_tenth = fell_to_tenth(blocks, blow);
    end_above_steps(searched, blow);
    return error;
}

/* Where there is nothing else, a spike may be a blow whose ring-down is below the noise, if there is one. */
static int take_spike(const struct searched *searched, size_t sample_count, struct blow *blow)
{
    *blow = (struct blow){.onset = searched->first_spike, .end = sample_count, .ended = RING_DOWN_RECORD_ENDS};
    return look_behind(searched, blow);
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

enum blow_search blows_of(double *samples, const uint8_t *flags, size_t count, double rate_hz, struct blow *blows,
                          size_t most, size_t *found)
{
    struct searched searched = {.samples = samples, .flags = flags, .rate_hz = rate_hz};
    struct blow_blocks *blocks = &searched.blocks;
    const enum blow_search checked = check(samples, count);
    *found = 0;
    if (checked != BLOWS_FOUND)
        return checked;
    if (!blow_blocks_plan(blocks, rate_hz))
        return BLOWS_TOO_FEW_SAMPLES;
    const size_t all = count / blocks->length;
    if (all < blocks->calm + BLOW_RISING + blocks->contact)
        return BLOWS_TOO_FEW_SAMPLES;
    if (blow_blocks_make(blocks, all) != 0)
        return BLOWS_NO_MEMORY;
    for (size_t k = 0; k < all; k++)
        blow_blocks_take(blocks, &samples[k * blocks->length]);
    int error = find_all(&searched, count, blows, most, found);
    const double early = blow_blocks_largest(blocks, 0, blocks->look_back);
    const bool nothing_before = error == 0 && *found == 0 && early == blow_blocks_largest(blocks, 0, all);
    if (nothing_before)
        error = ring_down_alone(&searched, count, &blows[0]);
    else if (*found == 0 && searched.first_spike > 0)
        error = take_spike(&searched, count, &blows[(*found)++]);
    const enum blow_search result = error            ? BLOWS_NO_MEMORY
                                    : *found > 0     ? BLOWS_FOUND
                                    : nothing_before ? BLOWS_NOTHING_BEFORE
                                                     : BLOWS_NONE;
    blow_blocks_clear(blocks);
    return result;
}
