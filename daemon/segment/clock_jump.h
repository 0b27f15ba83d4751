/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_CLOCK_JUMP_H
#define FRICID_SEGMENT_CLOCK_JUMP_H

#include "segment/candidate.h"

/* A recorder may lose samples unsaid, or its clock may leap: then the motion goes on as it was, from one sample to the
 * next at another time of its own. What a hand or a blow does to a motion changes its speed, and not its place. It may
 * jump again once the motion was seen to follow for a half cycle and a half. */

/* Judges a half cycle that did not follow the last extremum as it should. CANDIDATE_GOES_ON: the clock jumped within
 * it, and it was taken in; CANDIDATE_WAITS: for samples, of which those before number `ready` are there; else
 * CANDIDATE_DISTURBED. */
enum candidate_event candidate_bridge_clock_jump(struct candidate *candidate, const struct sample_history *history,
                                                 uint64_t ready, bool last_chance);

/* The position up to which it needs samples: the half cycle need not be looked at again before. */
double candidate_clock_jump_needs(const struct candidate *candidate);

#endif
