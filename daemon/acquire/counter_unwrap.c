/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Encoder counters wrap around: a step of more than half the range is taken for a smaller one the other way. */

#include "acquire/counter_unwrap.h"

static uint64_t mask_of(unsigned bits)
{
    return (UINT64_C(1) << bits) - 1;
}

struct counter_unwrap counter_unwrap_start(unsigned bits, uint64_t zero)
{
    return (struct counter_unwrap){.bits = bits, .last = zero & mask_of(bits)};
}

int64_t counter_unwrap_next(struct counter_unwrap *unwrap, uint64_t reading)
{
    uint64_t mask = mask_of(unwrap->bits);
    uint64_t forward = (reading - unwrap->last) & mask;
    uint64_t half = UINT64_C(1) << (unwrap->bits - 1);
    unwrap->last = reading & mask;
    if (forward < half)
        unwrap->position += (int64_t)forward;
    else
        unwrap->position -= (int64_t)(mask + 1 - forward);
    return unwrap->position;
}
