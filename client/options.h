/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_OPTIONS_H
#define FRICID_CLIENT_OPTIONS_H

#include "proto/complaint.h"
#include "proto/recording_parts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Options that belong to some commands only; a set of bits. */
enum command_option {
    OPTION_RIG = 1u << 0,
    OPTION_CHANNEL = 1u << 1,
    OPTION_VERDICT = 1u << 2,
    OPTION_LIMIT = 1u << 3,
    OPTION_BEFORE = 1u << 4,
    OPTION_INTERVALS = 1u << 5,
    OPTION_FROM_SEQ = 1u << 6,
    OPTION_COUNT = 1u << 7,
    OPTION_WHOLE = 1u << 8,
    OPTION_DEGREE = 1u << 9,
    OPTION_AMPLITUDE = 1u << 10, /* either end */
    OPTION_WHERE = 1u << 11,
    OPTION_SORT = 1u << 12,
    OPTION_ASCENDING = 1u << 13,
    OPTION_CHECK = 1u << 14,
    OPTION_LAST = 1u << 15,
    OPTION_FOR = 1u << 16,
    OPTION_OUTPUT = 1u << 17,
    OPTION_FORCE = 1u << 18,
    OPTION_CURSOR = 1u << 19,
    OPTION_KIND = 1u << 20,
    OPTION_KEEP = 1u << 21,
    OPTION_TIME_UNIT = 1u << 22,
    OPTION_RATE = 1u << 23,
    OPTION_ANYWAY = 1u << 24,
    OPTION_DELIMITER = 1u << 25,
    OPTION_DECIMAL = 1u << 26,
    OPTION_COLUMNS = 1u << 27,
    OPTION_ALONE = 1u << 28,
    OPTION_DECAY = 1u << 29,
    OPTION_CALIBRATION = 1u << 30,
    OPTION_MASS = 1u << 31,
};

enum { OPTIONS_MOST_WHERE = 16 };

/* The command line. Strings are those of argv. */
struct options {
    unsigned given; /* set of enum command_option */
    bool help, version, json;
    const char *socket; /* NULL: not given */
    double timeout_s;   /* NAN: not given */
    const char *rig, *channel, *verdict, *kind;
    const char *sort;
    const char *cursor;                    /* where the page before ended */
    const char *where[OPTIONS_MOST_WHERE]; /* KEY=VALUE */
    size_t where_count;
    const char *output;                  /* a file, or "-" */
    double last_s, for_s;                /* durations */
    double amplitude_max, amplitude_min; /* in the record's unit; 0: not given */
    double mass;                         /* kg; 0: not given */
    struct recording_manner manner;      /* of recordings, as far as it is given */
    int64_t limit, before, from_seq, count, degree, decay;
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
    unsigned bit;                       /* of enum command_option; 0: every command takes it */
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
const char *options_name(unsigned options);

#endif
