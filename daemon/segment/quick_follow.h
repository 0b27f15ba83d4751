/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_QUICK_FOLLOW_H
#define FRICID_SEGMENT_QUICK_FOLLOW_H

#include "segment/finder_state.h"

enum quick_follow_event {
    QUICK_FOLLOW_STOPS,  /* no more samples, or none that it knows how to fit */
    QUICK_FOLLOW_DOUBTS, /* the next half cycle must be looked at closely: *half is its fit */
    QUICK_FOLLOW_TELLS,  /* the latest half cycle is to be told, or reached a limit */
};

/* Nearly every half cycle of a decay is so clearly free that a few comparisons show it. Takes in such half cycles one
 * after another, of the samples before number `ready`. The result is the same as when they are judged one by one. */
enum quick_follow_event finder_follows_quickly(struct decay_finder *finder, const struct sample_history *history,
                                               uint64_t ready, struct half_cycle *half);

#endif
