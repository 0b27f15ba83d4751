/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/common/sample_pass.h"

#include <math.h>

/* 0 where all values are finite, otherwise NaN. */
static double strangeness(const double *values, size_t count)
{
    double sum = 0.0;
    for (size_t i = 0; i < count; i++)
        sum += values[i] - values[i];
    return sum;
}

#define LANES_SOURCE "identify/common/sample_lanes.h"
#include "identify/common/lanes_each.h"

struct sample_extremes sample_extremes_of(enum lanes_kind kind, const double *values, size_t count)
{
    struct sample_extremes extremes;
    LANES_SWITCH(kind, find_extremes, values, count, &extremes);
    return extremes;
}

double smallest_step(enum lanes_kind kind, const double *values, size_t count)
{
    double step;
    LANES_SWITCH(kind, find_smallest_step, values, count, &step);
    return step;
}

void sample_block_sums(enum lanes_kind kind, const double *values, size_t width, size_t blocks, double offset,
                       double factor, double *sums)
{
    LANES_SWITCH(kind, average_blocks, values, width, blocks, offset, factor, sums);
}

double sixth_difference_squares(enum lanes_kind kind, const double *values, size_t count)
{
    double sum;
    LANES_SWITCH(kind, sum_differences, values, count, &sum);
    return sum;
}

void lagged_products(enum lanes_kind kind, const double *values, size_t count, size_t first, size_t lags, double *sums)
{
    LANES_SWITCH(kind, sum_lagged, values, count, first, lags, sums);
}
