/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/loop/loop_pieces.h"

#include "identify/loop/local_cubic.h"
#include "identify/loop/loop_reversal.h"

#include <string.h>

int loop_pieces_of(const struct loop_signal *signal, unsigned char *begins)
{
    struct loop_reversals reversals;
    const int error = loop_reversals_of(signal, &reversals);
    size_t last = 0;
    memset(begins, 0, signal->count);
    for (size_t k = 0; !error && k < reversals.count; k++) {
        const struct loop_reversal *reversal = &reversals.reversal[k];
        size_t i = reversal->sample;
        while (i > last && signal->time_s[i - 1] > reversal->time_s)
            i--;
        while (i < signal->count && signal->time_s[i] <= reversal->time_s)
            i++;
        if (!reversal->corner || i < last + LOCAL_CUBIC_LEAST || signal->count < i + LOCAL_CUBIC_LEAST)
            continue;
        begins[i] = 1;
        last = i;
    }
    loop_reversals_clear(&reversals);
    return error;
}
