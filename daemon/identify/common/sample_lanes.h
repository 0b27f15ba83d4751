/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The loops of sample_pass.c; lanes_each.h says how it is read. */

/* Lane by lane the larger of the two. */
LANES_TARGET static inline void LANES_NAME(raise)(LANES_NAME(lanes) * largest, const LANES_NAME(lanes) * value)
{
    const LANES_NAME(masks) larger = (LANES_NAME(masks))(*value > *largest);
    *largest = (LANES_NAME(lanes))(((LANES_NAME(masks)) * value & larger) | ((LANES_NAME(masks)) * largest & ~larger));
}

/* And the smaller of the two. */
LANES_TARGET static inline void LANES_NAME(lower)(LANES_NAME(lanes) * smallest, const LANES_NAME(lanes) * value)
{
    const LANES_NAME(masks) smaller = (LANES_NAME(masks))(*value < *smallest);
    *smallest =
        (LANES_NAME(lanes))(((LANES_NAME(masks)) * value & smaller) | ((LANES_NAME(masks)) * smallest & ~smaller));
}

LANES_TARGET static inline double LANES_NAME(largest_of)(const LANES_NAME(lanes) * lanes)
{
    double largest = (*lanes)[0];
    for (int k = 1; k < LANES; k++)
        largest = (*lanes)[k] > largest ? (*lanes)[k] : largest;
    return largest;
}

/* What is known of the samples seen so far, lane by lane. */
struct LANES_NAME(extremes) {
    LANES_NAME(lanes) highest, lowest, steepest;
    LANES_NAME(lanes) odd; /* NaN where a difference was not finite, or too large for its square */
};

LANES_TARGET static inline void LANES_NAME(look)(const double *values, struct LANES_NAME(extremes) * seen)
{
    const LANES_NAME(lanes) here = *(const LANES_NAME(loose) *)values;
    const LANES_NAME(lanes) difference = *(const LANES_NAME(loose) *)(values + 1) - here,
                            square = difference * difference;
    *seen = (struct LANES_NAME(extremes)){here, here, square, square * 0.0};
}

LANES_TARGET static inline void LANES_NAME(join)(struct LANES_NAME(extremes) * seen,
                                                 const struct LANES_NAME(extremes) * more)
{
    LANES_NAME(raise)(&seen->highest, &more->highest);
    LANES_NAME(lower)(&seen->lowest, &more->lowest);
    LANES_NAME(raise)(&seen->steepest, &more->steepest);
    seen->odd += more->odd;
}

