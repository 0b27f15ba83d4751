/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_SPREAD_H
#define FRICID_SEGMENT_SPREAD_H

#include "segment/sample_history.h"

/* Some samples are like this together, displacement unit. */
struct spread {
    double mean, rms; /* about the mean */
    double count;
};

/* It looks at the samples between two positions; flagged ones are left out. */
struct spread spread_between(const struct sample_history *history, double begin, double end);

#endif
