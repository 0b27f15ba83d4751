/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A Comedi card and its channels. What the card can do is not asked here: it may be plugged in later. */

#include "acquire/comedi_source.h"
#include "acquire/read_calibration.h"
#include "acquire/source_driver.h"

#include <math.h>
#include <string.h>

#define SOURCE_NUMBER(member) .type = CONFIG_NUMBER, .offset = offsetof(struct comedi_settings, member)
#define CHANNEL(member) .offset = offsetof(struct comedi_channel_settings, member)

static const struct config_key source_keys[] = {
    {.name = "kind", .type = CONFIG_WORD},
    {.name = "device", .type = CONFIG_PATH, .offset = offsetof(struct comedi_settings, device)},
    {.name = "sample_rate_hz", SOURCE_NUMBER(sample_rate_hz), .minimum = 0.3, .maximum = 1e8},
    {.name = "poll_rate_hz", SOURCE_NUMBER(poll_rate_hz), .minimum = 0.1, .maximum = 1e5},
    {.name = "convert_us", SOURCE_NUMBER(convert_us), .above_minimum = true, .maximum = 1e6},
    {.name = "buffer_s", SOURCE_NUMBER(buffer_s), .minimum = 0.1, .maximum = 3600},
    {.name = "silent_s", SOURCE_NUMBER(silent_s), .minimum = 0.1, .maximum = 3600},
};

static const struct config_section source_section = {"comedi source", source_keys,
                                                     sizeof source_keys / sizeof source_keys[0]};

static const struct config_key channel_keys[] = {
    {.name = "name", .type = CONFIG_LABEL, CHANNEL(name), .maximum = SOURCE_NAME_BYTES},
    {.name = "input", .type = CONFIG_WORD},
    {.name = "unit", .type = CONFIG_LABEL, CHANNEL(unit), .maximum = SOURCE_UNIT_BYTES},
    {.name = "subdevice", .type = CONFIG_UNSIGNED, CHANNEL(subdevice), .maximum = 255},
    {.name = "channel", .type = CONFIG_UNSIGNED, CHANNEL(channel), .maximum = 65535},
    {.name = "polled", .type = CONFIG_FLAG, CHANNEL(polled)},
    {.name = "resolution", .type = CONFIG_NUMBER, CHANNEL(resolution), .maximum = 1e9},
    {.name = "range_v", .type = CONFIG_ARRAY},
    {.name = "reference", .type = CONFIG_WORD},
    {.name = "calibration", .type = CONFIG_ARRAY},
    {.name = "counts_per_unit",
     .type = CONFIG_NUMBER,
     CHANNEL(counts_per_unit),
     .above_minimum = true,
     .maximum = 1e12},
    {.name = "reversed", .type = CONFIG_FLAG, CHANNEL(reversed)},
    {.name = "multiply", .type = CONFIG_UNSIGNED, CHANNEL(multiply), .maximum = 4},
    {.name = "initial_count", .type = CONFIG_UNSIGNED, CHANNEL(initial_count), .maximum = 4294967295.0},
    {.name = "index", .type = CONFIG_FLAG, CHANNEL(index)},
    {.name = "input_a", .type = CONFIG_UNSIGNED, CHANNEL(input_a), .maximum = 63},
    {.name = "input_b", .type = CONFIG_UNSIGNED, CHANNEL(input_b), .maximum = 63},
    {.name = "input_z", .type = CONFIG_UNSIGNED, CHANNEL(input_z), .maximum = 63},
    {.name = "role", .type = CONFIG_WORD},
    {.name = "calibrated_on", .type = CONFIG_WORD},
    {.name = "remarks", .type = CONFIG_WORD},
    {.name = "segment", .type = CONFIG_GROUP},
};

static const struct config_section channel_section = {"comedi channel", channel_keys,
                                                      sizeof channel_keys / sizeof channel_keys[0]};

static void read_source(struct config_reader *reader, const config_setting_t *group, void *settings)
{
    struct comedi_settings *comedi = settings;
    *comedi = comedi_default_settings();
    config_read_section(reader, group, &source_section, comedi);
}

/* --- a channel --- */

/* The word's place in a list that ends with NULL; `otherwise` when it is not there, or not in the list. */
static int read_word(struct config_reader *reader, const config_setting_t *group, const char *key,
                     const char *const *words, const char *advice, int otherwise)
{
    const config_setting_t *setting = config_member(group, &channel_section, key);
    const char *word = setting ? config_setting_get_string(setting) : NULL;
    for (int i = 0; word && words[i]; i++)
        if (strcmp(word, words[i]) == 0)
            return i;
    if (word)
        config_complain(reader, setting, "`%s` is \"%s\": use %s", key, word, advice);
    return otherwise;
}

