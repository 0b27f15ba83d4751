/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_STRETCH_H
#define FRICID_IDENTIFY_STRETCH_H

#include "identify/common/estimate.h"
#include "identify/record_analysis.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Samples of one sensor without a gap at equal distances: what is looked at of a trace. */
struct stretch {
    double *raw, *level; /* owned, one block */
    uint8_t *flags;      /* owned; NULL: no sample is flagged */
    size_t count;
    double rate_hz, start_s;
    double delay_s; /* its sensor's, after the start of a scan */
    bool gap;       /* samples are missing behind it */
};

/* Fewer stamps have no distance that another could equal. */
enum { LEAST_STAMPS = 3 };

/* Samples from one on, up to the one before another. */
struct sample_range {
    size_t from, to;
};

/* What is looked at of traces whose sensors took their samples at the same times: where the stamps have gaps, the first
 * stretch between them that holds a good share of all motion, else the one that holds most. VERDICT_OK,
 * VERDICT_TOO_FEW_SAMPLES or VERDICT_NO_MEMORY. */
enum verdict stretch_range(const struct record_trace *traces, size_t count, struct sample_range *range);

/* The trace in a range, its spikes bridged by the curve through their neighbours. VERDICT_OK, VERDICT_TOO_FEW_SAMPLES,
 * VERDICT_IRREGULAR_STAMPS or VERDICT_NO_MEMORY; stretch_clear() in any case. */
enum verdict stretch_of(const struct record_trace *trace, struct sample_range range, struct stretch *stretch);
/* The curve through its neighbours, in the place of a spike: that is no motion. flags, of the samples, may be NULL. */
void stretch_bridge(double *raw, const uint8_t *flags, size_t count, size_t spike);

void stretch_clear(struct stretch *stretch);

/* Samples less the straight line that is nearest to them: a sensor's zero, and its drift. */
void stretch_level(const double *raw, size_t count, double *level);

/* Whether the sensor drifts by more than what it shows besides: its zero, the mean of half a second around each sample,
 * goes farther than half of the rest, which then is in level. */
bool stretch_drifts(const struct stretch *stretch, size_t count);

/* The step of a converter: the smallest that two neighbours are apart; INFINITY: none are. */
double stretch_step(const double *raw, size_t count);

/* By how much a converter of such a step may change the amplitude A of a sine without noise of its own. Rounding to s
 * adds 2 s/pi times the sum over k of J_1(2 pi k A/s)/k, k by k up to a sign, which for large A/s is 0.37 s sqrt(s/A)
 * at the most, and goes to and fro with every step that A falls. */
double stretch_rounding(double step, double amplitude);

/* Between its extremes; 0: it says nothing. */
double stretch_span(const struct stretch *stretch);

#endif
