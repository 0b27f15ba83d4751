/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What every part of a rig asks of it. */

#include "rig/rig_state.h"

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
