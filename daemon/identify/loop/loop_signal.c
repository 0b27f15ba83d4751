/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/loop/loop_signal.h"

#include "identify/common/sample_pass.h"
#include "identify/common/sensor_steps.h"

#include <errno.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_spline.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Samples that are next to each other, and that are farther apart. */
enum { NEIGHBOURS = 3, LOOKED_AT = 20000, LOOKED_AT_APART = 2000 };

/* The median of the absolute value of a normal variable, in standard deviations. */
static const double median_of_normal = 0.67448975;

/* White noise of a million samples spans 10 standard deviations: a swing of 12 is none of it. */
static const double noise_span = 12;

/* What decimal fractions leave of a whole number of steps is far less, what values without steps leave is up to half.
 */
static const double off_whole = 0.01;

/* Samples that are so far apart. */
struct spaced {
    const double *time_s, *values;
    size_t count, lag;
};

/* What sample i is off the curve through its neighbours at that distance, over the standard deviation that white noise
 * of 1 gives it. */
static double deviation_at(const struct spaced *of, size_t i)
{
    double t[2 * NEIGHBOURS + 1], rest = of->values[i], variance = 1;
    for (size_t j = 0; j <= 2 * NEIGHBOURS; j++)
        t[j] = of->time_s[i + j * of->lag - NEIGHBOURS * of->lag];
    for (size_t j = 0; j <= 2 * NEIGHBOURS; j++) {
        double weight = j != NEIGHBOURS;
        for (size_t k = 0; k <= 2 * NEIGHBOURS && j != NEIGHBOURS; k++)
            if (k != NEIGHBOURS && k != j)
                weight *= (t[NEIGHBOURS] - t[k]) / (t[j] - t[k]);
        rest -= weight * of->values[i + j * of->lag - NEIGHBOURS * of->lag];
        variance += weight * weight;
    }
    return fabs(rest) / sqrt(variance);
}

static bool is_between(const struct spaced *of, size_t i, double above, double below)
{
    bool between = true;
    for (size_t j = i - NEIGHBOURS * of->lag; j <= i + NEIGHBOURS * of->lag; j += of->lag)
        between = between && of->values[j] > above && of->values[j] < below;
    return between;
}

/* Deviations of normal values that are no more than so many medians, in the mean of these: 0.782 standard deviations.
 * What corners and turns leave is more. */
static const double usual_medians = 4, mean_of_usual = 0.78238;

/* Of the deviations, in order. What comes in steps deviates in steps, too, and the median of a few of these is one of
 * them: there the mean tells, and where steps are so coarse that most samples stay where they were that of all. */
static double noise_of(const double *sorted, size_t count, bool in_steps)
{
    const double median = count > 0 ? gsl_stats_median_from_sorted_data(sorted, 1, count) : 0;
    double sum = 0;
    size_t usual = 0;
    while (usual < count && (!(median > 0) || sorted[usual] <= usual_medians * median))
        sum += sorted[usual++];
    if (count == 0)
        return 0;
    if (!(median > 0))
        return sum / (double)count * sqrt(M_PI / 2);
    return in_steps ? sum / (double)usual / mean_of_usual : median / median_of_normal;
}

static double noise_between(const struct spaced *of, double above, double below, bool in_steps)
{
    const size_t reach = NEIGHBOURS * of->lag;
    if (of->count < 2 * reach + 1)
        return 0;
    const size_t inner = of->count - 2 * reach;
    const size_t stride = inner / (of->lag > 1 ? (size_t)LOOKED_AT_APART : LOOKED_AT) + 1;
    double *deviations = calloc(inner / stride + 1, sizeof *deviations);
    if (!deviations)
        return NAN;
    size_t found = 0;
    for (size_t i = reach; i < of->count - reach; i += stride)
        if (is_between(of, i, above, below))
            deviations[found++] = deviation_at(of, i);
    gsl_sort(deviations, 1, found);
    const double noise = noise_of(deviations, found, in_steps);
    free(deviations);
    return noise;
}

double loop_noise(const double *time_s, const double *values, size_t count, double above, double below)
{
    return noise_between(&(struct spaced){time_s, values, count, 1}, above, below, false);
}

/* --- noise that lasts --- */

/* Of noise with a correlation of r^k between samples that are k apart, the curve through six neighbours leaves so much
 * of the variance: the sums of products of the sixth difference with itself. */
