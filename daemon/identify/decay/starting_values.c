/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A first idea of all six parameters, good enough for the least squares to find the right valley: rhythm from where
 * the swings pass their middle, damping from their heights. */

#include "identify/decay/starting_values.h"

#include "identify/decay/decay_model.h"
#include "identify/decay/swings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Coarse extrema that take part: the later ones tell little and the first the most. */
enum { EXTREMA_MOST = 128 };

/* The run of swings that look like one decay. */
struct chain {
    const struct swing *swings;
    size_t first, count;
    double half_period;
    double first_crossing; /* of swing `first`, smoothed */
};

/* Two zetas side by side: neither waits for the other's products. */
enum { SIDE_BY_SIDE = 2 };
typedef double both __attribute__((vector_size(SIDE_BY_SIDE * sizeof(double))));

/* Extrema from the last of them. */
struct heights {
    const double *extrema;
    size_t count;
    double side; /* of X_0 */
    double middle, sum, squares;
};

static struct heights heights_of(const double *extrema, size_t count, double x0)
{
    struct heights heights = {extrema, count, x0 < 0.0 ? -1.0 : 1.0, extrema[count - 1], 0.0, 0.0};
    for (size_t j = 0; j < count; j++) {
        const double height = extrema[j] - heights.middle;
        heights.sum += height;
        heights.squares += height * height;
    }
    return heights;
}

/* Sums over a chain of extrema, for a line in x_k, X_0 and bias: of what is multiplied with x_k and with X_0, about
 * their means, which takes the bias out. */
struct linear_sums {
    both k_k, k_0, zero_0; /* products with each other */
    both with_k, with_0;   /* with the extrema */
    both mean_k, mean_0;
};

/* SHK Eq. 4 and its derivatives with respect to X_0 and x_k, which are what X_j is made of. */
static void sum_linear_part(const struct heights *heights, const both *q, struct linear_sums *sums)
{
    const both none = {0}, minus_q = -*q;
    both k_k = none, k_0 = none, zero_0 = none, with_k = none, with_0 = none, in_k = none, in_0 = none;
    both per_x0 = none + 1.0, per_x_k = none, loss = heights->side * (*q + 1.0);
    for (size_t j = 0; j < heights->count; j++) {
        const double height = heights->extrema[j] - heights->middle;
        with_k += per_x_k * height;
        with_0 += per_x0 * height;
        k_k += per_x_k * per_x_k;
        k_0 += per_x_k * per_x0;
        zero_0 += per_x0 * per_x0;
        in_k += per_x_k;
        in_0 += per_x0;
        per_x_k = minus_q * per_x_k + loss;
        per_x0 *= minus_q;
        loss = -loss;
    }
    const double n = (double)heights->count;
    *sums = (struct linear_sums){.k_k = k_k - in_k * in_k / n,
                                 .k_0 = k_0 - in_k * in_0 / n,
                                 .zero_0 = zero_0 - in_0 * in_0 / n,
                                 .with_k = with_k - in_k * heights->sum / n,
                                 .with_0 = with_0 - in_0 * heights->sum / n,
                                 .mean_k = in_k / n,
                                 .mean_0 = in_0 / n};
}

/* x_k, X_0 and bias that fit a chain of extrema best for the zeta in lane z, with x_k >= 0, into parameters. Returns
 * the sum of squares. */
