/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/friction_stop.h"

#include <math.h>
#include <stddef.h>

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

double friction_stop_length(const struct friction_stops *stops, double side)
{
    return 2 * (side > 0 ? stops->ratio : 1) / (1 + stops->ratio);
}

/* A stop that is displaced so far to its own side. */
struct pressed_stop {
    double way, length;
    struct stop_force force;
};

static struct pressed_stop pressed_at(const struct friction_stops *stops, double side, double displaced)
{
    const double length = friction_stop_length(stops, side), way = (displaced - stops->gap / 2) / length;
    return (struct pressed_stop){way, length, friction_stop_force(way, stops->hardening)};
}

/* Where a stop transmits its force without the other one. */
static double limit_alone(const struct friction_stops *stops, double side)
{
    const double way = (1 + stops->hardening * (exp2(1 / stops->hardening) - 1)) / 2;
    return friction_stop_length(stops, side) * way + stops->gap / 2;
}

/* From there on by Newton's steps, for the force of both stops grows with the way. */
double friction_stop_limit_way(const struct friction_stops *stops, double side)
{
    enum { STEPS_MOST = 30 };
    static const double least_step = 1e-14;
    double way = limit_alone(stops, side);
    for (size_t k = 0; k < STEPS_MOST; k++) {
        const struct pressed_stop at = pressed_at(stops, side, way), other = pressed_at(stops, -side, -way);
        const double lacks = at.length - at.length * at.force.force + other.length * other.force.force;
        const double step = lacks / (at.force.by_way + other.force.by_way);
        way += step;
        if (fabs(step) <= least_step * way)
            break;
    }
    return way;
}

/* By the force of both at a place, which stays what it is. */
struct stop_limit friction_stop_limit(const struct friction_stops *stops, double side)
{
    const double way = friction_stop_limit_way(stops, side);
    const struct pressed_stop at = pressed_at(stops, side, way), other = pressed_at(stops, -side, -way);
    const double slope = at.force.by_way + other.force.by_way;
    const double length_by_ratio = (side > 0 ? 1 : -1) * 2 * stops->ratio / ((1 + stops->ratio) * (1 + stops->ratio));
    const double by_length =
        1 - (at.force.force - at.way * at.force.by_way) - (other.force.force - other.way * other.force.by_way);
    const double by_hardening = at.length * friction_stop_by_hardening(at.way, stops->hardening) -
                                other.length * friction_stop_by_hardening(other.way, stops->hardening);
    return (struct stop_limit){.way = way,
                               .by_gap = (at.force.by_way - other.force.by_way) / 2 / slope,
                               .by_ratio = by_length * length_by_ratio / slope,
                               .by_hardening = -by_hardening / slope};
}

bool friction_stops_are_apart(const struct friction_stops *stops)
{
    bool apart = true;
    for (int side = -1; side <= 1; side += 2)
        apart = apart && !(pressed_at(stops, -side, -limit_alone(stops, side)).force.force > 0);
    return apart;
}
