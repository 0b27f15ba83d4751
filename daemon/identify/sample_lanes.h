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

LANES_TARGET static void LANES_NAME(sum_values)(const double *values, size_t count, double offset, double *sum)
{
    LANES_NAME(lanes) sums = {0};
    size_t i = 0;
    for (; i + LANES <= count; i += LANES)
        sums += *(const LANES_NAME(loose) *)(values + i) - offset;
    double all = LANES_NAME(total)(&sums);
    for (; i < count; i++)
        all += values[i] - offset;
    *sum = all;
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

LANES_TARGET static void LANES_NAME(sum_lagged)(const double *values, size_t count, size_t lags, double *sums)
{
    for (size_t lag = 0; lag < lags; lag++) {
        const double *earlier = values - lag;
        LANES_NAME(lanes) even = {0}, odd = {0};
        size_t i = 0;
        for (; i + 2 * LANES <= count; i += 2 * LANES) {
            const double *here = values + i, *before = earlier + i;
            even += *(const LANES_NAME(loose) *)here * *(const LANES_NAME(loose) *)before;
            odd += *(const LANES_NAME(loose) *)(here + LANES) * *(const LANES_NAME(loose) *)(before + LANES);
        }
        even += odd;
        double sum = LANES_NAME(total)(&even);
        for (; i < count; i++)
            sum += values[i] * earlier[i];
        sums[lag] += sum;
    }
}
