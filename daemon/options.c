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
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum effect {
    SETS_CONFIG,
    SETS_MODE,
    SETS_WHOLE,
    SETS_KIND,
    SETS_TIME_UNIT,
    SETS_RATE,
    SETS_DELIMITER,
    SETS_DECIMAL,
    SETS_COLUMNS,
    SETS_CALIBRATION,
    SETS_AMPLITUDE_MAX,
    SETS_AMPLITUDE_MIN,
    ENDS
};

/* An option; parsing, help and what shells offer, which read the help, are made from its row. Only long options: a
 * daemon is started by scripts, which should be readable. */
static const struct row {
    const char *name, *value, *summary; /* value NULL: it has none */
    enum effect effect;
    enum run_mode mode; /* of an option that sets it, alone or without another look at the command line */
} rows[] = {
    {"config", "FILE", "configuration to use [" FRICID_SYSCONFDIR "/fricid/fricid.conf]", SETS_CONFIG, RUN_SERVE},
    {"check-config", NULL, "report every error of the configuration, then exit", SETS_MODE, RUN_CHECK_CONFIG},
    {"offline", NULL, "identify recordings (CSV), print one JSON result a line, then exit", SETS_MODE, RUN_OFFLINE},
    {"whole", NULL, "with --offline: each recording is one decay already cut", SETS_WHOLE, RUN_SERVE},
    {"kind", "KIND", "with --offline: what they are of: free_decay or ring_down", SETS_KIND, RUN_SERVE},
    {"time-unit", "UNIT", "with --offline: of the first column: " TIME_UNITS, SETS_TIME_UNIT, RUN_SERVE},
    {"rate", "HZ", "with --offline: rows come evenly, so many a second, or mean", SETS_RATE, RUN_SERVE},
    {"delimiter", "MARK", "with --offline: between values: " DELIMITERS, SETS_DELIMITER, RUN_SERVE},
    {"decimal", "MARK", "with --offline: in numbers: " DECIMALS, SETS_DECIMAL, RUN_SERVE},
    {"columns", "LIST", "with --offline: time and channels, by name or number", SETS_COLUMNS, RUN_SERVE},
    {"calibration", "TEXT", "with --offline: a channel's, as in '[0.0, 2.5] mm'", SETS_CALIBRATION, RUN_SERVE},
    {"amplitude-max", "X", "with --offline: use decays from this amplitude on", SETS_AMPLITUDE_MAX, RUN_SERVE},
    {"amplitude-min", "X", "with --offline: and down to this one", SETS_AMPLITUDE_MIN, RUN_SERVE},
    {"version", NULL, "print the version, then exit", ENDS, RUN_VERSION},
    {"help", NULL, "print this text, then exit", ENDS, RUN_HELP},
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
        printf("%*s%s\n", 19 - width, "", rows[i].summary);
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
static int read_kind(struct options *options, const char *name)
{
    const struct record_kind *kind = *name ? record_kind_named(name) : NULL;
    if (!kind || kind->form_count > 0)
        return usage("--kind wants free_decay or ring_down");
    options->kind = kind->name;
    return 0;
}

static int read_time_unit(struct options *options, const char *name)
{
    const struct time_unit *unit = time_unit_find(name, strlen(name));
    if (!unit)
        return usage("--time-unit wants " TIME_UNITS);
    options->manner.timing.unit_s = unit->seconds;
    return 0;
}

/* strtod() reads the point whatever the locale, because LC_NUMERIC stays "C". */
static int read_rate(struct options *options, const char *text)
{
    char *end;
    if (strcmp(text, "mean") == 0) {
        options->manner.timing.mean_rate = true;
        return 0;
    }
    double rate_hz = strtod(text, &end);
    if (end == text || *end || !(rate_hz > 0 && rate_hz <= RECORDING_MAX_RATE_HZ))
        return usage("--rate wants samples a second, a number above 0, or mean");
    options->manner.timing.rate_hz = rate_hz;
    return 0;
}

static int read_calibration(struct options *options, const char *text)
{
    struct recording_calibration calibration;
    struct recording_manner *manner = &options->manner;
    if (recording_calibration_read(text, &calibration) != 0)
        return usage("--calibration wants coefficients and a unit, " RECORDING_CALIBRATION_EXAMPLE);
    if (manner->calibration_count == RECORDING_MAX_CALIBRATIONS)
        return usage("--calibration is given too often");
    manner->calibrations[manner->calibration_count++] = text;
    return 0;
}

static int read_amplitude(double *amplitude, const char *text)
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

int options_read(struct options *options, int argc, char **argv)
{
    struct option known[ROWS + 1];
    list_options(known);
    *options = (struct options){.mode = RUN_SERVE};
    int option;
    opterr = 0; /* it would write the option as it is */
    while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
        if (option < 1 || option > ROWS)
            /* Of letters behind one dash it is still at the first. */
            return unknown_option(argv[optind - 1][0] == '-' ? argv[optind - 1] : argv[optind]);
        const struct row *row = &rows[option - 1];
        switch (row->effect) {
        case SETS_CONFIG:
            options->config_path = optarg;
            break;
        case SETS_MODE:
            if (choose_mode(options, row->mode) != 0)
                return -EINVAL;
            break;
        case SETS_WHOLE:
            options->whole = true;
            break;
        case SETS_KIND:
            if (read_kind(options, optarg) != 0)
                return -EINVAL;
            break;
        case SETS_TIME_UNIT:
            if (read_time_unit(options, optarg) != 0)
                return -EINVAL;
            break;
        case SETS_RATE:
            if (read_rate(options, optarg) != 0)
                return -EINVAL;
            break;
        case SETS_DELIMITER:
            options->manner.delimiter = (unsigned char)delimiter_find(optarg);
            if (!options->manner.delimiter)
                return usage("--delimiter wants " DELIMITERS);
            break;
        case SETS_DECIMAL:
            options->manner.decimal = (unsigned char)decimal_find(optarg);
            if (!options->manner.decimal)
                return usage("--decimal wants " DECIMALS);
            break;
        case SETS_COLUMNS:
            options->manner.columns = optarg;
            break;
        case SETS_CALIBRATION:
            if (read_calibration(options, optarg) != 0)
                return -EINVAL;
            break;
        case SETS_AMPLITUDE_MAX:
        case SETS_AMPLITUDE_MIN:
            if (read_amplitude(row->effect == SETS_AMPLITUDE_MAX ? &options->amplitude_max : &options->amplitude_min,
                               optarg) != 0)
                return -EINVAL;
            break;
        case ENDS:
            options->mode = row->mode;
            return 0;
        }
    }
    options->file_count = (size_t)(argc - optind);
    options->files = argv + optind;
    return check_combination(options);
}
