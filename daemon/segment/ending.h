/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_ENDING_H
#define FRICID_SEGMENT_ENDING_H

#include "segment/candidate.h"
#include "segment/decay.h"
#include "segment/sample_history.h"

#include <stddef.h>
#include <stdint.h>

/* So many half cycles tell a law with two numbers and check it. */
enum { ENDING_LAW_AND_CHECK = 6 };

/* A decay that has been followed to what seems its end. */
struct ending {
    const struct candidate *candidate;
    const struct sample_history *history;
    size_t first, last; /* extrema of its record */
    double step;        /* ADC step or encoder count, displacement unit; 0: none */
    uint64_t ready;     /* samples before this number may be looked at */
};

/* It tells why the record ended, if it was said to end `by` this: the law of its last half cycles tells how the motion
 * would have gone on, and where it would have come to rest. *last: the last extremum up to which it was free. */
enum decay_end ending_name(const struct ending *ending, enum decay_end by, size_t *last);

#endif
