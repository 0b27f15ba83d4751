/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config/sections.h"

#include <string.h>

#define RIG(member_name) .type = CONFIG_NUMBER, .offset = offsetof(struct simulated_rig_settings, member_name)

/* The ranges are those that simulated_rig_check() accepts; here they are complained of with the line of the key, and
 * all at once. */
static const struct config_key simulated_keys[] = {
    {.name = "kind", .type = CONFIG_WORD},
    {.name = "mass_kg", RIG(mechanics.mass_kg), .above_minimum = true, .maximum = 1e6},
    {.name = "stiffness_n_per_m", RIG(mechanics.stiffness_n_per_m), .above_minimum = true, .maximum = 1e12},
    {.name = "zeta", RIG(mechanics.zeta), .maximum = 0.999},
    {.name = "f_k_n", RIG(mechanics.f_k_n), .maximum = 1e9},
    {.name = "f_s_n", RIG(mechanics.f_s_n), .maximum = 1e9},
    {.name = "drag_per_m", RIG(mechanics.drag_per_m), .maximum = 1e6},
    {.name = "cubic_per_m2", RIG(mechanics.cubic_per_m2), .minimum = -1e9, .maximum = 1e9},
    {.name = "presliding_distance_m", RIG(mechanics.presliding_distance_m), .maximum = 1},
    {.name = "drift_m_per_s", RIG(mechanics.drift_m_per_s), .minimum = -1, .maximum = 1},
    {.name = "kicks_per_hour", RIG(mechanics.kicks_per_hour), .maximum = 36000},
    {.name = "pull_m", RIG(hand.pull_m), .above_minimum = true, .maximum = 10},
    {.name = "pull_spread", RIG(hand.pull_spread), .maximum = 0.4},
    {.name = "pull_s", RIG(hand.pull_s), .minimum = 1e-3, .maximum = 3600},
    {.name = "hold_s", RIG(hand.hold_s), .maximum = 3600},
    {.name = "rest_s", RIG(hand.rest_s), .maximum = 3600},
    {.name = "tremor_m", RIG(hand.tremor_m), .maximum = 1},
    {.name = "release_velocity_m_per_s", RIG(hand.release_velocity_m_per_s), .maximum = 100},
    {.name = "sample_rate_hz", RIG(sample_rate_hz), .above_minimum = true, .maximum = 1e7},
    {.name = "channel_delay_s", RIG(channel_delay_s), .maximum = 1},
    {.name = "seed", .type = CONFIG_SEED, .offset = offsetof(struct simulated_rig_settings, seed), .maximum = 0x1p63},
    {.name = "real_time", .type = CONFIG_FLAG, .offset = offsetof(struct simulated_rig_settings, real_time)},
    {.name = "duration_s", RIG(duration_s), .maximum = 1e9},
};

const struct config_section simulated_source_section = {"simulated source", simulated_keys,
                                                        sizeof simulated_keys / sizeof simulated_keys[0]};

static const struct config_key recording_keys[] = {
    {.name = "kind", .type = CONFIG_WORD},
    {.name = "file", .type = CONFIG_PATH, .offset = offsetof(struct recording_source_settings, path)},
    {.name = "real_time", .type = CONFIG_FLAG, .offset = offsetof(struct recording_source_settings, real_time)},
};

const struct config_section recording_source_section = {"recording source", recording_keys,
                                                        sizeof recording_keys / sizeof recording_keys[0]};

/* Who doubles the friction and leaves the break-away friction alone means a rig of the same kind, not an impossible
 * one. */
static void read_simulated(struct config_reader *reader, const config_setting_t *group, struct rig_configuration *rig)
{
    rig->source_kind = SOURCE_SIMULATED;
    struct simulated_rig_settings *simulated = &rig->source.simulated;
    *simulated = simulated_rig_default_settings();
    double break_away_ratio = simulated->mechanics.f_s_n / simulated->mechanics.f_k_n;
    config_read_section(reader, group, &simulated_source_section, simulated);
    const config_setting_t *f_s = config_member(group, &simulated_source_section, "f_s_n");
    if (!f_s)
        simulated->mechanics.f_s_n = simulated->mechanics.f_k_n * break_away_ratio;
    else if (simulated->mechanics.f_s_n < simulated->mechanics.f_k_n)
        config_complain(reader, f_s, "`f_s_n` (%.15g N) must not be smaller than `f_k_n` (%.15g N)",
                        simulated->mechanics.f_s_n, simulated->mechanics.f_k_n);
}

/* Whether the file can be read is asked by check_rig(), when the channels are known too. */
static void read_recording(struct config_reader *reader, const config_setting_t *group, struct rig_configuration *rig)
{
    rig->source_kind = SOURCE_RECORDING;
    struct recording_source_settings *recording = &rig->source.recording;
    *recording = (struct recording_source_settings){0};
    config_read_section(reader, group, &recording_source_section, recording);
    config_required_member(reader, group, &recording_source_section, "file");
}

/* A real card that is configured but not served would be a silent gap in somebody's data, so "comedi" is an error with
 * a sentence of its own. */
bool read_source(struct config_reader *reader, const config_setting_t *group, struct rig_configuration *rig)
{
    const config_setting_t *kind = config_setting_get_member(group, "kind");
    const char *name = kind ? config_setting_get_string(kind) : NULL;
    if (!kind)
        config_complain(reader, group, "this source has no `kind`: write kind = \"recording\" or \"simulated\"");
    else if (!name)
        config_complain(reader, kind, "`kind` must be a string: \"recording\" or \"simulated\"");
    else if (strcmp(name, "simulated") == 0)
        read_simulated(reader, group, rig);
    else if (strcmp(name, "recording") == 0)
        read_recording(reader, group, rig);
    else if (strcmp(name, "comedi") == 0)
        config_complain(reader, kind,
                        "this version of fricidd cannot acquire from Comedi cards: "
                        "use \"recording\" or \"simulated\"");
    else
        config_complain(reader, kind, "unknown kind \"%s\" of source: use \"recording\" or \"simulated\"", name);
    return name && (strcmp(name, "simulated") == 0 || strcmp(name, "recording") == 0);
}
