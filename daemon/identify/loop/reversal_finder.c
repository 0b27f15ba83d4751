/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/loop/reversal_finder.h"

#include <math.h>

/* A swing counts from this share of the swing before it on. */
static const double next_share = 0.1;

bool reversal_finder_take(struct reversal_finder *finder, uint64_t sample, double value, double least,
                          struct extreme_sample *reversal)
{
    const struct extreme_sample here = {sample, value};
    if (!finder->begun) {
        finder->low = finder->high = here;
        finder->begun = true;
        return false;
    }
    finder->low = value < finder->low.value ? here : finder->low;
    finder->high = value > finder->high.value ? here : finder->high;
    const bool from_high = finder->direction >= 0 && finder->high.value - value > finder->hysteresis;
    const bool from_low = finder->direction <= 0 && value - finder->low.value > finder->hysteresis;
    if (!from_high && !from_low)
        return false;
    *reversal = from_high ? finder->high : finder->low;
    const double swing = finder->direction != 0 ? finder->high.value - finder->low.value : 0;
    finder->hysteresis = fmax(least, next_share * swing);
    finder->direction = from_high ? -1 : 1;
    *(from_high ? &finder->low : &finder->high) = here;
    return true;
}

struct extreme_sample reversal_finder_latest(const struct reversal_finder *finder)
{
    return finder->direction > 0 ? finder->high : finder->low;
}
