/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/loop/loop_corner.h"

/* With noise the extreme sample is not the one next to the corner: the crossing of the lines tells which is, and so on
 * until it stays, or goes to and fro between two. */
enum { ROUNDS = 8 };

/* A line needs two samples, its residuals a third. */
enum { SIDE_LEAST = 3 };

struct side {
    size_t count;
    double time_s, displacement; /* means, from those of the first sample on */
    double slope, spread;        /* spread: sum of squares of the times about their mean */
    double squares;
};

static struct side side_of(const struct loop_signal *signal, size_t first, size_t last, size_t origin)
{
    const double *t = signal->time_s, *x = signal->displacement;
    struct side side = {.count = last - first + 1};
    double products = 0;
    for (size_t i = first; i <= last; i++) {
        side.time_s += (t[i] - t[origin]) / (double)side.count;
        side.displacement += (x[i] - x[origin]) / (double)side.count;
    }
    for (size_t i = first; i <= last; i++) {
        const double time_s = t[i] - t[origin] - side.time_s;
        side.spread += time_s * time_s;
        products += time_s * (x[i] - x[origin] - side.displacement);
    }
    side.slope = products / side.spread;
    for (size_t i = first; i <= last; i++) {
        const double rest = x[i] - x[origin] - side.displacement - side.slope * (t[i] - t[origin] - side.time_s);
        side.squares += rest * rest;
    }
    return side;
}

/* Over that of the noise, of the line at a time. */
static double variance_at(const struct side *side, double time_s)
{
    return 1 / (double)side->count + (time_s - side->time_s) * (time_s - side->time_s) / side->spread;
}

/* Of lines of which one rises and the other falls. */
static void cross(const struct loop_signal *signal, size_t origin, const struct side *one, const struct side *other,
                  struct loop_corner *corner)
{
    const double turn = one->slope - other->slope;
    const double start = one->displacement - one->slope * one->time_s;
    const double time_s = (other->displacement - other->slope * other->time_s - start) / turn;
    const double by_one = other->slope / turn, by_other = one->slope / turn;
    corner->time_s = signal->time_s[origin] + time_s;
    corner->displacement = signal->displacement[origin] + start + one->slope * time_s;
    corner->variance = by_one * by_one * variance_at(one, time_s) + by_other * by_other * variance_at(other, time_s);
    corner->squares = one->squares + other->squares;
}

bool loop_corner_fit(const struct loop_signal *signal, size_t from, size_t sample, size_t to,
                     struct loop_corner *corner)
{
    const double *t = signal->time_s;
    size_t split = sample; /* the last one of the first line */
    struct loop_corner found;
    bool any = false;
    for (int round = 0; round < ROUNDS; round++) {
        const struct side one = side_of(signal, from, split, from), other = side_of(signal, split + 1, to, from);
        if (!(one.slope * other.slope < 0))
            break;
        cross(signal, from, &one, &other, &found);
        if (!(found.time_s > t[from] && found.time_s < t[to]))
            break;
        if (!any || found.squares < corner->squares)
            *corner = found;
        any = true;
        size_t next = split;
        while (next + SIDE_LEAST < to && t[next + 1] <= found.time_s)
            next++;
        while (next + 1 > from + SIDE_LEAST && t[next] > found.time_s)
            next--;
        if (next == split)
            break;
        split = next;
    }
    return any;
}
