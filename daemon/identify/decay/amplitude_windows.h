/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_AMPLITUDE_WINDOWS_H
#define FRICID_IDENTIFY_AMPLITUDE_WINDOWS_H

#include "identify/common/estimate.h"
#include "identify/decay/extremum.h"
#include "identify/decay/full_record_fit.h"
#include "identify/decay/record.h"

#include <stdatomic.h>
#include <stddef.h>

enum { WINDOWS_MOST = 6 };

/* What the part of a record says whose amplitudes lie between two limits. */
struct amplitude_window {
    enum verdict verdict;     /* of the fit of these samples */
    double largest, smallest; /* amplitudes in it: half of swings, displacement unit */
    double start_s, end_s;    /* source clock */
    size_t half_cycles;
    struct estimate estimate[FIT_PARAMETERS];
    struct estimate f_n_hz;
};

/* Local fits: does the model that fits the whole record also fit its parts, alike? */
struct amplitude_windows {
    enum verdict verdict;
    size_t count;
    struct amplitude_window window[WINDOWS_MOST]; /* from large amplitudes to small ones */
};

/* Cuts the record at extrema into windows of equal ratio of amplitudes, each of four half cycles or more, and fits each
 * as a record of its own (SHK 2007 Eq. 9). Within a window zeta and x_k are hard to tell apart; their errors say so.
 * start: FIT_PARAMETERS values of a fit that follows the whole record, or NULL when there is none.
 * VERDICT_TOO_FEW_HALF_CYCLES when there are not two windows. cancel may be NULL. */
enum verdict amplitude_windows_of(const struct decay_record *record, const struct extremum *extrema, size_t count,
                                  const double *start, const atomic_bool *cancel,
                                  struct full_record_workspace *workspace, struct amplitude_windows *windows);

#endif
