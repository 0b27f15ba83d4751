/* SPDX-License-Identifier: GPL-3.0-or-later */

/* fricidctl status: what runs, and below it what a user should do something about, marked with "!". As much as fits on
 * a terminal. */

#include "client/command.h"
#include "client/describe.h"
#include "client/reply.h"
#include "client/status_findings.h"
#include "client/table.h"
#include "client/wrapped.h"

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* How much is shown, so that all of it is seen at once. */
enum detail { LINE_A_RIG, LINE_A_CHANNEL, WITH_REMARKS };

/* What the rows are written with. */
struct view {
    struct table *table;
    const struct glyphs *glyphs;
    int64_t now; /* s since 1970 */
    enum detail detail;
};

/* Beside rigs and findings: the head, and the line of the shell's prompt. */
enum { OTHER_LINES = 3 };

/* The daemon in two lines. Its store says where results are kept, so that nobody takes memory for a disk. */
static int print_head(const json_t *status, const struct glyphs *glyphs)
{
    const json_t *store = json_object_get(status, "store");
    double free_bytes = reply_number(store, "free_bytes");
    const bool protects = reply_integer(store, "protected", 0) > 0;
    const struct phrase stay = phrase_format(" (%s protected)", describe_count(store, "protected", glyphs).text);
    struct wrapped_sheet sheet;
    if (wrapped_open(&sheet) < 0)
        return -ENOMEM;
    fprintf(sheet.lines, "%s %s on %s, up %s\n", reply_text(status, "server", "fricidd"),
            reply_text(status, "version", "(version unknown)"), reply_text(status, "host", "(host unknown)"),
            describe_duration(reply_number(status, "uptime_s")).text);
    fprintf(sheet.lines, "%s: %s decays%s, %s results, %s%s%s\n",
            reply_text(store, "path", reply_text(store, "kind", "store")), describe_count(store, "decays", glyphs).text,
            protects ? stay.text : "", describe_count(store, "results", glyphs).text,
            describe_bytes(reply_number(store, "bytes")).text,
            isnan(free_bytes) ? "" : ", free: ", isnan(free_bytes) ? "" : describe_bytes(free_bytes).text);
    return wrapped_close(&sheet, glyphs->width, stdout);
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
                         describe_verdict(reply_text(last, "verdict", view->glyphs->missing), view->glyphs).text,
                         *ago.text ? ", " : "", ago.text);
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
    if (smallest == 0 && fewest > 0)
        remark(view, phrase_format("looks for %lld half cycles; the signal has not changed yet", fewest).text);
    else if (!isnan(smallest) && fewest > 0)
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
    if (view->detail == WITH_REMARKS)
        channel_remarks(view, channel);
}

/* "2 idle, 1 decaying": what the channels of a running rig do. */
static struct phrase phases_words(const json_t *rig)
{
    static const char *const phases[] = {"starting", "idle", "held", "decaying", "driven"};
    struct phrase words = {""};
    for (size_t p = 0; p < sizeof phases / sizeof phases[0]; p++) {
        size_t i, count = 0;
        json_t *channel;
        json_array_foreach (json_object_get(rig, "channels"), i, channel)
            count += strcmp(reply_text(json_object_get(channel, "state"), "phase", ""), phases[p]) == 0;
        if (count > 0)
            words = phrase_format("%s%s%zu %s", words.text, *words.text ? ", " : "", count, phases[p]);
    }
    return words;
}

/* The result of the rig's channels that came last. */
static const json_t *last_of_rig(const json_t *rig)
{
    const json_t *last = NULL;
    size_t i;
    json_t *channel;
    json_array_foreach (json_object_get(rig, "channels"), i, channel) {
        const json_t *of_channel = json_object_get(channel, "last");
        if (reply_integer(of_channel, "id", 0) > reply_integer(last, "id", 0))
            last = of_channel;
    }
    return last;
}

static void add_line_of_rig(const struct view *view, const json_t *rig)
{
    const char *condition = reply_text(rig, "condition", "in an unknown condition");
    bool running = strcmp(condition, "running") == 0;
    table_cell(view->table, "%s:", reply_text(rig, "name", view->glyphs->missing));
    table_cell(view->table, "%s", describe_source_kind(json_object_get(rig, "source")));
    table_cell(view->table, "%s", running ? phases_words(rig).text : condition);
    table_cell(view->table, "%s", last_words(view, last_of_rig(rig)).text);
    table_end_row(view->table);
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

/* What fits into so many lines; most channels have one line of remarks. */
static enum detail what_fits(const json_t *rigs, size_t lines)
{
    size_t i, rig_count = json_array_size(rigs), channels = 0;
    json_t *rig;
    json_array_foreach (rigs, i, rig)
        channels += json_array_size(json_object_get(rig, "channels"));
    if (rig_count + 2 * channels <= lines)
        return WITH_REMARKS;
    return rig_count + channels <= lines ? LINE_A_CHANNEL : LINE_A_RIG;
}

static int print_rigs(const json_t *rigs, size_t lines, const struct glyphs *glyphs)
{
    struct view view = {
        .table = table_create(), .glyphs = glyphs, .now = (int64_t)time(NULL), .detail = what_fits(rigs, lines)};
    size_t i;
    json_t *rig;
    json_array_foreach (rigs, i, rig) {
        if (view.detail == LINE_A_RIG)
            add_line_of_rig(&view, rig);
        else
            add_rig(&view, rig);
    }
    int status = table_print(view.table, "", glyphs->width, stdout);
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

static void find_findings(struct client *client, const json_t *status, struct findings *findings)
{
    struct phrase path = {""};
    if (json_array_size(json_object_get(status, "rigs")) == 0)
        path = configuration_path(client);
    status_findings_find(status, *path.text ? path.text : NULL, findings);
}

/* out NULL: only counts the lines. */
static size_t print_findings(const struct findings *findings, size_t width, FILE *out)
{
    size_t lines = 0;
    for (size_t i = 0; i < findings->count; i++) {
        const struct finding *finding = &findings->all[i];
        char line[sizeof finding->sentence + sizeof finding->remedy + 8];
        snprintf(line, sizeof line, "! %s%s%s", finding->sentence.text, finding->remedy.text[0] ? ": " : "",
                 finding->remedy.text);
        lines += wrapped_print(line, width, out);
    }
    if (findings->count == 0)
        lines += wrapped_print("nothing is wrong", width, out);
    return lines;
}

/* What is wrong counts more than how much is said of what runs. Into a pipe every problem goes as one line. */
static enum exit_status print_status(struct client *client, const json_t *status)
{
    const json_t *rigs = json_object_get(status, "rigs");
    struct findings findings = {0};
    size_t width = screen_room(&client->screen), height = screen_height();
    find_findings(client, status, &findings);
    size_t other = OTHER_LINES + print_findings(&findings, width, NULL);
    if (print_head(status, client->screen.glyphs) < 0 ||
        print_rigs(rigs, height > other ? height - other : 0, client->screen.glyphs) < 0)
        return screen_no_memory(&client->screen);
    print_findings(&findings, width, stdout);
    return STATUS_OK;
}

static enum exit_status run_status(struct client *client)
{
    json_t *reply;
    enum exit_status status = client_ask(client, "status", NULL, &reply);
    return status == STATUS_OK ? client_print(client, reply, print_status) : status;
}

const struct command command_status = {
    .name = "status", .summary = "what the daemon, its rigs and their channels are doing", .run = run_status};
