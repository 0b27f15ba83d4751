/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/common/instrument_estimate.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

static double share_of(double configured, double whole)
{
    return isfinite(configured) ? configured / whole : 0;
}

struct instrument instrument_of(const struct physical_settings *settings)
{
    return (struct instrument){share_of(settings->u_clock_ppm, 1e6), share_of(settings->u_gain_percent, 100)};
}

struct estimate estimate_in_noise(double value, double se)
{
    const double reach = gsl_cdf_ugaussian_Pinv(0.975) * se;
    return (struct estimate){.value = value, .se = se, .low = value - reach, .high = value + reach};
}

struct estimate estimate_unknown(void)
{
    return (struct estimate){.value = NAN, .se = NAN, .low = NAN, .high = NAN};
}

struct estimate estimate_widened(struct estimate estimate, double besides)
{
    const double u = hypot(estimate.se, besides), farther = gsl_cdf_ugaussian_Pinv(0.975) * (u - estimate.se);
    const double low = estimate.low - farther, high = estimate.high + farther;
    estimate.combined = (struct combined_uncertainty){true, u, estimate.low >= 0 ? fmax(low, 0) : low,
                                                      estimate.high <= 0 ? fmin(high, 0) : high};
    return estimate;
}

struct estimate estimate_combined(struct estimate estimate, const struct instrument *instrument, double time_power,
                                  double sensor_power)
{
    if (!isfinite(estimate.value) || !isfinite(estimate.se))
        return estimate_unknown();
    const double calibration = hypot(time_power * instrument->clock, sensor_power * instrument->gain);
    return estimate_widened(estimate, calibration * estimate.value);
}
