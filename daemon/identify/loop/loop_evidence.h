/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LOOP_EVIDENCE_H
#define FRICID_IDENTIFY_LOOP_EVIDENCE_H

#include "identify/loop/loop_signal.h"
#include "identify/loop/loop_turn.h"

/* What the samples about one reversal, whose extreme one and reach are known, tell of its shape: logarithms of
 * likelihood ratios, 0 where they tell nothing. */

/* Of a corner, to a smooth crest. */
double loop_evidence_of_corner(const struct loop_signal *signal, const struct loop_reversal *reversal);

/* Of a level between two straight lines, to the better one of crest and corner. */
double loop_evidence_of_level(const struct loop_signal *signal, const struct loop_reversal *reversal);

#endif
