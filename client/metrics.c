/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A status reply as Prometheus reads it. What there is to tell is a table; what does not fit into one (a counter for
 * each reason, a condition out of several) is written by hand below it. */

#include "client/metrics.h"

#include "client/describe.h"
#include "client/labels.h"
#include "client/reply.h"
#include "client/show_table.h"
#include "proto/quote.h"

#include <string.h>

/* Whose figure it is, and thereby its labels. */
enum owner { OF_DAEMON, OF_RIG, OF_CHANNEL, OF_THREAD };

struct metric {
    const char *name, *type, *help;
    enum owner owner;
    const char *group; /* the member that holds the figure; NULL: the owner itself */
    const char *key;
};

static const struct metric metrics[] = {
    {"fricid_start_time_seconds", "gauge", "When the daemon started, since 1970.", OF_DAEMON, NULL, "started_at"},
    {"fricid_uptime_seconds", "gauge", "How long the daemon has been running.", OF_DAEMON, NULL, "uptime_s"},
    {"fricid_rig_sample_rate_hertz", "gauge", "Scans a second that the source delivers.", OF_RIG, "source",
     "sample_rate_hz"},
    {"fricid_recorder_held_seconds", "gauge", "So much of every channel's raw signal is in memory.", OF_RIG, "recorder",
     "held_s"},
    {"fricid_recorder_bytes", "gauge", "Memory set aside for raw signals.", OF_RIG, "recorder", "bytes"},
    {"fricid_rig_scans_total", "counter", "Scans taken in; a scan is one sample of every channel.", OF_RIG, "counters",
     "scans"},
    {"fricid_rig_lost_scans_total", "counter", "Scans known to be missing.", OF_RIG, "counters", "lost_scans"},
    {"fricid_rig_gaps_total", "counter", "Holes in the stream of scans.", OF_RIG, "counters", "gaps"},
    {"fricid_rig_lost_decays_total", "counter", "Decays found but not kept: the queue was full.", OF_RIG, "counters",
     "decays_lost"},
    {"fricid_channel_samples_total", "counter", "Samples looked at for decays.", OF_CHANNEL, "counters", "samples"},
    {"fricid_channel_lost_samples_total", "counter", "Samples known to be missing, or not numbers.", OF_CHANNEL,
     "counters", "lost_samples"},
    {"fricid_channel_gaps_total", "counter", "Holes in the stream of samples.", OF_CHANNEL, "counters", "gaps"},
    {"fricid_channel_decays_total", "counter", "Decays found.", OF_CHANNEL, "counters", "decays"},
    {"fricid_channel_last_result_time_seconds", "gauge", "When the latest result was published, since 1970.",
     OF_CHANNEL, "last", "at"},
    {"fricid_channel_last_provisional", "gauge",
     "1 while the latest result is a first answer, which a revision follows.", OF_CHANNEL, METRICS_RESULT,
     "provisional"},
    {"fricid_thread_queued_jobs", "gauge", "Jobs that wait for the thread.", OF_THREAD, NULL, "queued_jobs"},
    {"fricid_thread_queued_bytes", "gauge", "Memory of the jobs that wait or run.", OF_THREAD, NULL, "queued_bytes"},
    {"fricid_thread_jobs_total", "counter", "Jobs finished.", OF_THREAD, NULL, "finished_jobs"},
    {"fricid_thread_busy_seconds_total", "counter", "What the finished jobs took together.", OF_THREAD, NULL, "busy_s"},
    {"fricid_thread_longest_job_seconds", "gauge", "What the longest job took.", OF_THREAD, NULL, "longest_s"},
    {"fricid_thread_running_job_seconds", "gauge", "Age of the job that runs; 0: idle.", OF_THREAD, NULL, "running_s"},
    {"fricid_thread_healthy", "gauge", "1 unless a job is past its deadline.", OF_THREAD, NULL, "healthy"},
    {"fricid_queue_bytes", "gauge", "Decays that are not stored yet.", OF_DAEMON, "queue", "bytes"},
    {"fricid_queue_limit_bytes", "gauge", "Where live decays begin to be lost.", OF_DAEMON, "queue", "max_bytes"},
    {"fricid_store_decays", "gauge", "Decays in the store.", OF_DAEMON, "store", "decays"},
    {"fricid_store_results", "gauge", "Results in the store.", OF_DAEMON, "store", "results"},
    {"fricid_store_waiting_decays", "gauge", "Decays in the store that are not identified yet.", OF_DAEMON, "store",
     "waiting"},
    {"fricid_store_protected_decays", "gauge", "Decays in the store that stay, however old they get.", OF_DAEMON,
     "store", "protected"},
    {"fricid_store_size_bytes", "gauge", "What the store takes.", OF_DAEMON, "store", "bytes"},
    {"fricid_store_free_bytes", "gauge", "What is free on the disk of the store.", OF_DAEMON, "store", "free_bytes"},
    {"fricid_client_connections", "gauge", "Clients connected.", OF_DAEMON, "clients", "connections"},
    {"fricid_client_subscribers", "gauge", "Clients that have subscribed to a topic.", OF_DAEMON, "clients",
     "subscribers"},
    {"fricid_client_dropped_notifications_total", "counter", "Notifications that clients were too slow for.", OF_DAEMON,
     "clients", "dropped_notifications"},
};

