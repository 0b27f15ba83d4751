/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the daemon is doing as JSON, out of the plain structs of backend.h. */

#include "service/status_json.h"

#include "identify/loop/loop.h"
#include "proto/address.h"
#include "proto/json_value.h"
#include "report/kinds/loop_tables.h"
#include "report/section_json.h"

#include <math.h>

json_t *protocol_to_json(void)
{
    return json_pack("{s:i, s:i}", "major", FRICID_PROTOCOL_MAJOR, "minor", FRICID_PROTOCOL_MINOR);
}

/* A list of `count` things, each turned into JSON by `to_json`. */
static json_t *list_to_json(const void *things, size_t count, size_t size, json_t *(*to_json)(const void *thing))
{
    json_t *list = json_array();
    for (size_t i = 0; list && i < count; i++) {
        if (json_array_append_new(list, to_json((const char *)things + i * size)) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static json_t *loop_to_json(const struct live_loop *loop)
{
    if (!loop)
        return json_null();
    const struct listed_loop listed = {.number = loop->number, .figures = loop->figures};
    json_t *object = section_to_json(&listed_loop_table, &listed);
    if (object && json_object_set_new(object, "columns", text_to_json(loop->columns)) != 0) {
        json_decref(object);
        return NULL;
    }
    return object;
}

/* A loop that is null is not missing: nothing was driven. */
static json_t *add_loop(json_t *object, const struct live_loop *loop)
{
    if (object && json_object_set_new(object, "loop", loop_to_json(loop)) != 0) {
        json_decref(object);
        return NULL;
    }
    return object;
}

json_t *segment_state_to_json(const struct segment_state *state)
{
    bool decaying = state->phase == SEGMENT_DECAYING;
    json_t *object = json_pack(
        "{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:n}", "phase", segment_phase_name(state->phase), "half_cycle",
        decaying ? count_to_json(state->half_cycle) : json_null(), "amplitude", number_to_json(state->amplitude),
        "frequency_hz", number_to_json(state->frequency_hz), "displacement", number_to_json(state->displacement),
        "noise_floor", number_to_json(state->noise_floor), "hysteresis", number_to_json(state->hysteresis), "reason");
    object = with_reason(object, decaying ? "not known yet in this decay"
                                          : "half cycle, amplitude and frequency are those of a running decay; the "
                                            "other figures are known once enough samples have come");
    return add_loop(object, state->loop);
}

/* The amplitude window and the length that a decay must have. */
static json_t *thresholds_to_json(const struct channel_status *channel)
{
    json_t *object = json_pack("{s:o, s:o, s:o, s:n}", "start_below", number_to_json(channel->start_below),
                               "stop_below", number_to_json(channel->stop_below), "min_half_cycles",
                               count_to_json(channel->min_half_cycles), "reason");
    return with_reason(object, "not configured: the whole decay is used");
}

/* All reasons, also those that are 0: keys are always present. */
json_t *drops_to_json(const uint64_t drops[DROP_REASONS])
{
    json_t *object = json_object();
    for (size_t i = 0; object && i < DROP_REASONS; i++) {
        if (json_object_set_new(object, drop_reason_name((enum drop_reason)i), count_to_json(drops[i])) != 0) {
            json_decref(object);
            return NULL;
        }
    }
    return object;
}

static json_t *last_result_to_json(const struct channel_status *channel)
{
    if (channel->last_result_id == 0)
        return json_null();
    return json_pack("{s:o, s:s, s:o}", "id", count_to_json(channel->last_result_id), "verdict",
                     verdict_name(channel->last_verdict), "at", time_to_json(channel->last_result_ns));
}

/* One channel of a rig. */
static json_t *channel_to_json(const void *thing)
{
    const struct channel_status *channel = thing;
    const struct segment_state *state = &channel->segment;
    json_t *counters = json_pack("{s:o, s:o, s:o, s:o, s:o}", "samples", count_to_json(state->samples), "lost_samples",
                                 count_to_json(state->lost_samples), "gaps", count_to_json(state->gaps), "decays",
                                 count_to_json(state->decays), "drops", drops_to_json(state->drops));
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "name", text_to_json(channel->name), "unit",
                     text_to_json(channel->unit), "state", segment_state_to_json(state), "thresholds",
                     thresholds_to_json(channel), "counters", counters, "last", last_result_to_json(channel));
}

static json_t *rig_source_to_json(const struct rig_status *rig)
{
    double rate = rig->sample_rate_hz > 0.0 ? rig->sample_rate_hz : (double)NAN;
    json_t *object = json_pack("{s:o, s:o, s:o, s:n}", "kind", text_to_json(rig->source_kind), "device",
                               text_to_json(rig->device), "sample_rate_hz", number_to_json(rate), "reason");
    return with_reason(object, "the samples carry time stamps: there is no single rate");
}

static json_t *clock_to_json(const struct rig_status *rig)
{
    json_t *object = json_pack("{s:o, s:o, s:o, s:n}", "rate_error", number_to_json(rig->clock_rate_error),
                               "rate_error_se", number_to_json(rig->clock_rate_error_se), "time_error_s",
                               number_to_json(rig->time_error_s), "reason");
    return with_reason(object, rig->measures_clock
                                   ? "the card's clock is compared with the computer's: that takes some seconds"
                                   : "only the clocks of cards are compared with the computer's");
}

/* What of its raw signals a client could still have. */
static json_t *recorder_to_json(const struct rig_status *rig)
{
    struct recorder_extent extent = {.held_s = NAN, .room_s = NAN};
    if (rig->recorder)
        extent = recorder_extent(rig->recorder);
    json_t *object = json_pack("{s:o, s:o, s:o, s:n}", "held_s", number_to_json(extent.held_s), "room_s",
                               number_to_json(extent.room_s), "bytes", count_to_json(extent.bytes), "reason");
    return with_reason(object, "nothing was recorded yet");
}

/* One rig: its source, what is wrong with it, what it has counted. */
static json_t *rig_to_json(const void *thing)
{
    const struct rig_status *rig = thing;
    json_t *counters = json_pack("{s:o, s:o, s:o, s:o}", "scans", count_to_json(rig->scans), "lost_scans",
                                 count_to_json(rig->lost_scans), "gaps", count_to_json(rig->gaps), "decays_lost",
                                 count_to_json(rig->decays_lost));
    json_t *channels = list_to_json(rig->channels, rig->channel_count, sizeof(struct channel_status), channel_to_json);
    return json_pack("{s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:o}", "name", text_to_json(rig->name), "source",
                     rig_source_to_json(rig), "condition", rig_condition_name(rig->condition), "problem",
                     text_to_json(rig->problem), "counters", counters, "clock", clock_to_json(rig), "recorder",
                     recorder_to_json(rig), "channels", channels);
}

/* A thread that hangs shows here: its job grows old, and it is not healthy. */
static json_t *thread_to_json(const void *thing)
{
    const struct thread_status *thread = thing;
    json_t *limit = thread->limit_s > 0 ? number_to_json(thread->limit_s) : json_null();
    json_t *object = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:b, s:o, s:b, s:n}", "name", text_to_json(thread->name), "queued_jobs",
        count_to_json(thread->queued_jobs), "queued_bytes", count_to_json(thread->queued_bytes), "finished_jobs",
        count_to_json(thread->finished_jobs), "running_s", number_to_json(thread->running_s), "busy_s",
        number_to_json(thread->busy_s), "longest_s", number_to_json(thread->longest_s), "healthy", (int)thread->healthy,
        "limit_s", limit, "feeds_watchdog", (int)thread->feeds_watchdog, "reason");
    return with_reason(object, "a job of this thread may take as long as it likes");
}

