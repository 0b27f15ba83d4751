/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ladder/motion_series_loops.h"

double series_value(enum lanes_kind kind, const series_values coefficients, double time, double *slope)
{
    double value;
    motion_series_loops_of(kind)->value(coefficients, time, &value, slope);
    return value;
}

void series_at(enum lanes_kind kind, const series_derivatives coefficients, size_t order, double time,
               derivatives value)
{
    motion_series_loops_of(kind)->at(coefficients, order, time, value);
}

void series_release_by(enum lanes_kind kind, const struct motion_series *series, const derivatives time_by,
                       series_derivatives x_by)
{
    motion_series_loops_of(kind)->release_by(series, time_by, x_by);
}
