/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A Comedi card and its channels. What the card can do is not asked here: it may be plugged in later. */

#include "config/sections.h"

#include <math.h>
#include <string.h>

/* Names and units as long as the fields of a stored decay's origin allow. */
enum { MAX_NAME_BYTES = 63, MAX_UNIT_BYTES = 31 };

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

const struct config_section comedi_source_section = {"comedi source", source_keys,
                                                     sizeof source_keys / sizeof source_keys[0]};

static const struct config_key channel_keys[] = {
    {.name = "name", .type = CONFIG_LABEL, CHANNEL(name), .maximum = MAX_NAME_BYTES},
    {.name = "input", .type = CONFIG_WORD},
    {.name = "unit", .type = CONFIG_LABEL, CHANNEL(unit), .maximum = MAX_UNIT_BYTES},
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
    {.name = "calibrated_on", .type = CONFIG_WORD},
    {.name = "remarks", .type = CONFIG_WORD},
    {.name = "segment", .type = CONFIG_GROUP},
};

const struct config_section comedi_channel_section = {"comedi channel", channel_keys,
                                                      sizeof channel_keys / sizeof channel_keys[0]};

void read_comedi(struct config_reader *reader, const config_setting_t *group, struct rig_configuration *rig)
{
    rig->source_kind = SOURCE_COMEDI;
    rig->source.comedi = comedi_default_settings();
    config_read_section(reader, group, &comedi_source_section, &rig->source.comedi);
}

/* --- a channel --- */

/* The word's place in a list that ends with NULL; `otherwise` when it is not there, or not in the list. */
static int read_word(struct config_reader *reader, const config_setting_t *group, const char *key,
                     const char *const *words, const char *advice, int otherwise)
{
    const config_setting_t *setting = config_member(group, &comedi_channel_section, key);
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
    const config_setting_t *array = config_member(group, &comedi_channel_section, "range_v");
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
    const config_setting_t *calibration = config_member(group, &comedi_channel_section, "calibration");
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
    config_required_member(reader, group, &comedi_channel_section, "counts_per_unit");
    if (channel->multiply == 3)
        config_complain(reader, config_setting_get_member(group, "multiply"),
                        "`multiply` is 3: an encoder's edges are counted once, twice or four times (1, 2, 4); 0 leaves "
                        "the counter as it is set up");
}

const char *read_comedi_channel(struct config_reader *reader, const config_setting_t *group,
                                struct comedi_channel_settings *channel)
{
    static const char *const inputs[] = {"voltage", "encoder", NULL};
    config_required_member(reader, group, &comedi_channel_section, "input");
    enum comedi_input input =
        (enum comedi_input)read_word(reader, group, "input", inputs, "\"voltage\" or \"encoder\"", COMEDI_VOLTAGE);
    *channel = comedi_channel_default_settings(input);
    config_read_section(reader, group, &comedi_channel_section, channel);
    complain_of_other_inputs_keys(reader, group, input);
    if (input == COMEDI_ENCODER)
        read_encoder(reader, group, channel);
    else
        read_voltage(reader, group, channel);
    return channel->name;
}
