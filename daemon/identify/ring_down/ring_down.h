/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_RING_DOWN_H
#define FRICID_IDENTIFY_RING_DOWN_H

#include "identify/record_analysis.h"
#include "identify/ring_down/ring_down_findings.h"

/* From the record of a structure that was hit to the backbones of its modes and the models of its joint. */

/* Samples of a ring-down that are fitted: 40 s at 50 kHz. */
enum { RING_DOWN_SAMPLES_MOST = 2000000 };

/* Of traces that sensors took at the same times, in one unit, which says what they measure: PASS_SENSORS at the most.
 * Found is a struct ring_down. Verdicts: VERDICT_OK: a mode has
 * an answer; VERDICT_NO_BLOW, VERDICT_NO_RING_DOWN, VERDICT_NOT_DECAYING, VERDICT_NO_OSCILLATION (all samples are
 * alike), VERDICT_TOO_FEW_SAMPLES, VERDICT_TOO_LONG, VERDICT_NOT_FINITE, VERDICT_IRREGULAR_STAMPS,
 * VERDICT_UNIT_UNKNOWN, or that of the strongest mode. */
record_analysis analyse_ring_down;

#endif
