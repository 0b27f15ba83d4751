/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the sensors of a rig say, a few times a second, while somebody looks. */

#include "rig/rig_state.h"

#include <math.h>

static const double signal_window_s = 0.1;

/* What the sensor gives: displacement, with its zero and its calibration taken back. */
static void take_sensor(const struct source_channel *source, struct service_signal *shown)
{
    const struct calibration identity = calibration_identity();
    const struct calibration *calibration = source->calibration.terms > 0 ? &source->calibration : &identity;
    double zero = source->codes.terms > 0 ? source->codes.zero : 0;
    shown->sensor_unit = source->sensor_unit;
    shown->sensor_mean = calibration_sensor_value(calibration, shown->mean + zero);
    shown->sensor_deviation = shown->deviation / fabs(calibration_slope(calibration, shown->sensor_mean));
}

/* Every tenth of a second, of all channels at once. */
static void show_signals(struct rig *rig)
{
    double now_s = clock_monotonic_s();
    double window_s = now_s - rig->signals_from_s;
    if (window_s < signal_window_s)
        return;
    for (size_t c = 0; c < rig->channel_count; c++) {
        struct rig_channel *channel = &rig->channels[c];
        const struct signal_meter *meter = &channel->meter;
        struct segment_state state;
        if (meter->samples == 0)
            continue;
        segmenter_state(channel->segmenter, &state);
        rig_loops_state(rig, c, &state);
        struct service_signal shown = {.rig = rig_name(rig),
                                       .channel = channel->status->name,
                                       .source_kind = rig_source_kind(rig),
                                       .unit = channel->status->unit,
                                       .window_s = window_s,
                                       .samples = meter->samples,
                                       .clipped = meter->clipped,
                                       .least = meter->least,
                                       .most = meter->most,
                                       .mean = signal_meter_mean(meter),
                                       .deviation = signal_meter_deviation(meter),
                                       .roughness = signal_meter_roughness(meter),
                                       .state = &state};
        take_sensor(&rig->description->channels[c], &shown);
        rig->listener.signal(rig->listener.context, &shown);
        channel->meter = (struct signal_meter){0};
    }
    rig->signals_from_s = now_s;
}

/* What was left over when somebody looked last is long out of date. */
static void begin_window(struct rig *rig)
{
    for (size_t c = 0; c < rig->channel_count; c++)
        rig->channels[c].meter = (struct signal_meter){0};
    rig->signals_from_s = clock_monotonic_s();
}

/* Nobody looks most of the time, and then nothing is worked out. */
void rig_meter_signals(struct rig *rig, const struct scan_block *block)
{
    bool wanted = rig->listener.wants_signal && rig->listener.wants_signal(rig->listener.context);
    if (wanted && !rig->shows_signals)
        begin_window(rig);
    rig->shows_signals = wanted;
    if (!wanted)
        return;
    for (size_t i = 0; i < block->channel_count; i++) {
        const struct channel_samples *samples = &block->channels[i];
        signal_meter_take(&rig->channels[samples->channel].meter, samples->displacement, samples->flags,
                          block->scan_count);
    }
    show_signals(rig);
}