static double share_left(double r)
{
    return 1 + 2 * r * (-6.0 / 7 + r * (15.0 / 28 + r * (-5.0 / 21 + r * (1.0 / 14 + r * (-1.0 / 77 + r / 924)))));
}

static double correlation_of(double share)
{
    double low = 0, high = 1;
    for (int step = 0; step < 40; step++) {
        const double middle = 0.5 * (low + high);
        *(share_left(middle) > share ? &low : &high) = middle;
    }
    return low;
}

/* Noise lasts that has grown by a third: corners make a quarter of it. */
static const double lasting_noise = 1.3;

/* Noise of a displacement that moves is at most this part of its range: 5 % of half of its stroke. */
static const double noise_of_range = 0.025;

/* Beyond the memory of noise its sixth differences stay as they are, within what some hundred samples of them scatter.
 * Those of a motion do so by chance over two distances, which have no common measure, and over three where they are
 * more than any noise of a motion. */
static const double scatter = 1.25;
enum { STAYS_LEAST = 3, STAYS_LARGE = 4 };

/* So many times the distance there are samples at least. */
enum { SPACED_LEAST = 8 };
static const size_t distances[] = {1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987};
enum { DISTANCES = sizeof distances / sizeof *distances };

/* Noise at each distance, up to those at which a motion shows: at rest no distance has a quarter of the range, which is
 * four standard deviations from some thirty independent samples on. */
static const double motion_share = 0.25;

struct noises {
    double at[DISTANCES], range;
    size_t count;
};

/* A channel: displacement or force. */
struct channel {
    const double *time_s, *values;
    size_t count;
    double noise, rounding; /* between neighbours; by its converter's steps */
};

/* 0 or -ENOMEM. */
static int noises_of(const struct channel *channel, struct noises *noises)
{
    double lowest, highest;
    gsl_stats_minmax(&lowest, &highest, channel->values, 1, channel->count);
    *noises = (struct noises){{channel->noise}, highest - lowest, 1};
    for (size_t k = 1; k < DISTANCES && SPACED_LEAST * distances[k] <= channel->count; k++) {
        const struct spaced of = {channel->time_s, channel->values, channel->count, distances[k]};
        noises->at[k] = noise_between(&of, -INFINITY, INFINITY, channel->rounding > 0);
        if (isnan(noises->at[k]))
            return -ENOMEM;
        if (noises->at[k] > motion_share * noises->range)
            break;
        noises->count++;
    }
    return 0;
}

/* Noise with a correlation of r^k grows by the root of the distance at most; corners of a motion grow by the distance,
 * and a smooth one by its sixth power. */
static bool goes_on(const struct noises *noises, size_t k)
{
    return noises->at[k + 1] <= scatter * sqrt((double)distances[k + 1] / (double)distances[k]) * noises->at[k];
}

static bool stays(const struct noises *noises, size_t k)
{
    return noises->at[k + 1] <= scatter * noises->at[k] && noises->at[k] <= scatter * noises->at[k + 1];
}

/* What it has grown to before it grows faster, or, where a steep filter makes it grow like a motion, what it then stays
 * at. */
static double lasting_of(const struct noises *noises)
{
    double wander = noises->at[0];
    size_t on = 0, staying = 0;
    while (on + 2 < noises->count && goes_on(noises, on) && goes_on(noises, on + 1))
        wander = fmax(wander, noises->at[on++]);
    for (size_t k = 1; k < noises->count; k++) {
        const double here = noises->at[k - 1];
        staying = stays(noises, k - 1) ? staying + 1 : 0;
        if (staying >= (here <= noise_of_range * noises->range ? STAYS_LEAST : STAYS_LARGE))
            wander = fmax(wander, here);
    }
    return wander;
}

/* The memory is told by the first distance at which noise is so much of what it comes to, a third of its variance:
 * nearer ones tell how steep its filter is. */
static const double far_enough = 0.6;

static double correlation_by(const struct noises *noises, double wander)
{
    size_t k = 0;
    while (k + 1 < noises->count && noises->at[k] < far_enough * wander)
        k++;
    const double share = pow(fmin(noises->at[k] / wander, 1), 2);
    return pow(correlation_of(share), 1 / (double)distances[k]);
}

