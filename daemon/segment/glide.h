/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_GLIDE_H
#define FRICID_SEGMENT_GLIDE_H

#include "segment/decay_finder.h"

/* Nearly every half cycle of a decay is so clearly free that a few comparisons show it. Takes in such half cycles one
 * after another, of the samples before number `ready`, up to the first that must be looked at closely, and returns
 * whether one of them is to be told or has reached a limit. Leads nowhere else than judging them one by one. */
bool finder_glides(struct decay_finder *finder, const struct sample_history *history, double hysteresis,
                   uint64_t ready);

#endif
