/* SPDX-License-Identifier: GPL-3.0-or-later */

/* fricidctl plot: the picture of one decay, drawn by gnuplot. */

#include <config.h>

#include "client/command.h"
#include "client/plot_script.h"
#include "client/record_file.h"
#include "client/reply.h"
#include "client/show_table.h"
#include "proto/cause.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* What the ending of a file's name asks for. */
static const struct picture_kind {
    const char *ending;
    const char *terminal; /* gnuplot's; NULL: the script itself */
} kinds[] = {
    {".svg", "svg size 900,600 enhanced background rgb 'white'"},
    {".png", "pngcairo size 1350,900 fontscale 1.4 enhanced"},
    {".pdf", "pdfcairo size 18cm,12cm enhanced"},
    {".gp", NULL},
};

static const struct picture_kind *kind_of(const char *path)
{
    size_t length = strlen(path);
    if (strcmp(path, "-") == 0)
        return &kinds[sizeof kinds / sizeof kinds[0] - 1];
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        size_t ending = strlen(kinds[i].ending);
        if (length > ending && strcasecmp(path + length - ending, kinds[i].ending) == 0)
            return &kinds[i];
    }
    return NULL;
}

/* Page after page, until there are all. */
static enum exit_status put_samples(struct client *client, struct plot_script *script, int64_t id)
{
    for (bool more = true, first = true; more; first = false) {
        json_t *samples;
        json_t *params = json_pack("{s:I, s:I}", "id", (json_int_t)id, "offset", (json_int_t)script->samples);
        enum exit_status status = client_ask(client, "samples", params, &samples);
        if (status != STATUS_OK)
            return status;
        if (first)
            plot_script_begin(script, reply_number(samples, "start_s"));
        plot_script_samples(script, samples);
        more = reply_integer(samples, "count", 0) > 0 && (int64_t)script->samples < reply_integer(samples, "total", 0);
        json_decref(samples);
    }
    return STATUS_OK;
}

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

static bool draw(FILE *script, struct record_file *picture, const struct screen *screen)
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

static enum exit_status write_picture(struct client *client, struct record_file *file, const struct picture_kind *kind,
                                      const json_t *result)
{
    FILE *stream = kind->terminal ? tmpfile() : file->stream;
    struct plot_script script = {.stream = stream, .terminal = kind->terminal, .result = result};
    if (!stream) {
        screen_message(&client->screen, "there is no room for the script for gnuplot: %s", cause_of(errno));
        return STATUS_FAILED;
    }
    enum exit_status status = put_samples(client, &script, reply_integer(result, "id", 0));
    if (status == STATUS_OK)
        plot_script_end(&script, client->screen.glyphs);
    if (status == STATUS_OK && kind->terminal && !draw(stream, file, &client->screen))
        status = STATUS_FAILED;
    if (kind->terminal)
        fclose(stream);
    return status;
}

static void tell(const struct client *client, const char *path, int64_t id)
{
    json_t *object = json_pack("{s:I, s:s}", "id", (json_int_t)id, "file", path);
    if (client->options.json && object)
        screen_json(&client->screen, object);
    else
        printf("%s\n", path);
    json_decref(object);
}

static enum exit_status plot(struct client *client, const json_t *result)
{
    int64_t id = reply_integer(result, "id", 0);
    struct phrase path = phrase_format("decay-%lld.svg", (long long)id);
    const char *wanted = client->options.given & OPTION_OUTPUT ? client->options.output : path.text;
    const struct picture_kind *kind = kind_of(wanted);
    struct record_file file;
    if (!kind) {
        screen_message(&client->screen,
                       "%s: a picture is a .svg, .png or .pdf file; .gp, or -, is the script for gnuplot", wanted);
        return STATUS_USAGE;
    }
    if (!record_file_open(&file, wanted, client->options.given & OPTION_FORCE, &client->screen)) {
        record_file_close(&file, false, &client->screen);
        return STATUS_USAGE;
    }
    bool named = file.stream != stdout;
    enum exit_status status = write_picture(client, &file, kind, result);
    if (!record_file_close(&file, status == STATUS_OK, &client->screen) && status == STATUS_OK)
        status = STATUS_FAILED;
    if (status == STATUS_OK && named)
        tell(client, wanted, id);
    return status;
}

/* A picture has an axis of time, which a table that was handed in has not; nor does anybody know what a kind has that
 * this program does not know. */
static bool has_picture(const struct client *client, const json_t *result)
{
    const struct record_kind *kind = shown_kind(result);
    if (kind && kind->form_count == 0)
        return true;
    screen_message(&client->screen, "record %lld is of the kind %s: there are pictures of free decays only",
                   (long long)reply_integer(result, "id", 0), reply_text(result, "kind", ""));
    return false;
}

static enum exit_status run_plot(struct client *client)
{
    json_t *result;
    enum exit_status status = client_ask_named_result(client, &result);
    if (status != STATUS_OK)
        return status;
    status = has_picture(client, result) ? plot(client, result) : STATUS_USAGE;
    json_decref(result);
    return status;
}

const struct command command_plot = {
    .name = "plot",
    .summary = "a picture of one decay and of what the identified motion leaves over, with gnuplot",
    .options = OPTION_OUTPUT | OPTION_FORCE,
    .operand = WORD_ID,
    .least = 1,
    .most = 1,
    .run = run_plot};
