/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tremor and hum of several frequencies beat: swings fall for a while, but not by the law of a decay, which is
 * D_(j+1) = q D_j - 2 (1 + q) x_k (LF 1998). Each half cycle by itself may look free. */

#include "segment/beats.h"

#include "segment/extremes.h"

#include <math.h>

/* Standard errors by which many swings must fall, unless their last third is at most this part of their first. */
#define SCATTERS 5
#define HALVED 0.5

enum { MANY_SWINGS = 20 };

/* What swings may lose more at the end than at the beginning, relative to the first. */
#define FASTER 0.08
/* Hum on top of a decay makes swings grow by less than this part of the first. */
#define AGAIN 0.1
/* What many swings may rise by on their way, relative to what they fall by in all. */
#define RISES 0.5
enum { FEWEST_TO_RISE = 6 };
/* Swings that are asked whether they fall ever faster: more show it by levelling off or not. */
enum { FEWEST = 4, MOST = 7 };

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

/* The half cycle before the first counts as well, unless something disturbed it. */
bool swings_fall_ever_faster(const struct candidate *candidate, size_t first, size_t last)
{
    const double *swing = candidate->swing, *residual = candidate->residual;
    size_t begin = first > 0 && residual[first - 1] < 2 * residual[first] ? first - 1 : first;
    if (last - begin < FEWEST || last - begin > MOST)
        return false;
    size_t half = (last - begin - 1) / 2;
    double early = swing[begin] - swing[begin + half], late = swing[last - 1 - half] - swing[last - 1];
    double room = FASTER * swing[first] + 4 * candidate->noise_least + candidate->step;
    return late - early > room * (double)half;
}

bool swings_come_again(const struct candidate *candidate, size_t first, size_t last)
{
    const double *swing = candidate->swing;
    double room = AGAIN * swing[first] + 2 * candidate->noise_least + candidate->step;
    double smallest = swing[first];
    for (size_t j = first + 1; j < last; j++) {
        if (swing[j] > smallest + room)
            return true;
        smallest = smaller(smallest, swing[j]);
    }
    return false;
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
    double most = RISES * (swing[first] - swing[last - 1]);
    return last - first >= FEWEST_TO_RISE && rise > most && rise - swings_scatter(candidate, first, last) > most;
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
    if (last - first >= MANY_SWINGS && fall.late > HALVED * fall.early)
        uncertainty = fmax(uncertainty, SCATTERS * swings_scatter(candidate, first, last));
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
