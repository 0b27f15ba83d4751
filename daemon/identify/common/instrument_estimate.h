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

/* The estimate with its combined uncertainty, of the noise and of a standard uncertainty besides. No combined interval
 * reaches beyond 0 where the statistical one does not. */
struct estimate estimate_widened(struct estimate estimate, double besides);

/* The same with what the instrument's clock and gain add, by the powers of time and of the sensor's unit in it. What
 * has no value or no standard error is unknown. */
struct estimate estimate_combined(struct estimate estimate, const struct instrument *instrument, double time_power,
                                  double sensor_power);

#endif
