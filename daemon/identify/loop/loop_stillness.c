/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/loop/loop_stillness.h"

#include <gsl/gsl_statistics.h>
#include <math.h>
#include <stddef.h>

/* Of the range of displacements, in either direction. */
static const double way_share = 0.5;

/* How far a displacement went up from where it was lowest, and down from where it was highest. */
struct ways {
    double lowest, highest, up, down;
};

static struct ways ways_from(double displacement)
{
    return (struct ways){displacement, displacement, 0, 0};
}

static void go_on(struct ways *ways, double displacement)
{
    ways->lowest = fmin(ways->lowest, displacement);
    ways->highest = fmax(ways->highest, displacement);
    ways->up = fmax(ways->up, displacement - ways->lowest);
    ways->down = fmax(ways->down, ways->highest - displacement);
}

bool loop_force_stands_still(const struct loop_signal *signal)
{
    const double *x = signal->displacement, *force = signal->force;
    double lowest, highest;
    gsl_stats_minmax(&lowest, &highest, x, 1, signal->count);
    const double far = way_share * (highest - lowest);
    struct ways ways = ways_from(x[0]);
    bool still = false;
    for (size_t i = 1; i < signal->count && !still; i++) {
        const double change = force[i] - force[i - 1];
        if (change < 0 || change > 0)
            ways = ways_from(x[i]);
        go_on(&ways, x[i]);
        still = ways.up > far && ways.down > far;
    }
    return still;
}
