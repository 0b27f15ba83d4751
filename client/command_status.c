/* SPDX-License-Identifier: GPL-3.0-or-later */

/* fricidctl status: what runs, and below it what a user should do something about, marked with "!". Narrow enough for
 * a terminal of 80 columns. */

#include "client/commands.h"
#include "client/describe.h"
#include "client/reply.h"
#include "client/table.h"
#include "client/troubles.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* What the rows are written with. */
struct view {
    struct table *table;
    const struct glyphs *glyphs;
    int64_t now; /* s since 1970 */
    bool brief;  /* a line a channel */
};

/* A screen, less the head and a line or two of trouble. */
enum { LINES_FOR_RIGS = 20 };

/* The daemon in two lines. Its store says where results are kept, so that nobody takes memory for a disk. */
static void print_head(const json_t *status, const struct glyphs *glyphs)
{
    const json_t *store = json_object_get(status, "store");
    double free_bytes = reply_number(store, "free_bytes");
    printf("%s %s on %s, up %s\n", reply_text(status, "server", "fricidd"),
           reply_text(status, "version", "(version unknown)"), reply_text(status, "host", "(host unknown)"),
           describe_duration(reply_number(status, "uptime_s")).text);
    printf("%s: %s decays, %s results, %s%s%s\n", reply_text(store, "path", reply_text(store, "kind", "store")),
           describe_count(store, "decays", glyphs).text, describe_count(store, "results", glyphs).text,
           describe_bytes(reply_number(store, "bytes")).text,
           isnan(free_bytes) ? "" : ", free: ", isnan(free_bytes) ? "" : describe_bytes(free_bytes).text);
}

/* A further line about a channel. */
static void remark(const struct view *view, const char *sentence)
{
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
    double smallest = reply_number(json_object_get(channel, "state"), "hysteresis");
    long long fewest = (long long)reply_integer(thresholds, "min_half_cycles", 0);
    double start = reply_number(thresholds, "start_below");
    double stop = reply_number(thresholds, "stop_below");
    struct phrase drops = describe_counters(json_object_get(counters, "drops"));
    if (!isnan(smallest) && fewest > 0)
        remark(view, phrase_format("looks for %lld half cycles; reversals below %s are noise", fewest,
                                   figure_rounded(smallest, 2, unit, view->glyphs).text)
                         .text);
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

static void add_channel(const struct view *view, const json_t *rig, const json_t *channel)
{
    table_cell(view->table, "  %s", reply_text(channel, "name", view->glyphs->missing));
    table_cell(view->table, "%s", now_words(view, rig, channel).text);
    table_cell(view->table, "%s", last_words(view, json_object_get(channel, "last")).text);
    table_end_row(view->table);
    if (!view->brief)
        channel_remarks(view, channel);
}

/* A rig whose source never opened may have no channels, and must not vanish. */
static void add_rig(const struct view *view, const json_t *rig)
{
    size_t i;
    json_t *channel;
    table_span(view->table, "%s: %s, %s", reply_text(rig, "name", view->glyphs->missing),
               source_words(json_object_get(rig, "source")).text,
               reply_text(rig, "condition", "in an unknown condition"));
    json_array_foreach (json_object_get(rig, "channels"), i, channel)
        add_channel(view, rig, channel);
}

/* With a line of remarks for each channel, as most have. */
static bool fills_more_than_a_screen(const json_t *rigs)
{
    size_t i, lines = 0;
    json_t *rig;
    json_array_foreach (rigs, i, rig)
        lines += 1 + 2 * json_array_size(json_object_get(rig, "channels"));
    return lines > LINES_FOR_RIGS;
}

static int print_rigs(const json_t *rigs, const struct glyphs *glyphs)
{
    struct view view = {
        .table = table_create(), .glyphs = glyphs, .now = (int64_t)time(NULL), .brief = fills_more_than_a_screen(rigs)};
    size_t i;
    json_t *rig;
    json_array_foreach (rigs, i, rig)
        add_rig(&view, rig);
    int status = table_print(view.table, "", stdout);
    table_destroy(view.table);
    return status;
}

/* The path of the configuration file, for advice; empty when it is not to be had. */
static struct phrase configuration_path(struct client *client)
{
    json_t *configuration = NULL;
    /* Not knowing the path is no reason to keep the advice back. */
    if (client_ask(client, "config", NULL, &configuration) != STATUS_OK)
        configuration = NULL;
    struct phrase path = phrase_format("%s", reply_text(configuration, "path", ""));
    json_decref(configuration);
    return path;
}

static void print_troubles(struct client *client, const json_t *status)
{
    struct findings findings = {0};
    struct phrase path = {""};
    if (json_array_size(json_object_get(status, "rigs")) == 0)
        path = configuration_path(client);
    troubles_find(status, *path.text ? path.text : NULL, &findings);
    for (size_t i = 0; i < findings.count; i++)
        printf("! %s%s%s\n", findings.all[i].sentence.text, findings.all[i].remedy.text[0] ? ": " : "",
               findings.all[i].remedy.text);
    if (findings.count == 0)
        puts("nothing is wrong");
}

static enum exit_status print_status(struct client *client, const json_t *status)
{
    const json_t *rigs = json_object_get(status, "rigs");
    print_head(status, client->screen.glyphs);
    if (print_rigs(rigs, client->screen.glyphs) < 0) {
        screen_message(&client->screen, "not enough memory");
        return STATUS_FAILED;
    }
    print_troubles(client, status);
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
