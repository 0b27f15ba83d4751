/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_RING_DOWN_WIDE_H
#define FRICID_IDENTIFY_RING_DOWN_WIDE_H

#include "identify/ring_down/ring_down_mode.h"

/* The modes of each band once more, the motions of the others taken away, as their laws have them: a mode that is alone
 * then without a filter, so that the first cycles count, in which a joint slips most; where the first samples are no
 * free motion, or of a pair, in a band from 0 to twice its frequency, whose filter hides three cycles where that of a
 * narrow one hides a dozen. What is told there takes the place of what was told, unless more than noise is left. Where
 * a mode follows no law nothing is taken away. samples: all modes'; modes were looked at as preliminary. VERDICT_OK,
 * VERDICT_NO_MEMORY or VERDICT_CANCELLED: what was not told by then is as it was told before. */
enum verdict ring_down_wide(const struct ring_down_samples *samples, const struct identify_settings *settings,
                            struct ring_down_mode *modes, size_t count);

/* Whether two modes of one band were fitted at once for the record's sake, not because they are near to each other. */
bool ring_down_are_far_apart(const struct ring_down_mode *modes, size_t count);

#endif
