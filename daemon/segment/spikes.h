/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_SPIKES_H
#define FRICID_SEGMENT_SPIKES_H

#include "segment/sample_history.h"

/* A spike leaves so many times its height in the fourth difference at its place. */
enum { SPIKE_IN_DIFFERENCE = 6 };

/* So many samples on either side of one are looked at: two have a fourth difference of the pattern that a spike leaves,
 * and each of these differences takes two more. */
enum { SPIKE_REACH = 4 };

/* Flags single samples that stand out of their neighbours by more than `threshold` (displacement unit) in a way that no
 * motion can explain. Looks at samples [from, to), of which SPIKE_REACH more on either side must be held. */
void spikes_mark(struct sample_history *history, uint64_t from, uint64_t to, double threshold);

#endif
