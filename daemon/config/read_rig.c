/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One element of `rigs`: its source, and whether source and channels go together. */

#include "config/sections.h"

#include "report/kinds/kind_work.h"

#include <string.h>

/* --- the source --- */

/* "a", "b" or "c". */
static void list_kinds(char *text, size_t size)
{
    *text = '\0';
    for (int kind = 0; kind < SOURCE_KIND_COUNT; kind++) {
        const char *joined = kind == 0 ? "" : kind == SOURCE_KIND_COUNT - 1 ? " or " : ", ";
        size_t used = strlen(text);
        snprintf(text + used, size - used, "%s\"%s\"", joined, source_kind_name((enum source_kind)kind));
    }
}

static bool find_kind(const char *name, enum source_kind *found)
{
    for (int kind = 0; name && kind < SOURCE_KIND_COUNT; kind++)
        if (strcmp(name, source_kind_name((enum source_kind)kind)) == 0) {
            *found = (enum source_kind)kind;
            return true;
        }
    return false;
}

static const char *kind_at(const void *context, size_t index)
{
    (void)context;
    return source_kind_name_at(index);
}

/* The kind that was likely meant; NULL: nobody can tell. */
static const char *complain_of_kind(struct config_reader *reader, const config_setting_t *group)
{
    const config_setting_t *kind = config_setting_get_member(group, "kind");
    const char *name = kind ? config_setting_get_string(kind) : NULL;
    const char *likely = name ? config_likely_word(name, kind_at, NULL) : NULL;
    const char *later = "; its other keys, and its channels, are checked when that is known";
    char advice[256];
    list_kinds(advice, sizeof advice);
    if (!kind)
        config_complain(reader, group, "this source has no `kind`: write kind = %s%s", advice, later);
    else if (!name)
        config_complain(reader, kind, "`kind` must be a string: %s%s", advice, later);
    else if (!likely)
        config_complain(reader, kind, "unknown kind \"%s\" of source: use %s%s", name, advice, later);
    else
        config_complain(reader, kind,
                        "unknown kind \"%s\" of source: use %s; its other keys, and its channels, are checked as those "
                        "of \"%s\"",
                        name, advice, likely);
    return likely;
}

/* Reads the group by its kind, or that which was likely meant. False when nobody knows it: the channels cannot be read
 * then. */
static bool read_source(struct config_reader *reader, const config_setting_t *group, struct rig_configuration *rig)
{
    const config_setting_t *kind = config_setting_get_member(group, "kind");
    const char *name = kind ? config_setting_get_string(kind) : NULL;
    if (!find_kind(name, &rig->source_kind) && !find_kind(complain_of_kind(reader, group), &rig->source_kind))
        return false;
    const struct source_driver *driver = source_driver(rig->source_kind);
    rig->source = config_arena_array(reader->arena, 1, driver->settings_bytes);
    if (rig->source)
        driver->read(reader, group, rig->source);
    return rig->source;
}

/* --- what its records are of --- */

/* "a" or "b" of those that a stream is searched for. */
static void list_found(char *text, size_t size)
{
    const struct record_kind *kind;
    *text = '\0';
    for (size_t i = 0; (kind = record_kind_at(i)); i++) {
        const size_t used = strlen(text);
        if (kind_work_named(kind->name)->finder)
            snprintf(text + used, size - used, "%s\"%s\"", used > 0 ? " or " : "", kind->name);
    }
}

/* The default where none is named, or one that cannot be. */
static const struct kind_work *read_record_kind(struct config_reader *reader, const config_setting_t *setting)
{
    const char *name = setting ? config_setting_get_string(setting) : NULL;
    const struct kind_work *work = name && *name ? kind_work_named(name) : NULL;
    char advice[256];
    list_found(advice, sizeof advice);
    if (name && !work)
        config_complain(reader, setting, "unknown kind \"%s\" of records: use %s", name, advice);
    else if (name && !work->finder)
        config_complain(reader, setting,
                        "records of the kind \"%s\" are not found in what a rig measures: they are handed in, with "
                        "fricidctl identify. Use %s",
                        name, advice);
    return work && work->finder ? work : kind_work_named("");
}

/* --- the rig --- */

static const struct config_key rig_keys[] = {
    {.name = "name", .type = CONFIG_LABEL, .offset = offsetof(struct rig_configuration, name), .maximum = 63},
    {.name = "kind", .type = CONFIG_WORD},
    {.name = "source", .type = CONFIG_GROUP},
    {.name = "channels", .type = CONFIG_LIST},
    {.name = "reference_channel",
     .type = CONFIG_LABEL,
     .offset = offsetof(struct rig_configuration, reference_channel),
     .maximum = 63},
    {.name = "driven", .type = CONFIG_FLAG, .offset = offsetof(struct rig_configuration, driven)},
    {.name = "segment", .type = CONFIG_GROUP},
    {.name = "physical", .type = CONFIG_GROUP},
};

const struct config_section rig_section = {"rig", rig_keys, sizeof rig_keys / sizeof rig_keys[0]};

/* Where no channel is named, a source brings its own, and names nobody knows yet. A channel that could not be read was
 * complained of. */
static void check_reference(struct config_reader *reader, const config_setting_t *group,
                            const struct rig_configuration *rig)
{
    bool found = rig->channel_count == 0 || !rig->reference_channel;
    for (size_t c = 0; c < rig->channel_count && !found; c++)
        found = !rig->channels[c].name || strcmp(rig->channels[c].name, rig->reference_channel) == 0;
    if (!found)
        config_complain(reader, config_member(group, &rig_section, "reference_channel"),
                        "`reference_channel` is \"%s\": the rig has no channel of that name", rig->reference_channel);
}

/* The rig's segment group comes before its channels, which inherit it; the source before the channels, because its kind
 * decides which keys they hold. */
void read_rig(struct config_reader *reader, const config_setting_t *group, struct rig_configuration *rig)
{
    size_t complaints_before = reader->complaints.count;
    config_required_member(reader, group, &rig_section, "name");
    config_read_section(reader, group, &rig_section, rig);
    rig->kind = read_record_kind(reader, config_member(group, &rig_section, "kind"));
    read_segment(reader, config_member(group, &rig_section, "segment"), &rig->segment_defaults);
    read_physical(reader, config_member(group, &rig_section, "physical"), &rig->physical);
    const config_setting_t *source = config_required_member(reader, group, &rig_section, "source");
    bool known = source && read_source(reader, source, rig);
    /* A list of the wrong type was complained of with the rig's other keys. */
    const config_setting_t *channels = config_member(group, &rig_section, "channels");
    if (known && (channels || !config_setting_get_member(group, "channels")))
        read_channels(reader, group, channels, rig);
    check_reference(reader, group, rig);
    bool sound = reader->complaints.count == complaints_before && !reader->arena->exhausted;
    if (known && source_driver(rig->source_kind)->check)
        source_driver(rig->source_kind)->check(reader, source, channels, rig->source, sound);
}
