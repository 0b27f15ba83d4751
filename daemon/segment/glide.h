/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_GLIDE_H
#define FRICID_SEGMENT_GLIDE_H

#include "segment/finder_state.h"

enum glide_news {
    GLIDE_STOPS,  /* no more samples, or none that it knows how to fit */
    GLIDE_DOUBTS, /* the next half cycle must be looked at closely: *half is its fit */
    GLIDE_TELLS,  /* the latest half cycle is to be told, or reached a limit */
};

/* Nearly every half cycle of a decay is so clearly free that a few comparisons show it. Takes in such half cycles one
 * after another, of the samples before number `ready`. Leads nowhere else than judging them one by one. */
enum glide_news finder_glides(struct decay_finder *finder, const struct sample_history *history, double hysteresis,
                              uint64_t ready, struct half_cycle *half);

#endif