static double solve_linear_part(const struct heights *heights, const struct linear_sums *sums, size_t z, bool free_x_k,
                                double parameters[FIT_PARAMETERS])
{
    const double k_k = sums->k_k[z], k_0 = sums->k_0[z], zero_0 = sums->zero_0[z];
    const double with_k = sums->with_k[z], with_0 = sums->with_0[z];
    /* The tiny damping keeps a chain of two extrema solvable. */
    const double tiny = 1.0 + 1e-10, determinant = tiny * tiny * k_k * zero_0 - k_0 * k_0;
    double x_k = parameters[FIT_X_K];
    if (!(zero_0 > 0.0))
        return INFINITY;
    if (free_x_k) {
        const bool solvable = determinant > 1e-13 * k_k * zero_0;
        x_k = solvable ? fmax((tiny * zero_0 * with_k - k_0 * with_0) / determinant, 0.0) : 0.0;
    }
    const double x0 = (with_0 - k_0 * x_k) / (tiny * zero_0), mean = heights->sum / (double)heights->count;
    parameters[FIT_X_K] = x_k;
    parameters[FIT_X0] = x0;
    parameters[FIT_BIAS] = heights->middle + mean - sums->mean_k[z] * x_k - sums->mean_0[z] * x0;
    const double explained = x_k * (2.0 * with_k - k_k * x_k) + x0 * (2.0 * (with_0 - k_0 * x_k) - zero_0 * x0);
    return fmax(heights->squares - heights->sum * mean - explained, 0.0);
}

/* The zeta found best so far, with the linear part that belongs to it. */
struct zeta_search {
    const struct heights *heights;
    bool free_x_k;
    const double *parameters;
    double least;
    double best[FIT_PARAMETERS];
};

static void try_zetas(struct zeta_search *search, const double zetas[SIDE_BY_SIDE])
{
    double trials[SIDE_BY_SIDE][FIT_PARAMETERS];
    struct linear_sums sums;
    both q = {0};
    for (size_t z = 0; z < SIDE_BY_SIDE; z++) {
        memcpy(trials[z], search->parameters, sizeof trials[z]);
        trials[z][FIT_ZETA] = zetas[z];
        q[z] = decay_shape(trials[z]).q;
    }
    sum_linear_part(search->heights, &q, &sums);
    for (size_t z = 0; z < SIDE_BY_SIDE; z++) {
        const double squares = solve_linear_part(search->heights, &sums, z, search->free_x_k, trials[z]);
        if (squares < search->least && trials[z][FIT_X0] * search->heights->side > 0.0) {
            search->least = squares;
            memcpy(search->best, trials[z], sizeof trials[z]);
        }
    }
}

/* 0, then 3e-4 to 0.7 in equal ratios; then closer and closer about the best. */
static void try_all_zetas(struct zeta_search *search)
{
    enum { RATIOS = 9, GRID = RATIOS + 2 };
    double ratio = pow(0.7 / 3e-4, 1.0 / RATIOS), zeta = 3e-4, grid[GRID + 1] = {0.0};
    for (int k = 1; k < GRID; k++, zeta *= ratio)
        grid[k] = zeta;
    grid[GRID] = grid[GRID - 1];
    for (int k = 0; k < GRID; k += SIDE_BY_SIDE)
        try_zetas(search, grid + k);
    for (int k = 0; k < 4 && search->best[FIT_ZETA] > 0.0; k++) {
        const double centre = search->best[FIT_ZETA];
        ratio = sqrt(ratio);
        try_zetas(search, (const double[SIDE_BY_SIDE]){centre / ratio, fmin(centre * ratio, 0.9)});
    }
}

/* The zeta of a grid at which the linear part fits best. With x_k and zeta both unknown, four extrema are the least
 * that tell them apart; with fewer, all the loss is called viscous. */
static void choose_zeta(const double *extrema, size_t count, struct free_parameters allowed,
                        double parameters[FIT_PARAMETERS])
{
    if (count < 4 && allowed.free[FIT_ZETA] && allowed.free[FIT_X_K]) {
        allowed.free[FIT_X_K] = false;
        parameters[FIT_X_K] = 0.0;
    }
    const struct heights heights = heights_of(extrema, count, parameters[FIT_X0]);
    struct zeta_search search = {&heights, allowed.free[FIT_X_K], parameters, INFINITY, {0}};
    memcpy(search.best, parameters, sizeof search.best);
    if (allowed.free[FIT_ZETA])
        try_all_zetas(&search);
    else
        try_zetas(&search, (const double[SIDE_BY_SIDE]){parameters[FIT_ZETA], parameters[FIT_ZETA]});
    memcpy(parameters, search.best, sizeof search.best);
}

