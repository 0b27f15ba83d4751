/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/loop/loop_reversal.h"

#include "identify/common/small_least_squares.h"

#include <errno.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A swing counts from this share of the range of the signal on, if it is the first, or of the swing before it. */
static const double first_share = 0.02, next_share = 0.1;

/* A vertex is looked for among samples that are away from it by no more than this share of the swing, and what
 * the noise of two may add. */
static const double vertex_share = 0.1, vertex_noise = 6;

/* The parabola explains samples that it leaves no more of than noise would in all but one of a hundred cases, and a
 * twentieth for what the noise is not known to. */
static double explained(size_t samples)
{
    return 1.05 + 2.5 / sqrt(2 * ((double)samples - 3));
}

/* Samples on either side of the vertex at least. */
enum { VERTEX_LEAST = 2 };

/* A displacement is at rest within this share of its swing; means of samples tell, at least so many a half cycle. */
static const double rest_share = 0.01;
enum { REST_BLOCKS = 20 };

/* Means at rest differ by less than so many of their standard deviations. */
static const double rest_noise = 6;

/* A sine stays there, too, for a while: it is a rest that takes a sixteenth of the cycle more than that. */
static const double rest_least = 1.0 / 16;

/* --- which samples --- */

static int add(struct loop_reversals *reversals, bool upper, size_t sample)
{
    if (reversals->count == reversals->capacity) {
        const size_t larger = reversals->capacity > 0 ? 2 * reversals->capacity : 64;
        struct loop_reversal *moved = realloc(reversals->reversal, larger * sizeof *moved);
        if (!moved)
            return -ENOMEM;
        reversals->reversal = moved;
        reversals->capacity = larger;
    }
    reversals->reversal[reversals->count++] = (struct loop_reversal){.upper = upper, .sample = sample};
    return 0;
}

static double range_of(const double *x, size_t count)
{
    double lowest = x[0], highest = x[0];
    for (size_t i = 1; i < count; i++) {
        lowest = fmin(lowest, x[i]);
        highest = fmax(highest, x[i]);
    }
    return highest - lowest;
}

/* The first and the last are the ends of the signal, or next to them. Both extremes since the last reversal are
 * followed: the one that the signal came back from is the next reversal. */
static int find_extremes(const struct loop_signal *signal, struct loop_reversals *reversals)
{
    const double *x = signal->displacement;
    double hysteresis = fmax(signal->least_swing, first_share * range_of(x, signal->count));
    size_t low = 0, high = 0;
    int error = 0, direction = 0;
    for (size_t i = 1; i < signal->count && !error; i++) {
        low = x[i] < x[low] ? i : low;
        high = x[i] > x[high] ? i : high;
        const bool from_high = direction >= 0 && x[high] - x[i] > hysteresis;
        const bool from_low = direction <= 0 && x[i] - x[low] > hysteresis;
        if (!from_high && !from_low)
            continue;
        error = add(reversals, from_high, from_high ? high : low);
        hysteresis = fmax(signal->least_swing, direction != 0 ? next_share * (x[high] - x[low]) : 0);
        direction = from_high ? -1 : 1;
        *(from_high ? &low : &high) = i;
    }
    if (!error && direction != 0)
        error = add(reversals, direction > 0, direction > 0 ? high : low);
    return error;
}

/* --- when, and where --- */

/* A parabola over s = (time - middle)/half from -1 to 1. */
struct parabola {
    double c[3], inverse[SMALL_MAX][SMALL_MAX];
    double rms; /* of what it leaves */
};

static bool fit_parabola(const struct loop_signal *signal, size_t from, size_t to, struct parabola *parabola)
{
    const double middle = 0.5 * (signal->time_s[from] + signal->time_s[to]);
    const double half = 0.5 * (signal->time_s[to] - signal->time_s[from]), level = signal->displacement[from];
    struct small_least_squares equations = {.unknowns = 3};
    double squares = 0;
    for (size_t i = from; i <= to; i++) {
        const double s = (signal->time_s[i] - middle) / half, row[] = {1, s, s * s};
        small_least_squares_add(&equations, row, signal->displacement[i] - level);
    }
    if (!small_least_squares_solve(&equations, parabola->c, parabola->inverse))
        return false;
    for (size_t i = from; i <= to; i++) {
        const double s = (signal->time_s[i] - middle) / half;
        const double rest =
            signal->displacement[i] - level - parabola->c[0] - s * (parabola->c[1] + s * parabola->c[2]);
        squares += rest * rest;
    }
    parabola->rms = sqrt(squares / (double)(to - from - 2));
    parabola->c[0] += level;
    return true;
}

/* The extreme of the parabola; what has none within the samples has its middle. */
static void take_vertex(const struct loop_signal *signal, size_t from, size_t to, const struct parabola *parabola,
                        struct loop_reversal *reversal)
{
    const double *c = parabola->c, side = reversal->upper ? -1 : 1;
    double s = side * c[2] > 0 ? -0.5 * c[1] / c[2] : 0, variance = 0;
    s = fmax(-1, fmin(1, s));
    const double powers[] = {1, s, s * s};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            variance += powers[i] * parabola->inverse[i][j] * powers[j];
    reversal->time_s =
        0.5 * (signal->time_s[from] + signal->time_s[to] + s * (signal->time_s[to] - signal->time_s[from]));
    reversal->displacement = c[0] + s * (c[1] + s * c[2]);
    reversal->se = signal->noise_displacement * sqrt(variance);
}

