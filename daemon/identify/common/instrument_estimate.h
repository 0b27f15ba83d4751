/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_INSTRUMENT_ESTIMATE_H
#define FRICID_IDENTIFY_INSTRUMENT_ESTIMATE_H

#include "identify/common/estimate.h"
#include "identify/decay/physical.h"

/* Relative standard uncertainties of what measured a record; what is not configured counts as exact. */
struct instrument {
    double clock, gain;
};
struct instrument instrument_of(const struct physical_settings *settings);

/* With the intervals of normal noise; without a combined uncertainty. */
struct estimate estimate_in_noise(double value, double se);

/* Nothing is known. */
struct estimate estimate_unknown(void);

/* The estimate with its combined uncertainty: the instrument's clock and gain enter by the powers of time and of the
 * sensor's unit in it. No combined interval reaches below 0 where the statistical one does not. What has no value or no
 * standard error is unknown. */
struct estimate estimate_combined(struct estimate estimate, const struct instrument *instrument, double time_power,
                                  double sensor_power);

#endif
