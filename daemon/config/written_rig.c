/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A rig as its file has it, in one form: whatever keys a source may have, two rigs are alike when these texts are. It
 * works on the parsed groups and not on the structs, so that no key can be forgotten here. */

#include "config/written_rig.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct writer {
    FILE *stream;
    bool short_of_memory;
};

/* The same group at several levels, the innermost first; a level without the group is NULL. */
struct levels {
    const config_setting_t *groups[3];
};

enum { LEVELS = 3 };

static void write_setting(struct writer *writer, const config_setting_t *setting);

/* 2 and 2.0 are the same number in a file. */
static void write_number(struct writer *writer, const config_setting_t *setting)
{
    if (config_setting_type(setting) != CONFIG_TYPE_FLOAT) {
        fprintf(writer->stream, "%lld", (long long)config_setting_get_int64(setting));
        return;
    }
    double number = config_setting_get_float(setting);
    if (number == floor(number) && fabs(number) < 0x1p53)
        fprintf(writer->stream, "%" PRId64, (int64_t)number);
    else
        fprintf(writer->stream, "%.17g", number);
}

static int by_name(const void *a, const void *b)
{
    const config_setting_t *const *first = a, *const *second = b;
    return strcmp(config_setting_name(*first), config_setting_name(*second));
}

/* Members between braces in the order of their names: it does not matter in which they stand. Frees the list; NULL is
 * one for which there was no memory. */
static void write_members(struct writer *writer, const config_setting_t **members, size_t count)
{
    writer->short_of_memory = writer->short_of_memory || !members;
    if (!members)
        return;
    qsort(members, count, sizeof *members, by_name);
    fputc('{', writer->stream);
    for (size_t i = 0; i < count; ++i) {
        fprintf(writer->stream, "%s=", config_setting_name(members[i]));
        write_setting(writer, members[i]);
        fputc(';', writer->stream);
    }
    fputc('}', writer->stream);
    free(members);
}

/* How a member of the group is written by somebody else, or not at all. */
typedef bool (*leave_out)(const config_setting_t *member);

static void write_group(struct writer *writer, const config_setting_t *group, leave_out left_out)
{
    size_t count = 0, length = (size_t)config_setting_length(group);
    const config_setting_t **members = calloc(length + 1, sizeof *members);
    for (size_t i = 0; members && i < length; ++i) {
        const config_setting_t *member = config_setting_get_elem(group, (unsigned)i);
        if (!left_out || !left_out(member))
            members[count++] = member;
    }
    write_members(writer, members, count);
}

static void write_setting(struct writer *writer, const config_setting_t *setting)
{
    switch (config_setting_type(setting)) {
    case CONFIG_TYPE_GROUP:
        write_group(writer, setting, NULL);
        return;
    case CONFIG_TYPE_ARRAY:
    case CONFIG_TYPE_LIST:
        fputc('(', writer->stream);
        for (int i = 0; i < config_setting_length(setting); ++i) {
            write_setting(writer, config_setting_get_elem(setting, (unsigned)i));
            fputc(',', writer->stream);
        }
        fputc(')', writer->stream);
        return;
    case CONFIG_TYPE_STRING: /* with its length: no text can look like the end of another */
        fprintf(writer->stream, "%zu\"%s\"", strlen(config_setting_get_string(setting)),
                config_setting_get_string(setting));
        return;
    case CONFIG_TYPE_BOOL:
        fputs(config_setting_get_bool(setting) ? "true" : "false", writer->stream);
        return;
    default:
        write_number(writer, setting);
        return;
    }
}

/* Whether a level further in has this key as well. */
static bool overridden(const struct levels *levels, int level, const char *name)
{
    for (int inner = 0; inner < level; ++inner)
        if (levels->groups[inner] && config_setting_get_member(levels->groups[inner], name))
            return true;
    return false;
}

/* What holds of a group that is inherited: each key from the innermost level that has it. */
static void write_inherited(struct writer *writer, const struct levels *levels)
{
    size_t count = 0, most = 1;
    for (int l = 0; l < LEVELS; ++l)
        most += levels->groups[l] ? (size_t)config_setting_length(levels->groups[l]) : 0;
    const config_setting_t **members = calloc(most, sizeof *members);
    for (int l = 0; members && l < LEVELS; ++l) {
        const config_setting_t *group = levels->groups[l];
        for (int i = 0; group && i < config_setting_length(group); ++i) {
            const config_setting_t *member = config_setting_get_elem(group, (unsigned)i);
            if (!overridden(levels, l, config_setting_name(member)))
                members[count++] = member;
        }
    }
    write_members(writer, members, count);
}

static bool is_inherited(const config_setting_t *member)
{
    const char *name = config_setting_name(member);
    return strcmp(name, "segment") == 0 || strcmp(name, "physical") == 0;
}

static bool is_inherited_or_channels(const config_setting_t *member)
{
    return is_inherited(member) || strcmp(config_setting_name(member), "channels") == 0;
}

static const config_setting_t *group_in(const config_setting_t *parent, const char *name)
{
    const config_setting_t *group = config_setting_get_member(parent, name);
    return group && config_setting_is_group(group) ? group : NULL;
}

static void write_rig(struct writer *writer, const config_setting_t *root, const config_setting_t *rig)
{
    const config_setting_t *channels = config_setting_get_member(rig, "channels");
    int count = channels ? config_setting_length(channels) : 0;
    write_group(writer, rig, is_inherited_or_channels);
    write_inherited(writer, &(struct levels){{group_in(rig, "physical"), group_in(root, "physical")}});
    /* Without channels of its own a recording's columns have the rig's settings. */
    if (count == 0)
        write_inherited(writer, &(struct levels){{group_in(rig, "segment"), group_in(root, "segment")}});
    for (int i = 0; i < count; ++i) {
        const config_setting_t *channel = config_setting_get_elem(channels, (unsigned)i);
        write_group(writer, channel, is_inherited);
        write_inherited(writer, &(struct levels){{group_in(channel, "segment"), group_in(rig, "segment"),
                                                  group_in(root, "segment")}});
    }
}

const char *written_rig(struct config_arena *arena, const config_setting_t *root, const config_setting_t *rig)
{
    char *text = NULL;
    size_t length = 0;
    struct writer writer = {.stream = open_memstream(&text, &length)};
    if (writer.stream)
        write_rig(&writer, root, rig);
    bool complete = writer.stream && !writer.short_of_memory && !ferror(writer.stream);
    if (writer.stream && fclose(writer.stream) != 0)
        complete = false;
    const char *kept = complete ? config_arena_text(arena, text, length) : NULL;
    free(text);
    arena->exhausted = arena->exhausted || !kept;
    return kept;
}
