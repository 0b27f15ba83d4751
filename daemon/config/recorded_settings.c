/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config/recorded_settings.h"

#include <string.h>

static const struct rig_configuration *rig_named(const struct configuration *configuration, const char *name)
{
    for (size_t i = 0; *name && i < configuration->rig_count; i++)
        if (strcmp(configuration->rigs[i].name, name) == 0)
            return &configuration->rigs[i];
    return NULL;
}

struct recorded_settings recorded_settings(const struct configuration *configuration,
                                           const struct recorded_channel *recorded)
{
    const struct rig_configuration *rig = rig_named(configuration, recorded->rig);
    struct recorded_settings settings = {.segment = rig ? rig->segment_defaults : configuration->segment,
                                         .physical = rig ? rig->physical : configuration->physical};
    for (size_t c = 0; rig && c < rig->channel_count; c++)
        if (strcmp(rig->channels[c].name, recorded->channel) == 0)
            settings.segment = rig->channels[c].segment;
    if (!(settings.segment.resolution > 0))
        settings.segment.resolution = recorded->resolution;
    settings.segment.stamps_tell_holes = !recorded->tells_gaps;
    return settings;
}
