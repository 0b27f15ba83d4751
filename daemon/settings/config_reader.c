/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Reads a group of the file into a struct by a table of keys. All checks that are alike for every key are here:
 * unknown and misspelt names, types, ranges. */

#include "settings/config_reader.h"
#include "proto/utf8.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

void config_complain_at(struct config_reader *reader, unsigned line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    config_complaints_add(&reader->complaints, line, format, arguments);
    va_end(arguments);
}

void config_complain(struct config_reader *reader, const config_setting_t *setting, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    config_complaints_add(&reader->complaints, config_setting_source_line(setting), format, arguments);
    va_end(arguments);
}

/* --- what was likely meant --- */

/* Keys are shorter; the tables of distances stay small enough for the stack. */
enum { MAX_LETTERS = 63 };

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* How many letters must be changed, added, left out or swapped with their neighbour to turn one word into the other
 * (optimal string alignment distance). Words longer than 63 letters count as their first 63.
 *
 * distance[i][j] is that between the first i letters of a and the first j of b. */
static size_t slips_between(const char *a, const char *b)
{
    size_t rows = strnlen(a, MAX_LETTERS);
    size_t columns = strnlen(b, MAX_LETTERS);
    size_t distance[MAX_LETTERS + 1][MAX_LETTERS + 1];
    for (size_t i = 0; i <= rows; ++i)
        distance[i][0] = i;
    for (size_t j = 0; j <= columns; ++j)
        distance[0][j] = j;
    for (size_t i = 1; i <= rows; ++i)
        for (size_t j = 1; j <= columns; ++j) {
            size_t changed = distance[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            size_t best = smaller(changed, smaller(distance[i - 1][j], distance[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                best = smaller(best, distance[i - 2][j - 2] + 1);
            distance[i][j] = best;
        }
    return distance[rows][columns];
}

/* Up to so many slips a known word is likely what the writer meant: one in three letters; a word of two letters has no
 * likely neighbour. */
static size_t likely_slips(const char *word)
{
    return strlen(word) / 3;
}

const char *config_likely_word(const char *word, const char *(*at)(const void *context, size_t index),
                               const void *context)
{
    const char *nearest = NULL, *known;
    size_t smallest = likely_slips(word) + 1;
    for (size_t i = 0; (known = at(context, i)); ++i) {
        size_t distance = slips_between(word, known);
        if (distance < smallest) {
            smallest = distance;
            nearest = known;
        }
    }
    return nearest;
}

/* --- keys --- */

/* A setting's name for a sentence; elements of lists and arrays have none. */
static const char *name_of(const config_setting_t *setting)
{
    const char *name = config_setting_name(setting);
    return name ? name : "an element";
}

static const struct config_key *find_key(const struct config_section *section, const char *name)
{
    for (size_t i = 0; i < section->key_count; ++i)
        if (strcmp(section->keys[i].name, name) == 0)
            return &section->keys[i];
    return NULL;
}

static const char *key_at(const void *section, size_t index)
{
    const struct config_section *of = section;
    return index < of->key_count ? of->keys[index].name : NULL;
}

/* A section that has exactly this key; NULL: none has. */
static const char *home_of_key(const struct config_reader *reader, const char *name)
{
    for (size_t i = 0; i < reader->section_count; ++i)
        if (find_key(reader->sections[i], name))
            return reader->sections[i]->name;
    return NULL;
}

/* Where it belongs is more helpful than what it resembles. */
static void complain_of_unknown_key(struct config_reader *reader, const config_setting_t *setting,
                                    const struct config_section *section)
{
    const char *name = config_setting_name(setting);
    const char *home = home_of_key(reader, name);
    const char *nearest = config_likely_word(name, key_at, section);
    if (home)
        config_complain(reader, setting, "%s: unknown key `%s`: it is a key of %s", section->name, name, home);
    else if (nearest)
        config_complain(reader, setting, "%s: unknown key `%s`: did you mean `%s`?", section->name, name, nearest);
    else
        config_complain(reader, setting, "%s: unknown key `%s`: see fricid.conf(5) for the keys that it may hold",
                        section->name, name);
}

static const char *type_of(const config_setting_t *setting)
{
    switch (config_setting_type(setting)) {
    case CONFIG_TYPE_INT:
    case CONFIG_TYPE_INT64:
    case CONFIG_TYPE_FLOAT:
        return "a number";
    case CONFIG_TYPE_BOOL:
        return "true or false";
    case CONFIG_TYPE_STRING:
        return "a string";
    case CONFIG_TYPE_GROUP:
        return "a group { … }";
    case CONFIG_TYPE_LIST:
        return "a list ( … )";
    default:
        return "an array [ … ]";
    }
}

static void complain_of_type(struct config_reader *reader, const config_setting_t *setting, const char *wanted)
{
    config_complain(reader, setting, "`%s` must be %s, not %s", name_of(setting), wanted, type_of(setting));
}

/* --- values --- */

/* Also refuses 1e999, which libconfig reads as infinity. */
bool config_number(struct config_reader *reader, const config_setting_t *setting, double *number)
{
    if (!config_setting_is_number(setting)) {
        complain_of_type(reader, setting, "a number");
        return false;
    }
    /* libconfig 1.5 cuts hexadecimal numbers to 32 bits without a word. */
    if (config_setting_get_format(setting) == CONFIG_FORMAT_HEX) {
        config_complain(reader, setting, "`%s`: write the number in decimal digits", name_of(setting));
        return false;
    }
    if (config_setting_type(setting) == CONFIG_TYPE_FLOAT)
        *number = config_setting_get_float(setting);
    else
        *number = (double)config_setting_get_int64(setting);
    if (!isfinite(*number)) {
        config_complain(reader, setting, "`%s` is not a finite number", name_of(setting));
        return false;
    }
    return true;
}

static bool number_in_range(struct config_reader *reader, const config_setting_t *setting, const struct config_key *key,
                            double *number)
{
    if (!config_number(reader, setting, number))
        return false;
    bool low = key->above_minimum ? *number <= key->minimum : *number < key->minimum;
    if (low || *number > key->maximum) {
        config_complain(reader, setting, "`%s` is %.15g: it must be %s %.15g and at most %.15g", key->name, *number,
                        key->above_minimum ? "above" : "at least", key->minimum, key->maximum);
        return false;
    }
    return true;
}

/* The member keeps its inherited or built-in value when what the file says cannot be used. */
static void read_number(struct config_reader *reader, const config_setting_t *setting, const struct config_key *key,
                        double *member)
{
    double number;
    if (!number_in_range(reader, setting, key, &number))
        return;
    *member = key->type == CONFIG_NUMBER_OR_NONE && number == 0 ? NAN : number;
}

static void read_whole_number(struct config_reader *reader, const config_setting_t *setting,
                              const struct config_key *key, void *member)
{
    double number;
    if (!number_in_range(reader, setting, key, &number))
        return;
    if (config_setting_type(setting) == CONFIG_TYPE_FLOAT) {
        config_complain(reader, setting, "`%s` must be a whole number", key->name);
        return;
    }
    /* The tables keep the range within that of the member, and the integer itself is exact beyond 2^53. */
    long long whole = config_setting_get_int64(setting);
    if (key->type == CONFIG_SIZE)
        *(size_t *)member = (size_t)whole;
    else if (key->type == CONFIG_UNSIGNED)
        *(unsigned *)member = (unsigned)whole;
    else
        *(uint64_t *)member = (uint64_t)whole;
}

/* Those of ASCII, and the second set, which UTF-8 writes as C2 80 to C2 9F. */
static bool has_control_characters(const char *label)
{
    for (const unsigned char *p = (const unsigned char *)label; *p; ++p)
        if (*p < 0x20 || *p == 0x7f || (p[0] == 0xc2 && p[1] >= 0x80 && p[1] < 0xa0))
            return true;
    return false;
}

/* Whether it may name something. */
static bool check_label(struct config_reader *reader, const config_setting_t *setting, const char *label,
                        size_t max_bytes)
{
    size_t length = strlen(label);
    const char *fault = NULL;
    if (length == 0)
        fault = "is empty";
    else if (!is_utf8(label, length))
        fault = "is not UTF-8";
    else if (has_control_characters(label))
        fault = "contains control characters";
    else if (label[0] == ' ' || label[length - 1] == ' ')
        fault = "begins or ends with a blank";
    if (fault)
        config_complain(reader, setting, "`%s` %s", name_of(setting), fault);
    else if (length > max_bytes)
        config_complain(reader, setting, "`%s` is %zu bytes long: at most %zu are possible", name_of(setting), length,
                        max_bytes);
    return !fault && length <= max_bytes;
}

/* What the file says is copied into the arena: libconfig's own memory is gone after the parse. */
static void read_text(struct config_reader *reader, const config_setting_t *setting, const struct config_key *key,
                      const char **member)
{
    const char *text = config_setting_get_string(setting);
    if (!text) {
        complain_of_type(reader, setting, "a string");
        return;
    }
    /* PATH_MAX counts the NUL. */
    size_t max_bytes = key->type == CONFIG_PATH ? PATH_MAX - 1 : (size_t)key->maximum;
    if (!check_label(reader, setting, text, max_bytes))
        return;
    if (key->type == CONFIG_PATH)
        *member = config_arena_path(reader->arena, reader->folder, text);
    else
        *member = config_arena_text(reader->arena, text, strlen(text));
}

/* --- groups --- */

/* Whether the setting is of the type that a key left to the caller asks for. */
static bool has_type(const config_setting_t *setting, enum config_type type)
{
    switch (type) {
    case CONFIG_GROUP:
        return config_setting_is_group(setting);
    case CONFIG_LIST:
        return config_setting_is_list(setting);
    case CONFIG_ARRAY:
        return config_setting_is_array(setting) || config_setting_is_list(setting);
    default:
        return config_setting_type(setting) == CONFIG_TYPE_STRING;
    }
}

static void check_type(struct config_reader *reader, const config_setting_t *setting, const struct config_key *key)
{
    static const char *const wanted[] = {[CONFIG_GROUP] = "a group { … }",
                                         [CONFIG_LIST] = "a list ( … )",
                                         [CONFIG_ARRAY] = "an array [ … ]",
                                         [CONFIG_WORD] = "a string"};
    if (!has_type(setting, key->type))
        complain_of_type(reader, setting, wanted[key->type]);
}

static void read_value(struct config_reader *reader, const config_setting_t *setting, const struct config_key *key,
                       void *member)
{
    switch (key->type) {
    case CONFIG_NUMBER:
    case CONFIG_NUMBER_OR_NONE:
        read_number(reader, setting, key, member);
        break;
    case CONFIG_SIZE:
    case CONFIG_UNSIGNED:
    case CONFIG_SEED:
        read_whole_number(reader, setting, key, member);
        break;
    case CONFIG_FLAG:
        if (config_setting_type(setting) == CONFIG_TYPE_BOOL)
            *(bool *)member = config_setting_get_bool(setting);
        else
            complain_of_type(reader, setting, "true or false");
        break;
    case CONFIG_LABEL:
    case CONFIG_PATH:
        read_text(reader, setting, key, member);
        break;
    default:
        check_type(reader, setting, key);
        break;
    }
}

/* Every key of the group is looked at, whatever was wrong with the one before. */
void config_read_section(struct config_reader *reader, const config_setting_t *group,
                         const struct config_section *section, void *settings)
{
    for (int i = 0; i < config_setting_length(group); ++i) {
        const config_setting_t *setting = config_setting_get_elem(group, (unsigned)i);
        const struct config_key *key = find_key(section, config_setting_name(setting));
        if (key)
            read_value(reader, setting, key, (char *)settings + key->offset);
        else
            complain_of_unknown_key(reader, setting, section);
    }
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

/* Bytes that differ without a difference do not occur: the reader makes every NAN the same way, and no -0. */
bool config_key_same(const struct config_key *key, const void *a, const void *b)
{
    const char *first = (const char *)a + key->offset, *second = (const char *)b + key->offset;
    switch (key->type) {
    case CONFIG_NUMBER:
    case CONFIG_NUMBER_OR_NONE:
        return memcmp(first, second, sizeof(double)) == 0;
    case CONFIG_SIZE:
        return memcmp(first, second, sizeof(size_t)) == 0;
    case CONFIG_SEED:
        return memcmp(first, second, sizeof(uint64_t)) == 0;
    case CONFIG_UNSIGNED:
        return memcmp(first, second, sizeof(unsigned)) == 0;
    case CONFIG_WORD:
        return key->offset == 0 || memcmp(first, second, sizeof(unsigned)) == 0;
    case CONFIG_FLAG:
        return memcmp(first, second, sizeof(bool)) == 0;
    case CONFIG_LABEL:
    case CONFIG_PATH:
        return same_text(*(const char *const *)(const void *)first, *(const char *const *)(const void *)second);
    default:
        return true;
    }
}

const config_setting_t *config_member(const config_setting_t *group, const struct config_section *section,
                                      const char *name)
{
    const config_setting_t *setting = config_setting_get_member(group, name);
    const struct config_key *key = find_key(section, name);
    if (!setting || !key)
        return NULL;
    /* The types from CONFIG_GROUP on are those that config_read_section() only checks. */
    bool left_to_caller = key->type >= CONFIG_GROUP;
    return left_to_caller && !has_type(setting, key->type) ? NULL : setting;
}

const config_setting_t *config_required_member(struct config_reader *reader, const config_setting_t *group,
                                               const struct config_section *section, const char *name)
{
    if (!config_setting_get_member(group, name))
        config_complain(reader, group, "this %s has no `%s`", section->name, name);
    return config_member(group, section, name);
}
