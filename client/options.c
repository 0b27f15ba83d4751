/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The command line of fricidctl: a table of options, and how each kind of them is read. Options of single commands are
 * a set of bits, which is compared with what a command takes. */

#include "client/options.h"

#include "client/duration.h"
#include "identify/common/estimate.h"
#include "proto/address.h"
#include "proto/dialect/words.h"
#include "proto/recording_calibration.h"
#include "proto/time_unit.h"
#include "report/kinds/record_kind.h"
#include "store/results_query.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SETS(member) offsetof(struct options, member)

/* What a rate may be beside a number. */
static const char *rate_name_at(size_t index)
{
    return index == 0 ? "mean" : NULL;
}

static const struct option_row rows[] = {
    {"--check", OPTION_CHECK, NULL, "compare, and store nothing", .kind = OPTION_IS_GIVEN},
    {"--whole", OPTION_WHOLE, NULL, "each recording is one decay", .kind = OPTION_IS_GIVEN},
    {"--amplitude-max", OPTION_AMPLITUDE, "X", "use decays from this amplitude on", .kind = OPTION_IS_AMOUNT,
     .offset = SETS(amplitude_max), .quantity = "an amplitude in the record's unit", .most = 1e9},
    {"--amplitude-min", OPTION_AMPLITUDE, "X", "and down to this one", .kind = OPTION_IS_AMOUNT,
     .offset = SETS(amplitude_min), .quantity = "an amplitude in the record's unit", .most = 1e9},
    {"--keep", OPTION_KEEP, NULL, "store and publish what is found", .kind = OPTION_IS_GIVEN},
    {"--alone", OPTION_ALONE, NULL, "without the fricidd that runs", .kind = OPTION_IS_GIVEN},
    {"--together", OPTION_TOGETHER, NULL, "the files are of one rig, or runs of one contact", .kind = OPTION_IS_GIVEN},
    {"--decay", OPTION_DECAY, "N", "only this one of the file", .kind = OPTION_IS_NUMBER, .offset = SETS(decay)},
    {"--time-unit", OPTION_TIME_UNIT, "UNIT", "of the first column", .kind = OPTION_IS_TIME_UNIT,
     .offset = SETS(manner.timing.unit_s), .every = time_unit_name_at},
    {"--rate", OPTION_RATE, "HZ", "rows come evenly, so many a second, or mean", .kind = OPTION_IS_RATE,
     .offset = SETS(manner.timing.rate_hz), .quantity = "hertz", .most = RECORDING_MAX_RATE_HZ, .every = rate_name_at},
    {"--delimiter", OPTION_DELIMITER, "MARK", "between values, where the file does not tell", .kind = OPTION_IS_MARK,
     .offset = SETS(manner.delimiter), .mark = delimiter_find, .quantity = DELIMITERS, .every = delimiter_name_at},
    {"--decimal", OPTION_DECIMAL, "MARK", "in numbers, where the file does not tell", .kind = OPTION_IS_MARK,
     .offset = SETS(manner.decimal), .mark = decimal_find, .quantity = DECIMALS, .every = decimal_name_at},
    {"--columns", OPTION_COLUMNS, "LIST", "these, by name: id,f_n; of a file the time first: 1,3",
     .kind = OPTION_IS_TEXT, .offset = SETS(manner.columns)},
    {"--calibration", OPTION_CALIBRATION, "TEXT", "of a file's channel: '[0.0, 2.5] mm', 'NAME=[...] mm'",
     .kind = OPTION_IS_CALIBRATION, .offset = SETS(manner)},
    {"--mass", OPTION_MASS, "KG", "that a force moves; kg m2 of a torque", .kind = OPTION_IS_AMOUNT,
     .offset = SETS(mass), .quantity = "a mass in kg", .most = 1e9},
    {"--part", OPTION_PART, "N", "of joint runs, whose offset the force has (1)", .kind = OPTION_IS_NUMBER,
     .offset = SETS(part)},
    {"--live", OPTION_LIVE, NULL, "of a rig, as it goes on", .kind = OPTION_IS_GIVEN},
    {"--last", OPTION_LAST, "DURATION", "what is in memory", .kind = OPTION_IS_DURATION, .offset = SETS(last_s)},
    {"--for", OPTION_FOR, "DURATION", "from now on", .kind = OPTION_IS_DURATION, .offset = SETS(for_s)},
    {"--output", OPTION_OUTPUT, "FILE", "where to", .kind = OPTION_IS_TEXT, .offset = SETS(output), .letter = 'o',
     .word = WORD_FILE},
    {"--force", OPTION_FORCE, NULL, "replace an existing file", .kind = OPTION_IS_GIVEN},
    {"--anyway", OPTION_ANYWAY, NULL, "although it moves", .kind = OPTION_IS_GIVEN},
    {"--intervals", OPTION_INTERVALS, NULL, "95 % intervals and the uncertainty budget", .kind = OPTION_IS_GIVEN},
    {"--from-seq", OPTION_FROM_SEQ, "N", "begin with what is held from here on", .kind = OPTION_IS_NUMBER,
     .offset = SETS(from_seq)},
    {"--rig", OPTION_RIG, "R", "only this rig", .kind = OPTION_IS_TEXT, .offset = SETS(rig), .word = WORD_RIG},
    {"--channel", OPTION_CHANNEL, "C", "only this channel", .kind = OPTION_IS_TEXT, .offset = SETS(channel),
     .word = WORD_CHANNEL},
    {"--verdict", OPTION_VERDICT, "V", "only this verdict", .kind = OPTION_IS_TEXT, .offset = SETS(verdict),
     .every = verdict_name_at},
    {"--kind", OPTION_KIND, "K", "of this kind of records", .kind = OPTION_IS_ONE_OF, .offset = SETS(kind),
     .every = record_kind_name_at},
    {"--where", OPTION_WHERE, "KEY=VALUE", "only those of which this holds", .kind = OPTION_IS_CONDITION,
     .offset = SETS(where),
     .keys = KEY_SOURCE_KIND "= " KEY_ID "= " KEY_RELEASED_FROM "= " KEY_RELEASED_TO "= " KEY_RUN_ID "= " KEY_KIND
                             "= " KEY_MODEL "="},
    {"--table", OPTION_TABLE, "LIST", "as CSV: records, samples, windows.window, ...", .kind = OPTION_IS_TEXT,
     .offset = SETS(table)},
    {"--sort", OPTION_SORT, "KEY", "in the order of this figure", .kind = OPTION_IS_TEXT, .offset = SETS(sort),
     .every = results_order_name_at},
    {"--ascending", OPTION_ASCENDING, NULL, "the smallest first", .kind = OPTION_IS_GIVEN},
    {"--limit", OPTION_LIMIT, "N", "at most so many", .kind = OPTION_IS_NUMBER, .offset = SETS(limit)},
    {"--before", OPTION_BEFORE, "ID", "only smaller ids", .kind = OPTION_IS_NUMBER, .offset = SETS(before)},
    {"--cursor", OPTION_CURSOR, "PLACE", "go on where the page before ended", .kind = OPTION_IS_TEXT,
     .offset = SETS(cursor)},
    {"--count", OPTION_COUNT, "N", "end after so many", .kind = OPTION_IS_NUMBER, .offset = SETS(count)},
    {"--degree", OPTION_DEGREE, "N", "of the polynomial", .kind = OPTION_IS_NUMBER, .offset = SETS(degree)},
    {"--json", 0, NULL, "one JSON object instead of text; for watch one a line", .kind = OPTION_IS_SWITCH,
     .offset = SETS(json), .letter = 'j'},
    {"--socket", 0, "PATH", "where fricidd listens; else $FRICID_SOCKET, else " FRICID_DEFAULT_SOCKET,
     .kind = OPTION_IS_TEXT, .offset = SETS(socket), .letter = 's', .word = WORD_FILE},
    {"--timeout", 0, "SECONDS", "how long to wait for an answer (10)", .kind = OPTION_IS_AMOUNT,
     .offset = SETS(timeout_s), .letter = 't', .quantity = "seconds", .most = 1e6},
    {"--help", 0, NULL, "all commands, or what stands behind a command", .kind = OPTION_IS_SWITCH, .offset = SETS(help),
     .letter = 'h'},
    {"--version", 0, NULL, "the version of fricidctl", .kind = OPTION_IS_SWITCH, .offset = SETS(version),
     .letter = 'V'},
};

