/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The loops of sample_pass.c; lanes_each.h says how it is read. */

/* Lane by lane the larger of the two. */
LANES_TARGET static inline void LANES_NAME(raise)(LANES_NAME(lanes) * largest, const LANES_NAME(lanes) * value)
{
    const LANES_NAME(masks) larger = (LANES_NAME(masks))(*value > *largest);
    *largest = (LANES_NAME(lanes))(((LANES_NAME(masks)) * value & larger) | ((LANES_NAME(masks)) * largest & ~larger));
}

LANES_TARGET static inline double LANES_NAME(largest_of)(const LANES_NAME(lanes) * lanes)
{
    double largest = (*lanes)[0];
    for (int k = 1; k < LANES; k++)
        largest = (*lanes)[k] > largest ? (*lanes)[k] : largest;
    return largest;
}

LANES_TARGET static void LANES_NAME(find_extremes)(const double *values, size_t count, struct sample_extremes *extremes)
{
    const double first = values[0];
    double low = first, high = first, step = 0.0, strange = 0.0;
    size_t i = 0;
    if (count > LANES) {
        LANES_NAME(lanes) highest = {0}, lowest = {0}, steepest = {0}, odd = {0};
        highest += first;
        lowest -= first;
        for (; i + LANES < count; i += LANES) {
            const LANES_NAME(lanes) here = *(const LANES_NAME(loose) *)(values + i);
            const LANES_NAME(lanes) next = *(const LANES_NAME(loose) *)(values + i + 1);
            const LANES_NAME(lanes) upside_down = -here, difference = next - here, square = difference * difference;
            LANES_NAME(raise)(&highest, &here);
            LANES_NAME(raise)(&lowest, &upside_down);
            LANES_NAME(raise)(&steepest, &square);
            odd += here - here; /* NaN as soon as one of them is not finite */
        }
        high = LANES_NAME(largest_of)(&highest);
        low = -LANES_NAME(largest_of)(&lowest);
        step = LANES_NAME(largest_of)(&steepest);
        strange = LANES_NAME(total)(&odd);
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

LANES_TARGET static void LANES_NAME(average_blocks)(const double *values, size_t width, size_t blocks, double offset,
                                                    double factor, double *means)
{
    for (size_t k = 0; k < blocks; k++, values += width) {
        LANES_NAME(lanes) sums = {0};
        size_t i = 0;
        for (; i + LANES <= width; i += LANES)
            sums += *(const LANES_NAME(loose) *)(values + i) - offset;
        double all = i > 0 ? LANES_NAME(total)(&sums) : 0.0;
        for (; i < width; i++)
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

/* Five lags at once: a sample is then loaded once for all of them. */
LANES_TARGET static void LANES_NAME(sum_five_lags)(const double *values, size_t count, size_t lag, double *sums)
{
    LANES_NAME(lanes) first = {0}, second = {0}, third = {0}, fourth = {0}, fifth = {0};
    const double *earlier = values - lag - 4;
    size_t i = 0;
    for (; i + LANES <= count; i += LANES) {
        const LANES_NAME(lanes) here = *(const LANES_NAME(loose) *)(values + i);
        const double *before = earlier + i;
        fifth += here * *(const LANES_NAME(loose) *)before;
        fourth += here * *(const LANES_NAME(loose) *)(before + 1);
        third += here * *(const LANES_NAME(loose) *)(before + 2);
        second += here * *(const LANES_NAME(loose) *)(before + 3);
        first += here * *(const LANES_NAME(loose) *)(before + 4);
    }
    double totals[5] = {LANES_NAME(total)(&first), LANES_NAME(total)(&second), LANES_NAME(total)(&third),
                        LANES_NAME(total)(&fourth), LANES_NAME(total)(&fifth)};
    for (; i < count; i++)
        for (size_t k = 0; k < 5; k++)
            totals[k] += values[i] * earlier[i + 4 - k];
    for (size_t k = 0; k < 5; k++)
        sums[lag + k] += totals[k];
}

LANES_TARGET static void LANES_NAME(sum_lagged)(const double *values, size_t count, size_t lags, double *sums)
{
    size_t lag = 0;
    for (; lag + 5 <= lags; lag += 5)
        LANES_NAME(sum_five_lags)(values, count, lag, sums);
    for (; lag < lags; lag++) {
        const double *earlier = values - lag;
        for (size_t i = 0; i < count; i++)
            sums[lag] += values[i] * earlier[i];
    }
}
