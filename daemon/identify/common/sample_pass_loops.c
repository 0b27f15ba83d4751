/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/common/sample_pass_loops.h"

#include "motion/loops.h"

#include <math.h>

/* 0 where all values are finite, otherwise NaN. */
static double strangeness(const double *values, size_t count)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; i++)
        sum += values[i] - values[i];
    return sum;
}

/* Lane by lane the larger of the two. */
static inline void raise(lanes *largest, const lanes *value)
{
    const masks larger = (masks)(*value > *largest);
    *largest = (lanes)(((masks)*value & larger) | ((masks)*largest & ~larger));
}

/* And the smaller of the two. */
static inline void lower(lanes *smallest, const lanes *value)
{
    const masks smaller = (masks)(*value < *smallest);
    *smallest = (lanes)(((masks)*value & smaller) | ((masks)*smallest & ~smaller));
}

static inline double largest_of(const lanes *v)
{
    double largest = (*v)[0];
    for (int k = 1; k < LANES; k++)
        largest = (*v)[k] > largest ? (*v)[k] : largest;
    return largest;
}

/* What is known of the samples seen so far, lane by lane. */
struct extremes {
    lanes highest, lowest, steepest;
    lanes odd; /* NaN where a difference was not finite, or too large for its square */
};

static inline void look(const double *values, struct extremes *seen)
{
    const lanes here = *(const loose *)values;
    const lanes difference = *(const loose *)(values + 1) - here, square = difference * difference;
    *seen = (struct extremes){here, here, square, square * 0.0};
}

static inline void join(struct extremes *seen, const struct extremes *more)
{
    raise(&seen->highest, &more->highest);
    lower(&seen->lowest, &more->lowest);
    raise(&seen->steepest, &more->steepest);
    seen->odd += more->odd;
}

/* Four vectors are compared with each other before they are with those before: so that few wait for one another. */
static void find_extremes(const double *values, size_t count, struct sample_extremes *extremes)
{
    const double first = values[0];
    double low = first, high = first, step = 0.0, strange = 0.0;
    size_t i = 0;
    if (count > 4 * LANES) {
        struct extremes seen, next, third, last;
        look(values, &seen);
        for (; i + 4 * LANES < count; i += 4 * LANES) {
            look(values + i, &next);
            look(values + i + LANES, &last);
            join(&next, &last);
            look(values + i + 2 * LANES, &third);
            look(values + i + 3 * LANES, &last);
            join(&third, &last);
            join(&next, &third);
            join(&seen, &next);
        }
        high = largest_of(&seen.highest);
        const lanes upside_down = -seen.lowest;
        low = -largest_of(&upside_down);
        step = largest_of(&seen.steepest);
        strange = total(&seen.odd);
        if (isnan(strange))
            strange = strangeness(values, i);
    }
    for (; i < count; i++) {
        double difference = i + 1 < count ? values[i + 1] - values[i] : 0.0;
        high = values[i] > high ? values[i] : high;
        low = values[i] < low ? values[i] : low;
        step = difference * difference > step ? difference * difference : step;
        strange += values[i] - values[i];
    }
    *extremes =
        (struct sample_extremes){.lowest = low, .highest = high, .largest_step = sqrt(step), .finite = strange == 0.0};
}

/* Upside down: what raise() keeps is the largest of the negative steps, and no step at all does not count. */
static void find_smallest_step(const double *values, size_t count, double *smallest)
{
    double least = INFINITY;
    size_t i = 0;
    if (count > LANES) {
        lanes nearest = {0};
        nearest -= INFINITY;
        const lanes farthest = nearest;
        for (; i + LANES < count; i += LANES) {
            const lanes up = *(const loose *)(values + i + 1) - *(const loose *)(values + i);
            const lanes down = -up;
            const masks falls = (masks)(down < up), none = (masks)(up == down);
            lanes step = (lanes)(((masks)down & falls) | ((masks)up & ~falls));
            step = (lanes)(((masks)farthest & none) | ((masks)step & ~none));
            raise(&nearest, &step);
        }
        least = -largest_of(&nearest);
    }
    for (; i + 1 < count; i++) {
        const double step = fabs(values[i + 1] - values[i]);
        least = step > 0.0 && step < least ? step : least;
    }
    *smallest = least;
}

/* Blocks of at least one vector. The last values of a block are reached by a vector that overlaps the one before, of
 * which a part is masked out. */
static inline void average_wide_blocks(const double *values, size_t width, size_t blocks, double offset, double factor,
                                       double *means)
{
    const size_t whole = width / LANES * LANES, rest = width - whole;
    double counts[LANES];
    for (size_t k = 0; k < LANES; k++)
        counts[k] = k >= LANES - rest ? 1.0 : 0.0;
    const lanes present = *(const loose *)counts;
    for (size_t k = 0; k < blocks; k++, values += width) {
        lanes sums = *(const loose *)values - offset;
        for (size_t i = LANES; i < whole; i += LANES)
            sums += *(const loose *)(values + i) - offset;
        sums += (*(const loose *)(values + width - LANES) - offset) * present;
        means[k] = factor * total(&sums);
    }
}

static void average_blocks(const double *values, size_t width, size_t blocks, double offset, double factor,
                           double *means)
{
    if (width >= LANES) {
        average_wide_blocks(values, width, blocks, offset, factor, means);
        return;
    }
    for (size_t k = 0; k < blocks; k++, values += width) {
        double all = 0.0;
        for (size_t i = 0; i < width; i++)
            all += values[i] - offset;
        means[k] = factor * all;
    }
}

