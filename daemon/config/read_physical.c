/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config/sections.h"

#define KEY(member_name) .offset = offsetof(struct physical_settings, member_name)

/* No mass and no stiffness are said by leaving the keys out, never by 0: results would divide by them. */
static const struct config_key keys[] = {
    {.name = "mass_kg", .type = CONFIG_NUMBER, KEY(mass_kg), .above_minimum = true, .maximum = 1e6},
    {.name = "stiffness_n_per_m",
     .type = CONFIG_NUMBER,
     KEY(stiffness_n_per_m),
     .above_minimum = true,
     .maximum = 1e12},
    {.name = "gravity_m_per_s2", .type = CONFIG_NUMBER, KEY(gravity_m_per_s2), .above_minimum = true, .maximum = 100},
};

const struct config_section physical_section = {"physical", keys, sizeof keys / sizeof keys[0]};

void read_physical(struct config_reader *reader, const config_setting_t *group, struct physical_settings *physical)
{
    if (group)
        config_read_section(reader, group, &physical_section, physical);
}
