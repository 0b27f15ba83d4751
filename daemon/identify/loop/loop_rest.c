/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/loop/loop_rest.h"

#include <math.h>
#include <stdbool.h>

/* Means of samples tell whether it rests, at least so many a half cycle. */
enum { REST_BLOCKS = 20 };

/* Means at rest differ by less than so many of their standard deviations. */
static const double rest_noise = 6;

/* A sine stays there, too, for a while: it is a rest that takes a sixteenth of the cycle more than that. */
static const double rest_least = 1.0 / 16;

static double mean_of(const double *values, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return sum / (double)count;
}

/* Where it stays near a reversal is looked for block by block. Nothing is known of a gap, so that no stay reaches
 * across one. */
struct stay {
    const struct loop_signal *signal;
    size_t block;
    double gap_s;
};

/* From that sample to the other, and to the samples in between. */
static bool has_gap(const struct stay *stay, size_t from, size_t to)
{
    const double *t = stay->signal->time_s;
    for (size_t i = from + 1; i <= to; i++)
        if (t[i] - t[i - 1] > stay->gap_s)
            return true;
    return false;
}

/* The block about the extreme sample, or beside it where it would reach across a gap. */
static size_t first_block(const struct stay *stay, size_t sample)
{
    const size_t block = stay->block, count = stay->signal->count;
    size_t first = sample >= block / 2 ? sample - block / 2 : 0;
    first = first + block > count ? count - block : first;
    while (first < sample && sample + block <= count && has_gap(stay, first, sample))
        first++;
    return first;
}

/* Goes to the first and to the last block of samples that is as far up as that level, from the one about the extreme
 * sample on. */
static void go_along(const struct stay *stay, double level, double limit, struct loop_reversal *reversal)
{
    const struct loop_signal *signal = stay->signal;
    const double *x = signal->displacement;
    const size_t block = stay->block, first = first_block(stay, reversal->sample);
    reversal->arrived = first;
    while (reversal->arrived >= block && fabs(mean_of(x + reversal->arrived - block, block) - level) <= limit &&
           !has_gap(stay, reversal->arrived - block, reversal->arrived))
        reversal->arrived -= block;
    reversal->left = first + block - 1;
    while (reversal->left + block < signal->count && fabs(mean_of(x + reversal->left + 1, block) - level) <= limit &&
           !has_gap(stay, reversal->left, reversal->left + block))
        reversal->left += block;
}

/* The extreme block is that of the largest noise, too: what stays about it tells the level better. */
enum { LEVEL_ROUNDS = 3 };

static void find_stay(const struct stay *stay, double limit, struct loop_reversal *reversal)
{
    const double *x = stay->signal->displacement;
    go_along(stay, x[reversal->sample], 0, reversal);
    for (int round = 0; round < LEVEL_ROUNDS; round++) {
        const double level = mean_of(x + reversal->arrived, reversal->left - reversal->arrived + 1);
        go_along(stay, level, limit, reversal);
    }
}

/* While it rests, the extreme sample is that of the largest noise: the middle half of the rest tells. */
static void take_rest(const struct loop_signal *signal, struct loop_reversal *reversal)
{
    const size_t quarter = (reversal->left - reversal->arrived) / 4, first = reversal->arrived + quarter;
    const size_t count = reversal->left - quarter + 1 - first;
    reversal->sample = reversal->arrived + (reversal->left - reversal->arrived) / 2;
    reversal->time_s = 0.5 * (signal->time_s[reversal->arrived] + signal->time_s[reversal->left]);
    reversal->displacement = mean_of(signal->displacement + first, count);
    reversal->se = loop_noise_of_sum(signal, 1 / (double)count);
    reversal->cut_u = reversal->beside = 0; /* of the turn that it was taken for */
}

/* A crest is twice as wide at four times a level, a corner four times, and of those that turn at once the flattest, of
 * the fourth order, root 2 times: what is less than 4/3 as wide there stands still between two flanks. */
static const double wider_level = 4, wider_at_rest = 4.0 / 3;

/* Of few samples the next ones may be anywhere, and less than 4/3 is not to be had. But a parabola, or a corner, of
 * three samples at a level has others beside them at four times that wherever these lie, and a crest of the fourth
 * order of six; of five it has none in 4 of 100 places of the samples. */
enum { FEW_AT_REST = 5 };

