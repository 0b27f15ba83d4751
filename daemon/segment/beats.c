/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tremor and hum of several frequencies beat: swings fall for a while, but not by the law of a decay, which is
 * D_(j+1) = q D_j - 2 (1 + q) x_k (LF 1998). Each half cycle by itself may look free. */

#include "segment/beats.h"

#include "segment/extremes.h"
#include "segment/half_cycle.h"

#include <math.h>
#include <string.h>

/* Many swings may rise on their way by at most this part of what they fall by in all. */
#define MOST_RISE_OF_FALL 0.5
enum { FEWEST_SWINGS_TO_RISE = 6 };
/* No swing of a motion that was let go is larger than its first by more than this part of that. */
#define MOST_RISE_OF_FIRST 0.05

/* A half cycle before the first is free when its shift is less than this part of the half period, and its residual less
 * than this part of its swing. */
#define FREE_SHIFT 0.15
#define FREE_RESIDUAL 0.03
/* Two modes beat in time as well, by less than this part of the half period. */
#define SAME_RHYTHM 0.3
/* Where a motion is let go, shaken no more or hit, what a swing loses grows within two swings by at least this part of
 * the largest change of a swing. */
#define RELEASE_CORNER_RATIO 0.7
/* So many half cycles behind the first extremum and as many before it are looked at, or as few. */
enum { SWINGS_BEHIND = 6, FEWEST_SWINGS = 3, MOST_SWINGS = 2 * SWINGS_BEHIND };

/* From swings two apart: those up and down may differ on a real rig. */
double swings_scatter(const struct candidate *candidate, size_t first, size_t last)
{
    const double *swing = candidate->swing;
    double sum = 0;
    if (last < first + 3)
        return 0;
    for (size_t j = first; j + 2 < last; j++)
        sum += (swing[j + 2] - swing[j]) * (swing[j + 2] - swing[j]);
    return sqrt(sum / (2 * (double)(last - first - 2)));
}

/* Electronics let swings rise a little, by far less than they fall in a decay. What swings rise by from one to the next
 * but one is their scatter. */
bool swings_rise_and_fall(const struct candidate *candidate, size_t first, size_t last)
{
    const double *swing = candidate->swing;
    double smallest = swing[first], largest = smallest, rise = 0;
    for (size_t j = first + 1; j < last; j++) {
        rise = larger(rise, swing[j] - smallest);
        smallest = smaller(smallest, swing[j]);
        largest = larger(largest, swing[j]);
    }
    /* Of all their rise, or of that above the first. */
    double beyond = larger(rise - MOST_RISE_OF_FALL * (swing[first] - swing[last - 1]),
                           largest - (1 + MOST_RISE_OF_FIRST) * swing[first]);
    return last - first >= FEWEST_SWINGS_TO_RISE && beyond > 0 && beyond > swings_scatter(candidate, first, last);
}

/* How many half cycles of free motion in the rhythm of the candidate end at this extremum of it, MOST_SWINGS at most,
 * measured backwards. Their swings go to swing[MOST_SWINGS - 1] and below, the latest last. */
static size_t free_swings_up_to(const struct candidate *candidate, const struct sample_history *history, double from,
                                size_t extremum, double swing[MOST_SWINGS])
{
    double length = candidate->half_period, end = candidate->extrema[extremum].position;
    from = larger(from, sample_history_position(history, history->floor));
    for (size_t count = 0; count < MOST_SWINGS; count++) {
        struct half_cycle half;
        double size = 0;
        for (int times = 0; times < 2; times++) {
            if (end - length < from)
                return count;
            half_cycle_fit(history, end - length, length, candidate->beta, &half);
            size = fabs(half.swing);
            if (!half.usable || fabs(half.shift) > FREE_SHIFT * candidate->half_period ||
                half.residual > larger(FREE_RESIDUAL * size, 3 * candidate->noise))
                return count;
            length -= half.shift;
            if (fabs(length - candidate->half_period) > SAME_RHYTHM * candidate->half_period)
                return count;
        }
        swing[MOST_SWINGS - 1 - count] = size;
        end -= length;
    }
    return MOST_SWINGS;
}

bool swings_went_on_before(const struct candidate *candidate, const struct sample_history *history, double from)
{
    double all[MOST_SWINGS], largest = 0, corner = 0;
    size_t behind = candidate->count - 1 < SWINGS_BEHIND ? candidate->count - 1 : SWINGS_BEHIND;
    size_t count = free_swings_up_to(candidate, history, from, behind, all);
    if (behind < FEWEST_SWINGS || count < behind + FEWEST_SWINGS)
        return false;
    const double *swing = all + MOST_SWINGS - count;
    for (size_t j = 0; j + 1 < count; j++) {
        double loss = swing[j] - swing[j + 1];
        largest = larger(largest, fabs(loss));
        for (size_t later = j + 1; later <= j + 2 && later + 1 < count; later++)
            corner = larger(corner, swing[later] - swing[later + 1] - loss);
    }
    return corner < RELEASE_CORNER_RATIO * largest;
}

static double mean(const double *values, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += values[i];
    return sum / (double)count;
}

struct fall swings_fall_by(const struct candidate *candidate, size_t first, size_t last)
{
    size_t third = (last - first) / 3 ? (last - first) / 3 : 1;
    return (struct fall){mean(candidate->swing + first, third), mean(candidate->swing + last - third, third), third};
}

bool swings_fall(const struct candidate *candidate, size_t first, size_t last)
{
    struct fall fall = swings_fall_by(candidate, first, last);
    double uncertainty = 2 * candidate->noise;
    return fall.early - fall.late > uncertainty * sqrt(2.0 / (double)fall.third) && fall.late < 0.99 * fall.early;
}

bool swings_level_off(const struct candidate *candidate, size_t first, size_t last, double slack)
{
    size_t swings = last - first, third = swings / 3;
    if (third < 2)
        return true;
    size_t centred = third + (swings - third) % 2;
    double early = mean(candidate->swing + first, third);
    double middle = mean(candidate->swing + first + (swings - centred) / 2, centred);
    double late = mean(candidate->swing + last - third, third);
    return middle < (early + late) / 2 * (1 + slack) + 2 * candidate->noise;
}
