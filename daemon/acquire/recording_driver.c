/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A recording as a source and its channels, as a configuration describes them. */

#include "acquire/read_calibration.h"
#include "acquire/recording_source.h"
#include "acquire/source_driver.h"
#include "proto/dialect/words.h"
#include "proto/recording.h"
#include "proto/time_unit.h"

#include <string.h>

/* Of a list of columns. */
enum { COLUMNS_BYTES = 1000 };

#define CHANNEL(member_name) .offset = offsetof(struct recording_channel_settings, member_name)

static const struct config_key source_keys[] = {
    {.name = "kind", .type = CONFIG_WORD},
    {.name = "file", .type = CONFIG_PATH, .offset = offsetof(struct recording_source_settings, path)},
    {.name = "time_unit", .type = CONFIG_WORD},
    {.name = "mean_rate",
     .type = CONFIG_FLAG,
     .offset = offsetof(struct recording_source_settings, manner.timing.mean_rate)},
    {.name = "delimiter", .type = CONFIG_WORD, .offset = offsetof(struct recording_source_settings, manner.delimiter)},
    {.name = "decimal", .type = CONFIG_WORD, .offset = offsetof(struct recording_source_settings, manner.decimal)},
    {.name = "columns",
     .type = CONFIG_LABEL,
     .offset = offsetof(struct recording_source_settings, manner.columns),
     .maximum = COLUMNS_BYTES},
    {.name = "sample_rate_hz",
     .type = CONFIG_NUMBER,
     .offset = offsetof(struct recording_source_settings, manner.timing.rate_hz),
     .maximum = RECORDING_MAX_RATE_HZ},
    {.name = "real_time", .type = CONFIG_FLAG, .offset = offsetof(struct recording_source_settings, real_time)},
};

static const struct config_section source_section = {"recording source", source_keys,
                                                     sizeof source_keys / sizeof source_keys[0]};

static const struct config_key channel_keys[] = {
    {.name = "name", .type = CONFIG_LABEL, CHANNEL(name), .maximum = SOURCE_NAME_BYTES},
    {.name = "unit", .type = CONFIG_LABEL, CHANNEL(unit), .maximum = SOURCE_UNIT_BYTES},
    {.name = "calibration", .type = CONFIG_ARRAY},
    {.name = "resolution", .type = CONFIG_NUMBER, CHANNEL(resolution), .maximum = 1e9},
    {.name = "role", .type = CONFIG_WORD},
    {.name = "calibrated_on", .type = CONFIG_WORD},
    {.name = "remarks", .type = CONFIG_WORD},
    {.name = "segment", .type = CONFIG_GROUP},
};

static const struct config_section channel_section = {"recording channel", channel_keys,
                                                      sizeof channel_keys / sizeof channel_keys[0]};

/* What the file does not tell of its time. */
static void read_timing(struct config_reader *reader, const config_setting_t *group, struct recording_timing *timing)
{
    const config_setting_t *setting = config_member(group, &source_section, "time_unit");
    const char *name = setting ? config_setting_get_string(setting) : NULL;
    const struct time_unit *unit = name ? time_unit_find(name, strlen(name)) : NULL;
    timing->configured = true;
    timing->unit_s = unit ? unit->seconds : 0;
    if (name && !unit)
        config_complain(reader, setting, "`time_unit` is \"%s\": use " TIME_UNITS, name);
    if (timing->mean_rate && timing->rate_hz > 0)
        config_complain(reader, group, "`mean_rate` and `sample_rate_hz` exclude each other");
    if (unit && timing->rate_hz > 0)
        config_complain(reader, setting,
                        "`time_unit` and `sample_rate_hz` exclude each other: rows that come evenly "
                        "need no time");
}

/* A mark by its name; 0: the file tells. */
static unsigned read_mark(struct config_reader *reader, const config_setting_t *group, const char *key,
                          char (*find)(const char *name), const char *names)
{
    const config_setting_t *setting = config_member(group, &source_section, key);
    const char *name = setting ? config_setting_get_string(setting) : NULL;
    const unsigned mark = name ? (unsigned char)find(name) : 0;
    if (name && mark == 0)
        config_complain(reader, setting, "`%s` is \"%s\": use %s", key, name, names);
    return mark;
}

/* Whether the file can be read is asked by check(), when the channels are known too. */
static void read_source(struct config_reader *reader, const config_setting_t *group, void *settings)
{
    struct recording_source_settings *recording = settings;
    config_read_section(reader, group, &source_section, settings);
    read_timing(reader, group, &recording->manner.timing);
    recording->manner.delimiter = read_mark(reader, group, "delimiter", delimiter_find, DELIMITERS);
    recording->manner.decimal = read_mark(reader, group, "decimal", decimal_find, DECIMALS);
    config_required_member(reader, group, &source_section, "file");
}

static const char *read_channel(struct config_reader *reader, const config_setting_t *group, void *settings)
{
    struct recording_channel_settings *channel = settings;
    channel->calibration = calibration_identity();
    config_read_section(reader, group, &channel_section, channel);
    const config_setting_t *calibration = config_member(group, &channel_section, "calibration");
    if (calibration)
        read_calibration(reader, calibration, &channel->calibration);
    return channel->name;
}

static void take_channels(void *settings, const void *channels, size_t count)
{
    struct recording_source_settings *recording = settings;
    recording->channels = channels;
    recording->channel_count = count;
}

/* --- whether it can work --- */

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
 * they may be gigabytes. A recording is looked for even in a rig with other mistakes: its absence does not follow from
 * them. */
static void check(struct config_reader *reader, const config_setting_t *group, const config_setting_t *list,
                  const void *settings, bool sound)
{
    const struct recording_source_settings *source = settings;
    struct recording_reader *recording;
    struct complaint complaint;
    (void)sound;
    if (!source->path)
        return;
    if (recording_open(source->path, &source->manner, &recording, &complaint) == 0)
        check_columns(reader, list, source, recording);
    else
        config_complain(reader, config_setting_get_member(group, "file"), "`file`: %s", complaint.text);
    recording_close(recording);
}

/* It waits when nobody takes its scans. */
static double live_rate_hz(const void *settings)
{
    (void)settings;
    return 0;
}

static const char *device(const void *settings)
{
    return ((const struct recording_source_settings *)settings)->path;
}

static int create(struct event_base *base, const void *settings, const struct source_listener *listener,
                  struct source **source, struct complaint *complaint)
{
    return recording_source_create(base, settings, listener, source, complaint);
}

const struct source_driver recording_driver = {.name = "recording",
                                               .source_section = &source_section,
                                               .channel_section = &channel_section,
                                               .settings_bytes = sizeof(struct recording_source_settings),
                                               .channel_bytes = sizeof(struct recording_channel_settings),
                                               .brings_channels = true,
                                               .read = read_source,
                                               .read_channel = read_channel,
                                               .take_channels = take_channels,
                                               .check = check,
                                               .live_rate_hz = live_rate_hz,
                                               .device = device,
                                               .create = create};