/* Four vectors are compared with each other before they are with those before: so that few wait for one another. */
LANES_TARGET static void LANES_NAME(find_extremes)(const double *values, size_t count, struct sample_extremes *extremes)
{
    const double first = values[0];
    double low = first, high = first, step = 0.0, strange = 0.0;
    size_t i = 0;
    if (count > 4 * LANES) {
        struct LANES_NAME(extremes) seen, next, third, last;
        LANES_NAME(look)(values, &seen);
        for (; i + 4 * LANES < count; i += 4 * LANES) {
            LANES_NAME(look)(values + i, &next);
            LANES_NAME(look)(values + i + LANES, &last);
            LANES_NAME(join)(&next, &last);
            LANES_NAME(look)(values + i + 2 * LANES, &third);
            LANES_NAME(look)(values + i + 3 * LANES, &last);
            LANES_NAME(join)(&third, &last);
            LANES_NAME(join)(&next, &third);
            LANES_NAME(join)(&seen, &next);
        }
        high = LANES_NAME(largest_of)(&seen.highest);
        const LANES_NAME(lanes) upside_down = -seen.lowest;
        low = -LANES_NAME(largest_of)(&upside_down);
        step = LANES_NAME(largest_of)(&seen.steepest);
        strange = LANES_NAME(total)(&seen.odd);
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
LANES_TARGET static void LANES_NAME(find_smallest_step)(const double *values, size_t count, double *smallest)
{
    double least = INFINITY;
    size_t i = 0;
    if (count > LANES) {
        LANES_NAME(lanes) nearest = {0};
        nearest -= INFINITY;
        const LANES_NAME(lanes) farthest = nearest;
        for (; i + LANES < count; i += LANES) {
            const LANES_NAME(lanes) up =
                *(const LANES_NAME(loose) *)(values + i + 1) - *(const LANES_NAME(loose) *)(values + i);
            const LANES_NAME(lanes) down = -up;
            const LANES_NAME(masks) falls = (LANES_NAME(masks))(down < up), none = (LANES_NAME(masks))(up == down);
            LANES_NAME(lanes)
            step = (LANES_NAME(lanes))(((LANES_NAME(masks))down & falls) | ((LANES_NAME(masks))up & ~falls));
            step = (LANES_NAME(lanes))(((LANES_NAME(masks))farthest & none) | ((LANES_NAME(masks))step & ~none));
            LANES_NAME(raise)(&nearest, &step);
        }
        least = -LANES_NAME(largest_of)(&nearest);
    }
    for (; i + 1 < count; i++) {
        const double step = fabs(values[i + 1] - values[i]);
        least = step > 0.0 && step < least ? step : least;
    }
    *smallest = least;
}

/* Blocks of at least one vector. The last values of a block are reached by a vector that overlaps the one before, of
 * which a part is masked out. */
LANES_TARGET static inline void LANES_NAME(average_wide_blocks)(const double *values, size_t width, size_t blocks,
                                                                double offset, double factor, double *means)
{
    const size_t whole = width / LANES * LANES, rest = width - whole;
    double counts[LANES];
    for (size_t k = 0; k < LANES; k++)
        counts[k] = k >= LANES - rest ? 1.0 : 0.0;
    const LANES_NAME(lanes) present = *(const LANES_NAME(loose) *)counts;
    for (size_t k = 0; k < blocks; k++, values += width) {
        LANES_NAME(lanes) sums = *(const LANES_NAME(loose) *)values - offset;
        for (size_t i = LANES; i < whole; i += LANES)
            sums += *(const LANES_NAME(loose) *)(values + i) - offset;
        sums += (*(const LANES_NAME(loose) *)(values + width - LANES) - offset) * present;
        means[k] = factor * LANES_NAME(total)(&sums);
    }
}

LANES_TARGET static void LANES_NAME(average_blocks)(const double *values, size_t width, size_t blocks, double offset,
                                                    double factor, double *means)
{
    if (width >= LANES) {
        LANES_NAME(average_wide_blocks)(values, width, blocks, offset, factor, means);
        return;
    }
    for (size_t k = 0; k < blocks; k++, values += width) {
        double all = 0.0;
        for (size_t i = 0; i < width; i++)
            all += values[i] - offset;
        means[k] = factor * all;
    }
}

LANES_TARGET static void LANES_NAME(sum_differences)(const double *y, size_t count, double *sum)
{
    LANES_NAME(lanes) sums = {0};
    size_t i = 0;
    for (; i + LANES + 5 < count; i += LANES) {
        const LANES_NAME(lanes) outer = *(const LANES_NAME(loose) *)(y + i) + *(const LANES_NAME(loose) *)(y + i + 6);
        const LANES_NAME(lanes) second =
            *(const LANES_NAME(loose) *)(y + i + 1) + *(const LANES_NAME(loose) *)(y + i + 5);
        const LANES_NAME(lanes) third =
            *(const LANES_NAME(loose) *)(y + i + 2) + *(const LANES_NAME(loose) *)(y + i + 4);
        const LANES_NAME(lanes) difference =
            outer - 6.0 * second + 15.0 * third - 20.0 * *(const LANES_NAME(loose) *)(y + i + 3);
        sums += difference * difference;
    }
    double all = LANES_NAME(total)(&sums);
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
#define LAGS_BEGIN(k) LANES_NAME(lanes) near##k = {0}, far##k = {0}, farthest##k = {0};
#define LAGS_ADD(k)                                                                                                    \
    if ((k) < LANES) {                                                                                                 \
        LANES_NAME(lanes) earlier = *(const LANES_NAME(loose) *)(before - (k));                                        \
        LANES_KEEP(earlier);                                                                                           \
        near##k += here * earlier;                                                                                     \
        far##k += later * earlier;                                                                                     \
        farthest##k += latest * earlier;                                                                               \
    }
#define LAGS_END(k)                                                                                                    \
    if ((k) < LANES) {                                                                                                 \
        sums[k] += LANES_NAME(total)(&near##k);                                                                        \
        sums[(k) + LANES] += LANES_NAME(total)(&far##k);                                                               \
        sums[(k) + 2 * LANES] += LANES_NAME(total)(&farthest##k);                                                      \
    }
#define LAGS_EACH(what) what(0) what(1) what(2) what(3) what(4) what(5) what(6) what(7)

/* Adds to sums[k], k below 3 LANES, for lag + k. lag: 1 at least, so that no vector of earlier values reaches past the
 * last value. */
LANES_TARGET static void LANES_NAME(sum_many_lags)(const double *values, size_t count, size_t lag, double *sums)
{
    const size_t whole = count / LANES * LANES;
    LANES_NAME(lanes) here = {0}, later = {0}, latest = {0};
    LAGS_EACH(LAGS_BEGIN)
    for (size_t next = 0; next < whole + 2 * LANES; next += LANES) {
        const double *before = values + next - 2 * LANES - lag;
        here = later;
        later = latest;
        latest = (LANES_NAME(lanes)){0};
        if (next < whole)
            latest = *(const LANES_NAME(loose) *)(values + next);
        LAGS_EACH(LAGS_ADD)
    }
    LAGS_EACH(LAGS_END)
    for (size_t i = whole; i < count; i++)
        for (size_t k = 0; k < 3 * LANES; k++)
            sums[k] += values[i] * *(values + i - lag - k);
}

/* The same for lag + k alone, k below LANES. */
#define LAGS_BEGIN_FEW(k) LANES_NAME(lanes) sum##k = {0};
#define LAGS_ADD_FEW(k)                                                                                                \
    if ((k) < LANES)                                                                                                   \
        sum##k += here * *(const LANES_NAME(loose) *)(before - (k));
#define LAGS_END_FEW(k)                                                                                                \
    if ((k) < LANES)                                                                                                   \
        sums[k] += LANES_NAME(total)(&sum##k);

LANES_TARGET static void LANES_NAME(sum_few_lags)(const double *values, size_t count, size_t lag, double *sums)
{
    const size_t whole = count / LANES * LANES;
    LAGS_EACH(LAGS_BEGIN_FEW)
    for (size_t next = 0; next < whole; next += LANES) {
        const double *before = values + next - lag;
        const LANES_NAME(lanes) here = *(const LANES_NAME(loose) *)(values + next);
        LAGS_EACH(LAGS_ADD_FEW)
    }
    LAGS_EACH(LAGS_END_FEW)
    for (size_t i = whole; i < count; i++)
        for (size_t k = 0; k < LANES; k++)
            sums[k] += values[i] * *(values + i - lag - k);
}

#undef LAGS_BEGIN
#undef LAGS_ADD
#undef LAGS_END
#undef LAGS_BEGIN_FEW
#undef LAGS_ADD_FEW
#undef LAGS_END_FEW
#undef LAGS_EACH

LANES_TARGET static void LANES_NAME(sum_one_lag)(const double *values, size_t count, size_t lag, double *sums)
{
    const double *earlier = values - lag;
    LANES_NAME(lanes) products = {0}, others = {0}; /* two, so that neither waits for the other */
    size_t i = 0;
    for (; i + 2 * LANES <= count; i += 2 * LANES) {
        products += *(const LANES_NAME(loose) *)(values + i) * *(const LANES_NAME(loose) *)(earlier + i);
        others += *(const LANES_NAME(loose) *)(values + i + LANES) * *(const LANES_NAME(loose) *)(earlier + i + LANES);
    }
    for (; i + LANES <= count; i += LANES)
        products += *(const LANES_NAME(loose) *)(values + i) * *(const LANES_NAME(loose) *)(earlier + i);
    products += others;
    double all = LANES_NAME(total)(&products);
    for (; i < count; i++)
        all += values[i] * earlier[i];
    sums[lag] += all;
}

LANES_TARGET static void LANES_NAME(sum_lagged)(const double *values, size_t count, size_t first, size_t lags,
                                                double *sums)
{
    size_t lag = first;
    if (lag == 0 && lags > 0)
        LANES_NAME(sum_one_lag)(values, count, lag++, sums);
    for (; lag + 3 * LANES <= lags; lag += 3 * LANES)
        LANES_NAME(sum_many_lags)(values, count, lag, sums + lag);
    for (; lag + LANES <= lags; lag += LANES)
        LANES_NAME(sum_few_lags)(values, count, lag, sums + lag);
    for (; lag < lags; lag++)
        LANES_NAME(sum_one_lag)(values, count, lag, sums);
}