/* Samples that the fastest way over most of the range takes: from a tenth of it to nine tenths, or back. */
static size_t fastest_way(const struct loop_signal *signal)
{
    double lowest, highest;
    size_t fastest = signal->count, low = signal->count, high = signal->count;
    gsl_stats_minmax(&lowest, &highest, signal->displacement, 1, signal->count);
    const double tenth = 0.1 * (highest - lowest);
    for (size_t i = 0; i < signal->count; i++) {
        const bool is_low = signal->displacement[i] <= lowest + tenth;
        const bool is_high = signal->displacement[i] >= highest - tenth;
        const size_t from = is_low ? high : is_high ? low : signal->count;
        if (from < i && i - from < fastest)
            fastest = i - from;
        low = is_low ? i : low;
        high = is_high ? i : high;
    }
    return fastest;
}

/* Of a motion whose fastest way is so many times a distance hardly anything is seen at that: of a sine 1e-5 of its
 * amplitude, of a triangle nothing but beside its corners. */
enum { WAY_LEAST = 8 };

/* What noise is at most: all that is seen at such distances. */
static double most_of(const struct loop_signal *signal, const struct noises *noises)
{
    const size_t way = fastest_way(signal);
    double most = noises->at[0];
    for (size_t k = 1; k < noises->count && WAY_LEAST * distances[k] <= way; k++)
        most = fmax(most, noises->at[k]);
    return most;
}

/* What of a channel's noise lasts. */
static void find_memory(const struct channel *channel, const struct noises *noises, double *wander, double *memory)
{
    const double lasting = lasting_of(noises);
    const bool lasts = lasting > lasting_noise * fmax(channel->noise, channel->rounding);
    const double correlation = lasts ? correlation_by(noises, lasting) : 0;
    *wander = lasts ? lasting : channel->noise;
    *memory = (1 + correlation) / (1 - correlation);
}

static int look_for_memory(struct loop_signal *signal)
{
    const struct channel displacement = {signal->time_s, signal->displacement, signal->count,
                                         signal->noise_displacement, signal->rounding};
    const struct channel force = {signal->time_s, signal->force, signal->count, signal->noise_force, 0};
    struct noises noises;
    if (noises_of(&force, &noises) != 0)
        return -ENOMEM;
    find_memory(&force, &noises, &signal->wander_force, &signal->memory_force);
    if (noises_of(&displacement, &noises) != 0)
        return -ENOMEM;
    find_memory(&displacement, &noises, &signal->wander, &signal->memory);
    signal->most_swing = noise_span * most_of(signal, &noises);
    return 0;
}

double loop_noise_of_sum(const struct loop_signal *signal, double variance)
{
    return signal->wander * sqrt(fmax(variance, fmin(1, signal->memory * variance)));
}

int loop_displacement_of(const double *time_s, const double *velocity, size_t count, double *displacement)
{
    gsl_spline *spline = gsl_spline_alloc(gsl_interp_cspline, count);
    gsl_interp_accel *place = gsl_interp_accel_alloc();
    int error = !spline || !place || gsl_spline_init(spline, time_s, velocity, count) != GSL_SUCCESS ? -ENOMEM : 0;
    displacement[0] = 0;
    for (size_t i = 1; i < count && error == 0; i++)
        displacement[i] = displacement[i - 1] + gsl_spline_eval_integ(spline, time_s[i - 1], time_s[i], place);
    gsl_interp_accel_free(place);
    gsl_spline_free(spline);
    return error;
}

/* Moves of several steps on end in one direction: the middle pair of these has no turn beside it. */
enum { MOVES = 4 };

static bool moves_on(const double moves[MOVES])
{
    bool on = fmax(fabs(moves[1]), fabs(moves[2])) > 1.5;
    for (size_t k = 0; k + 1 < MOVES; k++)
        on = on && moves[k] * moves[k + 1] > 0;
    return on;
}

/* How values move, in steps. */
struct moves {
    double last[MOVES];
    size_t rests[2];            /* before the last two of these: samples */
    size_t pairs, unlike;       /* pairs of moves by several steps on end that have no turn beside them */
    size_t single, unlike_rest; /* pairs of moves by one step the same way; unlike: not as long after the one before */
};

static void note_move(double move, size_t rest, struct moves *of)
{
    memmove(of->last, of->last + 1, (MOVES - 1) * sizeof *of->last);
    of->last[MOVES - 1] = move;
    of->rests[0] = of->rests[1];
    of->rests[1] = rest;
    if (moves_on(of->last)) {
        of->pairs++;
        of->unlike += fabs(of->last[2] - of->last[1]) > 0.5;
    }
    if (fabs(move) < 1.5 && move * of->last[2] > 0 && move * of->last[1] > 0) {
        of->single++;
        of->unlike_rest += of->rests[0] != of->rests[1];
    }
}

