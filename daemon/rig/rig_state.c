/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What every part of a rig asks of it. */

#include "rig/rig_state.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *rig_name(const struct rig *rig)
{
    return rig->configuration->name;
}

const char *rig_source_kind(const struct rig *rig)
{
    return source_kind_name(rig->configuration->source_kind);
}

void rig_tell(struct rig *rig, const char *channel, const char *code, const char *reason, uint64_t count,
              const char *format, ...)
{
    char sentence[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    struct service_event event = {.code = code,
                                  .sentence = sentence,
                                  .rig = rig_name(rig),
                                  .channel = channel,
                                  .source_kind = rig_source_kind(rig),
                                  .at_ns = clock_realtime_ns(),
                                  .reason = reason,
                                  .count = count};
    rig->listener.event(rig->listener.context, &event);
}

const struct channel_configuration *rig_channel_configuration(const struct rig *rig, const char *channel)
{
    const struct rig_configuration *configuration = rig->configuration;
    for (size_t c = 0; c < configuration->channel_count; c++)
        if (strcmp(configuration->channels[c].name, channel) == 0)
            return &configuration->channels[c];
    return NULL;
}

/* What the user configured counts more than what the source claims. A recording without configured channels has those
 * of its columns; they inherit the rig's settings. */
struct segment_settings rig_segment_settings(const struct rig *rig, const struct source_channel *source)
{
    const struct channel_configuration *configured = rig_channel_configuration(rig, source->name);
    struct segment_settings settings = configured ? configured->segment : rig->configuration->segment_defaults;
    if (!(settings.resolution > 0))
        settings.resolution = source->resolution;
    return settings;
}

/* The card's clock as an uncertainty of every time, relative. An error that was measured is not corrected: who looks at
 * samples and at results shall see the same seconds. A card that does not stream has no clock. */
double rig_clock_uncertainty(const struct rig *rig)
{
    static const double of_a_crystal = 1e-4;
    const struct source_description *description = rig->description;
    const struct source_clock *clock = &description->clock;
    if (description->declares_clock)
        return clock->rate_error_se;
    if (!description->measures_clock || !(description->sample_rate_hz > 0))
        return 0;
    return isnan(clock->rate_error) ? of_a_crystal : hypot(clock->rate_error, clock->rate_error_se);
}

/* Streams share their clock, and a simulated rig has only one. A recording knows what its rig knew, if anything. */
double rig_time_error_s(const struct rig *rig, bool stamped)
{
    const struct source_description *description = rig->description;
    if (description->declares_clock)
        return description->clock.time_error_s;
    return description->measures_clock && stamped ? description->clock.time_error_s : 0;
}
