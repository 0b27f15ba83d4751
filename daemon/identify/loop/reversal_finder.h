/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_REVERSAL_FINDER_H
#define FRICID_IDENTIFY_REVERSAL_FINDER_H

#include <stdbool.h>
#include <stdint.h>

/* Where a displacement turns back, sample by sample as it comes. */

/* An extreme sample. */
struct extreme_sample {
    uint64_t sample;
    double value;
};

/* Both extremes since the last reversal are followed: the one that the signal came back from is the next reversal. */
struct reversal_finder {
    double hysteresis; /* what it must come back by */
    int direction;     /* from the last reversal: 1 upwards, -1 downwards; 0: there was none */
    bool begun;
    struct extreme_sample low, high;
};

/* Takes the next sample in. A swing counts that is larger than `least`, and than a tenth of the swing before it; the
 * first, larger than the hysteresis that the finder was made with. True: *reversal is one, an upper one if the
 * direction is now downwards. */
bool reversal_finder_take(struct reversal_finder *finder, uint64_t sample, double value, double least,
                          struct extreme_sample *reversal);

/* The extreme that it is coming from, if that is not one before the first reversal. */
struct extreme_sample reversal_finder_latest(const struct reversal_finder *finder);

#endif
