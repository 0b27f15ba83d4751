/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Horner's rule goes over the even and over the odd orders, so that neither waits for the other. */

#include "identify/ladder/motion_series_loops.h"

#include "motion/loops.h"

static void value(const series_values coefficients, double time, double *value, double *slope)
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

static void at(const series_derivatives coefficients, size_t order, double time, derivatives value)
{
    const double square = time * time;
    for (size_t lane = 0; lane < SERIES_LANES; lane += LANES) {
        lanes even = *(const loose *)&coefficients[order][lane], odd = {0};
        for (size_t k = order; k > 0; k -= 2) {
            odd = odd * square + *(const loose *)&coefficients[k - 1][lane];
            even = even * square + *(const loose *)&coefficients[k - 2][lane];
        }
        *(loose *)&value[lane] = even + time * odd;
    }
}

static void release_by(const struct motion_series *series, const derivatives time_by, series_derivatives x_by)
{
    for (size_t lane = 0; lane < SERIES_LANES; lane += LANES) {
        const lanes later = *(const loose *)&time_by[lane];
        for (size_t k = 0; k <= series->by_order; k++)
            *(loose *)&x_by[k][lane] = *(const loose *)&series->x_by[k][lane] - series->v[k] * later;
    }
}

const struct motion_series_loops LANES_TABLE(motion_series_loops) = {
    .value = value, .at = at, .release_by = release_by};
