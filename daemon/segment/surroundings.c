/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the channel did before the first extremum: a decay comes out of a hold, not out of a swinging. */

#include "segment/surroundings.h"

#include "motion/zigzag.h"
#include "segment/sample_history.h"
#include "segment/tolerances.h"

#include <math.h>

/* Means over this part of a half period are followed, so that noise makes no reversals: they take 1 % from a swing. */
#define BIN_HALF_PERIODS (1.0 / 12)
/* In the same rhythm the time between reversals is within this ratio of a half period: of less than sqrt(2), so that no
 * time suits half periods of which one is twice as long as the other. */
#define SAME_RHYTHM_RATIO 1.4
/* Reversals that no pull and hold make, and those of them in the rhythm. */
enum { FEWEST_REVERSALS = 3, FEWEST_REGULAR = 4 };

/* From reversal to reversal. */
struct swinging {
    double half_period;
    struct zigzag zigzag;
    double turned_at;   /* position */
    unsigned reversals; /* the first is where the motion begins */
    unsigned regular;   /* half a period after the one before */
};

static void follow(struct swinging *swinging, double at, double value)
{
    if (!zigzag_take(&swinging->zigzag, at, value))
        return;
    double turned_at = zigzag_reversal(&swinging->zigzag).at;
    double took = (turned_at - swinging->turned_at) / swinging->half_period;
    swinging->regular += swinging->reversals >= 2 && took > 1 / SAME_RHYTHM_RATIO && took < SAME_RHYTHM_RATIO;
    swinging->reversals++;
    swinging->turned_at = turned_at;
}

/* Flagged samples are left out. */
static struct swinging swinging_between(const struct sample_history *history, double begin, double end,
                                        double half_period, double swing)
{
    struct swinging swinging = {.half_period = half_period, .zigzag = zigzag_with(REVERSAL_OF_SWING * swing)};
    uint64_t stop = sample_history_at(history, end), i = sample_history_at(history, begin);
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
        if (count > 0)
            follow(&swinging, at, sum / count);
    }
    return swinging;
}

bool oscillates_before(const struct sample_history *history, double position, double half_period, double swing,
                       double from)
{
    double begin = fmax(position - OSCILLATES_HALF_PERIODS * half_period, from), end = position - half_period;
    return swinging_between(history, begin, end, half_period, swing).reversals >= FEWEST_REVERSALS;
}

bool trembles_before(const struct sample_history *history, double position, double half_period, double swing,
                     double from)
{
    double begin = fmax(position - SURROUNDINGS_HALF_PERIODS * half_period, from), end = position - half_period;
    return swinging_between(history, begin, end, half_period, swing).regular >= FEWEST_REGULAR;
}
