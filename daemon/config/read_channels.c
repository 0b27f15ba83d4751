/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list `channels` of a rig. Each element fills two views: how the segmenter cuts, and what the source reads. */

#include "config/sections.h"
#include "proto/recording.h"

#include <stdio.h>
#include <string.h>

/* What the fields of a stored decay's origin hold beside their NUL. */
enum { MAX_NAME_BYTES = 63, MAX_UNIT_BYTES = 31, MAX_REMARKS_BYTES = 255 };

#define SIMULATED(member_name) .offset = offsetof(struct simulated_channel_settings, member_name)
#define RECORDED(member_name) .offset = offsetof(struct recording_channel_settings, member_name)

static const struct config_key simulated_keys[] = {
    {.name = "name", .type = CONFIG_LABEL, SIMULATED(name), .maximum = MAX_NAME_BYTES},
    {.name = "sensor", .type = CONFIG_WORD},
    {.name = "noise_mm", .type = CONFIG_NUMBER, SIMULATED(noise_mm), .maximum = 1e3},
    {.name = "step_mm", .type = CONFIG_NUMBER, SIMULATED(step_mm), .maximum = 1e3},
    {.name = "range_mm", .type = CONFIG_NUMBER, SIMULATED(range_mm), .above_minimum = true, .maximum = 1e6},
    {.name = "calibration", .type = CONFIG_ARRAY},
    {.name = "counts_per_mm", .type = CONFIG_NUMBER, SIMULATED(counts_per_mm), .above_minimum = true, .maximum = 1e6},
    {.name = "counter_bits", .type = CONFIG_UNSIGNED, SIMULATED(counter_bits), .minimum = 4, .maximum = 48},
    {.name = "calibrated_on", .type = CONFIG_WORD},
    {.name = "remarks", .type = CONFIG_WORD},
    {.name = "segment", .type = CONFIG_GROUP},
};

const struct config_section simulated_channel_section = {"simulated channel", simulated_keys,
                                                         sizeof simulated_keys / sizeof simulated_keys[0]};

static const struct config_key recording_keys[] = {
    {.name = "name", .type = CONFIG_LABEL, RECORDED(name), .maximum = MAX_NAME_BYTES},
    {.name = "unit", .type = CONFIG_LABEL, RECORDED(unit), .maximum = MAX_UNIT_BYTES},
    {.name = "calibration", .type = CONFIG_ARRAY},
    {.name = "resolution", .type = CONFIG_NUMBER, RECORDED(resolution), .maximum = 1e9},
    {.name = "calibrated_on", .type = CONFIG_WORD},
    {.name = "remarks", .type = CONFIG_WORD},
    {.name = "segment", .type = CONFIG_GROUP},
};

const struct config_section recording_channel_section = {"recording channel", recording_keys,
                                                         sizeof recording_keys / sizeof recording_keys[0]};

/* A polynomial that cannot be used changes nothing. Whether it rises or falls all the way over its range is the
 * simulated rig's question; a recording's range is not known before it is read. */
void read_calibration(struct config_reader *reader, const config_setting_t *array, struct calibration *calibration)
{
    int terms = config_setting_length(array);
    if (terms < 2 || terms > CALIBRATION_MAX_TERMS) {
        config_complain(reader, array, "`calibration` has %d coefficients: write 2 to %d, [offset, slope, …]", terms,
                        CALIBRATION_MAX_TERMS);
        return;
    }
    struct calibration read = {.terms = (size_t)terms};
    bool has_slope = false;
    for (int i = 0; i < terms; ++i) {
        if (!config_number(reader, config_setting_get_elem(array, (unsigned)i), &read.coefficients[i]))
            return;
        has_slope = has_slope || (i > 0 && read.coefficients[i] != 0);
    }
    if (has_slope)
        *calibration = read;
    else
        config_complain(reader, array, "`calibration` gives the same displacement whatever the sensor says");
}

/* One table serves both sensors, so that a wrong value is found wherever it stands; a key of the other sensor would be
 * ignored by the rig, and what is ignored misleads. */
