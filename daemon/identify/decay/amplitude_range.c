/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/decay/amplitude_range.h"

#include "identify/decay/extremum.h"

#include <math.h>
#include <stdlib.h>

static double half_swing(const struct extremum *extrema, size_t n)
{
    return fabs(extrema[n + 1].displacement - extrema[n].displacement) / 2;
}

static struct amplitude_range range_of(const struct decay_record *record, const struct extremum *extrema, size_t count,
                                       double most, double least)
{
    size_t first = 0, last;
    while (first + 1 < count && half_swing(extrema, first) > most)
        first++;
    for (last = first; last + 1 < count && !(half_swing(extrema, last) < least);)
        last++;
    if (last == first)
        return (struct amplitude_range){VERDICT_TOO_FEW_HALF_CYCLES, {0, record->count}, record->first_extremum_s};
    /* Half way to the neighbours, so that each of the two is seen to be an extremum. */
    const size_t begin = first > 0 ? (extrema[first - 1].index + extrema[first].index + 1) / 2 : 0;
    const size_t end = last + 1 < count ? (extrema[last].index + extrema[last + 1].index) / 2 : record->count;
    return (struct amplitude_range){VERDICT_OK, {begin, end}, extrema[first].time_s};
}

struct amplitude_range amplitude_range_of(const struct decay_record *record, double most, double least,
                                          const atomic_bool *cancel)
{
    struct amplitude_range range = {VERDICT_OK, {0, record->count}, record->first_extremum_s};
    struct extremum *extrema = NULL;
    size_t count = 0;
    if (!isnan(most) || !isnan(least)) {
        range.verdict = extrema_find(record, cancel, &extrema, &count);
        if (range.verdict == VERDICT_OK)
            range = range_of(record, extrema, count, most, least);
    }
    free(extrema);
    return range;
}
