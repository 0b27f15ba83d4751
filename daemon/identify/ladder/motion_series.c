/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ladder/motion_series.h"

#define LANES_SOURCE "identify/ladder/series_lanes.h"
#include "identify/common/lanes_each.h"

void series_at(enum lanes_kind kind, const series_derivatives coefficients, double time, derivatives value)
{
    LANES_SWITCH(kind, at, coefficients, time, value);
}