enum { ROWS = sizeof rows / sizeof rows[0] };

/* getopt's values of long forms: the row, moved out of the way of characters. */
enum { LONG_FORM = 0x1000 };

const struct option_row *options_rows(size_t *count)
{
    *count = ROWS;
    return rows;
}

const struct option_row *options_find(const char *word)
{
    for (size_t i = 0; i < ROWS; i++) {
        const char letter[] = {'-', rows[i].letter, '\0'};
        if (strcmp(rows[i].name, word) == 0 || (rows[i].letter && strcmp(letter, word) == 0))
            return &rows[i];
    }
    return NULL;
}

const char *options_name(option_set options)
{
    for (size_t i = 0; i < ROWS; i++)
        if (options & rows[i].bit)
            return rows[i].name;
    return "";
}

/* Nothing may follow the number: "12x" is a mistake. */
int options_number(const char *text, int64_t least, int64_t *number)
{
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (errno || end == text || *end || value < least)
        return -EINVAL;
    *number = value;
    return 0;
}

int options_id(const char *word, int64_t *id)
{
    return options_number(*word == '#' ? word + 1 : word, 1, id);
}

/* --- reading a value --- */

/* strtod() reads the point whatever the locale, because LC_NUMERIC stays "C". */
static int read_amount(const struct option_row *row, const char *text, double *amount, struct complaint *complaint)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !(value > 0 && value <= row->most)) {
        complaint_set(complaint, "%s wants %s, a number between 0 and %.0f, not '%s'", row->name, row->quantity,
                      row->most, text);
        return -EINVAL;
    }
    *amount = value;
    return 0;
}

