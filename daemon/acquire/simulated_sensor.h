/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_ACQUIRE_SIMULATED_SENSOR_H
#define FRICID_ACQUIRE_SIMULATED_SENSOR_H

#include "acquire/code_scale.h"
#include "acquire/counter_unwrap.h"
#include "acquire/simulated_parts.h"
#include "acquire/simulated_random.h"

/* What a channel makes of what it measures. An LVDT: volts with noise, clipped and in steps, back through the
 * calibration. An encoder: counts in a counter that wraps around. A force or an
 * acceleration: with noise, clipped and in steps. */
struct simulated_sensor_state {
    const struct simulated_channel_settings *settings; /* borrowed */
    struct simulated_random *random;                   /* borrowed */
    double low_v, high_v;                              /* LVDT: the converter's range */
    double step_v, noise_v;                            /* LVDT */
    double last_v;                                     /* LVDT: where the search for the next voltage begins */
    uint64_t zero;                                     /* encoder: what the counter reads at displacement 0 */
    struct counter_unwrap unwrap;
};

void simulated_sensor_init(struct simulated_sensor_state *sensor, const struct simulated_channel_settings *settings,
                           struct simulated_random *random);

/* "mm", "N" or "m/s2". */
const char *simulated_sensor_unit(enum simulated_sensor sensor);

/* The next reading, in that unit. Sets SAMPLE_CLIPPED in *flags at the end of the range, and nothing else. */
double simulated_sensor_read(struct simulated_sensor_state *sensor, double value, uint8_t *flags);

/* How the converter's, or the counter's, integers become these readings; terms 0 for a converter without steps. */
struct code_scale simulated_sensor_codes(const struct simulated_sensor_state *sensor);

/* The smallest step of the readings; 0: none. */
double simulated_sensor_resolution(const struct simulated_channel_settings *settings);

#endif
