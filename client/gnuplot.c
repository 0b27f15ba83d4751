/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <config.h>

#include "client/gnuplot.h"

#include "proto/cause.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Starts gnuplot between the script and a pipe. 0 or an errno. */
static int start_gnuplot(FILE *script, int to, pid_t *child)
{
    char *const command[] = {(char[]){"gnuplot"}, (char[]){"--default-settings"}, NULL};
    posix_spawn_file_actions_t streams;
    int error = posix_spawn_file_actions_init(&streams);
    if (error)
        return error;
    error = posix_spawn_file_actions_adddup2(&streams, fileno(script), STDIN_FILENO);
    if (!error)
        error = posix_spawn_file_actions_adddup2(&streams, to, STDOUT_FILENO);
    /* The script is UTF-8 with decimal points, whatever the user's locale. */
    if (!error && setenv("LC_ALL", "C.UTF-8", 1) != 0)
        error = errno;
    if (!error)
        error = posix_spawnp(child, command[0], &streams, NULL, command, environ);
    posix_spawn_file_actions_destroy(&streams);
    return error;
}

/* What gnuplot draws goes through here: it would not tell us of a full disk. */
static void copy(int from, struct record_file *picture)
{
    char piece[65536];
    ssize_t count;
    while ((count = read(from, piece, sizeof piece)) > 0 || (count < 0 && errno == EINTR))
        if (count > 0 && record_file_good(picture))
            fwrite(piece, 1, (size_t)count, picture->stream);
}

bool gnuplot_draw(FILE *script, struct record_file *picture, const struct screen *screen)
{
    int ends[2], ended = -1;
    pid_t child;
    if (fflush(script) != 0 || fseek(script, 0, SEEK_SET) != 0 || pipe2(ends, O_CLOEXEC) != 0) {
        screen_message(screen, "the script for gnuplot cannot be handed over: %s", cause_of(errno));
        return false;
    }
    int error = start_gnuplot(script, ends[1], &child);
    close(ends[1]);
    if (!error) {
        copy(ends[0], picture);
        while (waitpid(child, &ended, 0) < 0 && errno == EINTR)
            continue;
    }
    close(ends[0]);
    if (error == ENOENT)
        screen_message(screen, "there is no gnuplot on this computer: on Debian, apt install gnuplot-nox; -o FILE.gp "
                               "writes the script for it");
    else if (error)
        screen_message(screen, "gnuplot cannot be started: %s", cause_of(error));
    else if (ended != 0)
        screen_message(screen, "gnuplot did not draw the picture (what it says stands above)");
    return !error && ended == 0;
}