/* A number, or "mean" of the stamps. */
static int read_rate(const struct option_row *row, const char *text, struct recording_timing *timing,
                     struct complaint *complaint)
{
    timing->mean_rate = strcmp(text, rate_name_at(0)) == 0;
    return timing->mean_rate ? 0 : read_amount(row, text, &timing->rate_hz, complaint);
}

/* A word that is none of them would be found out only by commands that need it. */
static int read_one_of(const struct option_row *row, const char *text, const char **word, struct complaint *complaint)
{
    char words[256] = "";
    const char *known;
    for (size_t i = 0; (known = row->every(i)); i++) {
        const size_t used = strlen(words);
        if (strcmp(known, text) == 0) {
            *word = text;
            return 0;
        }
        snprintf(words + used, sizeof words - used, "%s%s", i > 0 ? ", " : "", known);
    }
    complaint_set(complaint, "%s wants one of %s, not '%s'", row->name, words, text);
    return -EINVAL;
}

static int read_time_unit(const char *text, double *unit_s, struct complaint *complaint)
{
    const struct time_unit *unit = time_unit_find(text, strlen(text));
    if (!unit) {
        complaint_set(complaint, "--time-unit wants " TIME_UNITS ", not '%s'", text);
        return -EINVAL;
    }
    *unit_s = unit->seconds;
    return 0;
}

static int read_mark(const struct option_row *row, const char *text, unsigned *mark, struct complaint *complaint)
{
    *mark = (unsigned char)row->mark(text);
    if (*mark)
        return 0;
    complaint_set(complaint, "%s wants %s, not '%s'", row->name, row->quantity, text);
    return -EINVAL;
}

static int add_calibration(const char *text, struct recording_manner *manner, struct complaint *complaint)
{
    struct recording_calibration calibration;
    if (recording_calibration_read(text, &calibration) != 0) {
        complaint_set(complaint,
                      "--calibration wants coefficients, of which one behind the first is not 0, and a "
                      "unit, " RECORDING_CALIBRATION_EXAMPLE ", not '%s'",
                      text);
        return -EINVAL;
    }
    if (manner->calibration_count == RECORDING_MAX_CALIBRATIONS) {
        complaint_set(complaint, "--calibration may stand %d times at most", RECORDING_MAX_CALIBRATIONS);
        return -EINVAL;
    }
    manner->calibrations[manner->calibration_count++] = text;
    return 0;
}

