/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Between this program and its daemon stands a keeper: it holds one end of a pipe, and when the other one is closed,
 * however this program ended, it ends the daemon and removes its directory. */

#include <config.h>

#include "client/own_daemon.h"

#include "client/installed_program.h"
#include "proto/cause.h"
#include "proto/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* The path of a socket in it must not become longer than the system allows. */
enum { DIRECTORY_BYTES = 96 };
enum { PATH_BYTES = 256, LOOK_AGAIN_US = 10000, OPEN_DIRECTORIES = 8 };

/* --- the daemon --- */

static void become_fricidd(const char *configuration)
{
    const char *const arguments[] = {"fricidd", "--config", configuration, NULL};
    installed_program_become(arguments);
    _exit(EXIT_FAILURE);
}

static void set_interrupts(void (*handler)(int))
{
    static const int interrupts[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    for (size_t i = 0; i < sizeof interrupts / sizeof interrupts[0]; i++)
        signal(interrupts[i], handler);
}

/* No service manager asked for it, and nobody reads what it logs. */
static pid_t start_daemon(const char *directory)
{
    char configuration[PATH_BYTES];
    snprintf(configuration, sizeof configuration, "%s/fricid.conf", directory);
    pid_t daemon = fork();
    if (daemon != 0)
        return daemon;
    set_interrupts(SIG_DFL);
    int nowhere = open("/dev/null", O_RDWR);
    if (nowhere < 0 || dup2(nowhere, STDIN_FILENO) < 0 || dup2(nowhere, STDOUT_FILENO) < 0 ||
        dup2(nowhere, STDERR_FILENO) < 0)
        _exit(EXIT_FAILURE);
    unsetenv("NOTIFY_SOCKET");
    unsetenv("WATCHDOG_USEC");
    become_fricidd(configuration);
    return -1;
}

/* --- the keeper --- */

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status;
    (void)kind;
    (void)place;
    return remove(path);
}

/* What is left behind is small and lies where such things are cleared away. */
static void remove_directory(const char *directory)
{
    if (nftw(directory, remove_one, OPEN_DIRECTORIES, FTW_DEPTH | FTW_PHYS) != 0)
        return;
}

static void wait_for(pid_t process)
{
    while (waitpid(process, NULL, 0) < 0 && errno == EINTR)
        continue;
}

/* Where TMPDIR says, unless that is too long; else in /tmp. */
static bool make_directory(char directory[DIRECTORY_BYTES])
{
    static const char name[] = "fricidctl-XXXXXX";
    const char *place = getenv("TMPDIR");
    if (!place || !*place || strlen(place) + sizeof name >= DIRECTORY_BYTES)
        place = "/tmp";
    snprintf(directory, DIRECTORY_BYTES, "%s/%s", place, name);
    return mkdtemp(directory) != NULL;
}

/* It has one client, whose file may be as long as a record can be. */
static const char own_configuration[] = "service = { socket = \"s\"; identify_max_bytes = 2000000000; };\nstore = { "
                                        "directory = \"store\"; };\nrigs = ();\n";

static int write_configuration(const char *directory)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/fricid.conf", directory);
    FILE *file = fopen(path, "we");
    if (!file)
        return -errno;
    fputs(own_configuration, file);
    bool written = ferror(file) == 0;
    return fclose(file) == 0 && written ? 0 : -EIO;
}

/* Asked again and again: one that has only just been started may not hear it yet. */
static void end(pid_t daemon)
{
    while (waitpid(daemon, NULL, WNOHANG) == 0) {
        kill(daemon, SIGTERM);
        usleep(LOOK_AGAIN_US);
    }
}

/* In a session of its own, so that what interrupts this program, or kills it with its whole group, leaves the keeper
 * for what is left. It makes the directory, so that none is ever there without a keeper. Through `hold` nothing is ever
 * written: it ends. */
static void keep(int tell, int hold)
{
    char directory[DIRECTORY_BYTES], nothing;
    setsid();
    set_interrupts(SIG_IGN);
    signal(SIGCHLD, SIG_DFL);
    if (!make_directory(directory))
        _exit(EXIT_FAILURE);
    pid_t daemon = write_configuration(directory) == 0 ? start_daemon(directory) : -1;
    if (daemon > 0 && write(tell, directory, sizeof directory) == (ssize_t)sizeof directory)
        while (read(hold, &nothing, 1) < 0 && errno == EINTR)
            continue;
    if (daemon > 0)
        end(daemon);
    remove_directory(directory);
    _exit(EXIT_SUCCESS);
}

/* --- this program --- */

static int start_keeper(struct own_daemon *own, int told[2], int held[2])
{
    if (pipe2(told, O_CLOEXEC) != 0)
        return -errno;
    if (pipe2(held, O_CLOEXEC) != 0)
        return -errno;
    fflush(NULL);
    own->keeper = fork();
    if (own->keeper == 0) {
        close(told[0]);
        close(held[1]);
        keep(told[1], held[0]);
    }
    return own->keeper < 0 ? -errno : 0;
}

static void close_one(int *end)
{
    if (*end >= 0)
        close(*end);
    *end = -1;
}

/* 0 with the name of the directory in which the daemon was started. */
static int start(struct own_daemon *own, char directory[DIRECTORY_BYTES])
{
    int told[2] = {-1, -1}, held[2] = {-1, -1};
    int error = start_keeper(own, told, held);
    close_one(&told[1]);
    close_one(&held[0]);
    if (!error && read(told[0], directory, DIRECTORY_BYTES) != DIRECTORY_BYTES)
        error = -EIO;
    close_one(&told[0]);
    own->hold = held[1];
    if (own->keeper <= 0) {
        close_one(&held[1]);
        own->keeper = 0;
    }
    return error;
}

/* It answers when its store is there, or never. */
static enum exit_status wait_until_it_answers(const char *directory, double timeout_s, struct connection **connection,
                                              struct complaint *complaint)
{
    char socket[PATH_BYTES];
    snprintf(socket, sizeof socket, "%s/s", directory);
    const double until_s = clock_monotonic_s() + timeout_s;
    enum exit_status status;
    while ((status = connection_open(socket, timeout_s, connection, complaint)) != STATUS_OK &&
           clock_monotonic_s() < until_s)
        usleep(LOOK_AGAIN_US);
    if (status != STATUS_OK)
        complaint_set(complaint,
                      "no fricidd answered for this file within %g s: it should be installed beside fricidctl, or "
                      "in " FRICID_SBINDIR "; where it is and the machine is busy, give it longer (--timeout)",
                      timeout_s);
    return status;
}

enum exit_status own_daemon_start(struct own_daemon *own, double timeout_s, struct connection **connection,
                                  struct complaint *complaint)
{
    char directory[DIRECTORY_BYTES];
    int error = start(own, directory);
    if (error) {
        complaint_set(complaint, "no fricidd could be started for this file, in a directory of its own: %s",
                      cause_of(error));
        return STATUS_FAILED;
    }
    return wait_until_it_answers(directory, timeout_s, connection, complaint);
}

void own_daemon_end(struct own_daemon *own)
{
    if (own->keeper == 0)
        return;
    close(own->hold);
    wait_for(own->keeper);
    own->keeper = 0;
}
