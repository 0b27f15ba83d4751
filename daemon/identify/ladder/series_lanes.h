/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The loops of motion_series.c; lanes_each.h says how it is read. Horner's rule on the even and on the odd orders, so
 * that neither waits for the other. */

LANES_TARGET static void LANES_NAME(value)(const series_values coefficients, double time, double *value, double *slope)
{
    _Static_assert(SERIES_ORDER % 2 == 0, "the last order is an even one");
    const double square = time * time;
    double even = coefficients[SERIES_ORDER], even_by = 0, odd = 0, odd_by = 0;
    for (size_t k = SERIES_ORDER; k > 0; k -= 2) {
        even_by = even_by * square + even;
        odd_by = odd_by * square + odd;
        even = even * square + coefficients[k - 2];
        odd = odd * square + coefficients[k - 1];
    }
    *value = even + time * odd;
    *slope = 2 * time * (even_by + time * odd_by) + odd;
}

LANES_TARGET static void LANES_NAME(at)(const series_derivatives coefficients, size_t order, double time,
                                        derivatives value)
{
    const double square = time * time;
    for (size_t lane = 0; lane < SERIES_LANES; lane += LANES) {
        LANES_NAME(lanes) even = *(const LANES_NAME(loose) *)&coefficients[order][lane], odd = {0};
        for (size_t k = order; k > 0; k -= 2) {
            odd = odd * square + *(const LANES_NAME(loose) *)&coefficients[k - 1][lane];
            even = even * square + *(const LANES_NAME(loose) *)&coefficients[k - 2][lane];
        }
        *(LANES_NAME(loose) *)&value[lane] = even + time * odd;
    }
}

LANES_TARGET static void LANES_NAME(release_by)(const struct motion_series *series, const derivatives time_by,
                                                series_derivatives x_by)
{
    for (size_t lane = 0; lane < SERIES_LANES; lane += LANES) {
        const LANES_NAME(lanes) later = *(const LANES_NAME(loose) *)&time_by[lane];
        for (size_t k = 0; k <= series->by_order; k++)
            *(LANES_NAME(loose) *)&x_by[k][lane] =
                *(const LANES_NAME(loose) *)&series->x_by[k][lane] - series->v[k] * later;
    }
}