static int add_condition(const char *text, struct options *options, struct complaint *complaint)
{
    if (options->where_count == OPTIONS_MOST_WHERE) {
        complaint_set(complaint, "--where may stand %d times at most", OPTIONS_MOST_WHERE);
        return -EINVAL;
    }
    options->where[options->where_count++] = text;
    return 0;
}

/* Ids, sequence numbers and counts all begin at 1. */
static int take(const struct option_row *row, const char *text, struct options *options, struct complaint *complaint)
{
    void *member = (char *)options + row->offset;
    options->given |= row->bit;
    switch (row->kind) {
    case OPTION_IS_GIVEN:
        return 0;
    case OPTION_IS_SWITCH:
        *(bool *)member = true;
        return 0;
    case OPTION_IS_TEXT:
        *(const char **)member = text;
        return 0;
    case OPTION_IS_ONE_OF:
        return read_one_of(row, text, member, complaint);
    case OPTION_IS_CONDITION:
        return add_condition(text, options, complaint);
    case OPTION_IS_AMOUNT:
        return read_amount(row, text, member, complaint);
    case OPTION_IS_TIME_UNIT:
        return read_time_unit(text, member, complaint);
    case OPTION_IS_RATE:
        return read_rate(row, text, &options->manner.timing, complaint);
    case OPTION_IS_CALIBRATION:
        return add_calibration(text, member, complaint);
    case OPTION_IS_MARK:
        return read_mark(row, text, member, complaint);
    case OPTION_IS_NUMBER:
        if (options_number(text, 1, member) == 0)
            return 0;
        complaint_set(complaint, "%s wants a whole number from 1 on, not '%s'", row->name, text);
        return -EINVAL;
    case OPTION_IS_DURATION:
        if (duration_read(text, member) == 0)
            return 0;
        complaint_set(complaint, "%s wants a duration as in 60s, 1.5min or 2h, not '%s'", row->name, text);
        return -EINVAL;
    }
    return -EINVAL;
}

/* --- the command line --- */

/* What getopt has to say when it returns '?' or ':'; `word` is the argument that it stopped at. */
static int refuse(int result, const char *word, struct complaint *complaint)
{
    if (result == ':')
        complaint_set(complaint, "%s wants a value", word);
    else if (optopt == 0)
        complaint_set(complaint, "there is no option %s, or it is short for several", word);
    else if (optopt < LONG_FORM && word[0] == '-' && word[1] != '-')
        complaint_set(complaint, "there is no option -%c", optopt);
    else
        complaint_set(complaint, "the option takes no value: %s", word);
    return -EINVAL;
}

/* The table as getopt wants it. The leading colon silences getopt: refusals are one sentence, worded here. */
static void make_forms(struct option forms[ROWS + 1], char letters[2 * ROWS + 2])
{
    *letters++ = ':';
    for (int i = 0; i < ROWS; i++) {
        int has_value = rows[i].value ? required_argument : no_argument;
        forms[i] = (struct option){rows[i].name + 2, has_value, NULL, LONG_FORM + i};
        if (rows[i].letter)
            *letters++ = rows[i].letter;
        if (rows[i].letter && rows[i].value)
            *letters++ = ':';
    }
    forms[ROWS] = (struct option){0};
    *letters = '\0';
}

static const struct option_row *row_of(int option)
{
    const char word[] = {'-', (char)option, '\0'};
    return option >= LONG_FORM ? &rows[option - LONG_FORM] : options_find(word);
}

/* Options and arguments may stand in any order, as GNU getopt sorts them. */
int options_parse(int argc, char **argv, struct options *options, struct complaint *complaint)
{
    struct option forms[ROWS + 1];
    char letters[2 * ROWS + 2];
    make_forms(forms, letters);
    *options = (struct options){.timeout_s = NAN};
    for (;;) {
        int option = getopt_long(argc, argv, letters, forms, NULL);
        if (option == -1)
            break;
        if (option == '?' || option == ':')
            return refuse(option, argv[optind - 1], complaint);
        int status = take(row_of(option), optarg, options, complaint);
        if (status < 0)
            return status;
    }
    options->command = optind < argc ? argv[optind] : NULL;
    options->arguments = options->command ? argv + optind + 1 : argv + argc;
    options->argument_count = options->command ? argc - optind - 1 : 0;
    return 0;
}
