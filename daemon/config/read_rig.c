/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config/sections.h"

static const struct config_key keys[] = {
    {.name = "name", .type = CONFIG_LABEL, .offset = offsetof(struct rig_configuration, name), .maximum = 63},
    {.name = "source", .type = CONFIG_GROUP},
    {.name = "channels", .type = CONFIG_LIST},
    {.name = "segment", .type = CONFIG_GROUP},
    {.name = "physical", .type = CONFIG_GROUP},
};

const struct config_section rig_section = {"rig", keys, sizeof keys / sizeof keys[0]};

/* The rig's segment group comes before its channels, which inherit it; the source before the channels, because its kind
 * decides which keys they hold. */
void read_rig(struct config_reader *reader, const config_setting_t *group, struct rig_configuration *rig)
{
    size_t complaints_before = reader->complaints.count;
    config_required_member(reader, group, &rig_section, "name");
    config_read_section(reader, group, &rig_section, rig);
    read_segment(reader, config_member(group, &rig_section, "segment"), &rig->segment_defaults);
    read_physical(reader, config_member(group, &rig_section, "physical"), &rig->physical);
    const config_setting_t *source = config_required_member(reader, group, &rig_section, "source");
    bool known = source && read_source(reader, source, rig);
    /* A list of the wrong type was complained of with the rig's other keys. */
    const config_setting_t *channels = config_member(group, &rig_section, "channels");
    if (known && (channels || !config_setting_get_member(group, "channels")))
        read_channels(reader, group, channels, rig);
    bool sound = reader->complaints.count == complaints_before && !reader->arena->exhausted;
    if (known)
        check_rig(reader, source, channels, rig, sound);
}
