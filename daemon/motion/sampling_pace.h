/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_MOTION_SAMPLING_PACE_H
#define FRICID_MOTION_SAMPLING_PACE_H

/* Which steps from one time stamp to the next leave a gap, and where sampling has but become slower. Of use for samples
 * that follow each other in memory and for a stream of them. */

#include <stdbool.h>
#include <stddef.h>

/* A step so many times longer than those around it is a gap. Jitter and a late sample now and then are none: a
 * scheduler that is late leaves out three or four. */
#define SAMPLING_GAP_STEPS 5.0

/* So many steps on end of a like length are a pace of sampling, however much shorter the steps beside them are: the
 * fewest samples that draw a loop are ten, and five of them a half of it. */
enum { SAMPLING_PACE_STEPS = 5 };

/* Whether the step to time_s[i], i > 0, is one of so many on end none of which is shorter by SAMPLING_GAP_STEPS. One
 * that is not, and long, is a gap. */
static inline bool sampling_keeps_pace(const double *time_s, size_t count, size_t i)
{
    const double least = (time_s[i] - time_s[i - 1]) / SAMPLING_GAP_STEPS;
    size_t first = i, last = i;
    while (first > 1 && i - first < SAMPLING_PACE_STEPS && time_s[first - 1] - time_s[first - 2] >= least)
        first--;
    while (last + 1 < count && last - i < SAMPLING_PACE_STEPS && time_s[last + 1] - time_s[last] >= least)
        last++;
    return last - first + 1 >= SAMPLING_PACE_STEPS;
}

#endif
