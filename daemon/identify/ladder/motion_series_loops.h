/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_MOTION_SERIES_LOOPS_H
#define FRICID_IDENTIFY_MOTION_SERIES_LOOPS_H

#include "identify/ladder/motion_series.h"

/* The loops of motion_series.c. */
struct motion_series_loops {
    void (*value)(const series_values coefficients, double time, double *value, double *slope);
    void (*at)(const series_derivatives coefficients, size_t order, double time, derivatives value);
    void (*release_by)(const struct motion_series *series, const derivatives time_by, series_derivatives x_by);
};

LANES_TABLES(motion_series_loops)

#endif
