/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_OPTIONS_H
#define FRICID_CLIENT_OPTIONS_H

#include "proto/complaint.h"
#include "proto/recording_parts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A set of options that belong to some commands only: of the following bits. */
typedef uint64_t option_set;

enum command_option {
    OPTION_RIG = UINT64_C(1) << 0,
    OPTION_CHANNEL = UINT64_C(1) << 1,
    OPTION_VERDICT = UINT64_C(1) << 2,
    OPTION_LIMIT = UINT64_C(1) << 3,
    OPTION_BEFORE = UINT64_C(1) << 4,
    OPTION_INTERVALS = UINT64_C(1) << 5,
    OPTION_FROM_SEQ = UINT64_C(1) << 6,
    OPTION_COUNT = UINT64_C(1) << 7,
    OPTION_WHOLE = UINT64_C(1) << 8,
    OPTION_DEGREE = UINT64_C(1) << 9,
    OPTION_AMPLITUDE = UINT64_C(1) << 10, /* either end */
    OPTION_WHERE = UINT64_C(1) << 11,
    OPTION_SORT = UINT64_C(1) << 12,
    OPTION_ASCENDING = UINT64_C(1) << 13,
    OPTION_CHECK = UINT64_C(1) << 14,
    OPTION_LAST = UINT64_C(1) << 15,
    OPTION_FOR = UINT64_C(1) << 16,
    OPTION_OUTPUT = UINT64_C(1) << 17,
    OPTION_FORCE = UINT64_C(1) << 18,
    OPTION_CURSOR = UINT64_C(1) << 19,
    OPTION_KIND = UINT64_C(1) << 20,
    OPTION_KEEP = UINT64_C(1) << 21,
    OPTION_TIME_UNIT = UINT64_C(1) << 22,
    OPTION_RATE = UINT64_C(1) << 23,
    OPTION_ANYWAY = UINT64_C(1) << 24,
    OPTION_DELIMITER = UINT64_C(1) << 25,
    OPTION_DECIMAL = UINT64_C(1) << 26,
    OPTION_COLUMNS = UINT64_C(1) << 27,
    OPTION_ALONE = UINT64_C(1) << 28,
    OPTION_DECAY = UINT64_C(1) << 29,
    OPTION_CALIBRATION = UINT64_C(1) << 30,
    OPTION_MASS = UINT64_C(1) << 31,
    OPTION_LIVE = UINT64_C(1) << 32,
    OPTION_TOGETHER = UINT64_C(1) << 33,
    OPTION_TABLE = UINT64_C(1) << 34,
    OPTION_PART = UINT64_C(1) << 35,
};

enum { OPTIONS_MOST_WHERE = 16 };

/* The command line. Strings are those of argv. */
struct options {
    option_set given;
    bool help, version, json;
    const char *socket; /* NULL: not given */
    double timeout_s;   /* NAN: not given */
    const char *rig, *channel, *verdict, *kind;
    const char *sort;
    const char *table;                     /* a list of records, by its path */
    const char *cursor;                    /* where the page before ended */
    const char *where[OPTIONS_MOST_WHERE]; /* KEY=VALUE */
    size_t where_count;
    const char *output;                  /* a file, or "-" */
    double last_s, for_s;                /* durations */
    double amplitude_max, amplitude_min; /* in the record's unit; 0: not given */
    double mass;                         /* kg; 0: not given */
    struct recording_manner manner;      /* of recordings, as far as it is given */
    int64_t limit, before, from_seq, count, degree, decay, part;
    const char *command; /* NULL: none */
    char **arguments;
    int argument_count;
};

/* What a word of the command line stands for, and thereby what a shell can offer for it. */
enum word_kind {
    WORD_NONE,
    WORD_FILE,
    WORD_RIG,
    WORD_CHANNEL,
    WORD_ID,
    WORD_RUN,
    WORD_CONFIG,
    WORD_ID_OR_FILE,
    WORD_MODEL
};

enum option_kind {
    OPTION_IS_GIVEN, /* no value: its bit says everything */
    OPTION_IS_SWITCH,
    OPTION_IS_TEXT,
    OPTION_IS_ONE_OF, /* the words of `every` */
    OPTION_IS_CONDITION,
    OPTION_IS_NUMBER,
    OPTION_IS_DURATION,
    OPTION_IS_AMOUNT,
    OPTION_IS_TIME_UNIT,
    OPTION_IS_MARK,
    OPTION_IS_RATE,
    OPTION_IS_CALIBRATION,
};

/* An option; parsing, help and completion are made from its row. */
struct option_row {
    const char *name;                   /* "--rig" */
    option_set bit;                     /* 0: every command takes it */
    const char *value;                  /* what stands for its value in the help; NULL: it has none */
    const char *summary;                /* for the help */
    enum option_kind kind;              /* how it is read */
    size_t offset;                      /* of what it sets in struct options */
    char letter;                        /* of the short form; 0: there is none */
    enum word_kind word;                /* what its value is */
    const char *keys;                   /* of conditions, beside those of figures, separated by blanks; NULL: none */
    const char *quantity;               /* of amounts: what they are measured in; of marks: their names */
    double most;                        /* likewise: the largest; above 0 they all are */
    char (*mark)(const char *name);     /* of marks: the one of that name; 0: none */
    const char *(*every)(size_t index); /* the values that there are, NULL behind the last; NULL: any */
};

/* The rows, in the order in which help shows them. */
const struct option_row *options_rows(size_t *count);

/* The row of an option as it is typed, "--rig" or "-o"; NULL: none. */
const struct option_row *options_find(const char *word);

/* Reads the command line; options may stand before and behind the command. 0, or -EINVAL and a complaint. */
int options_parse(int argc, char **argv, struct options *options, struct complaint *complaint);

/* A whole number of at least `least`. 0, or -EINVAL. */
int options_number(const char *text, int64_t least, int64_t *number);

/* The id of a result or a run, as people write it: 42, or #42 as the tables have it. 0, or -EINVAL. */
int options_id(const char *word, int64_t *id);

/* "--whole" of OPTION_WHOLE; of several options, one of them. */
const char *options_name(option_set options);

#endif
