/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "segment/spread.h"

#include <math.h>

/* Values count from the first one, so that squares do not cancel. */
struct spread spread_between(const struct sample_history *history, double begin, double end)
{
    uint64_t from = sample_history_at(history, begin), to = sample_history_at(history, end);
    double sum = 0, squares = 0, count = 0;
    double reference = from < to ? sample_history_value(history, from) : 0;
    for (uint64_t i = from; i < to; i++) {
        if (sample_history_flags(history, i))
            continue;
        double y = sample_history_value(history, i) - reference;
        sum += y;
        squares += y * y;
        count++;
    }
    double variance = count > 1 ? fmax(squares - sum * sum / count, 0) / (count - 1) : 0;
    return (struct spread){.mean = reference + sum / fmax(count, 1), .rms = sqrt(variance), .count = count};
}
