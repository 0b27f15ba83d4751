/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What an LVDT behind a converter, and an encoder behind a counter, make of a displacement: with the errors that
 * real ones have, and through the same calibration as a real channel. */

#include "acquire/simulated_sensor.h"

#include "identify/decay/record.h"
#include "proto/calibration.h"

#include <math.h>

/* Newton steps to turn the calibration round; a smooth one needs three. */
enum { MAX_INVERSIONS = 20 };

/* The counter reads so far below its wrap-around at displacement 0 that every pull of a few mm meets it. */
static const double wrap_at_mm = 2;

/* The voltage that the calibration turns into a displacement, from a guess nearby. A straight line is solved at
 * once; that is what nearly every channel has. */
static double invert(const struct calibration *calibration, double displacement_mm, double guess_v)
{
    if (calibration->terms == 2)
        return (displacement_mm - calibration->coefficients[0]) / calibration->coefficients[1];
    double volts = guess_v;
    for (int i = 0; i < MAX_INVERSIONS; i++) {
        double step = (calibration_apply(calibration, volts) - displacement_mm) / calibration_slope(calibration, volts);
        volts -= step;
        if (fabs(step) <= 1e-12 * fabs(volts))
            break;
    }
    return volts;
}

/* Steps and noise are given in mm and made in volts, where a real card has them. */
static void init_lvdt(struct simulated_sensor_state *sensor)
{
    const struct simulated_channel_settings *settings = sensor->settings;
    double zero_v = invert(&settings->calibration, 0, 0);
    double mm_per_v = fabs(calibration_slope(&settings->calibration, zero_v));
    double one_end = invert(&settings->calibration, -settings->range_mm, zero_v);
    double other_end = invert(&settings->calibration, settings->range_mm, zero_v);
    sensor->low_v = fmin(one_end, other_end);
    sensor->high_v = fmax(one_end, other_end);
    sensor->step_v = settings->step_mm / mm_per_v;
    sensor->noise_v = settings->noise_mm / mm_per_v;
    sensor->last_v = zero_v;
}

static void init_encoder(struct simulated_sensor_state *sensor)
{
    const struct simulated_channel_settings *settings = sensor->settings;
    uint64_t range = UINT64_C(1) << settings->counter_bits;
    /* Position 0 stands so far below the wrap-around, in counts. */
    double below = fmin(wrap_at_mm * settings->counts_per_mm, (double)range / 2);
    sensor->zero = range - (uint64_t)below;
    sensor->unwrap = counter_unwrap_start(settings->counter_bits, sensor->zero);
}

void simulated_sensor_init(struct simulated_sensor_state *sensor, const struct simulated_channel_settings *settings,
                           struct simulated_random *random)
{
    *sensor = (struct simulated_sensor_state){.settings = settings, .random = random};
    if (settings->sensor == SIMULATED_LVDT)
        init_lvdt(sensor);
    else if (settings->sensor == SIMULATED_ENCODER)
        init_encoder(sensor);
}

/* A converter at the end of its range reads that end, whatever lies beyond. */
static double read_lvdt(struct simulated_sensor_state *sensor, double displacement_mm, uint8_t *flags)
{
    const struct calibration *calibration = &sensor->settings->calibration;
    double volts = invert(calibration, displacement_mm, sensor->last_v);
    sensor->last_v = volts;
    if (sensor->noise_v > 0)
        volts += simulated_random_normal(sensor->random, sensor->noise_v);
    *flags = 0;
    if (volts <= sensor->low_v || volts >= sensor->high_v) {
        *flags = SAMPLE_CLIPPED;
        volts = fmin(fmax(volts, sensor->low_v), sensor->high_v);
    }
    if (sensor->step_v > 0)
        volts = sensor->step_v * rint(volts / sensor->step_v);
    return calibration_apply(calibration, volts);
}

/* The counter shows how many marks were passed: the floor, not the nearest. Like a real one it knows no sign. */
static double read_encoder(struct simulated_sensor_state *sensor, double displacement_mm, uint8_t *flags)
{
    double counts = floor(displacement_mm * sensor->settings->counts_per_mm);
    uint64_t counter = sensor->zero + (uint64_t)(int64_t)counts;
    *flags = 0;
    return (double)counter_unwrap_next(&sensor->unwrap, counter) / sensor->settings->counts_per_mm;
}

static double read_plain(struct simulated_sensor_state *sensor, double figure, uint8_t *flags)
{
    const struct simulated_channel_settings *settings = sensor->settings;
    double read = figure;
    if (settings->noise > 0)
        read += simulated_random_normal(sensor->random, settings->noise);
    *flags = fabs(read) < settings->range ? 0 : SAMPLE_CLIPPED;
    read = fmin(fmax(read, -settings->range), settings->range);
    return settings->step > 0 ? settings->step * rint(read / settings->step) : read;
}

double simulated_sensor_read(struct simulated_sensor_state *sensor, double value, uint8_t *flags)
{
    if (sensor->settings->sensor == SIMULATED_LVDT)
        return read_lvdt(sensor, value, flags);
    return sensor->settings->sensor == SIMULATED_ENCODER ? read_encoder(sensor, value, flags)
                                                         : read_plain(sensor, value, flags);
}

const char *simulated_sensor_unit(enum simulated_sensor sensor)
{
    return sensor == SIMULATED_LVDT || sensor == SIMULATED_ENCODER ? "mm"
           : sensor == SIMULATED_ACCELEROMETER                     ? "m/s2"
                                                                   : "N";
}

struct code_scale simulated_sensor_codes(const struct simulated_sensor_state *sensor)
{
    const struct simulated_channel_settings *settings = sensor->settings;
    if (settings->sensor == SIMULATED_ENCODER)
        return (struct code_scale){.terms = 2,
                                   .coefficients = {0, 1},
                                   .divisor = settings->counts_per_mm,
                                   .calibration = calibration_identity()};
    if (settings->sensor != SIMULATED_LVDT && settings->step > 0)
        return (struct code_scale){
            .terms = 2, .coefficients = {0, settings->step}, .divisor = 1, .calibration = calibration_identity()};
    if (!(sensor->step_v > 0))
        return (struct code_scale){0};
    return (struct code_scale){
        .terms = 2, .coefficients = {0, sensor->step_v}, .divisor = 1, .calibration = settings->calibration};
}

/* What a user would configure: the step of the readings. */
double simulated_sensor_resolution(const struct simulated_channel_settings *settings)
{
    if (settings->sensor == SIMULATED_LVDT)
        return settings->step_mm;
    return settings->sensor == SIMULATED_ENCODER ? 1 / settings->counts_per_mm : settings->step;
}
