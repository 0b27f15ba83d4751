/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_CALM_LINES_H
#define FRICID_IDENTIFY_CALM_LINES_H

#include "identify/ring_down/ring_down_findings.h"

/* What rings in the band of a mode before the blow goes on behind it, and no look at the ring-down alone tells it from
 * the mode: a backbone bends by it. A mode with an answer in whose band the calm has a line that is none of those told,
 * and that is not far below the least amplitude told of the mode, gets a reason to doubt it; the line is told with the
 * others as far as there is room, by the calm, which tells its frequency to a share of one over its duration.
 * VERDICT_OK or VERDICT_NO_MEMORY. */
enum verdict calm_lines_doubt(const struct ring_down_samples *samples, struct calm_before calm,
                              struct ring_down *ring_down);

#endif
