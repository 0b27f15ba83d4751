/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Points that group thousands, by what a column never has. */

#include "proto/recording_thousands.h"

void recording_thousands_begin(struct recording_thousands *thousands, size_t channel_count)
{
    *thousands = (struct recording_thousands){.possible = channel_count};
}

size_t recording_thousands_find(const struct recording_thousands *thousands, size_t channel_count)
{
    for (size_t c = 0; c < channel_count; c++)
        if (!thousands->columns[c].impossible && thousands->columns[c].whole && thousands->columns[c].grouped)
            return c;
    return channel_count;
}
