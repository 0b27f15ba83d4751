/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_SPIKES_H
#define FRICID_SEGMENT_SPIKES_H

#include "segment/sample_history.h"

/* What a spike of height 1 leaves in the fourth difference at its place. */
enum { SPIKE_IN_DIFFERENCE = 6 };

/* Flags single samples that stand out of their neighbours by more than `threshold` (displacement unit) in a way that no
 * motion can explain. Looks at samples [from, to), of which four more on either side must be held. */
void spikes_mark(struct sample_history *history, uint64_t from, uint64_t to, double threshold);

#endif