void starting_values_reduced(const struct free_parameters *allowed, size_t half_cycles,
                             double parameters[FIT_PARAMETERS])
{
    double extrema[EXTREMA_MOST + 1];
    const double omega_d = decay_shape(parameters).omega_d, bias = parameters[FIT_BIAS];
    const size_t count = half_cycles < EXTREMA_MOST ? half_cycles + 1 : EXTREMA_MOST + 1;
    decay_extrema(parameters, 0.0, extrema, count);
    for (int p = 0; p < FIT_PARAMETERS; p++)
        parameters[p] = allowed->free[p] || !decay_parameters[p].term ? parameters[p] : 0.0;
    choose_zeta(extrema, count, *allowed, parameters);
    const double zeta = parameters[FIT_ZETA];
    parameters[FIT_BIAS] += bias;
    parameters[FIT_OMEGA_N] = omega_d / sqrt((1.0 - zeta) * (1.0 + zeta));
}

static int compare_doubles(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Swings below this part of the largest may be no more than coloured noise at rest. */
static const double SMALL_SWING = 0.12;

/* The median of the first spacings of crossings, where the swings are largest. The first swing may be a part of one;
 * where only two spacings are there, the longer one is then the right one, and the last swing is the worst seen. */
static double typical_spacing(const struct swing *swings, size_t count)
{
    double spacings[9], largest = 0.0;
    size_t n = 0, first = count > 3 ? 1 : 0;
    for (size_t k = 0; k < count; k++)
        largest = fmax(largest, fabs(swings[k].to - swings[k].from));
    for (size_t k = first; k + 1 < count && n < 9; k++) {
        bool small = fabs(swings[k + 1].to - swings[k + 1].from) < SMALL_SWING * largest;
        if (!small || k == first)
            spacings[n++] = swings[k + 1].crossing - swings[k].crossing;
    }
    qsort(spacings, n, sizeof *spacings, compare_doubles);
    return spacings[n / 2];
}

/* A straight line through the crossings, weighted by the squares of the swings: half period and phase. Squares of
 * the swings as weights: the noise of a crossing goes with 1/swing. */
static void fit_crossings(struct chain *chain)
{
    double weights = 0.0, mean_k = 0.0, mean_time = 0.0, k_k = 0.0, k_time = 0.0;
    for (size_t pass = 0; pass < 2; pass++)
        for (size_t k = 0; k < chain->count; k++) {
            const struct swing *swing = &chain->swings[chain->first + k];
            double weight = (swing->to - swing->from) * (swing->to - swing->from);
            if (pass == 0) {
                weights += weight;
                mean_k += weight * (double)k;
                mean_time += weight * swing->crossing;
            } else {
                k_k += weight * ((double)k - mean_k) * ((double)k - mean_k);
                k_time += weight * ((double)k - mean_k) * (swing->crossing - mean_time);
            }
            if (pass == 0 && k + 1 == chain->count) {
                mean_k /= weights;
                mean_time /= weights;
            }
        }
    if (chain->count > 1)
        chain->half_period = k_time / k_k;
    chain->first_crossing = mean_time - mean_k * chain->half_period;
}

/* Follows the swings from `first` as long as they come in step. */
static void follow_chain(struct chain *chain, size_t first, size_t count)
{
    chain->first = first;
    chain->count = 1;
    while (first + chain->count < count) {
        const struct swing *last = &chain->swings[first + chain->count - 1];
        double spacing = last[1].crossing - last[0].crossing;
        /* Noise shifts a crossing by a tenth or two; a missed swing makes it twice as long. */
        if (spacing < 0.7 * chain->half_period || spacing > 1.4 * chain->half_period)
            break;
        chain->count++;
    }
    fit_crossings(chain);
}

/* The first swing is a whole one when its turning point fits the rhythm of the others and it is not the smaller. */
static bool first_swing_whole(const struct swing *swings, size_t count, double half_period)
{
    if (count < 2)
        return true;
    double first = fabs(swings[0].to - swings[0].from), second = fabs(swings[1].to - swings[1].from);
    double spacing = swings[1].crossing - swings[0].crossing;
    return first > 0.95 * second && fabs(spacing - half_period) < 0.25 * half_period;
}

/* One half cycle rises or falls all the way and is flat at both ends; a ramp or an exponential is not. */
static bool looks_like_half_cycle(const struct scaled_record *scaled, const struct swing *swing)
{
    double swept = swing->to - swing->from, span = swing->to_time - swing->from_time;
    double tenth = fmax(0.1 * span, 1.0);
    size_t begin = scaled_first_at(scaled, swing->from_time), end = scaled_first_at(scaled, swing->to_time);
    size_t early = scaled_first_at(scaled, swing->from_time + tenth);
    size_t late = scaled_first_at(scaled, swing->to_time - tenth);
    if (end >= scaled->count || early >= scaled->count || late >= end)
        return false;
    double first = (scaled_value(scaled, early) - scaled_value(scaled, begin)) / swept;
    double last = (scaled_value(scaled, end) - scaled_value(scaled, late)) / swept;
    /* In its first and last tenth a cosine covers a quarter of what a ramp covers; 0.65 leaves room for noise and
     * damping. */
    return first < 0.65 * tenth / span && last < 0.65 * tenth / span;
}

/* Extrema are where swings meet: the first swing's start, then each swing's end. */
static void chain_parameters(const struct chain *chain, const struct free_parameters *allowed,
                             struct starting_values *start)
{
    const struct swing *swings = &chain->swings[chain->first];
    double extrema[EXTREMA_MOST + 1];
    size_t count = chain->count < EXTREMA_MOST ? chain->count : EXTREMA_MOST;
    for (size_t j = 0; j < count; j++)
        extrema[j] = swings[j].from;
    extrema[count] = swings[count - 1].to;

    double *parameters = start->parameters;
    parameters[FIT_OMEGA_N] = M_PI / chain->half_period; /* the extrema depend on zeta alone, but the shape needs one */
    parameters[FIT_X0] = swings[0].from > swings[0].to ? 1.0 : -1.0;
    choose_zeta(extrema, count + 1, *allowed, parameters);
    double zeta = parameters[FIT_ZETA], beta = zeta / sqrt(1.0 - zeta * zeta);
    parameters[FIT_OMEGA_N] = M_PI / chain->half_period / sqrt(1.0 - zeta * zeta);
    /* Every swing passes its middle where g = (1 - q)/2, to first order at theta = pi/2 - (pi/2 - 1) beta. */
    double phase = fmax(M_PI / 2.0 - (M_PI / 2.0 - 1.0) * beta, 0.3);
    parameters[FIT_T0] = chain->first_crossing - phase / M_PI * chain->half_period;
    start->end = parameters[FIT_T0] + (double)chain->count * chain->half_period;
}

static enum verdict values_from_swings(const struct scaled_record *scaled, const struct free_parameters *allowed,
                                       const struct swing *swings, size_t count, struct starting_values *start)
{
    start->swings = count;
    if (count == 0)
        return VERDICT_NO_OSCILLATION;
    if (count == 1)
        return looks_like_half_cycle(scaled, swings) ? VERDICT_UNDERDETERMINED : VERDICT_NO_OSCILLATION;
    struct chain chain = {.swings = swings, .half_period = typical_spacing(swings, count)};
    if (!(chain.half_period > 0.0))
        return VERDICT_NO_OSCILLATION;
    /* A record that begins in the middle of a swing shows only a part of it, whose height would mislead. */
    bool whole = first_swing_whole(swings, count, chain.half_period);
    follow_chain(&chain, whole ? 0 : 1, count);
    chain_parameters(&chain, allowed, start);
    return VERDICT_OK;
}

enum verdict starting_values_from(const struct scaled_record *scaled, const struct free_parameters *allowed,
                                  struct swings_workspace *workspace, struct starting_values *start)
{
    start->noise = swings_noise(scaled);
    size_t count = swings_find(scaled, start->noise, workspace);
    return values_from_swings(scaled, allowed, workspace->swing, count, start);
}
