/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tremor and hum of several frequencies beat: swings fall for a while, but not by the law of a decay, which is
 * D_(j+1) = q D_j - 2 (1 + q) x_k (LF 1998). Each half cycle by itself may look free. */

#include "segment/beats.h"

#include "segment/extremes.h"
#include "segment/half_cycle.h"

#include <math.h>
#include <string.h>

/* Many swings must fall by this many standard errors, unless their last third is at most this part of their first. */
#define FALL_DEVIATIONS 5
#define FALLEN_RATIO 0.5

enum { MANY_SWINGS = 20 };

/* Many swings may rise on their way by at most this part of what they fall by in all. */
#define MOST_RISE_OF_FALL 0.5
enum { FEWEST_SWINGS_TO_RISE = 6 };

/* A half cycle before the first is free when its shift is less than this part of the half period, and its residual less
 * than this part of its swing. */
#define FREE_SHIFT 0.15
#define FREE_RESIDUAL 0.03
/* Before the crest of a beat swings lose on average at most this part of what they lose behind it. */
#define LOSS_RATIO_BEFORE_CREST 0.6
/* The corner that a release makes between two losses is as high as the larger of them. */
#define RELEASE_CORNER_RATIO 0.7
/* Shortly before a release swings lose at most this part of their largest loss. */
#define LOSS_RATIO_BEFORE_RELEASE 0.2
/* A crest shows among so many half cycles before the first extremum and behind it. */
enum { BEFORE_CREST = 3, BEHIND_CREST = 4, FEWEST_BEHIND_CREST = 3 };

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
    double smallest = swing[first], rise = 0;
    for (size_t j = first + 1; j < last; j++) {
        rise = larger(rise, swing[j] - smallest);
        smallest = smaller(smallest, swing[j]);
    }
    double most = MOST_RISE_OF_FALL * (swing[first] - swing[last - 1]);
    return last - first >= FEWEST_SWINGS_TO_RISE && rise > most && rise - swings_scatter(candidate, first, last) > most;
}

/* A release may fall between two extrema, so that one swing loses a part; the one before loses nothing yet. */
static bool fall_at_once(const double *swing, size_t count)
{
    double largest = 0, before = 0;
    for (size_t j = 2; j + 1 < count; j++)
        if (swing[j] - swing[j + 1] > largest) {
            largest = swing[j] - swing[j + 1];
            before = swing[j - 2] - swing[j - 1];
        }
    return before < LOSS_RATIO_BEFORE_RELEASE * largest;
}

bool swings_fall_at_once(const struct candidate *candidate)
{
    return fall_at_once(candidate->swing, candidate->count - 1);
}

/* The swings that led up to the first extremum, the latest of them last. False when they are not all of free motion. */
static bool free_swings_before(const struct candidate *candidate, const struct sample_history *history, double from,
                               double swing[BEFORE_CREST])
{
    double length = candidate->half_period, end = candidate->extrema[0].position;
    from = larger(from, sample_history_position(history, history->floor));
    for (size_t j = BEFORE_CREST; j-- > 0;) {
        struct half_cycle half;
        if (end - length < from)
            return false;
        half_cycle_fit(history, end - length, length, candidate->beta, &half);
        swing[j] = fabs(half.swing);
        if (!half.usable || fabs(half.shift) > FREE_SHIFT * length ||
            half.residual > larger(FREE_RESIDUAL * swing[j], 3 * candidate->noise))
            return false;
        end += half.shift - length;
    }
    return true;
}

/* A hand that swings the mass and lets it go ends the rise at once; a beat ends it little by little. */
bool swings_pass_a_crest(const struct candidate *candidate, const struct sample_history *history, double from)
{
    enum { MOST_SWINGS = BEFORE_CREST + BEHIND_CREST };
    double swing[MOST_SWINGS], largest = 0, corner = 0;
    size_t behind = candidate->count - 1 < BEHIND_CREST ? candidate->count - 1 : BEHIND_CREST;
    if (behind < FEWEST_BEHIND_CREST || !free_swings_before(candidate, history, from, swing))
        return false;
    memcpy(swing + BEFORE_CREST, candidate->swing, behind * sizeof *swing);
    double before = (swing[0] - swing[BEFORE_CREST - 1]) / (BEFORE_CREST - 1);
    double fall = (swing[BEFORE_CREST] - swing[BEFORE_CREST + behind - 1]) / (double)(behind - 1);
    for (size_t j = 0; j + 1 < BEFORE_CREST + behind; j++)
        largest = larger(largest, swing[j] - swing[j + 1]);
    for (size_t j = 0; j + 2 < BEFORE_CREST + behind; j++)
        corner = larger(corner, fabs(swing[j] - 2 * swing[j + 1] + swing[j + 2]));
    return before < LOSS_RATIO_BEFORE_CREST * fall && corner < RELEASE_CORNER_RATIO * largest &&
           !fall_at_once(swing, BEFORE_CREST + behind);
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
    if (last - first >= MANY_SWINGS && fall.late > FALLEN_RATIO * fall.early)
        uncertainty = fmax(uncertainty, FALL_DEVIATIONS * swings_scatter(candidate, first, last));
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
