/* SPDX-License-Identifier: GPL-3.0-or-later */

/* fricid-repair: a store of what can be read of damaged ones. A program of its own: the daemon never mends what it is
 * asked to use, and fricidctl asks the daemon and has no store. */

#include <config.h>

#include "proto/cause.h"
#include "proto/lock_file.h"
#include "proto/plain_text.h"
#include "proto/standard_streams.h"
#include "store/database_files.h"
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

static int failure(const char *sentence)
{
    fprintf(stderr, "fricid-repair: %s\n", sentence);
    return EXIT_FAILURE;
}

/* --- being ended --- */

/* Signals that ask to end wait until it has been looked for them: half a file must not stay behind. */
static void hold_signals(int how)
{
    sigset_t ending;
    sigemptyset(&ending);
    sigaddset(&ending, SIGINT);
    sigaddset(&ending, SIGTERM);
    sigaddset(&ending, SIGHUP);
    sigprocmask(how, &ending, NULL);
}

static int is_asked_to_end(void *unused)
{
    sigset_t waiting;
    (void)unused;
    return sigpending(&waiting) == 0 && (sigismember(&waiting, SIGINT) == 1 || sigismember(&waiting, SIGTERM) == 1 ||
                                         sigismember(&waiting, SIGHUP) == 1);
}

/* --- the files --- */

/* The lock of a daemon that uses a file, or would; one that is taken is kept until this program ends, so that none
 * starts meanwhile. -EALREADY: one does; -ENOTSUP: the file system knows no locks. */
static int take_lock(const char *lock, const char *file, struct complaint *complaint)
{
    const int taken = lock_file_take(lock, complaint);
    if (taken == -EALREADY)
        complaint_set(complaint, "a fricidd that is running, or another fricid-repair, uses %s: stop it first", file);
    return taken;
}

/* A daemon that runs has a lock beside its file. */
static int check_input(const char *file)
{
    char *lock;
    struct complaint complaint;
    if (asprintf(&lock, "%s.lock", file) < 0)
        return failure("memory is short");
    const int taken = access(lock, F_OK) == 0 ? take_lock(lock, file, &complaint) : 0;
    free(lock);
    if (taken >= 0 || taken == -ENOTSUP)
        return EXIT_SUCCESS;
    if (taken == -EALREADY)
        return failure(complaint.text);
    plain_print(stderr, "fricid-repair: it cannot be told whether a fricidd uses %s: %s", file, complaint.text);
    return EXIT_FAILURE;
}

static int make_and_tell(const char *output, const char *const *files, size_t count)
{
    struct complaint report;
    char *ids = NULL;
    size_t size;
    FILE *lost = open_memstream(&ids, &size);
    int error = lost ? repair_stores(files, count, output, is_asked_to_end, lost, &report) : -ENOMEM;
    if (error == -EINTR)
        complaint_set(&report, "it was ended before all was read; nothing was made");
    else if (!lost)
        complaint_set(&report, "memory is short");
    const bool listed = lost && fclose(lost) == 0;
    if (!error)
        puts(report.text);
    if (!error && !listed)
        puts("Of which decays samples are lost cannot be told: memory is short");
    else if (!error && *ids)
        printf("Samples are lost of the decays %s\n", ids);
    free(ids);
    return error ? failure(report.text) : finish_output(EXIT_SUCCESS);
}

static int make(const char *output, const char *const *files, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (check_input(files[i]) != EXIT_SUCCESS)
            return EXIT_FAILURE;
    return make_and_tell(output, files, count);
}

/* A log that has the name of the new file's would be taken for its own. */
static int repair(const char *output, const char *const *files, size_t count)
{
    struct complaint complaint;
    char *lock;
    if (database_files_exist(output)) {
        plain_print(stderr,
                    "fricid-repair: %s, or a log of that name, is there already: name another file, or move what is "
                    "there away",
                    output);
        return EXIT_USAGE;
    }
    if (asprintf(&lock, "%s.lock", output) < 0)
        return failure("memory is short");
    const int taken = take_lock(lock, output, &complaint);
    const int status = taken < 0 && taken != -ENOTSUP ? failure(complaint.text) : make(output, files, count);
    if (taken >= 0)
        lock_file_remove(lock, taken);
    free(lock);
    return status;
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
    if (!output || !output[0])
        return usage("--output names no file");
    if (optind == argc)
        return usage("there is no file to read");
    hold_signals(SIG_BLOCK);
    const int status = repair(output, (const char *const *)argv + optind, (size_t)(argc - optind));
    hold_signals(SIG_UNBLOCK); /* whoever started this program is told that a signal ended it */
    return status;
}