static bool stands_within(const struct stay *stay, double level, struct loop_reversal *reversal)
{
    const double *t = stay->signal->time_s;
    struct loop_reversal wide = *reversal;
    find_stay(stay, level, reversal);
    find_stay(stay, wider_level * level, &wide);
    if (wide.arrived == reversal->arrived && wide.left == reversal->left &&
        wide.left + 1 - wide.arrived >= FEW_AT_REST * stay->block)
        return true;
    /* It left somewhere in the next block, half of it on as a rule, and a whole sample at least. */
    const size_t more = (stay->block + 1) / 2;
    const size_t from = wide.arrived - (wide.arrived < more ? wide.arrived : more);
    const size_t to = wide.left + more < stay->signal->count ? wide.left + more : stay->signal->count - 1;
    return t[to] - t[from] < wider_at_rest * (t[reversal->left] - t[reversal->arrived]);
}

static double finest_level(double swing)
{
    return LOOP_REST_SHARE * swing / (wider_level * wider_level);
}

/* It may creep by the share of a rest; the finer the level at which it stands, the sharper are the ends of a short one.
 */
static bool stands(const struct stay *stay, double noise, double swing, struct loop_reversal *reversal)
{
    const double creep = fmax(noise, LOOP_REST_SHARE * swing);
    bool still = false;
    for (double level = fmax(noise, finest_level(swing)); level <= creep && !still; level *= wider_level)
        still = stands_within(stay, level, reversal);
    return still;
}

/* A short rest that the noise hides turns back anywhere by the samples of a window that does not reach beyond it: what
 * is so far from the middle of the time that it stays there is no vertex of a crest, but one of the noise. */
static const double aside_share = 1.0 / 8;

/* side_s: no way that turns back at a corner stays so long on one side of it; such a corner is that at an end of the
 * rest. */
static void take_middle(const struct loop_signal *signal, double side_s, struct loop_reversal *reversal)
{
    const double arrived_s = signal->time_s[reversal->arrived], left_s = signal->time_s[reversal->left];
    const double stay_s = left_s - arrived_s, middle_s = arrived_s + 0.5 * stay_s;
    const double longer_s = fmax(reversal->time_s - arrived_s, left_s - reversal->time_s);
    const bool at_end = reversal->corner && longer_s > side_s;
    const bool reaches = reversal->first <= reversal->arrived && reversal->last >= reversal->left && !at_end;
    if (reaches || fabs(reversal->time_s - middle_s) <= aside_share * stay_s)
        return;
    reversal->time_s = middle_s;
    reversal->sample = reversal->arrived + (reversal->left - reversal->arrived) / 2;
    reversal->corner = false;
}

/* How long it would have stayed nobody knows. */
static bool ends_at_gap(const struct stay *stay, const struct loop_reversal *reversal)
{
    const size_t from = reversal->arrived >= stay->block ? reversal->arrived - stay->block : 0;
    const size_t to = reversal->left + stay->block, last = stay->signal->count - 1;
    return has_gap(stay, from, to < last ? to : last);
}

void loop_rest_find(const struct loop_signal *signal, struct loop_reversal *reversal)
{
    const struct loop_half_cycle *half = &reversal->half;
    const double swing = half->swing;
    const double noise = rest_noise * signal->wander, share = noise / (LOOP_REST_SHARE * swing);
    const size_t block = (size_t)fmax(1, fmin(half->samples / REST_BLOCKS, ceil(share * share * signal->memory)));
    const double of_mean = rest_noise * loop_noise_of_sum(signal, 1 / (double)block);
    const double limit = fmax(of_mean, LOOP_REST_SHARE * swing);
    /* The extreme mean itself is off by up to half of the limit. */
    const double of_a_sine = acos(fmax(-1, 1 - 3 * limit / swing)) / M_PI;
    const struct stay stay = {signal, block, LOOP_GAP_SHARE * half->cycle_s};
    struct loop_reversal standing = *reversal;
    find_stay(&stay, limit, reversal);
    if (ends_at_gap(&stay, reversal))
        return;
    const bool stays =
        signal->time_s[reversal->left] - signal->time_s[reversal->arrived] > (of_a_sine + rest_least) * half->cycle_s;
    if (stands(&stay, of_mean, swing, &standing))
        *reversal = standing;
    else if (!stays) {
        if (of_mean > finest_level(swing))
            take_middle(signal, 0.5 * of_a_sine * half->cycle_s, reversal);
        return;
    }
    reversal->rest_s = signal->time_s[reversal->left] - signal->time_s[reversal->arrived];
    reversal->corner = false;
    reversal->blur = block;
    reversal->pause = reversal->rest_s > 0.5 * half->cycle_s;
    take_rest(signal, reversal);
}
