/* SPDX-License-Identifier: GPL-3.0-or-later */

/* This file looks at what the channel did before the first extremum: a decay comes out of a hold, not out of a
 * swinging. */

#include "segment/surroundings.h"

#include "motion/zigzag.h"
#include "segment/sample_history.h"
#include "segment/tolerances.h"

#include <math.h>

/* Means over this part of a half period are followed, so that noise makes no reversals: they take 1 % from a swing. */
#define BIN_HALF_PERIODS (1.0 / 12)
/* A pull and a hold make fewer reversals than these, of which the first is where the motion begins. */
enum { FEWEST_REVERSALS = 3 };

/* Flagged samples are left out. */
bool oscillates_before(const struct sample_history *history, double position, double half_period, double swing,
                       double from)
{
    struct zigzag zigzag = zigzag_with(REVERSAL_OF_SWING * swing);
    unsigned reversals = 0;
    uint64_t stop = sample_history_at(history, position - half_period), i = sample_history_at(history, from);
    uint64_t width = (uint64_t)fmax(BIN_HALF_PERIODS * half_period, 1);
    while (i < stop) {
        uint64_t until = i + width < stop ? i + width : stop;
        double sum = 0, at = sample_history_position(history, i);
        unsigned count = 0;
        for (; i < until; i++) {
            if (sample_history_flags(history, i))
                continue;
            sum += sample_history_value(history, i);
            count++;
        }
        if (count > 0 && zigzag_take(&zigzag, at, sum / count))
            reversals++;
    }
    return reversals >= FEWEST_REVERSALS;
}
