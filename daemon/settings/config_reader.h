/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SETTINGS_CONFIG_READER_H
#define FRICID_SETTINGS_CONFIG_READER_H

#include "settings/config_arena.h"
#include "settings/config_complaints.h"

#include <libconfig.h>
#include <stdbool.h>
#include <stddef.h>

/* Typed and range-checked reading of groups, driven by tables of keys. Nothing here stops at the first mistake: each is
 * written down with its file and line, the value stays what it was, and reading goes on. */

enum config_type {
    CONFIG_NUMBER,         /* double; whole numbers are welcome */
    CONFIG_NUMBER_OR_NONE, /* double; 0 means none and is stored as NAN */
    CONFIG_SIZE,           /* size_t */
    CONFIG_UNSIGNED,       /* unsigned */
    CONFIG_SEED,           /* uint64_t */
    CONFIG_FLAG,           /* bool */
    CONFIG_LABEL,          /* const char *: a name or unit of at most `maximum` bytes */
    CONFIG_PATH,           /* const char *: a file, relative to the configuration's folder */
    CONFIG_GROUP,          /* left to the caller, only the type is checked */
    CONFIG_LIST,           /* likewise: a list ( … ) */
    CONFIG_ARRAY,          /* likewise: an array [ … ], or a list, in which libconfig lets 0 and 2.0 stand together */
    CONFIG_WORD,           /* likewise: a string; where there is an offset, the caller keeps an unsigned there */
};

/* A key that a group may hold, with its range, ends included. */
struct config_key {
    const char *name;
    enum config_type type;
    size_t offset; /* of the member in the struct that the group fills */
    double minimum, maximum;
    bool above_minimum; /* the minimum itself is out of range */
};

/* A kind of group, as the manual page heads it: "segment", "rig", "simulated channel". */
struct config_section {
    const char *name;
    const struct config_key *keys;
    size_t key_count;
};

struct config_reader {
    const struct config_section *const *sections; /* all there are, to tell where a misplaced key belongs */
    size_t section_count;
    struct config_arena *arena;
    const char *folder; /* of the configuration file */
    struct config_complaints complaints;
};

/* Notes a complaint about a line of the expanded text. */
void config_complain_at(struct config_reader *reader, unsigned line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Notes a complaint about a setting. */
void config_complain(struct config_reader *reader, const config_setting_t *setting, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Reads a group: unknown keys, wrong types and values out of range are complained of, everything else is stored in
 * `settings`, whose strings are the arena's. */
void config_read_section(struct config_reader *reader, const config_setting_t *group,
                         const struct config_section *section, void *settings);

/* The member `name` when it is there and of the type that its key asks for; else NULL, without a word: complaining of
 * types is config_read_section's work. */
const config_setting_t *config_member(const config_setting_t *group, const struct config_section *section,
                                      const char *name);

/* The same, but complains when the group has no such member. */
const config_setting_t *config_required_member(struct config_reader *reader, const config_setting_t *group,
                                               const struct config_section *section, const char *name);

/* That of the words at index 0, 1, … (behind the last: NULL) which was likely meant; NULL: none is near. */
const char *config_likely_word(const char *word, const char *(*at)(const void *context, size_t index),
                               const void *context);

/* Whether two structs of the same kind hold the same value of a key. Groups, lists and arrays always do. */
bool config_key_same(const struct config_key *key, const void *a, const void *b);

/* A finite number, whole or not. Complains and returns false for anything else. */
bool config_number(struct config_reader *reader, const config_setting_t *setting, double *number);

#endif
