/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config/sections.h"

#define KEY(member_name) .offset = offsetof(struct segment_settings, member_name)

/* Two half cycles are the least that a decrement can be taken from. The bounds of length keep a channel's memory within
 * what a small lab computer has: a sample takes 8 to 17 bytes. Lengths in displacement units know no natural bound; 1e9
 * only keeps their squares and sums far from the end of a double. */
static const struct config_key keys[] = {
    {.name = "start_below", .type = CONFIG_NUMBER_OR_NONE, KEY(start_below), .minimum = 0, .maximum = 1e9},
    {.name = "stop_below", .type = CONFIG_NUMBER_OR_NONE, KEY(stop_below), .minimum = 0, .maximum = 1e9},
    {.name = "min_half_cycles", .type = CONFIG_SIZE, KEY(min_half_cycles), .minimum = 2, .maximum = 10000},
    {.name = "pretrigger_cycles", .type = CONFIG_NUMBER, KEY(pretrigger_cycles), .minimum = 0, .maximum = 100},
    {.name = "max_duration_s", .type = CONFIG_NUMBER, KEY(max_duration_s), .above_minimum = true, .maximum = 1e6},
    {.name = "max_samples", .type = CONFIG_SIZE, KEY(max_samples), .minimum = 1000, .maximum = 1e8},
    {.name = "resolution", .type = CONFIG_NUMBER, KEY(resolution), .minimum = 0, .maximum = 1e9},
};

const struct config_section segment_section = {"segment", keys, sizeof keys / sizeof keys[0]};

void read_segment(struct config_reader *reader, const config_setting_t *group, struct segment_settings *segment)
{
    if (!group)
        return;
    config_read_section(reader, group, &segment_section, segment);
    const config_setting_t *stop = config_member(group, &segment_section, "stop_below");
    const config_setting_t *start = config_member(group, &segment_section, "start_below");
    /* Inherited values were compared where they were written. Comparisons with NAN, no limit, are false. */
    if ((stop || start) && segment->stop_below >= segment->start_below)
        config_complain(reader, stop ? stop : start,
                        "`stop_below` (%.15g) must be smaller than `start_below` (%.15g), or no sample is left",
                        segment->stop_below, segment->start_below);
}