static struct moves moves_of(const double *values, size_t count, double step)
{
    struct moves of = {.pairs = 0};
    size_t rest = 0;
    for (size_t i = 1; i < count; i++) {
        const double move = rint((values[i] - values[i - 1]) / step);
        if (fabs(move) > 0.5)
            note_move(move, rest, &of);
        rest = fabs(move) > 0.5 ? 0 : rest + 1;
    }
    return of;
}

double loop_smallest_distance(const double *values, size_t count)
{
    double *sorted = calloc(count, sizeof *sorted);
    if (!sorted)
        return NAN;
    memcpy(sorted, values, count * sizeof *sorted);
    gsl_sort(sorted, 1, count);
    const double least = smallest_step(lanes_widest(), sorted, count);
    free(sorted);
    return least;
}

bool loop_moves_by_steps(const double *values, size_t count, double step)
{
    bool whole = isfinite(step);
    for (size_t i = 1; i < count && whole; i++) {
        const double steps = (values[i] - values[i - 1]) / step;
        whole = fabs(steps - rint(steps)) < off_whole;
    }
    return whole;
}

/* A motion that an encoder cuts into steps, and that goes on by n + f of these, moves by n or n + 1: two pairs in 1/f
 * are unlike. Where there are less, f is within a hundredth of a whole number. The ways there and back of an even
 * motion that are sampled half a sample apart have half of its way for the smallest distance, and move by two of these
 * but beside turns: unlike pairs are those of lost samples. One that is slower than a step a sample rests before it
 * moves on, not as long each time as a motor's clock has it rest between its steps. */
static const double unlike_share = 0.02;

bool loop_comes_in_steps(const double *values, size_t count, double step)
{
    if (!loop_moves_by_steps(values, count, step))
        return false;
    const struct moves of = moves_of(values, count, step);
    return of.pairs > 0 ? (double)of.unlike > unlike_share * (double)of.pairs
                        : (double)of.unlike_rest > unlike_share * (double)of.single;
}

static double rounding_of(const double *values, size_t count, double step)
{
    return loop_comes_in_steps(values, count, step) ? step / sqrt(12) : 0;
}

int loop_signal_look(struct loop_signal *signal)
{
    const double step = smallest_step(lanes_widest(), signal->displacement, signal->count);
    signal->step = step;
    signal->rounding = rounding_of(signal->displacement, signal->count, step);
    signal->noise_displacement = noise_between(&(struct spaced){signal->time_s, signal->displacement, signal->count, 1},
                                               -INFINITY, INFINITY, signal->rounding > 0);
    signal->noise_force = loop_noise(signal->time_s, signal->force, signal->count, -INFINITY, INFINITY);
    signal->noise_normal =
        signal->normal ? loop_noise(signal->time_s, signal->normal, signal->count, -INFINITY, INFINITY) : 0;
    if (isnan(signal->noise_displacement + signal->noise_force + signal->noise_normal) || look_for_memory(signal) != 0)
        return -ENOMEM;
    signal->least_swing = fmax(noise_span * signal->wander, isfinite(step) ? LOOP_FLICKER_STEPS * step : 0);
    signal->most_swing = fmax(signal->most_swing, signal->least_swing);
    return 0;
}

struct loop_signal loop_signal_rounded(const struct loop_signal *signal)
{
    struct loop_signal rounded = *signal;
    rounded.noise_displacement = fmax(signal->noise_displacement, signal->rounding);
    rounded.wander = fmax(signal->wander, signal->rounding);
    return rounded;
}

bool loop_steps_show(const struct loop_signal *signal)
{
    return signal->rounding > 0 && !noise_blurs_steps(signal->wander, signal->step);
}

/* Of each sample's move, in the mean. */
static double usual_move(const struct loop_signal *signal)
{
    double way = 0;
    for (size_t i = 1; i < signal->count; i++)
        way += fabs(signal->displacement[i] - signal->displacement[i - 1]);
    return way / (double)(signal->count - 1);
}

bool loop_rests_between_steps(const struct loop_signal *signal)
{
    return signal->rounding > 0 && usual_move(signal) < signal->rounding * sqrt(12);
}

double loop_smoothing_noise(const struct loop_signal *signal)
{
    const double move = loop_rests_between_steps(signal) ? usual_move(signal) : 0;
    return move > 0 ? fmax(signal->noise_displacement, signal->rounding * sqrt(signal->rounding * sqrt(12) / move))
                    : signal->noise_displacement;
}
