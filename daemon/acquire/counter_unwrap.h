/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_ACQUIRE_COUNTER_UNWRAP_H
#define FRICID_ACQUIRE_COUNTER_UNWRAP_H

#include <stdint.h>

/* An up/down counter of a few bits wraps around; this turns its readings into a position that does not. Between two
 * readings the shaft may move by less than half of the counter's range. */
struct counter_unwrap {
    unsigned bits; /* 1 to 63 */
    uint64_t last; /* reading */
    int64_t position;
};

/* Position 0 is where the counter reads `zero`. */
struct counter_unwrap counter_unwrap_start(unsigned bits, uint64_t zero);

/* The position, counts, after the next reading; bits above the counter's are ignored. */
int64_t counter_unwrap_next(struct counter_unwrap *unwrap, uint64_t reading);

#endif
