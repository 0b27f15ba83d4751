/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/loop/loop_corner.h"

#include <math.h>

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
                  struct loop_vertex *corner)
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
                     struct loop_vertex *corner)
{
    const double *t = signal->time_s;
    size_t split = sample; /* the last one of the first line */
    struct loop_vertex found;
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

/* By trapezia: each sample stands for half of the way to its neighbours. */
static double area_between(const struct loop_signal *signal, size_t first, size_t last, size_t origin,
                           const struct side sides[2], const struct loop_vertex *corner)
{
    const double *t = signal->time_s, *x = signal->displacement;
    double area = 0;
    for (size_t i = first; i <= last; i++) {
        const struct side *side = &sides[t[i] > corner->time_s];
        const double line = side->displacement + side->slope * (t[i] - t[origin] - side->time_s);
        area += 0.5 * (t[i + 1] - t[i - 1]) * (line - (x[i] - x[origin]));
    }
    return sides[0].slope > 0 ? area : -area;
}

bool loop_cut_fit(const struct loop_signal *signal, const struct loop_window *window, double apart_s,
                  struct loop_cut *cut)
{
    const double *t = signal->time_s;
    const size_t from = window->from, to = window->to;
    size_t first = from, last = to;
    if (!loop_corner_fit(signal, from, window->middle, to, &cut->corner))
        return false;
    while (first < to && t[first] <= cut->corner.time_s - apart_s)
        first++;
    while (last > from && t[last] >= cut->corner.time_s + apart_s)
        last--;
    if (first < from + SIDE_LEAST || last + SIDE_LEAST > to || first > last)
        return false;
    const struct side sides[] = {side_of(signal, from, first - 1, from), side_of(signal, last + 1, to, from)};
    if (!(sides[0].slope * sides[1].slope < 0))
        return false;
    cross(signal, from, &sides[0], &sides[1], &cut->corner);
    cut->area = area_between(signal, first, last, from, sides, &cut->corner);
    cut->width_s = 1 / fabs(sides[0].slope) + 1 / fabs(sides[1].slope);
    return cut->corner.time_s > t[first - 1] && cut->corner.time_s < t[last + 1];
}

/* When a line is at a displacement, from the first sample on. */
static double reaches_s(const struct side *side, double displacement)
{
    return side->time_s + (displacement - side->displacement) / side->slope;
}

/* Lines up to sample `first` and from `last` on, and what is between. False: no level. */
static bool join_level(const struct loop_signal *signal, const size_t ends[2], size_t first, size_t last,
                       double until_s[2], struct loop_vertex *level)
{
    const double *t = signal->time_s;
    const size_t from = ends[0];
    const struct side one = side_of(signal, from, first, from), other = side_of(signal, last, ends[1], from);
    const struct side flat = side_of(signal, first + 1, last - 1, from);
    if (!(one.slope * other.slope < 0))
        return false;
    until_s[0] = t[from] + reaches_s(&one, flat.displacement);
    until_s[1] = t[from] + reaches_s(&other, flat.displacement);
    level->time_s = 0.5 * (until_s[0] + until_s[1]);
    level->displacement = signal->displacement[from] + flat.displacement;
    level->variance = 1 / (double)flat.count;
    level->squares = one.squares + other.squares + flat.squares + flat.slope * flat.slope * flat.spread;
    return until_s[0] > t[from] && until_s[0] < until_s[1] && until_s[1] < t[ends[1]];
}

/* From these ends of the lines on, until they stay. */
static bool follow_level(const struct loop_signal *signal, const size_t ends[2], size_t first, size_t last,
                         struct loop_vertex *level)
{
    const double *t = signal->time_s;
    const size_t lowest = ends[0] + SIDE_LEAST - 1, highest = ends[1] - SIDE_LEAST + 1;
    struct loop_vertex found;
    double until_s[2];
    bool any = false;
    for (int round = 0; round < ROUNDS && join_level(signal, ends, first, last, until_s, &found); round++) {
        if (!any || found.squares < level->squares)
            *level = found;
        any = true;
        const size_t before[2] = {first, last};
        while (first < highest && t[first + 1] <= until_s[0])
            first++;
        while (first > lowest && t[first] > until_s[0])
            first--;
        while (last > lowest && t[last - 1] >= until_s[1])
            last--;
        while (last < highest && t[last] < until_s[1])
            last++;
        if (last < first + SIDE_LEAST + 1 || (first == before[0] && last == before[1]))
            break;
    }
    return any;
}

/* The level is a third of them at first, or two thirds. */
bool loop_level_fit(const struct loop_signal *signal, size_t from, size_t to, struct loop_vertex *level)
{
    const size_t ends[2] = {from, to};
    struct loop_vertex found;
    bool any = false;
    for (size_t k = 1; k <= 2; k++) {
        const size_t sixths = k * (to - from) / 6, side = sixths < SIDE_LEAST - 1 ? SIDE_LEAST - 1 : sixths;
        if (to - from < 2 * side + SIDE_LEAST + 1 || !follow_level(signal, ends, from + side, to - side, &found) ||
            (any && !(found.squares < level->squares)))
            continue;
        *level = found;
        any = true;
    }
    return any;
}