static void sum_differences(const double *y, size_t count, double *sum)
{
    lanes sums = {0};
    size_t i = 0;
    for (; i + LANES + 5 < count; i += LANES) {
        const lanes outer = *(const loose *)(y + i) + *(const loose *)(y + i + 6);
        const lanes second = *(const loose *)(y + i + 1) + *(const loose *)(y + i + 5);
        const lanes third = *(const loose *)(y + i + 2) + *(const loose *)(y + i + 4);
        const lanes difference = outer - 6.0 * second + 15.0 * third - 20.0 * *(const loose *)(y + i + 3);
        sums += difference * difference;
    }
    double all = total(&sums);
    for (; i + 6 < count; i++) {
        double difference =
            y[i] + y[i + 6] - 6.0 * (y[i + 1] + y[i + 5]) + 15.0 * (y[i + 2] + y[i + 4]) - 20.0 * y[i + 3];
        all += difference * difference;
    }
    *sum = all;
}

/* For lags lag + k, lag + k + LANES and lag + k + 2 LANES, k below LANES: a vector of earlier values serves three
 * vectors of values, LANES apart. Variables of their own, not an array, so that they stay in registers; the earlier
 * ones lie across cache lines, and must not be loaded three times. */
#define LAGS_BEGIN(k) lanes near##k = {0}, far##k = {0}, farthest##k = {0};
#define LAGS_ADD(k)                                                                                                    \
    if ((k) < LANES) {                                                                                                 \
        lanes earlier = *(const loose *)(before - (k));                                                                \
        LANES_KEEP(earlier);                                                                                           \
        near##k += here * earlier;                                                                                     \
        far##k += later * earlier;                                                                                     \
        farthest##k += latest * earlier;                                                                               \
    }
#define LAGS_END(k)                                                                                                    \
    if ((k) < LANES) {                                                                                                 \
        sums[k] += total(&near##k);                                                                                    \
        sums[(k) + LANES] += total(&far##k);                                                                           \
        sums[(k) + 2 * LANES] += total(&farthest##k);                                                                  \
    }
#define LAGS_EACH(what) what(0) what(1) what(2) what(3) what(4) what(5) what(6) what(7)

/* Adds to sums[k], k below 3 LANES, for lag + k. lag: 1 at least, so that no vector of earlier values reaches past the
 * last value. */
static void sum_many_lags(const double *values, size_t count, size_t lag, double *sums)
{
    const size_t whole = count / LANES * LANES;
    lanes here = {0}, later = {0}, latest = {0};
    LAGS_EACH(LAGS_BEGIN)
    for (size_t next = 0; next < whole + 2 * LANES; next += LANES) {
        const double *before = values + next - 2 * LANES - lag;
        here = later;
        later = latest;
        latest = (lanes){0};
        if (next < whole)
            latest = *(const loose *)(values + next);
        LAGS_EACH(LAGS_ADD)
    }
    LAGS_EACH(LAGS_END)
    for (size_t i = whole; i < count; i++)
        for (size_t k = 0; k < 3 * LANES; k++)
            sums[k] += values[i] * *(values + i - lag - k);
}

/* The same for lag + k alone, k below LANES. */
#define LAGS_BEGIN_FEW(k) lanes sum##k = {0};
#define LAGS_ADD_FEW(k)                                                                                                \
    if ((k) < LANES)                                                                                                   \
        sum##k += here * *(const loose *)(before - (k));
#define LAGS_END_FEW(k)                                                                                                \
    if ((k) < LANES)                                                                                                   \
        sums[k] += total(&sum##k);

static void sum_few_lags(const double *values, size_t count, size_t lag, double *sums)
{
    const size_t whole = count / LANES * LANES;
    LAGS_EACH(LAGS_BEGIN_FEW)
    for (size_t next = 0; next < whole; next += LANES) {
        const double *before = values + next - lag;
        const lanes here = *(const loose *)(values + next);
        LAGS_EACH(LAGS_ADD_FEW)
    }
    LAGS_EACH(LAGS_END_FEW)
    for (size_t i = whole; i < count; i++)
        for (size_t k = 0; k < LANES; k++)
            sums[k] += values[i] * *(values + i - lag - k);
}

static void sum_one_lag(const double *values, size_t count, size_t lag, double *sums)
{
    const double *earlier = values - lag;
    lanes products = {0}, others = {0}; /* two, so that neither waits for the other */
    size_t i = 0;
    for (; i + 2 * LANES <= count; i += 2 * LANES) {
        products += *(const loose *)(values + i) * *(const loose *)(earlier + i);
        others += *(const loose *)(values + i + LANES) * *(const loose *)(earlier + i + LANES);
    }
    for (; i + LANES <= count; i += LANES)
        products += *(const loose *)(values + i) * *(const loose *)(earlier + i);
    products += others;
    double all = total(&products);
    for (; i < count; i++)
        all += values[i] * earlier[i];
    sums[lag] += all;
}

static void sum_lagged(const double *values, size_t count, size_t first, size_t lags, double *sums)
{
    size_t lag = first;
    if (lag == 0 && lags > 0)
        sum_one_lag(values, count, lag++, sums);
    for (; lag + 3 * LANES <= lags; lag += 3 * LANES)
        sum_many_lags(values, count, lag, sums + lag);
    for (; lag + LANES <= lags; lag += LANES)
        sum_few_lags(values, count, lag, sums + lag);
    for (; lag < lags; lag++)
        sum_one_lag(values, count, lag, sums);
}

const struct sample_pass_loops LANES_TABLE(sample_pass_loops) = {
    .find_extremes = find_extremes,
    .find_smallest_step = find_smallest_step,
    .average_blocks = average_blocks,
    .sum_differences = sum_differences,
    .sum_lagged = sum_lagged,
};
