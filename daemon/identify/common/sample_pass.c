/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/common/sample_pass_loops.h"

struct sample_extremes sample_extremes_of(enum lanes_kind kind, const double *values, size_t count)
{
    struct sample_extremes extremes;
    sample_pass_loops_of(kind)->find_extremes(values, count, &extremes);
    return extremes;
}

double smallest_step(enum lanes_kind kind, const double *values, size_t count)
{
    double step;
    sample_pass_loops_of(kind)->find_smallest_step(values, count, &step);
    return step;
}

void sample_block_sums(enum lanes_kind kind, const double *values, size_t width, size_t blocks, double offset,
                       double factor, double *sums)
{
    sample_pass_loops_of(kind)->average_blocks(values, width, blocks, offset, factor, sums);
}

double sixth_difference_squares(enum lanes_kind kind, const double *values, size_t count)
{
    double sum;
    sample_pass_loops_of(kind)->sum_differences(values, count, &sum);
    return sum;
}

void lagged_products(enum lanes_kind kind, const double *values, size_t count, size_t first, size_t lags, double *sums)
{
    sample_pass_loops_of(kind)->sum_lagged(values, count, first, lags, sums);
}