/* The widest window about the extreme sample that a parabola explains. */
static void find_vertex(const struct loop_signal *signal, double swing, struct loop_reversal *reversal)
{
    const double *x = signal->displacement, there = x[reversal->sample];
    const double away = vertex_share * swing + vertex_noise * signal->noise_displacement;
    const size_t sample = reversal->sample, after = signal->count - 1 - sample;
    const size_t most = sample < after ? sample : after;
    struct parabola parabola;
    size_t reach = 0;
    while (reach < most && fabs(x[sample + reach + 1] - there) < away && fabs(x[sample - reach - 1] - there) < away)
        reach++;
    reach = reach < VERTEX_LEAST ? VERTEX_LEAST : reach;
    reversal->time_s = signal->time_s[sample];
    reversal->displacement = there;
    reversal->se = signal->noise_displacement;
    for (; reach <= most; reach = reach * 3 / 4 < VERTEX_LEAST ? VERTEX_LEAST : reach * 3 / 4) {
        if (!fit_parabola(signal, sample - reach, sample + reach, &parabola))
            return;
        if (parabola.rms > explained(2 * reach + 1) * signal->noise_displacement && reach > VERTEX_LEAST)
            continue;
        take_vertex(signal, sample - reach, sample + reach, &parabola, reversal);
        return;
    }
}

/* --- whether it rests --- */

static double mean_of(const double *values, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return sum / (double)count;
}

/* Goes to the first and to the last block of samples that is as far up as that about the extreme one. */
static void find_stay(const struct loop_signal *signal, size_t block, double limit, struct loop_reversal *reversal)
{
    const double *x = signal->displacement;
    size_t first = reversal->sample >= block / 2 ? reversal->sample - block / 2 : 0;
    first = first + block > signal->count ? signal->count - block : first;
    const double there = mean_of(x + first, block);
    reversal->arrived = first;
    while (reversal->arrived >= block && fabs(mean_of(x + reversal->arrived - block, block) - there) <= limit)
        reversal->arrived -= block;
    reversal->left = first + block - 1;
    while (reversal->left + block < signal->count && fabs(mean_of(x + reversal->left + 1, block) - there) <= limit)
        reversal->left += block;
}

/* cycle_s: from the reversal before to the next; samples: of a usual half cycle. */
static void find_rest(const struct loop_signal *signal, double swing, double cycle_s, double samples,
                      struct loop_reversal *reversal)
{
    const double noise = rest_noise * signal->noise_displacement, share = noise / (rest_share * swing);
    const size_t block = (size_t)fmax(1, fmin(samples / REST_BLOCKS, ceil(share * share)));
    const double limit = fmax(noise / sqrt((double)block), rest_share * swing);
    find_stay(signal, block, limit, reversal);
    const double stay_s = signal->time_s[reversal->left] - signal->time_s[reversal->arrived];
    /* The extreme mean itself is off by up to half of the limit. */
    const double of_a_sine = acos(fmax(-1, 1 - 3 * limit / swing)) / M_PI;
    if (!(stay_s > (of_a_sine + rest_least) * cycle_s))
        return;
    reversal->rest_s = stay_s;
    reversal->pause = stay_s > 0.5 * cycle_s;
}

static void look_at(const struct loop_signal *signal, struct loop_reversals *reversals, size_t k, double samples)
{
    struct loop_reversal *reversal = &reversals->reversal[k];
    const size_t before = reversals->reversal[k > 0 ? k - 1 : 1].sample;
    const size_t after = reversals->reversal[k + 1 < reversals->count ? k + 1 : k - 1].sample;
    const double *x = signal->displacement, *t = signal->time_s;
    const double swing = 0.5 * (fabs(x[reversal->sample] - x[before]) + fabs(x[reversal->sample] - x[after]));
    const double cycle_s = fabs(t[reversal->sample] - t[before]) + fabs(t[after] - t[reversal->sample]);
    find_vertex(signal, swing, reversal);
    find_rest(signal, swing, cycle_s, samples, reversal);
}

/* Samples from one reversal to the next, as a rule. 0: memory is short. */
static double usual_distance(const struct loop_reversals *reversals)
{
    double *distances = calloc(reversals->count, sizeof *distances);
    if (!distances)
        return 0;
    for (size_t k = 1; k < reversals->count; k++)
        distances[k - 1] = (double)(reversals->reversal[k].sample - reversals->reversal[k - 1].sample);
    gsl_sort(distances, 1, reversals->count - 1);
    const double usual = gsl_stats_median_from_sorted_data(distances, 1, reversals->count - 1);
    free(distances);
    return usual;
}

/* Nobody knows whether the signal turned back where it begins and ends, but where it rests there. */
static void drop_ends(struct loop_reversals *reversals)
{
    if (reversals->reversal[reversals->count - 1].rest_s == 0)
        reversals->count--;
    if (reversals->count > 0 && reversals->reversal[0].rest_s == 0)
        memmove(reversals->reversal, reversals->reversal + 1, --reversals->count * sizeof *reversals->reversal);
}

int loop_reversals_of(const struct loop_signal *signal, struct loop_reversals *reversals)
{
    *reversals = (struct loop_reversals){NULL, 0, 0};
    if (signal->count == 0 || find_extremes(signal, reversals) != 0)
        return signal->count == 0 ? 0 : -ENOMEM;
    const double samples = reversals->count > 1 ? usual_distance(reversals) : 1;
    for (size_t k = 0; k < reversals->count && reversals->count > 1; k++)
        look_at(signal, reversals, k, samples);
    if (reversals->count > 1)
        drop_ends(reversals);
    else
        reversals->count = 0;
    return samples > 0 ? 0 : -ENOMEM;
}

void loop_reversals_clear(struct loop_reversals *reversals)
{
    free(reversals->reversal);
    *reversals = (struct loop_reversals){NULL, 0, 0};
}