/* A channel, and its latest result. */
struct estimate_owner {
    const json_t *rig, *channel, *result;
    const struct glyphs *glyphs;
};

enum { METRIC_COUNT = sizeof metrics / sizeof metrics[0] };

static void write_head(const char *name, const char *type, const char *help, FILE *out)
{
    fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

/* Names are the user's, and may hold whatever a configuration may. */
static void write_label(const char *label, const char *value, const char *separator, FILE *out)
{
    fprintf(out, "%s%s=", separator, label);
    quote_label(out, value);
}

static void write_rig_labels(const json_t *rig, FILE *out)
{
    write_label("rig", reply_text(rig, "name", ""), "{", out);
    write_label("source", reply_text(json_object_get(rig, "source"), "kind", ""), ",", out);
}

static void write_channel_labels(const json_t *rig, const json_t *channel, FILE *out)
{
    write_rig_labels(rig, out);
    write_label("channel", reply_text(channel, "name", ""), ",", out);
}

/* Numbers as they are, truth as 1 and 0, times of day as seconds. Whether there is anything to write. */
static bool is_figure(const json_t *value)
{
    return json_is_number(value) || json_is_boolean(value) || json_is_string(value);
}

static void write_figure(const json_t *value, FILE *out)
{
    if (json_is_integer(value))
        fprintf(out, " %lld\n", (long long)json_integer_value(value));
    else if (json_is_real(value))
        fprintf(out, " %.17g\n", json_real_value(value));
    else if (json_is_string(value))
        fprintf(out, " %.6f\n", describe_seconds(json_string_value(value)));
    else
        fprintf(out, " %d\n", json_is_true(value));
}

/* The figure itself; NULL where there is none. */
static const json_t *figure_of(const struct metric *metric, const json_t *owner)
{
    const json_t *group = metric->group ? json_object_get(owner, metric->group) : owner;
    const json_t *value = json_object_get(group, metric->key);
    return is_figure(value) ? value : NULL;
}

static void write_labels(enum owner kind, const json_t *rig, const json_t *owner, FILE *out)
{
    if (kind == OF_THREAD)
        write_label("thread", reply_text(owner, "name", ""), "{", out);
    else if (kind == OF_RIG)
        write_rig_labels(owner, out);
    else
        write_channel_labels(rig, owner, out);
    fputc('}', out);
}

/* rig: that of a channel. */
static void write_sample(const struct metric *metric, const json_t *rig, const json_t *owner, FILE *out)
{
    const json_t *value = figure_of(metric, owner);
    if (!value)
        return;
    fputs(metric->name, out);
    if (metric->owner != OF_DAEMON)
        write_labels(metric->owner, rig, owner, out);
    write_figure(value, out);
}

/* All samples of a metric stand together, behind its head. */
static void write_metric(const struct metric *metric, const json_t *status, FILE *out)
{
    size_t i, c;
    json_t *thing, *channel;
    write_head(metric->name, metric->type, metric->help, out);
    if (metric->owner == OF_DAEMON) {
        write_sample(metric, NULL, status, out);
        return;
    }
    json_array_foreach (json_object_get(status, metric->owner == OF_THREAD ? "threads" : "rigs"), i, thing) {
        if (metric->owner == OF_CHANNEL)
            json_array_foreach (json_object_get(thing, "channels"), c, channel)
                write_sample(metric, thing, channel, out);
        else
            write_sample(metric, NULL, thing, out);
    }
}

/* Which daemon it is, as labels of a constant. */
static void write_info(const json_t *status, FILE *out)
{
    write_head("fricid_info", "gauge", "Always 1; its labels say which daemon this is.", out);
    fputs("fricid_info", out);
    write_label("version", reply_text(status, "version", ""), "{", out);
    write_label("config_id", reply_text(status, "config_id", ""), ",", out);
    write_label("store", reply_text(json_object_get(status, "store"), "kind", ""), ",", out);
    fputs("} 1\n", out);
}

/* One sample a condition, so that a rule can ask for any of them without knowing the others. */
static void write_conditions(const json_t *rigs, FILE *out)
{
    static const char *const conditions[] = {"starting", "running", "paused", "ended", "failed"};
    size_t i;
    json_t *rig;
    write_head("fricid_rig_condition", "gauge", "1 for the condition that the rig is in.", out);
    json_array_foreach (rigs, i, rig) {
        for (size_t c = 0; c < sizeof conditions / sizeof conditions[0]; c++) {
            fputs("fricid_rig_condition", out);
            write_rig_labels(rig, out);
            write_label("condition", conditions[c], ",", out);
            fprintf(out, "} %d\n", strcmp(reply_text(rig, "condition", ""), conditions[c]) == 0);
        }
    }
    write_head("fricid_rig_problem", "gauge", "1 when the rig needs somebody; fricidctl status says what to do.", out);
    json_array_foreach (rigs, i, rig) {
        fputs("fricid_rig_problem", out);
        write_rig_labels(rig, out);
        fprintf(out, "} %d\n", reply_text(rig, "problem", NULL) != NULL);
    }
}

static void write_drops_of(const json_t *rig, const json_t *channel, FILE *out)
{
    const char *reason;
    json_t *count;
    json_object_foreach (json_object_get(json_object_get(channel, "counters"), "drops"), reason, count) {
        if (!json_is_integer(count))
            continue;
        fputs("fricid_channel_drops_total", out);
        write_channel_labels(rig, channel, out);
        write_label("reason", reason, ",", out);
        fputc('}', out);
        write_figure(count, out);
    }
}

static void write_drops(const json_t *rigs, FILE *out)
{
    size_t i, c;
    json_t *rig, *channel;
    write_head("fricid_channel_drops_total", "counter", "Candidates that did not become decays, by reason.", out);
    json_array_foreach (rigs, i, rig)
        json_array_foreach (json_object_get(rig, "channels"), c, channel)
            write_drops_of(rig, channel, out);
}

/* A figure of the latest result, or its combined standard uncertainty; one that is not known has no sample. */
static void write_estimate(const char *name, const char *quantity, const char *unit, const json_t *value,
                           const struct estimate_owner *owner, FILE *out)
{
    if (!json_is_number(value))
        return;
    fputs(name, out);
    write_channel_labels(owner->rig, owner->channel, out);
    write_label("quantity", quantity, ",", out);
    write_label("unit", *unit ? unit : "1", ",", out);
    fputc('}', out);
    write_figure(value, out);
}

/* Of a decay as its budget has them, of a record of another kind as its table does. */
static void write_estimates_of(const char *name, const char *key, const struct estimate_owner *owner, FILE *out)
{
    const struct record_kind *kind = shown_kind(owner->result);
    const char *unit = reply_displacement_unit(owner->result);
    struct field_cursor cursor = {0};
    size_t q;
    json_t *line;
    json_array_foreach (json_object_get(json_object_get(owner->result, "budget"), "quantities"), q, line) {
        const char *name_of = reply_text(line, "quantity", "");
        write_estimate(name, name_of, labelled_quantity(name_of, unit, owner->glyphs).unit.text,
                       json_object_get(line, key), owner, out);
    }
    while (kind && kind->section && next_estimate(kind->section, &cursor))
        write_estimate(name, cursor.field.name, labelled_field(&cursor.field, unit, owner->glyphs).unit.text,
                       json_object_get(json_object_get(owner->result, cursor.field.name), key), owner, out);
}

static void write_estimates_as(const char *name, const char *help, const char *key, const json_t *rigs,
                               const struct glyphs *glyphs, FILE *out)
{
    size_t i, c;
    json_t *rig, *channel;
    write_head(name, "gauge", help, out);
    json_array_foreach (rigs, i, rig)
        json_array_foreach (json_object_get(rig, "channels"), c, channel) {
            const json_t *result = json_object_get(channel, METRICS_RESULT);
            const struct estimate_owner owner = {rig, channel, result, glyphs};
            write_estimates_of(name, key, &owner, out);
        }
}

void metrics_write(const json_t *status, FILE *out)
{
    const json_t *rigs = json_object_get(status, "rigs");
    write_info(status, out);
    write_conditions(rigs, out);
    for (size_t i = 0; i < METRIC_COUNT; i++)
        write_metric(&metrics[i], status, out);
    write_drops(rigs, out);
    const struct glyphs *glyphs = glyphs_for(false);
    write_estimates_as("fricid_channel_last_estimate", "What the latest result of the channel has of each quantity.",
                       "value", rigs, glyphs, out);
    write_estimates_as("fricid_channel_last_estimate_uncertainty", "Its combined standard uncertainty.", "u", rigs,
                       glyphs, out);
}
