/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_RING_DOWN_WITHOUT_LINES_H
#define FRICID_IDENTIFY_RING_DOWN_WITHOUT_LINES_H

#include "identify/record_analysis.h"
#include "identify/ring_down/ring_down_findings.h"

/* The modes of a ring-down once more without its lines. raw and levels: those of the samples, which are as before
 * afterwards. Where it tells of fewer modes, or is stopped, what was said stays. The verdict of the whole. */
enum verdict ring_down_without_lines(const struct ring_down_samples *samples, struct calm_before calm,
                                     double *const *raw, double *const *levels,
                                     const struct identify_settings *settings, struct ring_down *ring_down);

#endif
