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
    bool gap; /* samples are missing behind it */
};

/* Fewer stamps have no distance that another could equal. */
enum { LEAST_STAMPS = 3 };

/* The trace up to its first gap, its spikes bridged by the curve through their neighbours. VERDICT_OK,
 * VERDICT_TOO_FEW_SAMPLES, VERDICT_IRREGULAR_STAMPS or VERDICT_NO_MEMORY; stretch_clear() in any case. */
enum verdict stretch_of(const struct record_trace *trace, struct stretch *stretch);
void stretch_clear(struct stretch *stretch);

/* Samples less the straight line that is nearest to them: a sensor's zero, and its drift. */
void stretch_level(const double *raw, size_t count, double *level);

/* Between its extremes; 0: it says nothing. */
double stretch_span(const struct stretch *stretch);

#endif
