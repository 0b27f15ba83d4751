/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The list `channels` of a rig. Each element fills two views: how the segmenter cuts, and what the source reads. */

#include "config/sections.h"
#include "proto/recording.h"

#include <stdio.h>
#include <string.h>

/* What the field of a stored decay's origin holds beside its NUL. */
enum { MAX_REMARKS_BYTES = 255 };

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

static const char *const role_names[CHANNEL_ROLES] = {NULL,     "displacement", "force",
                                                      "normal", "velocity",     "accelerometer"};

const char *channel_role_name(enum channel_role role)
{
    return role == ROLE_NONE ? "" : role_names[role];
}

/* What loops are made of has each role once at most; accelerometers may be several. */
static void read_role(struct config_reader *reader, const config_setting_t *group, const struct config_section *section,
                      struct channel_configuration *channels, size_t index)
{
    const config_setting_t *word = config_member(group, section, "role");
    const char *name = word ? config_setting_get_string(word) : NULL;
    enum channel_role role = ROLE_NONE;
    for (int r = ROLE_NONE + 1; name && r < CHANNEL_ROLES; r++)
        if (strcmp(name, role_names[r]) == 0)
            role = (enum channel_role)r;
    if (name && role == ROLE_NONE)
        config_complain(reader, word,
                        "unknown role \"%s\": use \"displacement\", \"velocity\", \"force\", \"normal\" or "
                        "\"accelerometer\"",
                        name);
    for (size_t i = 0; i < index; i++)
        if (role != ROLE_NONE && role != ROLE_ACCELEROMETER && channels[i].role == role) {
            config_complain(reader, word, "the role \"%s\" is taken by the channel \"%s\": a rig has one of each", name,
                            channels[i].name ? channels[i].name : "");
            role = ROLE_NONE;
        }
    channels[index].role = role;
}

static bool has_role(const struct rig_configuration *rig, enum channel_role role)
{
    for (size_t c = 0; c < rig->channel_count; c++)
        if (rig->channels[c].role == role)
            return true;
    return false;
}

/* A word that could not be read was complained of: nothing is missing beside it. */
static void check_roles(struct config_reader *reader, const config_setting_t *list, const struct rig_configuration *rig)
{
    if (has_role(rig, ROLE_FORCE) && !has_role(rig, ROLE_DISPLACEMENT) && !has_role(rig, ROLE_VELOCITY))
        config_complain(
            reader, list,
            "a channel has the role \"force\", and none has the role \"displacement\" or \"velocity\": loops need "
            "one of these");
    if (has_role(rig, ROLE_NORMAL) && !has_role(rig, ROLE_FORCE))
        config_complain(reader, list,
                        "a channel has the role \"normal\", and none has the role \"force\": loops need that");
}

/* Reads one element of `channels` into both views of it. */
static void read_channel(struct config_reader *reader, const config_setting_t *group,
                         const struct rig_configuration *rig, struct channel_configuration *channels, size_t index,
                         void *sources_view)
{
    const struct source_driver *driver = source_driver(rig->source_kind);
    struct channel_configuration *channel = &channels[index];
    channel->segment = rig->segment_defaults;
    if (!config_setting_is_group(group)) {
        config_complain(reader, group, "each element of `channels` must be a group { … }");
        return;
    }
    config_required_member(reader, group, driver->channel_section, "name");
    channel->name = driver->read_channel(reader, group, sources_view);
    complain_of_double_name(reader, group, channels, index);
    read_notes(reader, group, driver->channel_section, channel);
    read_role(reader, group, driver->channel_section, channels, index);
    read_segment(reader, config_member(group, driver->channel_section, "segment"), &channel->segment);
}

/* Entries are zeroed: a channel that could not be read has no name, which every later check takes into account. */
static void read_all(struct config_reader *reader, const config_setting_t *list, struct rig_configuration *rig,
                     size_t count)
{
    const struct source_driver *driver = source_driver(rig->source_kind);
    struct channel_configuration *channels = config_arena_array(reader->arena, count, sizeof *channels);
    char *sources_views = config_arena_array(reader->arena, count, driver->channel_bytes);
    if (!channels || !sources_views)
        return;
    rig->channels = channels;
    rig->channel_count = count;
    driver->take_channels(rig->source, sources_views, count);
    for (size_t i = 0; i < count; ++i)
        read_channel(reader, config_setting_get_elem(list, (unsigned)i), rig, channels, i,
                     sources_views + i * driver->channel_bytes);
    check_roles(reader, list, rig);
}

/* Where a source brings its channels, none need to be named: all of them are taken. */
void read_channels(struct config_reader *reader, const config_setting_t *rig_group, const config_setting_t *list,
                   struct rig_configuration *rig)
{
    int count = list ? config_setting_length(list) : 0;
    const struct source_driver *driver = source_driver(rig->source_kind);
    if (count == 0) {
        if (!driver->brings_channels)
            config_complain(reader, list ? list : rig_group, "a %s rig needs at least one channel in `channels`",
                            driver->name);
        else if (list)
            config_complain(reader, list, "`channels` is empty: leave it out to take every column of the recording");
        return;
    }
    if (count > RECORDING_MAX_CHANNELS)
        config_complain(reader, list, "%d channels are too many: a rig has at most %d", count, RECORDING_MAX_CHANNELS);
    else
        read_all(reader, list, rig, (size_t)count);
}
