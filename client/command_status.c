/* SPDX-License-Identifier: GPL-3.0-or-later */

/* fricidctl status: what runs, and below it what a user should do something about, marked with "!". */

#include "client/commands.h"
#include "client/describe.h"
#include "client/reply.h"
#include "client/table.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* Where the table's columns are. */
enum { COLUMNS_BEFORE_NOW = 3 };

/* What the rows are written with. */
struct view {
    struct table *table;
    const struct glyphs *glyphs;
    int64_t now; /* s since 1970 */
};

/* The daemon in one line. Its store says where results are kept, so that nobody takes memory for a disk. */
static void print_head(const json_t *status, const struct glyphs *glyphs)
{
    const json_t *store = json_object_get(status, "store");
    printf("%s %s on %s, up %s; taken into %s: %s decays, %s results, %s\n", reply_text(status, "server", "fricidd"),
           reply_text(status, "version", "(version unknown)"), reply_text(status, "host", "(host unknown)"),
           describe_duration(reply_number(status, "uptime_s")).text, reply_text(store, "kind", "the store"),
           describe_count(store, "decays", glyphs).text, describe_count(store, "results", glyphs).text,
           describe_bytes(reply_number(store, "bytes")).text);
}

/* A further line about a rig or channel, under NOW. */
static void remark(const struct view *view, const char *sentence)
{
    for (int i = 0; i < COLUMNS_BEFORE_NOW; i++)
        table_cell(view->table, "%s", "");
    table_span(view->table, "%s", sentence);
}

/* "comedi /dev/comedi0 10 kS/s"; a source without a fixed rate shows none. */
static struct phrase source_words(const json_t *source)
{
    double rate_hz = reply_number(source, "sample_rate_hz");
    const char *device = reply_text(source, "device", "");
    return phrase_format("%s%s%s%s%s", describe_source_kind(source), *device ? " " : "", device,
                         isnan(rate_hz) ? "" : " ", isnan(rate_hz) ? "" : describe_rate(rate_hz).text);
}

/* "#117 ok, 2 min ago": the id is what `show` wants to hear. */
static struct phrase last_words(const struct view *view, const json_t *last)
{
    if (!json_is_object(last))
        return phrase_format("none yet");
    struct phrase ago = describe_ago(reply_text(last, "at", ""), view->now);
    return phrase_format("#%lld %s%s%s", (long long)reply_integer(last, "id", 0),
                         reply_text(last, "verdict", view->glyphs->missing), *ago.text ? ", " : "", ago.text);
}

/* What keeps decays from being found, or was thrown away. */
static void channel_remarks(const struct view *view, const json_t *channel)
{
    const json_t *thresholds = json_object_get(channel, "thresholds");
    const json_t *counters = json_object_get(channel, "counters");
    const char *unit = reply_text(channel, "unit", "");
    double start = reply_number(thresholds, "start_below");
    double stop = reply_number(thresholds, "stop_below");
    struct phrase drops = describe_counters(json_object_get(counters, "drops"));
    if (!isnan(start))
        remark(view, phrase_format("uses extrema below %s", figure_rounded(start, 3, unit, view->glyphs).text).text);
    if (!isnan(stop))
        remark(view, phrase_format("stops below %s", figure_rounded(stop, 3, unit, view->glyphs).text).text);
    if (*drops.text)
        remark(view, phrase_format("decays found: %lld, candidates dropped: %s",
                                   (long long)reply_integer(counters, "decays", 0), drops.text)
                         .text);
}

/* The rig's condition where it is not simply running. */
static struct phrase now_words(const struct view *view, const json_t *rig, const json_t *channel)
{
    const char *condition = reply_text(rig, "condition", "");
    struct phrase state =
        describe_state(json_object_get(channel, "state"), reply_text(channel, "unit", ""), view->glyphs);
    if (strcmp(condition, "ended") == 0)
        return phrase_format("the source has ended");
    if (strcmp(condition, "failed") == 0)
        return phrase_format("no samples");
    if (strcmp(condition, "paused") == 0)
        return phrase_format("paused, %s", state.text);
    return state;
}

/* The daemon words its problems with what to do about them; they are shown in full, however long. */
static void add_problem(const struct view *view, const json_t *rig)
{
    const char *problem = reply_text(rig, "problem", NULL);
    if (problem) {
        for (int i = 0; i < COLUMNS_BEFORE_NOW; i++)
            table_cell(view->table, "%s", "");
        table_span(view->table, "! %s", problem);
    }
}

/* Lost data are told for as long as the counters hold them: a result may be missing that nobody saw go. */
static void add_losses(const struct view *view, const json_t *rig)
{
    const json_t *counters = json_object_get(rig, "counters");
    long long lost = (long long)reply_integer(counters, "lost_scans", 0);
    long long gaps = (long long)reply_integer(counters, "gaps", 0);
    long long decays = (long long)reply_integer(counters, "decays_lost", 0);
    if (lost > 0 || gaps > 0)
        remark(view,
               phrase_format("! lost scans: %lld, gaps: %lld: lower the sample rate, or see what loads the computer",
                             lost, gaps)
                   .text);
    if (decays > 0)
        remark(view,
               phrase_format("! lost decays: %lld, the queue was full: raise queue_max_bytes, or see what loads the "
                             "computer",
                             decays)
                   .text);
}

