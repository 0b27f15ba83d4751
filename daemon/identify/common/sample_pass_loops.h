/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_SAMPLE_PASS_LOOPS_H
#define FRICID_IDENTIFY_SAMPLE_PASS_LOOPS_H

#include "identify/common/sample_pass.h"

/* The loops of sample_pass.c; each does what the function of sample_pass.h does that calls it. */
struct sample_pass_loops {
    void (*find_extremes)(const double *values, size_t count, struct sample_extremes *extremes);
    void (*find_smallest_step)(const double *values, size_t count, double *smallest);
    void (*average_blocks)(const double *values, size_t width, size_t blocks, double offset, double factor,
                           double *means);
    void (*sum_differences)(const double *y, size_t count, double *sum);
    void (*sum_lagged)(const double *values, size_t count, size_t first, size_t lags, double *sums);
};

LANES_TABLES(sample_pass_loops)

#endif