static void complain_of_other_sensors_keys(struct config_reader *reader, const config_setting_t *group,
                                           enum simulated_sensor sensor)
{
    static const char *const of_lvdt[] = {"step_mm", "range_mm", "calibration", NULL};
    static const char *const of_encoder[] = {"counts_per_mm", "counter_bits", NULL};
    const char *const *others = sensor == SIMULATED_LVDT ? of_encoder : of_lvdt;
    for (; *others; ++others) {
        const config_setting_t *setting = config_setting_get_member(group, *others);
        if (setting)
            config_complain(reader, setting, "`%s` is a key of sensor \"%s\": this channel is the other kind", *others,
                            sensor == SIMULATED_LVDT ? "encoder" : "lvdt");
    }
}

/* "lvdt" unless the channel says otherwise correctly; the rest of the channel is checked in any case. */
static enum simulated_sensor read_sensor(struct config_reader *reader, const config_setting_t *group)
{
    const config_setting_t *word = config_required_member(reader, group, &simulated_channel_section, "sensor");
    const char *name = word ? config_setting_get_string(word) : "lvdt";
    if (strcmp(name, "encoder") == 0)
        return SIMULATED_ENCODER;
    if (strcmp(name, "lvdt") != 0)
        config_complain(reader, word, "unknown sensor \"%s\": use \"lvdt\" or \"encoder\"", name);
    return SIMULATED_LVDT;
}

/* Both return the channel's name, NULL when it has none that can be used. */
static const char *read_simulated_channel(struct config_reader *reader, const config_setting_t *group,
                                          struct simulated_channel_settings *channel)
{
    enum simulated_sensor sensor = read_sensor(reader, group);
    *channel = simulated_channel_default_settings(sensor);
    channel->name = NULL; /* two channels of the default name would clash */
    config_read_section(reader, group, &simulated_channel_section, channel);
    complain_of_other_sensors_keys(reader, group, sensor);
    const config_setting_t *calibration = config_member(group, &simulated_channel_section, "calibration");
    if (calibration)
        read_calibration(reader, calibration, &channel->calibration);
    return channel->name;
}

static const char *read_recording_channel(struct config_reader *reader, const config_setting_t *group,
                                          struct recording_channel_settings *channel)
{
    channel->calibration = calibration_identity();
    config_read_section(reader, group, &recording_channel_section, channel);
    const config_setting_t *calibration = config_member(group, &recording_channel_section, "calibration");
    if (calibration)
        read_calibration(reader, calibration, &channel->calibration);
    return channel->name;
}

/* Looks back only, so that of two channels the later one is complained of. */
static void complain_of_double_name(struct config_reader *reader, const config_setting_t *group,
                                    const struct channel_configuration *channels, size_t index)
{
    const config_setting_t *name = config_setting_get_member(group, "name");
    for (size_t i = 0; i < index && channels[index].name; ++i)
        if (channels[i].name && strcmp(channels[i].name, channels[index].name) == 0) {
            config_complain(reader, name, "the channel name \"%s\" is taken: every channel of a rig needs its own",
                            channels[index].name);
            return;
        }
}

/* The rig's channels as the segmenters and as the source see them: arrays of equal length. */
struct channel_arrays {
    struct channel_configuration *common;
    struct simulated_channel_settings *simulated;
    struct recording_channel_settings *recording;
    struct comedi_channel_settings *comedi;
};

static const struct config_section *section_of(enum source_kind kind)
{
    switch (kind) {
    case SOURCE_SIMULATED:
        return &simulated_channel_section;
    case SOURCE_COMEDI:
        return &comedi_channel_section;
    default:
        return &recording_channel_section;
    }
}

static const char *read_sources_view(struct config_reader *reader, const config_setting_t *group, enum source_kind kind,
                                     const struct channel_arrays *arrays, size_t index)
{
    switch (kind) {
    case SOURCE_SIMULATED:
        return read_simulated_channel(reader, group, &arrays->simulated[index]);
    case SOURCE_COMEDI:
        return read_comedi_channel(reader, group, &arrays->comedi[index]);
    default:
        return read_recording_channel(reader, group, &arrays->recording[index]);
    }
}

