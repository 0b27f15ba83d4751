/* SPDX-License-Identifier: GPL-3.0-or-later */

/* fricidctl watch: notifications as they come, and on a terminal a last line that is written over while decays run. */

#include "client/command.h"
#include "client/notice.h"
#include "client/progress_line.h"
#include "client/reply.h"
#include "client/wrapped.h"
#include "proto/cause.h"
#include "proto/plain_text.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

struct watch {
    struct client *client;
    const struct glyphs *glyphs;
    struct progress_line line;
    bool rewrite;         /* a running decay keeps one line of a terminal */
    int64_t results_left; /* until the end; 0: no end */
    bool finished;
};

/* `signal` is left out: samples are for plots, and far too many for lines. */
static enum exit_status subscribe(struct watch *watch)
{
    const struct options *options = &watch->client->options;
    json_t *params = json_pack("{s:[s,s,s]}", "topics", "result", "event", "progress");
    if (options->given & OPTION_FROM_SEQ)
        json_object_set_new(params, "from_seq", json_integer(options->from_seq));
    json_t *reply;
    enum exit_status status = client_ask(watch->client, "subscribe", params, &reply);
    if (status == STATUS_OK)
        json_decref(reply);
    return status;
}

/* A half cycle of a running decay, or a new phase: a line, or a new text for the line that is rewritten. */
static void print_progress(struct watch *watch, const json_t *params)
{
    struct phrase words = notice_progress(params, watch->glyphs);
    if (!watch->rewrite)
        puts(words.text);
    else
        progress_line_update(&watch->line, params, &words);
}

/* On a terminal its lines end between words. */
static void print_notice(const struct watch *watch, const json_t *params,
                         void (*write)(const json_t *params, const struct glyphs *glyphs, FILE *out))
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return;
    write(params, watch->glyphs, out);
    if (fclose(out) == 0) {
        text[strcspn(text, "\n")] = '\0';
        wrapped_print(text, screen_room(&watch->client->screen), stdout);
    }
    free(text);
}

/* What stays on the screen. Notifications of a newer daemon that this client does not know are passed over. */
static void print_lasting(struct watch *watch, const char *method, const json_t *params)
{
    if (watch->rewrite)
        progress_line_wipe();
    if (strcmp(method, "notify.result") == 0) {
        progress_line_end(&watch->line, json_object_get(params, "result"));
        print_notice(watch, params, notice_result);
    } else if (strcmp(method, "notify.event") == 0) {
        progress_line_end(&watch->line, json_object_get(params, "event"));
        print_notice(watch, params, notice_event);
    } else if (strcmp(method, "notify.dropped") == 0) {
        print_notice(watch, params, notice_dropped);
    }
}

/* Strings are made safe for the terminal first. */
static void print_for_people(struct watch *watch, const char *method, json_t *params)
{
    if (plain_tree(params, watch->glyphs->ascii) < 0)
        return;
    if (strcmp(method, "notify.progress") == 0)
        print_progress(watch, params);
    else
        print_lasting(watch, method, params);
    if (watch->rewrite)
        progress_line_show(&watch->line, screen_width());
}

/* Takes the notification over. Only results count towards --count; events and progress may be any number. */
static void tell(struct watch *watch, json_t *notification)
{
    const char *method = reply_text(notification, "method", "");
    if (watch->client->options.json)
        screen_json(&watch->client->screen, notification);
    else
        print_for_people(watch, method, json_object_get(notification, "params"));
    if (strcmp(method, "notify.result") == 0 && watch->results_left > 0)
        watch->finished = --watch->results_left == 0;
    json_decref(notification);
}

/* Everything that has come already. */
static enum exit_status tell_all(struct watch *watch)
{
    struct complaint complaint;
    enum exit_status status = STATUS_OK;
    while (!watch->finished) {
        json_t *notification;
        status = connection_take(watch->client->connection, &notification, &complaint);
        if (status != STATUS_OK || !notification)
            break;
        tell(watch, notification);
    }
    if (fflush(stdout) != 0)
        return STATUS_FAILED; /* why is said at the end, when standard output is closed */
    if (status != STATUS_OK) {
        if (watch->rewrite)
            puts("");
        screen_message(&watch->client->screen, "%s", complaint.text);
    }
    return status;
}

/* Until a signal, the last result wanted, or the end of either side. */
static enum exit_status follow(struct watch *watch, int signals)
{
    if (watch->rewrite)
        progress_line_show(&watch->line, screen_width());
    enum exit_status status = tell_all(watch);
    while (status == STATUS_OK && !watch->finished) {
        struct pollfd wanted[] = {{.fd = connection_descriptor(watch->client->connection), .events = POLLIN},
                                  {.fd = signals, .events = POLLIN},
                                  {.fd = STDOUT_FILENO}};
        if (poll(wanted, 3, -1) < 0 && errno != EINTR)
            return STATUS_FAILED;
        if (wanted[1].revents)
            return STATUS_OK;
        if (wanted[2].revents & (POLLERR | POLLHUP | POLLNVAL))
            return STATUS_NOBODY_READS;
        status = tell_all(watch);
    }
    return status;
}

/* An end by signal is how a watch is meant to end: status 0. */
static enum exit_status run_watch(struct client *client)
{
    struct watch watch = {.client = client,
                          .glyphs = client->screen.glyphs,
                          .rewrite = client->screen.terminal && !client->options.json,
                          .results_left = client->options.given & OPTION_COUNT ? client->options.count : 0};
    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGINT);
    sigaddset(&ends, SIGTERM);
    enum exit_status status = subscribe(&watch);
    if (status != STATUS_OK)
        return status;
    /* Until here a signal may simply kill: nothing has been printed. From here on the line must be wiped first. */
    sigprocmask(SIG_BLOCK, &ends, NULL);
    int signals = signalfd(-1, &ends, SFD_CLOEXEC);
    if (signals < 0) {
        screen_message(&client->screen, "cannot wait for signals: %s", cause_of(errno));
        return STATUS_FAILED;
    }
    status = follow(&watch, signals);
    if (watch.rewrite)
        progress_line_wipe();
    close(signals);
    return status;
}

const struct command command_watch = {.name = "watch",
                                      .summary = "decays as they run, results and events as they come",
                                      .options = OPTION_FROM_SEQ | OPTION_COUNT,
                                      .run = run_watch};
