/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The command line of fricidd and nothing else: no other file looks at argv. */

#include "options.h"

#include "proto/dialect/words.h"
#include "proto/plain_text.h"
#include "proto/recording_calibration.h"
#include "proto/time_unit.h"
#include "report/kinds/record_kind.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum effect {
    SETS_TEXT,
    SETS_FLAG,
    SETS_MARK,
    SETS_AMPLITUDE,
    SETS_KIND,
    SETS_TIME_UNIT,
    SETS_RATE,
    SETS_CALIBRATION,
    SETS_MODE,
    ENDS
};

#define SETS(member) .offset = offsetof(struct options, member)
#define MARK(member, find, marks) SETS_MARK, SETS(manner.member), .mark = (find), .names = (marks)

/* An option; parsing, help and what shells offer, which read the help, are made from its row. Only long options: a
 * daemon is started by scripts, which should be readable. */
static const struct row {
    const char *name, *value, *summary; /* value NULL: it has none */
    enum effect effect;
    size_t offset;                  /* of what it sets in struct options */
    enum run_mode mode;             /* of one that sets it, alone or without another look at the command line */
    char (*mark)(const char *name); /* of marks: the one of that name; 0: none */
    const char *names;              /* likewise: those that there are */
} rows[] = {
    {"config", "FILE", "configuration to use [" FRICID_SYSCONFDIR "/fricid/fricid.conf]", SETS_TEXT, SETS(config_path)},
    {"check-config", NULL, "report every error of the configuration, then exit", SETS_MODE, .mode = RUN_CHECK_CONFIG},
    {"offline", NULL, "identify recordings (CSV), print one JSON result a line, then exit", SETS_MODE,
     .mode = RUN_OFFLINE},
    {"whole", NULL, "with --offline: each recording is one decay already cut", SETS_FLAG, SETS(whole)},
    {"kind", "KIND", "with --offline: what they are of: free_decay, ring_down, loop, curve or response", SETS_KIND,
     SETS(kind)},
    {"time-unit", "UNIT", "with --offline: of the first column: " TIME_UNITS, SETS_TIME_UNIT,
     SETS(manner.timing.unit_s)},
    {"rate", "HZ", "with --offline: rows come evenly, so many a second, or mean", SETS_RATE, SETS(manner.timing)},
    {"delimiter", "MARK", "with --offline: between values: " DELIMITERS, MARK(delimiter, delimiter_find, DELIMITERS)},
    {"decimal", "MARK", "with --offline: in numbers: " DECIMALS, MARK(decimal, decimal_find, DECIMALS)},
    {"columns", "LIST", "with --offline: time and channels, by name or number", SETS_TEXT, SETS(manner.columns)},
    {"calibration", "TEXT", "with --offline: a channel's, as in '[0.0, 2.5] mm'", SETS_CALIBRATION, SETS(manner)},
    {"amplitude-max", "X", "with --offline: use decays from this amplitude on", SETS_AMPLITUDE, SETS(amplitude_max)},
    {"amplitude-min", "X", "with --offline: and down to this one", SETS_AMPLITUDE, SETS(amplitude_min)},
    {"version", NULL, "print the version, then exit", ENDS, .mode = RUN_VERSION},
    {"help", NULL, "print this text, then exit", ENDS, .mode = RUN_HELP},
};

enum { ROWS = sizeof rows / sizeof rows[0] };

void options_help(void)
{
    fputs("Usage: fricidd [--config FILE]\n"
          "       fricidd [--config FILE] --check-config\n"
          "       fricidd [--config FILE] --offline [--whole] [--time-unit UNIT | --rate HZ] FILE...\n"
          "\n"
          "Acquires free-vibration decays, identifies viscous damping and Coulomb friction,\n"
          "and answers on a Unix socket. See fricidd(8), fricid.conf(5), fricidctl(1).\n"
          "\n",
          stdout);
    for (size_t i = 0; i < ROWS; i++) {
        const char *value = rows[i].value ? rows[i].value : "";
        int width = printf("  --%s%s%s", rows[i].name, *value ? " " : "", value);
        printf("%*s%s\n", 21 - width, "", rows[i].summary);
    }
    fputs("\n"
          "Exit status: 0 ok; 1 failed, or a recording without a valid result; 2 wrong usage,\n"
          "configuration or recording.\n",
          stdout);
}

static int usage(const char *sentence)
{
    fprintf(stderr, "fricidd: %s; try fricidd --help\n", sentence);
    return -EINVAL;
}

static int unknown_option(const char *option)
{
    plain_print(stderr, "fricidd: %s is no option, lacks its value, or has one too many; try fricidd --help", option);
    return -EINVAL;
}

/* What getopt cannot know: which options need or exclude each other. */
static int check_combination(const struct options *options)
{
    if (options->mode == RUN_OFFLINE && options->file_count == 0)
        return usage("--offline needs at least one recording");
    if (options->whole && options->mode != RUN_OFFLINE)
        return usage("--whole goes with --offline");
    if (options->kind && options->mode != RUN_OFFLINE)
        return usage("--kind goes with --offline");
    if (options->kind && options->whole)
        return usage("--kind and --whole exclude each other");
    const struct recording_timing *timing = &options->manner.timing;
    if ((timing->unit_s > 0 || timing->rate_hz > 0 || timing->mean_rate) && options->mode != RUN_OFFLINE)
        return usage("--time-unit and --rate go with --offline");
    const struct recording_manner *manner = &options->manner;
    if ((manner->delimiter || manner->decimal || manner->columns || manner->calibration_count > 0) &&
        options->mode != RUN_OFFLINE)
        return usage("--delimiter, --decimal, --columns and --calibration go with --offline");
    if ((options->amplitude_max > 0 || options->amplitude_min > 0) && options->mode != RUN_OFFLINE)
        return usage("--amplitude-max and --amplitude-min go with --offline");
    if (options->amplitude_max > 0 && options->amplitude_min >= options->amplitude_max)
        return usage("--amplitude-min must be smaller than --amplitude-max");
    if (timing->unit_s > 0 && timing->rate_hz > 0)
        return usage("--time-unit and --rate exclude each other");
    if (options->mode != RUN_OFFLINE && options->file_count > 0)
        return usage("files go with --offline");
    return 0;
}

