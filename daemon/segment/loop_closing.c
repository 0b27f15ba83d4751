/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "segment/loop_closing.h"

#include "segment/tolerances.h"
#include "segment/turn_rise.h"

#include <math.h>

/* A loop that comes back to where it began closes when it has left its end by this share of its stroke: a sine does so
 * within 4 % of its period. Others close when the next half cycle is certain. */
static const double leaving_share = 0.015;

/* From the time on at which a loop is predicted to close, less has to show that it does. A sine leaves its end by this
 * share within 3 % of its period. Both are asked together, of each scan from then on: of 600 loops each with 50 to 200
 * samples and noise of 0.3 and 3 %, sines and triangles, steady ones, ones whose periods scatter by 3 %, and ones whose
 * ways to and fro are as 1 to 3, none was told earlier than 1.4 % of its period before it closed. */
static const double due_leaving_share = 0.009, due_deviations = 2;

/* A loop closes at the latest when this part of its period has passed since it was predicted to, for it is to be told
 * within a twentieth of it. What is left of that twentieth is 1.5 to 2 standard deviations of the time that is
 * predicted with 50 scans a period and noise of 3 % of half the stroke. Until then what comes behind the reversal helps
 * to fit it. */
static const double over_share = 0.035;

/* A parabola goes through so much of a period at a reversal: a sine is one there to 1 in 300 of its amplitude. It takes
 * so many scans of them at most. */
static const double turn_share = 0.16;
enum { TURN_SAMPLES = 256 };

/* It tells how far the displacement has left the end of the loop: in noise a parabola through the latest scans tells
 * that long before a single scan does. */
static double rise_by_parabola(const struct running_loop *loop, double deviations, uint64_t now)
{
    double latest[TURN_SAMPLES];
    const uint64_t before = (now - scan_earlier(now, loop->upper->middle)) / 2;
    const uint64_t rising = loop->upper->middle - scan_earlier(loop->upper->middle, loop->lower->middle);
    const uint64_t span = scan_earlier(before, (uint64_t)(turn_share * 2 * (double)rising));
    const uint64_t step = span / TURN_SAMPLES + 1;
    const size_t count = (size_t)(span / step);
    for (size_t i = 0; i < count; i++)
        latest[i] = loop_scans_at(loop->scans, now - (count - 1 - i) * step)->displacement;
    return turn_rise(latest, count, loop->noise, deviations);
}

static double stroke_of(const struct running_loop *loop)
{
    return loop->upper->value - loop->lower->value;
}

bool running_loop_came_back(const struct running_loop *loop, double low)
{
    return fabs(low - loop->lower->value) <=
           fmax(LOOP_CLOSING_SHARE * stroke_of(loop), CERTAIN_DEVIATIONS * loop->noise);
}

/* It tells whether the displacement has left the end of the loop. Before the loop is due to close, more of that is
 * asked for. */
static bool leaves(const struct running_loop *loop, double low, bool due, uint64_t now)
{
    const double left = (due ? due_leaving_share : leaving_share) * stroke_of(loop);
    return loop_scans_at(loop->scans, now)->displacement - low > fmax(loop->least, left) ||
           rise_by_parabola(loop, due ? due_deviations : CERTAIN_DEVIATIONS, now) > left;
}

bool running_loop_closed(const struct running_loop *loop, double low, double end_s, uint64_t now)
{
    const double now_s = loop_scans_at(loop->scans, now)->time_s;
    const double next_s = 2 * now_s - loop_scans_at(loop->scans, now - 1)->time_s;
    return next_s > end_s + over_share * (end_s - loop->lower->centre_s) || leaves(loop, low, now_s >= end_s, now);
}

struct loop_figures running_loop_figures(const struct running_loop *loop, const struct loop_mark *end)
{
    const struct loop_mark *start = loop->lower, *top = loop->upper;
    const double stroke = top->value - 0.5 * (start->value + end->value);
    const double off = fabs(end->value - start->value);
    struct loop_figures figures = {.start_s = start->centre_s,
                                   .end_s = end->centre_s,
                                   .returns = off <= fmax(LOOP_CLOSING_SHARE * stroke, loop->least)};
    double sum = 0, lowest = INFINITY, highest = -INFINITY;
    for (uint64_t i = start->middle; i < end->middle; i++) {
        const double force = loop_scans_at(loop->scans, i)->force;
        sum += force;
        lowest = fmin(lowest, force);
        highest = fmax(highest, force);
    }
    figures.value[LOOP_STROKE] = stroke;
    figures.se[LOOP_STROKE] = loop->noise;
    figures.value[LOOP_PERIOD] = end->centre_s - start->centre_s;
    figures.mean_force = sum / (double)(end->middle - start->middle);
    figures.force_range = highest - lowest;
    figures.rest_s = loop_mark_rest(top, stroke, figures.value[LOOP_PERIOD]) +
                     loop_mark_rest(end, stroke, figures.value[LOOP_PERIOD]);
    return figures;
}
