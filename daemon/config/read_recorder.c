/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The group `recorder`: how much of the raw signals is kept in memory. */

#include "config/sections.h"

#define RECORDER(member_name) .offset = offsetof(struct recorder_settings, member_name)

static const struct config_key recorder_keys[] = {
    {.name = "last_s", .type = CONFIG_NUMBER, RECORDER(last_s), .maximum = 1e6},
    {.name = "memory_bytes", .type = CONFIG_SIZE, RECORDER(memory_bytes), .maximum = 1e12},
};

const struct config_section recorder_section = {"recorder", recorder_keys,
                                                sizeof recorder_keys / sizeof recorder_keys[0]};

void read_recorder(struct config_reader *reader, const config_setting_t *group, struct recorder_settings *recorder)
{
    config_read_section(reader, group, &recorder_section, recorder);
}