/* What keeps the watchdog from being fed is a list of threads; the event loop feeds it by answering this at all. */
static json_t *watchdog_to_json(const struct daemon_status *status)
{
    const struct watchdog_status *watchdog = &status->watchdog;
    json_t *held_up_by = json_array();
    for (size_t i = 0; held_up_by && i < status->thread_count; i++)
        if (status->threads[i].feeds_watchdog && !status->threads[i].healthy &&
            json_array_append_new(held_up_by, text_to_json(status->threads[i].name)) != 0) {
            json_decref(held_up_by);
            return NULL;
        }
    bool watched = watchdog->interval_s > 0;
    json_t *object = json_pack(
        "{s:o, s:o, s:o, s:n}", "interval_s", watched ? number_to_json(watchdog->interval_s) : json_null(), "fed_ago_s",
        watched ? number_to_json(watchdog->fed_ago_s) : json_null(), "held_up_by", held_up_by, "reason");
    return with_reason(object, watched ? "it was not fed yet" : "no service manager asked to be told");
}

/* Where results are kept, and whether there is room for more. A problem, or a file set aside, that is null is not
 * missing. */
static json_t *store_to_json(const struct daemon_status *status)
{
    bool free_known = status->store_free_bytes != UINT64_MAX;
    const char *reason = !status->store_path ? "decays and results are kept in memory, not in a file"
                         : !free_known       ? "the disk did not say how much is free"
                                             : NULL;
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "kind",
                     text_to_json(status->store_kind), "decays", count_to_json(status->stored_decays), "results",
                     count_to_json(status->stored_results), "bytes", count_to_json(status->stored_bytes), "path",
                     text_to_json(status->store_path), "waiting", count_to_json(status->waiting_decays), "free_bytes",
                     free_known ? count_to_json(status->store_free_bytes) : json_null(), "problem",
                     text_to_json(status->store_problem), "set_aside", text_to_json(status->store_set_aside),
                     "protected", count_to_json(status->protected_decays), "reason", text_to_json(reason));
}

/* json_pack() releases all of them when one is missing. */
json_t *daemon_status_to_json(const struct daemon_status *status)
{
    json_t *rigs = list_to_json(status->rigs, status->rig_count, sizeof(struct rig_status), rig_to_json);
    json_t *threads = list_to_json(status->threads, status->thread_count, sizeof(struct thread_status), thread_to_json);
    json_t *queue = json_pack("{s:o, s:o}", "bytes", count_to_json(status->queue_bytes), "max_bytes",
                              count_to_json(status->queue_max_bytes));
    return json_pack("{s:o, s:o, s:o, s:o, s:o}", "rigs", rigs, "threads", threads, "watchdog",
                     watchdog_to_json(status), "store", store_to_json(status), "queue", queue);
}
