/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_AMPLITUDE_RANGE_H
#define FRICID_IDENTIFY_AMPLITUDE_RANGE_H

#include "identify/decay/full_record_result.h"
#include "identify/decay/record.h"

#include <stdatomic.h>

/* The part of a decay between two amplitudes. */
struct amplitude_range {
    enum verdict verdict;        /* why the limits cannot be found in the record, of which all is told then */
    struct sample_range samples; /* with what it takes to see its first and last extremum */
    double first_extremum_s;     /* source clock */
};

/* From the first extremum whose half swing to the next is at most `most` to the last that a half swing of at least
 * `least` leads to; NAN: no such limit. Where the extrema are not found that is the verdict, and
 * VERDICT_TOO_FEW_HALF_CYCLES where none is between the limits. cancel: may be NULL. */
struct amplitude_range amplitude_range_of(const struct decay_record *record, double most, double least,
                                          const atomic_bool *cancel);

#endif
