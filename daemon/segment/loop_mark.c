/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "segment/loop_mark.h"

#include "identify/loop/loop_signal.h"

#include <math.h>

/* It tells how long a sine stays within that share of its stroke of its end, in periods. */
static double share_of_sine(double share)
{
    return acos(fmax(-1, 1 - 2 * share)) / M_PI;
}

double loop_mark_rest(const struct loop_mark *mark, double stroke, double period_s)
{
    return fmax(0, mark->width_s - share_of_sine(mark->level / stroke) * period_s);
}

/* A swing that is twice as large as the least that counts shows in a record, whatever its noise is taken for there. */
static const double shows = 2;

/* The middle of the half cycle before it, or as much earlier as it takes for its way to the reversal to show. */
static uint64_t before_of(const struct loop_scans *scans, double least, struct extreme at, uint64_t reversal_before)
{
    uint64_t before = loop_scans_middle(scans, reversal_before, (uint64_t)at.at);
    while (before > reversal_before && fabs(loop_scans_at(scans, before)->displacement - at.value) < shows * least)
        before--;
    return before;
}

struct loop_mark loop_mark_of(const struct loop_scans *scans, double least, struct extreme at, uint64_t now,
                              uint64_t reversal_before)
{
    const double swing = fabs(loop_scans_at(scans, reversal_before)->displacement - at.value);
    const double level = fmax(least, LOOP_REST_SHARE * swing);
    const uint64_t sample = (uint64_t)at.at;
    uint64_t passed = sample, left = sample;
    while (passed > scans->first && fabs(loop_scans_at(scans, passed)->displacement - at.value) < level)
        passed--;
    while (left < now && fabs(loop_scans_at(scans, left)->displacement - at.value) < level)
        left++;
    const double from_s = loop_scans_at(scans, passed)->time_s, to_s = loop_scans_at(scans, left)->time_s;
    return (struct loop_mark){.sample = sample,
                              .value = at.value,
                              .before = before_of(scans, least, at, reversal_before),
                              .arrived = passed,
                              .middle = passed + (left - passed) / 2,
                              .centre_s = 0.5 * (from_s + to_s),
                              .width_s = to_s - from_s,
                              .level = level};
}

static double width_of_sine(const struct loop_mark *mark, const struct loop_figures *loop)
{
    return share_of_sine(mark->level / loop->value[LOOP_STROKE]) * loop->value[LOOP_PERIOD];
}

void loop_mark_leaves(struct loop_mark *mark, const struct loop_figures *latest, uint64_t now)
{
    const double left_s = mark->centre_s + 0.5 * mark->width_s;
    mark->width_s = width_of_sine(mark, latest);
    mark->centre_s = left_s - 0.5 * mark->width_s;
    mark->middle = now;
}

void loop_mark_arrives(struct loop_mark *mark, const struct loop_figures *latest)
{
    const double arrived_s = mark->centre_s - 0.5 * mark->width_s;
    mark->width_s = width_of_sine(mark, latest);
    mark->centre_s = arrived_s + 0.5 * mark->width_s;
    mark->middle = mark->arrived;
}
