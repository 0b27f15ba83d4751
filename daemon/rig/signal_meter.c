/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Extremes, mean, deviation and roughness of a few samples, in one pass. */

#include "rig/signal_meter.h"

#include "identify/decay/record.h"

#include <math.h>

void signal_meter_take(struct signal_meter *meter, const double *displacement, const uint8_t *flags, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        double y = displacement[i];
        if (meter->samples == 0)
            meter->first = meter->latest = meter->least = meter->most = y;
        double offset = y - meter->first, step = y - meter->latest;
        meter->least = fmin(meter->least, y);
        meter->most = fmax(meter->most, y);
        meter->sum += offset;
        meter->sum_of_squares += offset * offset;
        meter->steps += step * step;
        meter->latest = y;
        meter->clipped += flags && (flags[i] & SAMPLE_CLIPPED);
        meter->samples++;
    }
}

double signal_meter_mean(const struct signal_meter *meter)
{
    return meter->samples > 0 ? meter->first + meter->sum / (double)meter->samples : (double)NAN;
}

/* Of all samples, not yet divided by their number. */
static double spread(const struct signal_meter *meter)
{
    double n = (double)meter->samples;
    return fmax(meter->sum_of_squares - meter->sum * meter->sum / n, 0);
}

double signal_meter_deviation(const struct signal_meter *meter)
{
    return meter->samples > 1 ? sqrt(spread(meter) / (double)(meter->samples - 1)) : (double)NAN;
}

double signal_meter_roughness(const struct signal_meter *meter)
{
    double varies = meter->samples > 1 ? spread(meter) : 0;
    return varies > 0 ? meter->steps / (2 * varies) : (double)NAN;
}
