/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The group `store`: where decays and results are kept. */

#include "config/sections.h"

#define STORE(member_name) .offset = offsetof(struct store_configuration, member_name)

static const struct config_key store_keys[] = {
    {.name = "directory", .type = CONFIG_PATH, STORE(directory)},
    {.name = "keep_days", .type = CONFIG_NUMBER, STORE(keep_days), .maximum = 1e6},
    {.name = "max_bytes", .type = CONFIG_SIZE, STORE(max_bytes), .maximum = 1e15},
};

const struct config_section store_section = {"store", store_keys, sizeof store_keys / sizeof store_keys[0]};

void read_store(struct config_reader *reader, const config_setting_t *group, struct store_configuration *store)
{
    config_read_section(reader, group, &store_section, store);
}
