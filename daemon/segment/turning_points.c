/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The cheapest look at the stream, sample by sample: where does it turn? Everything dearer is done only between two
 * turning points. No memory, no allocation. */

#include "segment/turning_points.h"

#include "segment/chunk.h"
#include "segment/extremes.h"
#include "segment/tolerances.h"

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
    if (points->seen < 2)
        points->seen++;
}

/* The first swing begins at whichever end came first. */
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

/* It tells whether a reversal of this size, seen at this sample, ends the swing. */
static bool counts(const struct turning_points *points, uint64_t number, double reversal)
{
    double swing = fabs(points->extreme.displacement - points->last.displacement);
    /* A reversal comes early until the time since the extreme is longer than the swing took to get there. */
    uint64_t early_until = points->extreme.number + (points->extreme.number - points->last.number);
    return number > early_until || reversal > EARLY_REVERSAL_OF_SWING * swing;
}

/* Both loops below follow a signal that rises; the sign turns one that falls upside down. Noise decides no branch in
 * them that every sample takes, for the processor would often predict such a branch wrongly. */

/* It tells whether the signal cannot have turned among these CHUNK samples: then only the extreme may have moved. */
static bool goes_straight_on(struct turning_points *points, const double *sample, uint64_t number, double hysteresis)
{
    double lowest, highest, sign = points->direction, extreme = sign * points->extreme.displacement;
    chunk_range(sample, CHUNK, &lowest, &highest);
    double least = smaller(sign * lowest, sign * highest), most = larger(sign * lowest, sign * highest);
    if (larger(most, extreme) - least > hysteresis)
        return false;
    if (!(most > extreme))
        return true;
    size_t i = 0;
    while (sign * sample[i] < most)
        i++;
    points->extreme = (struct turning_point){number + i, sample[i]};
    return true;
}

/* It looks at sample after sample, up to the one that confirms a turning point. */
static bool look_closer(struct turning_points *points, const double *sample, uint64_t *number, uint64_t end,
                        double hysteresis)
{
    double sign = points->direction, extreme = sign * points->extreme.displacement;
    uint64_t at = points->extreme.number;
    for (uint64_t i = *number; i < end; i++, sample++) {
        double value = sign * *sample;
        at = value > extreme ? i : at;
        extreme = larger(value, extreme);
        if (!(extreme - value > hysteresis))
            continue;
        points->extreme = (struct turning_point){at, sign * extreme};
        if (counts(points, i, extreme - value)) {
            turn(points, -points->direction, i, *sample);
            *number = i + 1;
            return true;
        }
    }
    points->extreme = (struct turning_point){at, sign * extreme};
    *number = end;
    return false;
}

bool turning_points_follow(struct turning_points *points, const struct sample_history *history, uint64_t *number,
                           uint64_t end, double hysteresis)
{
    const double *sample = sample_history_span(history, *number, end).displacement;
    if (!sample)
        *number = end;
    for (; *number < end && points->direction == 0; sample++) {
        uint64_t i = (*number)++;
        if (begin(points, i, *sample, hysteresis))
            return true;
    }
    while (*number < end) {
        uint64_t i = *number, stop = end - i > CHUNK ? i + CHUNK : end;
        bool straight = stop - i == CHUNK && goes_straight_on(points, sample, i, hysteresis);
        if (!straight && look_closer(points, sample, number, stop, hysteresis))
            return true;
        *number = stop;
        sample += stop - i;
    }
    return false;
}