/* One row. The rig and its source stand only beside its first channel. */
static void add_channel(const struct view *view, const json_t *rig, const json_t *channel, bool first)
{
    table_cell(view->table, "%s", first ? reply_text(rig, "name", view->glyphs->missing) : "");
    table_cell(view->table, "%s", first ? source_words(json_object_get(rig, "source")).text : "");
    table_cell(view->table, "%s", reply_text(channel, "name", view->glyphs->missing));
    table_cell(view->table, "%s", now_words(view, rig, channel).text);
    table_cell(view->table, "%s", last_words(view, json_object_get(channel, "last")).text);
    table_end_row(view->table);
    channel_remarks(view, channel);
}

static void add_rig(const struct view *view, const json_t *rig)
{
    const json_t *channels = json_object_get(rig, "channels");
    size_t i;
    json_t *channel;
    json_array_foreach (channels, i, channel)
        add_channel(view, rig, channel, i == 0);
    /* A rig whose source never opened may have no channels, and must not vanish. */
    if (json_array_size(channels) == 0)
        add_channel(view, rig, NULL, true);
    add_problem(view, rig);
    add_losses(view, rig);
}

static int print_rigs(const json_t *rigs, const struct glyphs *glyphs)
{
    struct view view = {.table = table_create(), .glyphs = glyphs, .now = (int64_t)time(NULL)};
    const char *const titles[] = {"RIG", "SOURCE", "CHANNEL", "NOW", "LAST"};
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++)
        table_cell(view.table, "%s", titles[i]);
    table_end_row(view.table);
    size_t i;
    json_t *rig;
    json_array_foreach (rigs, i, rig)
        add_rig(&view, rig);
    int status = table_print(view.table, "", stdout);
    table_destroy(view.table);
    return status;
}

/* A daemon without rigs is of little use: say which file would change that. */
static void explain_no_rigs(struct client *client)
{
    json_t *configuration = NULL;
    /* Not knowing the path is no reason to keep the advice back. */
    if (client_ask(client, "config", NULL, &configuration) != STATUS_OK)
        configuration = NULL;
    const char *path = reply_text(configuration, "path", NULL);
    printf("! no rig is configured: describe one in %s (see fricid.conf(5)), then: systemctl restart fricidd\n",
           path ? path : "the configuration file");
    json_decref(configuration);
}

/* A healthy thread is not worth a line; --json has all of them. */
static void print_thread(const json_t *thread)
{
    if (reply_true(thread, "healthy"))
        return;
    printf(
        "! thread %s: a job has been running for %s, past its deadline, %lld more wait: results come late; if it stays "
        "so: systemctl restart fricidd\n",
        reply_text(thread, "name", "(unnamed)"), describe_duration(reply_number(thread, "running_s")).text,
        (long long)reply_integer(thread, "queued_jobs", 0));
}

/* What of the daemon as a whole is not as it should be. */
static void print_troubles(const json_t *status)
{
    const json_t *queue = json_object_get(status, "queue");
    const json_t *clients = json_object_get(status, "clients");
    double bytes = reply_number(queue, "bytes");
    double most = reply_number(queue, "max_bytes");
    long long dropped = (long long)reply_integer(clients, "dropped_notifications", 0);
    size_t i;
    json_t *thread;
    json_array_foreach (json_object_get(status, "threads"), i, thread)
        print_thread(thread);
    if (bytes > most / 2)
        printf("! %s of at most %s wait to be stored: recordings pause, and at the limit live decays are lost; raise "
               "queue_max_bytes, or see what loads the computer\n",
               describe_bytes(bytes).text, describe_bytes(most).text);
    if (dropped > 0)
        printf("! dropped notifications: %lld, clients read too slowly: those clients can ask again with from_seq\n",
               dropped);
}

static enum exit_status print_status(struct client *client, const json_t *status)
{
    const json_t *rigs = json_object_get(status, "rigs");
    print_head(status, client->screen.glyphs);
    if (json_array_size(rigs) == 0)
        explain_no_rigs(client);
    else if (print_rigs(rigs, client->screen.glyphs) < 0) {
        screen_message(&client->screen, "not enough memory");
        return STATUS_FAILED;
    }
    print_troubles(status);
    return STATUS_OK;
}

enum exit_status command_status(struct client *client)
{
    json_t *reply;
    enum exit_status status = client_ask(client, "status", NULL, &reply);
    if (status != STATUS_OK)
        return status;
    if (client->options.json)
        screen_json(&client->screen, reply);
    else
        status = print_status(client, reply);
    json_decref(reply);
    return status;
}