/* Giving the same mode twice does no harm. */
static int choose_mode(struct options *options, enum run_mode mode)
{
    if (options->mode != RUN_SERVE && options->mode != mode)
        return usage("--offline and --check-config exclude each other");
    options->mode = mode;
    return 0;
}

/* Tables say by their header what they are of. */
static int read_kind(const char *name, const char **kind_name)
{
    const struct record_kind *kind = *name ? record_kind_named(name) : NULL;
    if (!kind || !record_kind_has_samples(kind))
        return usage("--kind wants free_decay, ring_down, loop, curve or response");
    *kind_name = kind->name;
    return 0;
}

static int read_time_unit(const char *name, double *unit_s)
{
    const struct time_unit *unit = time_unit_find(name, strlen(name));
    if (!unit)
        return usage("--time-unit wants " TIME_UNITS);
    *unit_s = unit->seconds;
    return 0;
}

/* strtod() reads the point whatever the locale, because LC_NUMERIC stays "C". */
static int read_rate(const char *text, struct recording_timing *timing)
{
    char *end;
    if (strcmp(text, "mean") == 0) {
        timing->mean_rate = true;
        return 0;
    }
    double rate_hz = strtod(text, &end);
    if (end == text || *end || !(rate_hz > 0 && rate_hz <= RECORDING_MAX_RATE_HZ))
        return usage("--rate wants samples a second, a number above 0, or mean");
    timing->rate_hz = rate_hz;
    return 0;
}

static int read_mark(const struct row *row, const char *name, unsigned *mark)
{
    char sentence[160];
    *mark = (unsigned char)row->mark(name);
    if (*mark)
        return 0;
    snprintf(sentence, sizeof sentence, "--%s wants %s", row->name, row->names);
    return usage(sentence);
}

static int read_calibration(const char *text, struct recording_manner *manner)
{
    struct recording_calibration calibration;
    if (recording_calibration_read(text, &calibration) != 0)
        return usage("--calibration wants coefficients, of which one behind the first is not 0, and a "
                     "unit, " RECORDING_CALIBRATION_EXAMPLE);
    if (manner->calibration_count == RECORDING_MAX_CALIBRATIONS)
        return usage("--calibration is given too often");
    manner->calibrations[manner->calibration_count++] = text;
    return 0;
}

static int read_amplitude(const char *text, double *amplitude)
{
    char *end;
    *amplitude = strtod(text, &end);
    if (end == text || *end || !(*amplitude > 0 && isfinite(*amplitude)))
        return usage("--amplitude-max and --amplitude-min want an amplitude in the record's unit, a number above 0");
    return 0;
}

/* As getopt wants them; the value of an option is the place of its row, from 1 on. */
static void list_options(struct option known[ROWS + 1])
{
    for (int i = 0; i < ROWS; i++)
        known[i] = (struct option){rows[i].name, rows[i].value ? required_argument : no_argument, NULL, i + 1};
    known[ROWS] = (struct option){NULL, 0, NULL, 0};
}

/* Where getopt stopped. Of letters behind one dash it is still at the first, unless that is the only one. */
static const char *refused_word(char *const *argv)
{
    const char *before = argv[optind - 1];
    const bool letter = optopt < 0 || optopt > ROWS;
    const bool only = before[0] == '-' && before[1] == (char)optopt && before[2] == '\0';
    return letter && !only ? argv[optind] : before;
}

/* What a row does with its value; 0, or -EINVAL and a sentence on standard error. */
static int take(const struct row *row, const char *text, struct options *options)
{
    void *member = (char *)options + row->offset;
    switch (row->effect) {
    case SETS_TEXT:
        *(const char **)member = text;
        return 0;
    case SETS_FLAG:
        *(bool *)member = true;
        return 0;
    case SETS_MARK:
        return read_mark(row, text, member);
    case SETS_AMPLITUDE:
        return read_amplitude(text, member);
    case SETS_KIND:
        return read_kind(text, member);
    case SETS_TIME_UNIT:
        return read_time_unit(text, member);
    case SETS_RATE:
        return read_rate(text, member);
    case SETS_CALIBRATION:
        return read_calibration(text, member);
    case SETS_MODE:
        return choose_mode(options, row->mode);
    case ENDS:
        options->mode = row->mode;
        return 0;
    }
    return -EINVAL;
}

int options_read(struct options *options, int argc, char **argv)
{
    struct option known[ROWS + 1];
    list_options(known);
    *options = (struct options){.mode = RUN_SERVE};
    int option;
    opterr = 0; /* it would write the option as it is */
    while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
        if (option < 1 || option > ROWS)
            return unknown_option(refused_word(argv));
        const struct row *row = &rows[option - 1];
        if (take(row, optarg, options) != 0)
            return -EINVAL;
        if (row->effect == ENDS)
            return 0;
    }
    options->file_count = (size_t)(argc - optind);
    options->files = argv + optind;
    return check_combination(options);
}
