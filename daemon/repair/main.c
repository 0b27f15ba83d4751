/* SPDX-License-Identifier: GPL-3.0-or-later */

/* fricid-repair: a store of what can be read of damaged ones. A program of its own: the daemon never mends what it is
 * asked to use, and fricidctl asks the daemon and has no store. */

#include <config.h>

#include "proto/cause.h"
#include "proto/lock_file.h"
#include "proto/standard_streams.h"
#include "store/repair.h"

#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { EXIT_USAGE = 2 };

static const char help[] = "Usage: fricid-repair --output NEW FILE...\n"
                           "\n"
                           "Makes a new store of all that can be read of the stores FILE, be they damaged,\n"
                           "and of the logs beside them. They are not changed. See fricid-repair(8).\n"
                           "\n"
                           "  -o, --output NEW   the file that is made; it must not be there yet\n"
                           "  --version          print the version, then exit\n"
                           "  --help             print this text, then exit\n"
                           "\n"
                           "Exit status: 0 it is made; 1 failed; 2 wrong usage.\n";

static int usage(const char *sentence)
{
    fprintf(stderr, "fricid-repair: %s; try fricid-repair --help\n", sentence);
    return EXIT_USAGE;
}

static int finish_output(int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    fprintf(stderr, "fricid-repair: cannot write to standard output: %s\n", cause_of(errno));
    return EXIT_FAILURE;
}

/* A daemon that runs has a lock beside its file. The lock is kept until this program ends, so that none starts
 * meanwhile. */
static bool is_in_use(const char *file)
{
    char *lock;
    struct complaint ignored;
    if (asprintf(&lock, "%s.lock", file) < 0)
        return false;
    const bool in_use = access(lock, F_OK) == 0 && lock_file_take(lock, &ignored) == -EALREADY;
    if (in_use)
        fprintf(stderr, "fricid-repair: a fricidd that is running uses %s: stop it first\n", file);
    free(lock);
    return in_use;
}

static int repair(const char *output, const char *const *files, size_t count)
{
    struct complaint report;
    if (access(output, F_OK) == 0) {
        fprintf(stderr, "fricid-repair: %s is there already: name another file, or move it away\n", output);
        return EXIT_USAGE;
    }
    for (size_t i = 0; i < count; i++)
        if (is_in_use(files[i]))
            return EXIT_FAILURE;
    if (repair_stores(files, count, output, &report) != 0) {
        fprintf(stderr, "fricid-repair: %s\n", report.text);
        return EXIT_FAILURE;
    }
    puts(report.text);
    return finish_output(EXIT_SUCCESS);
}

int main(int argc, char **argv)
{
    enum { SHOW_VERSION = 256, SHOW_HELP };
    static const struct option options[] = {{"output", required_argument, NULL, 'o'},
                                            {"version", no_argument, NULL, SHOW_VERSION},
                                            {"help", no_argument, NULL, SHOW_HELP},
                                            {NULL, 0, NULL, 0}};
    const char *output = NULL;
    int option;
    signal(SIGXFSZ, SIG_IGN); /* a file that may not become larger is an error of writing, as a full disk is */
    standard_streams_occupy();
    opterr = 0;
    while ((option = getopt_long(argc, argv, "o:", options, NULL)) != -1) {
        switch (option) {
        case 'o':
            output = optarg;
            break;
        case SHOW_VERSION:
            printf("fricid-repair %s\n", PACKAGE_VERSION);
            return finish_output(EXIT_SUCCESS);
        case SHOW_HELP:
            fputs(help, stdout);
            return finish_output(EXIT_SUCCESS);
        default:
            return usage("an option is wrong, or lacks its value");
        }
    }
    if (!output)
        return usage("--output names no file");
    if (optind == argc)
        return usage("there is no file to read");
    return repair(output, (const char *const *)argv + optind, (size_t)(argc - optind));
}
