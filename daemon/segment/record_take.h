/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_RECORD_TAKE_H
#define FRICID_SEGMENT_RECORD_TAKE_H

#include "segment/decay.h"
#include "segment/drop_reason.h"
#include "segment/ended_candidate.h"
#include "segment/release.h"

/* The samples of a record that begins at the release's first extremum and ends at the candidate's extremum `last`, with
 * its pre-trigger and what is known of its release and rest. The decay is the caller's; NULL, and why, when memory is
 * short or no sample is left between the two extrema. */
struct decay *record_take(const struct ended_candidate *ended, const struct release *release, size_t last,
                          enum drop_reason *reason);

#endif
