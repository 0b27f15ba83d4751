/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The table of commands; help, usage and checks are all made from it. */

#include "client/commands.h"

#include "proto/address.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* Which results a command is about. */
#define FILTER (OPTION_RIG | OPTION_CHANNEL | OPTION_VERDICT | OPTION_WHERE)

static const struct command commands[] = {
    {.name = "status",
     .arguments = "",
     .summary = "what the daemon, its rigs and their channels are doing",
     .run = command_status},
    {.name = "results",
     .arguments = "[--rig R] [--channel C] [--verdict V] [--where KEY=VALUE]... [--sort KEY] [--ascending]\n"
                  "        [--limit N] [--before ID] [--cursor PLACE]",
     .summary = "the latest results, newest first",
     .options = FILTER | OPTION_SORT | OPTION_ASCENDING | OPTION_LIMIT | OPTION_BEFORE | OPTION_CURSOR,
     .run = command_results},
    {.name = "show",
     .arguments = "ID [--intervals]",
     .summary = "everything about one result",
     .options = OPTION_INTERVALS,
     .least = 1,
     .most = 1,
     .run = command_show},
    {.name = "plot",
     .arguments = "ID [-o FILE] [--force]",
     .summary = "a picture of one decay and of what the identified motion leaves over, with gnuplot",
     .options = OPTION_OUTPUT | OPTION_FORCE,
     .least = 1,
     .most = 1,
     .run = command_plot},
    {.name = "watch",
     .arguments = "[--from-seq N] [--count N]",
     .summary = "decays as they run, results and events as they come",
     .options = OPTION_FROM_SEQ | OPTION_COUNT,
     .run = command_watch},
    {.name = "identify",
     .arguments = "FILE... [--whole] [--channel C]",
     .summary = "identify the decays of CSV recordings",
     .options = OPTION_WHOLE | OPTION_CHANNEL,
     .least = 1,
     .most = INT_MAX,
     .run = command_identify},
    {.name = "record",
     .arguments = "--last DURATION | --for DURATION [-o FILE] [--force] [--channel C] [RIG]",
     .summary = "write the raw signals of the last minutes, or from now on, as a CSV recording",
     .options = OPTION_LAST | OPTION_FOR | OPTION_OUTPUT | OPTION_FORCE | OPTION_CHANNEL,
     .most = 1,
     .run = command_record},
    {.name = "devices",
     .arguments = "",
     .summary = "the data acquisition cards, and which channels they can be",
     .run = command_devices},
    {.name = "scope",
     .arguments = "[CHANNEL] [--rig R] [--count N]",
     .summary = "what the sensors say now: values, noise, thresholds, clipping",
     .options = OPTION_RIG | OPTION_COUNT,
     .most = 1,
     .run = command_scope},
    {.name = "calibrate",
     .arguments = "CHANNEL [--rig R] [--degree N]",
     .summary = "a sensor's calibration from known displacements",
     .options = OPTION_RIG | OPTION_DEGREE,
     .least = 1,
     .most = 1,
     .run = command_calibrate},
    {.name = "zero",
     .arguments = "CHANNEL [--rig R]",
     .summary = "the present position of a channel becomes its zero",
     .options = OPTION_RIG,
     .least = 1,
     .most = 1,
     .run = command_zero},
    {.name = "reidentify",
     .arguments = "[--check] [--rig R] [--channel C] [--verdict V] [--where KEY=VALUE]...",
     .summary = "identify stored decays again, as new revisions; or compare only",
     .options = FILTER | OPTION_CHECK,
     .run = command_reidentify},
    {.name = "protect",
     .arguments = "ID...",
     .summary = "keep these decays, however old they get",
     .least = 1,
     .most = INT_MAX,
     .run = command_protect},
    {.name = "unprotect",
     .arguments = "ID...",
     .summary = "these decays may go when they are old",
     .least = 1,
     .most = INT_MAX,
     .run = command_unprotect},
    {.name = "backup",
     .arguments = "[--force] FILE",
     .summary = "a copy of the whole store, while the daemon works",
     .options = OPTION_FORCE,
     .least = 1,
     .most = 1,
     .run = command_backup},
    {.name = "metrics",
     .arguments = "",
     .summary = "the daemon's counters, as Prometheus reads them",
     .run = command_metrics},
    {.name = "doctor",
     .arguments = "",
     .summary = "what on this computer keeps fricid from working, and how to mend it",
     .run = command_doctor},
    {.name = "version", .arguments = "", .summary = "versions of client and daemon", .run = command_version},
};

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

const struct command *commands_find(const char *name)
{
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    return NULL;
}

int commands_check(const struct command *command, const struct options *options, struct complaint *complaint)
{
    unsigned foreign = options->given & ~command->options;
    if (foreign)
        complaint_set(complaint, "%s does not go with %s", options_name(foreign), command->name);
    else if (options->argument_count < command->least || options->argument_count > command->most)
        complaint_set(complaint, "usage: fricidctl %s%s%s", command->name, *command->arguments ? " " : "",
                      command->arguments);
    else
        return 0;
    return -EINVAL;
}

void commands_help(void)
{
    puts("usage: fricidctl [OPTION...] COMMAND [ARGUMENT...]\n"
         "Asks fricidd for the friction that it identified from free-vibration decays.\n");
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        printf("  %s%s%s\n        %s\n", commands[i].name, *commands[i].arguments ? " " : "", commands[i].arguments,
               commands[i].summary);
    puts("\n"
         "  --json             one JSON object instead of text; for watch one a line\n"
         "  --socket PATH      where fricidd listens; else $FRICID_SOCKET, else " FRICID_DEFAULT_SOCKET "\n"
         "  --timeout SECONDS  how long to wait for an answer (10)\n"
         "  --help, --version\n"
         "\n"
         "Exit status: 0 ok, 1 failed, 2 wrong usage or bad input file, 3 no fricidd answers,\n"
         "4 no valid result, 5 not permitted. See fricidctl(1).");
}