/* A date as people sort them, 2026-11-21: neither the month nor the day can then be mistaken. */
static bool is_date(const char *text)
{
    static const int days[] = {31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int year, month, day, end = 0;
    return strspn(text, "0123456789-") == strlen(text) &&
           sscanf(text, "%4d-%2d-%2d%n", &year, &month, &day, &end) == 3 && end == 10 && !text[end] && month >= 1 &&
           month <= 12 && day >= 1 && day <= days[month - 1];
}

/* What nobody reads but people, years later. */
static void read_notes(struct config_reader *reader, const config_setting_t *group,
                       const struct config_section *section, struct channel_configuration *channel)
{
    const config_setting_t *date = config_member(group, section, "calibrated_on");
    const config_setting_t *remarks = config_member(group, section, "remarks");
    const char *text = date ? config_setting_get_string(date) : NULL;
    if (text && !is_date(text))
        config_complain(reader, date, "`calibrated_on` is \"%s\": write the date as \"2026-11-21\"", text);
    else if (text)
        channel->calibrated_on = config_arena_text(reader->arena, text, strlen(text));
    text = remarks ? config_setting_get_string(remarks) : NULL;
    if (text && strlen(text) > MAX_REMARKS_BYTES)
        config_complain(reader, remarks, "`remarks` has %zu bytes: at most %d are kept", strlen(text),
                        MAX_REMARKS_BYTES);
    else if (text)
        channel->remarks = config_arena_text(reader->arena, text, strlen(text));
}

/* Reads one element of `channels` into both views of it. */
static void read_channel(struct config_reader *reader, const config_setting_t *group,
                         const struct rig_configuration *rig, const struct channel_arrays *arrays, size_t index)
{
    const struct config_section *section = section_of(rig->source_kind);
    struct channel_configuration *channel = &arrays->common[index];
    channel->segment = rig->segment_defaults;
    if (!config_setting_is_group(group)) {
        config_complain(reader, group, "each element of `channels` must be a group { … }");
        return;
    }
    config_required_member(reader, group, section, "name");
    channel->name = read_sources_view(reader, group, rig->source_kind, arrays, index);
    complain_of_double_name(reader, group, arrays->common, index);
    read_notes(reader, group, section, channel);
    read_segment(reader, config_member(group, section, "segment"), &channel->segment);
}

/* Entries are zeroed: a channel that could not be read has no name, which every later check takes into account. */
static bool allocate(struct config_reader *reader, struct rig_configuration *rig, size_t count,
                     struct channel_arrays *arrays)
{
    rig->channels = arrays->common = config_arena_array(reader->arena, count, sizeof *arrays->common);
    rig->channel_count = count;
    if (rig->source_kind == SOURCE_SIMULATED) {
        struct simulated_rig_settings *source = &rig->source.simulated;
        source->channels = arrays->simulated = config_arena_array(reader->arena, count, sizeof *arrays->simulated);
        source->channel_count = count;
    } else if (rig->source_kind == SOURCE_COMEDI) {
        struct comedi_settings *source = &rig->source.comedi;
        source->channels = arrays->comedi = config_arena_array(reader->arena, count, sizeof *arrays->comedi);
        source->channel_count = count;
    } else {
        struct recording_source_settings *source = &rig->source.recording;
        source->channels = arrays->recording = config_arena_array(reader->arena, count, sizeof *arrays->recording);
        source->channel_count = count;
    }
    return !reader->arena->exhausted;
}

/* No channels at all is fine for a recording only: its columns are known, those of other rigs are not. */
void read_channels(struct config_reader *reader, const config_setting_t *rig_group, const config_setting_t *list,
                   struct rig_configuration *rig)
{
    int count = list ? config_setting_length(list) : 0;
    if (count == 0) {
        if (rig->source_kind != SOURCE_RECORDING)
            config_complain(reader, list ? list : rig_group, "a %s rig needs at least one channel in `channels`",
                            source_kind_name(rig->source_kind));
        else if (list)
            config_complain(reader, list, "`channels` is empty: leave it out to take every column of the recording");
        return;
    }
    if (count > RECORDING_MAX_CHANNELS) {
        config_complain(reader, list, "%d channels are too many: a rig has at most %d", count, RECORDING_MAX_CHANNELS);
        return;
    }
    struct channel_arrays arrays = {0};
    if (!allocate(reader, rig, (size_t)count, &arrays))
        return;
    for (int i = 0; i < count; ++i)
        read_channel(reader, config_setting_get_elem(list, (unsigned)i), rig, &arrays, (size_t)i);
}
