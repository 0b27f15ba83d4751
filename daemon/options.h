/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_OPTIONS_H
#define FRICID_OPTIONS_H

#include "proto/recording_parts.h"

#include <stdbool.h>
#include <stddef.h>

/* What fricidd was asked to do. */
enum run_mode { RUN_SERVE, RUN_OFFLINE, RUN_CHECK_CONFIG, RUN_VERSION, RUN_HELP };

/* Exit statuses of fricidd. */
enum exit_status { EXIT_STATUS_OK = 0, EXIT_STATUS_FAILED = 1, EXIT_STATUS_USAGE = 2 };

struct options {
    enum run_mode mode;
    const char *config_path; /* NULL: not given */
    const char *kind;        /* of records; NULL: not given */
    bool whole;
    double amplitude_max, amplitude_min; /* 0: not given */
    struct recording_manner manner;      /* of recordings, as far as it is given */
    size_t file_count;
    char *const *files; /* of argv */
};

/* Reads the command line; wrong usage is told on standard error and gives a negative errno. */
int options_read(struct options *options, int argc, char **argv);

void options_help(void);

#endif
