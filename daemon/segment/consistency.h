/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_CONSISTENCY_H
#define FRICID_SEGMENT_CONSISTENCY_H

#include "segment/candidate.h"
#include "segment/sample_history.h"

#include <stdbool.h>

/* Whether the half cycles between extrema `first` and `last` are those of one free decay: all of the same length, all
 * of the exact shape, and each swing following from the one before. Stricter than the search by far, for short decays
 * that a moving hand may imitate. */
bool candidate_is_consistent(const struct candidate *candidate, const struct sample_history *history, size_t first,
                             size_t last);

/* Whether the swings fall clearly, by the law of a free decay, with half cycles as clean as no hand or beat makes them.
 */
bool candidate_is_unmistakable(const struct candidate *candidate, size_t first, size_t last);

#endif
