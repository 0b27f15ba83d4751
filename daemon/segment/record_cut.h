/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_RECORD_CUT_H
#define FRICID_SEGMENT_RECORD_CUT_H

#include "segment/decay.h"
#include "segment/drop_reason.h"
#include "segment/ended_candidate.h"

/* Cuts the candidate's record out of the history; *last: its last extremum. Returns NULL and why when it does not
 * become a decay. */
struct decay *cut_decay(const struct ended_candidate *ended, size_t *last, enum drop_reason *reason);

/* Samples before this number will not be needed, as far as the candidate goes. */
uint64_t record_cut_keep(const struct candidate *candidate, const struct sample_history *history,
                         const struct segment_settings *settings);

#endif
