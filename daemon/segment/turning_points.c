/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The cheapest look at the stream, sample by sample: where does it turn? Everything dearer is done only between two
 * turning points. No memory, no allocation. */

#include "segment/turning_points.h"

#include <math.h>

void turning_points_start(struct turning_points *points, uint64_t number, double displacement)
{
    *points = (struct turning_points){.extreme = {number, displacement}, .highest = {number, displacement}};
}

static void turn(struct turning_points *points, int direction, uint64_t number, double displacement)
{
    points->before = points->last;
    points->last = points->extreme;
    points->extreme = (struct turning_point){number, displacement};
    points->direction = direction;
    if (points->seen < 1000)
        points->seen++;
}

/* The first swing: it begins at whichever end came first. */
static bool begin(struct turning_points *points, uint64_t number, double displacement, double hysteresis)
{
    if (displacement < points->extreme.displacement)
        points->extreme = (struct turning_point){number, displacement};
    if (displacement > points->highest.displacement)
        points->highest = (struct turning_point){number, displacement};
    if (!(points->highest.displacement - points->extreme.displacement > hysteresis))
        return false;
    bool rising = points->highest.number > points->extreme.number;
    struct turning_point latest = rising ? points->highest : points->extreme;
    if (!rising)
        points->extreme = points->highest;
    turn(points, rising ? 1 : -1, latest.number, latest.displacement);
    return true;
}

/* Whether a reversal of this size, seen at this sample, ends the swing. */
static bool counts(const struct turning_points *points, uint64_t number, double reversal)
{
    double swing = fabs(points->extreme.displacement - points->last.displacement);
    /* A swing is young until the time since its extreme is longer than it took to get there. */
    uint64_t young = points->extreme.number + (points->extreme.number - points->last.number);
    return number > young || reversal > 0.25 * swing;
}

bool turning_points_follow(struct turning_points *points, const struct sample_history *history, uint64_t *number,
                           uint64_t end, double hysteresis)
{
    const double *sample = history->displacement;
    uint64_t first = history->first;
    uint64_t i = *number;
    for (; i < end && points->direction == 0; i++)
        if (begin(points, i, sample[i - first], hysteresis)) {
            *number = i + 1;
            return true;
        }
    double sign = points->direction;
    double extreme = sign * points->extreme.displacement;
    for (; i < end; i++) {
        double value = sign * sample[i - first];
        if (value > extreme) {
            extreme = value;
            points->extreme = (struct turning_point){i, sample[i - first]};
        } else if (extreme - value > hysteresis && counts(points, i, extreme - value)) {
            turn(points, -points->direction, i, sample[i - first]);
            *number = i + 1;
            return true;
        }
    }
    *number = i;
    return false;
}