static void read_range(struct config_reader *reader, const config_setting_t *group, double range_v[2])
{
    const config_setting_t *array = config_member(group, &channel_section, "range_v");
    double read[2];
    if (!array)
        return;
    if (config_setting_length(array) != 2) {
        config_complain(reader, array, "`range_v` is [lowest, highest] in volts");
        return;
    }
    for (unsigned i = 0; i < 2; i++)
        if (!config_number(reader, config_setting_get_elem(array, i), &read[i]))
            return;
    if (read[0] < read[1])
        memcpy(range_v, read, sizeof read);
    else
        config_complain(reader, array, "`range_v`: the lowest voltage must be below the highest");
}

/* A key of the other kind of input would be ignored, and what is ignored misleads. */
static void complain_of_other_inputs_keys(struct config_reader *reader, const config_setting_t *group,
                                          enum comedi_input input)
{
    static const char *const of_voltage[] = {"range_v", "reference", "calibration", NULL};
    static const char *const of_encoder[] = {
        "counts_per_unit", "reversed", "multiply", "initial_count", "index", "input_a", "input_b", "input_z", NULL};
    for (const char *const *other = input == COMEDI_VOLTAGE ? of_encoder : of_voltage; *other; ++other) {
        const config_setting_t *setting = config_setting_get_member(group, *other);
        if (setting)
            config_complain(reader, setting, "`%s` is a key of input \"%s\": this channel is the other kind", *other,
                            input == COMEDI_VOLTAGE ? "encoder" : "voltage");
    }
}

static void read_voltage(struct config_reader *reader, const config_setting_t *group,
                         struct comedi_channel_settings *channel)
{
    static const char *const references[] = {"ground", "common", "differential", "other", NULL};
    const config_setting_t *calibration = config_member(group, &channel_section, "calibration");
    read_range(reader, group, channel->range_v);
    channel->reference = (enum comedi_reference)read_word(
        reader, group, "reference", references, "\"ground\", \"common\", \"differential\" or \"other\"", COMEDI_GROUND);
    if (calibration)
        read_calibration(reader, calibration, &channel->calibration);
    /* Without a calibration, what is measured are volts. */
    else if (!config_setting_get_member(group, "unit"))
        channel->unit = "V";
}

static void read_encoder(struct config_reader *reader, const config_setting_t *group,
                         const struct comedi_channel_settings *channel)
{
    config_required_member(reader, group, &channel_section, "counts_per_unit");
    if (channel->multiply == 3)
        config_complain(reader, config_setting_get_member(group, "multiply"),
                        "`multiply` is 3: an encoder's edges are counted once, twice or four times (1, 2, 4); 0 leaves "
                        "the counter as it is set up");
}

static const char *read_channel(struct config_reader *reader, const config_setting_t *group, void *settings)
{
    struct comedi_channel_settings *channel = settings;
    static const char *const inputs[] = {"voltage", "encoder", NULL};
    config_required_member(reader, group, &channel_section, "input");
    enum comedi_input input =
        (enum comedi_input)read_word(reader, group, "input", inputs, "\"voltage\" or \"encoder\"", COMEDI_VOLTAGE);
    *channel = comedi_channel_default_settings(input);
    config_read_section(reader, group, &channel_section, channel);
    complain_of_other_inputs_keys(reader, group, input);
    if (input == COMEDI_ENCODER)
        read_encoder(reader, group, channel);
    else
        read_voltage(reader, group, channel);
    return channel->name;
}

static void take_channels(void *settings, const void *channels, size_t count)
{
    struct comedi_settings *comedi = settings;
    comedi->channels = channels;
    comedi->channel_count = count;
}

/* --- the card --- */

static double live_rate_hz(const void *settings)
{
    const struct comedi_settings *comedi = settings;
    return fmax(comedi->sample_rate_hz, comedi->poll_rate_hz);
}

static const char *device(const void *settings)
{
    return ((const struct comedi_settings *)settings)->device;
}

static int create(struct event_base *base, const void *settings, const struct source_listener *listener,
                  struct source **source, struct complaint *complaint)
{
    return comedi_source_create(base, settings, listener, source, complaint);
}

const struct source_driver comedi_driver = {.name = "comedi",
                                            .source_section = &source_section,
                                            .channel_section = &channel_section,
                                            .settings_bytes = sizeof(struct comedi_settings),
                                            .channel_bytes = sizeof(struct comedi_channel_settings),
                                            .read = read_source,
                                            .read_channel = read_channel,
                                            .take_channels = take_channels,
                                            .live_rate_hz = live_rate_hz,
                                            .device = device,
                                            .create = create};
