/* SPDX-License-Identifier: GPL-3.0-or-later */

/* This is the measuring tool of the segmenter: it holds one half cycle against the shape s(theta) that every free half
 * cycle has. That is linear in swing and start, and in the shift to first order, so one pass of least squares is
 * enough. */

#include "segment/half_cycle.h"

#include "segment/half_cycle_loops.h"
#include "segment/spiral.h"

#include <math.h>

/* What lies nearer to an extremum than this part of a half period is within a thousandth of the swing of it, and tells
 * nothing of how the mass came there. */
#define STILL_AT_EXTREMUM 0.02

/* The place where a half cycle is thought to be, and its samples [from, to). */
struct place {
    double start, length;
    uint64_t from, to;
};

/* Samples averaged in equal groups: positions of their means, and the means. */
struct bins {
    size_t count;
    double position[HALF_CYCLE_BINS];
    const double *displacement; /* of the samples themselves, where a bin is one sample, or the means */
    double mean[HALF_CYCLE_BINS];
    double size;
    bool even; /* equal distances */
};

/* Four sums go side by side, so that an addition need not wait for the one before. */
static double sum_of(const double *sample, size_t count)
{
    double sum[4] = {0};
    size_t i = 0;
    for (; i + 4 <= count; i += 4)
        for (int lane = 0; lane < 4; lane++)
            sum[lane] += sample[i + (size_t)lane];
    for (; i < count; i++)
        sum[0] += sample[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* Mean of the samples [from, to) that are not flagged; false when there is none. */
static bool average(const struct sample_history *history, uint64_t from, uint64_t to, double *position,
                    double *displacement)
{
    const struct sample_span span = sample_history_span(history, from, to);
    double positions = 0, sum = 0, good = 0;
    for (uint64_t i = from; span.displacement && i < to; i++) {
        if (span.flags[i - from])
            continue;
        positions += sample_history_position(history, i);
        sum += span.displacement[i - from];
        good++;
    }
    if (!(good > 0))
        return false;
    *position = positions / good;
    *displacement = sum / good;
    return true;
}

/* Bins of evenly spaced samples, of whose positions only the first is needed. */
static void fill_evenly(const double *sample, uint64_t from, size_t size, struct bins *bins)
{
    bins->position[0] = (double)(int64_t)from + 0.5 * (double)(int64_t)(size - 1);
    if (size == 1) {
        bins->displacement = sample;
        return;
    }
    double per_size = 1 / (double)(int64_t)size;
    /* The smallest sizes are those of many half cycles: the loops of sum_of() would cost more than the sums. */
    if (size == 2)
        half_cycle_loops_of(lanes_widest())->average_pairs(sample, bins->count, bins->mean);
    for (size_t i = 0; i < bins->count && size == 3; i++)
        bins->mean[i] = per_size * (sample[3 * i] + sample[3 * i + 1] + sample[3 * i + 2]);
    for (size_t i = 0; i < bins->count && size > 3; i++)
        bins->mean[i] = per_size * sum_of(sample + i * size, size);
}

/* False when samples are missing at its start, one is clipped, or they are too few. Where its end is not there yet the
 * fit is of what there is. */
static bool fill_bins(const struct sample_history *history, const struct place *place, struct bins *bins)
{
    bins->count = 0;
    bins->displacement = bins->mean;
    uint64_t from = place->from, to = place->to;
    bool complete = place->start > sample_history_position(history, history->floor) - 0.5;
    if (!complete || to <= from || sample_history_clipped_within(history, from, to))
        return false;
    size_t samples = (size_t)(to - from),
           size = samples > HALF_CYCLE_BINS ? (samples + HALF_CYCLE_BINS - 1) / HALF_CYCLE_BINS : 1;
    size_t wanted = size > 1 ? samples / size : samples;
    /* What does not fill a bin is left out at both ends alike. */
    from += (samples - wanted * size) / 2;
    bins->size = (double)size;
    const double *sample = sample_history_span(history, from, to).displacement;
    bins->even = sample && !history->stamped && !sample_history_flagged_within(history, from, to);
    if (bins->even) {
        bins->count = wanted;
        fill_evenly(sample, from, size, bins);
    }
    for (size_t bin = 0; bin < wanted && !bins->even; bin++) {
        uint64_t low = from + bin * size;
        size_t i = bins->count;
        bins->count += average(history, low, low + size, &bins->position[i], &bins->mean[i]);
    }
    return bins->count >= HALF_CYCLE_FEWEST_BINS;
}

static void add_bin(struct spiral here, double y, struct spiral_sums *sum)
{
    double c = here.cosine, s = here.sine;
    sum->c += c;
    sum->s += s;
    sum->y += y;
    sum->cc += c * c;
    sum->cs += c * s;
    sum->ss += s * s;
    sum->cy += c * y;
    sum->sy += s * y;
    sum->yy += y * y;
}

/* Bins at distances of their own. Values of y count from the first bin, so that a large constant displacement does not
 * cancel the small differences. */
static void fit_unevenly(const struct bins *bins, double start, double length, double beta, struct half_cycle *half)
{
    double per_position = M_PI / length;
    struct spiral_sums sum = {0};
    for (size_t i = 0; i < bins->count; i++)
        add_bin(spiral_at(per_position * (bins->position[i] - start), beta),
                bins->displacement[i] - bins->displacement[0], &sum);
    spiral_sums_solve(&sum, beta, -spiral_at(M_PI, beta).cosine, length, half);
    half->start += bins->displacement[0];
}

/* Bins at equal distances, the first of them at this position. */
static void fit_evenly(const double *displacement, double position, double start, double length, double beta,
                       struct half_cycle *half)
{
    double per_position = M_PI / length;
    const struct even_bins even = {half->bins, per_position * (position - start), per_position * half->bin_size, beta};
    half_cycle_loops_of(lanes_widest())->fit_evenly(displacement, &even, length, half);
    half->start += displacement[0];
}

static void tell_bins(size_t count, double size, struct half_cycle *half)
{
    half->usable = true;
    half->bins = count;
    half->bin_size = size;
    half->root_share = 1 / sqrt((double)(int64_t)count);
}

/* Nearly every half cycle of a quick motion: evenly spaced samples without a flag, each of them a bin. */
static bool fit_samples(const struct sample_history *history, const struct place *place, double beta,
                        struct half_cycle *half)
{
    uint64_t from = place->from, to = place->to;
    if (history->stamped || !(place->start > (double)(int64_t)history->floor - 0.5) ||
        to < from + HALF_CYCLE_FEWEST_BINS || to > from + HALF_CYCLE_BINS ||
        sample_history_flagged_within(history, from, to))
        return false;
    const double *sample = sample_history_span(history, from, to).displacement;
    tell_bins((size_t)(to - from), 1, half);
    fit_evenly(sample, (double)(int64_t)from, place->start, place->length, beta, half);
    return true;
}

static void fit_bins(const struct sample_history *history, const struct place *place, double beta,
                     struct half_cycle *half)
{
    struct bins bins;
    if (!fill_bins(history, place, &bins)) {
        *half = (struct half_cycle){.usable = false};
        return;
    }
    tell_bins(bins.count, bins.size, half);
    if (bins.even)
        fit_evenly(bins.displacement, bins.position[0], place->start, place->length, beta, half);
    else
        fit_unevenly(&bins, place->start, place->length, beta, half);
}

/* Every member is set one by one: to clear them all first would cost as much as a tenth of the fit. */
void half_cycle_fit(const struct sample_history *history, double start, double length, double beta,
                    struct half_cycle *half)
{
    const struct place place = {start, length, sample_history_at(history, start),
                                sample_history_at(history, start + length)};
    if (!fit_samples(history, &place, beta, half))
        fit_bins(history, &place, beta, half);
}

/* Sums of squares and products of the model x, which is the motion of half_cycle.h, and the signal y, both counted from
 * the extremum at which a half cycle ends. */
struct product_sums {
    double xx, xy, yy, count;
};

/* The sums of a fit hold these too where samples are even and none is flagged: the model is linear in the spiral, and
 * turning it to the angle `first` of the first sample is linear as well. */
static struct product_sums compare_evenly(const double *sample, size_t count, const struct motion_end *end,
                                          double first)
{
    const struct even_bins even = {count, 0, M_PI / end->half_period, end->beta};
    struct spiral here = spiral_at(first, end->beta);
    struct spiral_sums sum;
    double q = half_cycle_loops_of(lanes_widest())->add_evenly(sample, &even, &sum);
    double n = (double)count, part = end->swing / (1 + q), rest = end->swing - part;
    double on_c = part * (here.cosine + end->beta * here.sine), on_s = part * (end->beta * here.cosine - here.sine);
    double x = n * rest + on_c * sum.c + on_s * sum.s, off = sample[0] - end->level;
    double squares = on_c * on_c * sum.cc + on_s * on_s * sum.ss + 2 * on_c * on_s * sum.cs;
    return (struct product_sums){
        .xx = squares + rest * (2 * x - n * rest),
        .xy = rest * sum.y + on_c * sum.cy + on_s * sum.sy + off * x,
        .yy = sum.yy + off * (2 * sum.y + n * off),
        .count = n,
    };
}

static struct product_sums compare(const struct sample_history *history, const struct motion_end *end, uint64_t from,
                                   uint64_t to)
{
    struct product_sums sum = {0};
    double per_position = M_PI / end->half_period;
    bool even = !history->stamped;
    const double *sample = sample_history_span(history, from, to).displacement;
    if (even && sample && per_position <= SPIRAL_NEAR && !sample_history_flagged_within(history, from, to))
        return compare_evenly(sample, (size_t)(to - from), end,
                              M_PI - per_position * (end->position - (double)(int64_t)from));
    double scale = 1 / (1 - spiral_at(M_PI, end->beta).cosine);
    struct spiral turn = spiral_at(per_position, end->beta), here = {0, 0};
    for (uint64_t i = from; i < to; i++, here = spiral_turned(here, turn)) {
        /* Counted backwards from the extremum, where a half cycle ends: theta is pi there. */
        if (!even || i == from) {
            double before = end->position - sample_history_position(history, i);
            here = spiral_at(M_PI - per_position * before, end->beta);
        }
        if (history->flagged > from && sample_history_flags(history, i))
            continue;
        double x = end->swing * (1 - scale * (1 - here.cosine - end->beta * here.sine));
        double y = sample_history_value(history, i) - end->level;
        sum.xx += x * x;
        sum.xy += x * y;
        sum.yy += y * y;
        sum.count++;
    }
    return sum;
}

double motion_before(const struct sample_history *history, const struct motion_end *end, double back, double *residual)
{
    double crest = end->position;
    uint64_t from = sample_history_at(history, crest - back);
    uint64_t to = sample_history_at(history, crest - STILL_AT_EXTREMUM * end->half_period);
    *residual = 0;
    if (to < from + 2 || sample_history_clipped_within(history, from, to))
        return NAN;
    struct product_sums sum = compare(history, end, from, to);
    double follow = sum.xx > 0 ? sum.xy / sum.xx : NAN;
    *residual = sqrt(fmax(sum.yy - follow * sum.xy, 0) / fmax(sum.count, 1));
    return follow;
}
