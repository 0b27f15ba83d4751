/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Tremor and hum of several frequencies beat: swings fall for a while, but not by the law of a decay, which is
 * D_(j+1) = q D_j - 2 (1 + q) x_k (LF 1998). Each half cycle by itself may look free. */

#include "segment/beats.h"

#include <math.h>

/* What swings may lose more at the end than at the beginning, relative to the first. */
#define FASTER 0.08
/* Hum on top of a decay makes swings grow by less than this part of the first. */
#define AGAIN 0.1
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
        smallest = fmin(smallest, swing[j]);
    }
    return false;
}
