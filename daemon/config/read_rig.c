/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One element of `rigs`: its source, and whether source and channels go together. */

#include "config/sections.h"
#include "proto/recording.h"

#include <string.h>

/* --- the source --- */

#define SIMULATED(member_name) .type = CONFIG_NUMBER, .offset = offsetof(struct simulated_rig_settings, member_name)

/* The ranges are those that simulated_rig_check() accepts; here they are complained of with the line of the key, and
 * all at once. */
static const struct config_key simulated_keys[] = {
    {.name = "kind", .type = CONFIG_WORD},
    {.name = "mass_kg", SIMULATED(mechanics.mass_kg), .above_minimum = true, .maximum = 1e6},
    {.name = "stiffness_n_per_m", SIMULATED(mechanics.stiffness_n_per_m), .above_minimum = true, .maximum = 1e12},
    {.name = "zeta", SIMULATED(mechanics.zeta), .maximum = 0.999},
    {.name = "f_k_n", SIMULATED(mechanics.f_k_n), .maximum = 1e9},
    {.name = "f_s_n", SIMULATED(mechanics.f_s_n), .maximum = 1e9},
    {.name = "drag_per_m", SIMULATED(mechanics.drag_per_m), .maximum = 1e6},
    {.name = "cubic_per_m2", SIMULATED(mechanics.cubic_per_m2), .minimum = -1e9, .maximum = 1e9},
    {.name = "presliding_distance_m", SIMULATED(mechanics.presliding_distance_m), .maximum = 1},
    {.name = "drift_m_per_s", SIMULATED(mechanics.drift_m_per_s), .minimum = -1, .maximum = 1},
    {.name = "kicks_per_hour", SIMULATED(mechanics.kicks_per_hour), .maximum = 36000},
    {.name = "pull_m", SIMULATED(hand.pull_m), .above_minimum = true, .maximum = 10},
    {.name = "pull_spread", SIMULATED(hand.pull_spread), .maximum = 0.4},
    {.name = "pull_s", SIMULATED(hand.pull_s), .minimum = 1e-3, .maximum = 3600},
    {.name = "hold_s", SIMULATED(hand.hold_s), .maximum = 3600},
    {.name = "rest_s", SIMULATED(hand.rest_s), .maximum = 3600},
    {.name = "tremor_m", SIMULATED(hand.tremor_m), .maximum = 1},
    {.name = "release_velocity_m_per_s", SIMULATED(hand.release_velocity_m_per_s), .maximum = 100},
    {.name = "sample_rate_hz", SIMULATED(sample_rate_hz), .above_minimum = true, .maximum = 1e7},
    {.name = "channel_delay_s", SIMULATED(channel_delay_s), .maximum = 1},
    {.name = "seed", .type = CONFIG_SEED, .offset = offsetof(struct simulated_rig_settings, seed), .maximum = 0x1p63},
    {.name = "real_time", .type = CONFIG_FLAG, .offset = offsetof(struct simulated_rig_settings, real_time)},
    {.name = "duration_s", SIMULATED(duration_s), .maximum = 1e9},
    {.name = "first_scan",
     .type = CONFIG_SEED,
     .offset = offsetof(struct simulated_rig_settings, first_scan),
     .maximum = 0x1p62},
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

/* Reads the group by its kind. False when the kind is not known: the channels cannot be read then. */
static bool read_source(struct config_reader *reader, const config_setting_t *group, struct rig_configuration *rig)
{
    static const struct {
        const char *name;
        void (*read)(struct config_reader *reader, const config_setting_t *group, struct rig_configuration *rig);
    } kinds[] = {{"comedi", read_comedi}, {"recording", read_recording}, {"simulated", read_simulated}};
    const config_setting_t *kind = config_setting_get_member(group, "kind");
    const char *name = kind ? config_setting_get_string(kind) : NULL;
    for (size_t i = 0; name && i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(name, kinds[i].name) == 0) {
            kinds[i].read(reader, group, rig);
            return true;
        }
    static const char advice[] = "\"comedi\", \"recording\" or \"simulated\"";
    if (!kind)
        config_complain(reader, group, "this source has no `kind`: write kind = %s", advice);
    else if (!name)
        config_complain(reader, kind, "`kind` must be a string: %s", advice);
    else
        config_complain(reader, kind, "unknown kind \"%s\" of source: use %s", name, advice);
    return false;
}

/* --- whether the rig can work --- */

/* How the settings of a simulated rig go together is for the rig to say. */
static void check_simulated(struct config_reader *reader, const config_setting_t *source,
                            const struct simulated_rig_settings *simulated)
{
    struct complaint complaint;
    if (simulated_rig_check(simulated, &complaint) != 0)
        config_complain(reader, source, "%s", complaint.text);
}

static bool has_column(const struct recording_reader *recording, const char *name)
{
    const struct recording_column *columns = recording_columns(recording);
    for (size_t i = 0; i < recording_channel_count(recording); ++i)
        if (strcmp(columns[i].name, name) == 0)
            return true;
    return false;
}

/* The daemon would find a missing column only when it starts the rig, and a user would wait for decays that never come.
 */
static void check_columns(struct config_reader *reader, const config_setting_t *list,
                          const struct recording_source_settings *settings, const struct recording_reader *recording)
{
    for (size_t i = 0; i < settings->channel_count && !reader->arena->exhausted; ++i) {
        const char *name = settings->channels[i].name;
        if (name && !has_column(recording, name))
            config_complain(reader, config_setting_get_elem(list, (unsigned)i),
                            "the recording has no column for the channel \"%s\": its first one is \"%s\"", name,
                            recording_columns(recording)[0].name);
    }
}

/* Opens the file as the source will, so that missing rights and a broken header show as well; the rows are not read,
 * they may be gigabytes. */
static void check_recording(struct config_reader *reader, const config_setting_t *source, const config_setting_t *list,
                            const struct recording_source_settings *settings)
{
    struct recording_reader *recording;
    struct complaint complaint;
    if (!settings->path)
        return;
    if (recording_open(settings->path, &recording, &complaint) == 0)
        check_columns(reader, list, settings, recording);
    else
        config_complain(reader, config_setting_get_member(source, "file"), "`file`: %s", complaint.text);
    recording_close(recording);
}

/* A recording is looked for even in a rig with other mistakes: its absence does not follow from them. */
static void check_rig(struct config_reader *reader, const config_setting_t *source, const config_setting_t *channels,
                      const struct rig_configuration *rig, bool sound)
{
    if (rig->source_kind == SOURCE_RECORDING)
        check_recording(reader, source, channels, &rig->source.recording);
    else if (sound && rig->source_kind == SOURCE_SIMULATED)
        check_simulated(reader, source, &rig->source.simulated);
}

/* --- the rig --- */

static const struct config_key rig_keys[] = {
    {.name = "name", .type = CONFIG_LABEL, .offset = offsetof(struct rig_configuration, name), .maximum = 63},
    {.name = "source", .type = CONFIG_GROUP},
    {.name = "channels", .type = CONFIG_LIST},
    {.name = "segment", .type = CONFIG_GROUP},
    {.name = "physical", .type = CONFIG_GROUP},
};

const struct config_section rig_section = {"rig", rig_keys, sizeof rig_keys / sizeof rig_keys[0]};

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
