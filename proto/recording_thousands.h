/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_RECORDING_THOUSANDS_H
#define FRICID_PROTO_RECORDING_THOUSANDS_H

#include "proto/decimal.h"
#include "proto/recording_parts.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* Do points group the thousands of whole numbers? Only the whole of a column tells: then it has 998 and 1.002, but
 * neither 0.998, which begins with a zero, nor 1.5, nor 1002. */
struct recording_thousands {
    struct {
        bool impossible; /* a number in it groups no thousands */
        bool whole;      /* one has no point, and is not 0 */
        bool grouped;    /* one has three digits behind its point */
    } columns[RECORDING_MAX_CHANNELS];
    size_t possible; /* in how many columns it is */
};

void recording_thousands_begin(struct recording_thousands *thousands, size_t channel_count);

/* The first channel whose points may group thousands; channel_count: there is none. */
size_t recording_thousands_find(const struct recording_thousands *thousands, size_t channel_count);

/* Takes a number of a channel in; only while it is possible in any. */
static inline void recording_thousands_note(struct recording_thousands *thousands, size_t channel,
                                            const struct decimal *decimal)
{
    const double size = fabs(decimal->value);
    const bool whole = decimal->last_place == 0 && size < 1000;
    const bool grouped = decimal->last_place == -3 && size >= 1 && size < 1000;
    if (thousands->columns[channel].impossible)
        return;
    thousands->columns[channel].impossible = !whole && !grouped;
    thousands->columns[channel].whole |= whole && size > 0;
    thousands->columns[channel].grouped |= grouped;
    thousands->possible -= !whole && !grouped;
}

#endif
