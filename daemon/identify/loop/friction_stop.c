/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/friction_stop.h"

#include <math.h>

/* Below 0 the stop is not reached. */
static double base_of(double way, double hardening)
{
    return 1 + (2 * way - 1) / hardening;
}

struct stop_force friction_stop_force(double way, double hardening)
{
    const double base = base_of(way, hardening);
    if (!(base > 0))
        return (struct stop_force){0, 0};
    /* A spring needs no power, which costs as much as all else of a step. */
    const double slope = hardening > 1 ? pow(base, hardening - 1) : 1;
    return (struct stop_force){base * slope / 2, slope};
}

double friction_stop_by_hardening(double way, double hardening)
{
    const double base = base_of(way, hardening);
    const struct stop_force stop = friction_stop_force(way, hardening);
    return base > 0 ? hardening * (stop.force * log(base) - (base - 1) * stop.by_way / 2) : 0;
}

struct stop_limit friction_stop_limit(double hardening)
{
    const double root = exp2(1 / hardening);
    return (struct stop_limit){(1 + hardening * (root - 1)) / 2, (hardening * (root - 1) - M_LN2 * root) / 2};
}

bool friction_stops_are_apart(double gap, double ratio, double hardening)
{
    const double high = 2 * ratio / (1 + ratio), low = 2 - high, slips = friction_stop_limit(hardening).way;
    return !(friction_stop_force(-(gap + high * slips) / low, hardening).force > 0) &&
           !(friction_stop_force(-(gap + low * slips) / high, hardening).force > 0);
}
