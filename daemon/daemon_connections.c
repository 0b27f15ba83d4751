/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What connects the parts of the daemon: what one tells goes to those whom it concerns, what the service asks is
 * answered. */

#include "config/recorded_settings.h"
#include "daemon_state.h"

#include "proto/clock.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* --- what happens, told to people and clients --- */

/* Every event goes to the log as well: a client may not be listening. */
static void on_event(void *context, const struct service_event *event)
{
    struct daemon *daemon = context;
    static const char *const expected[] = {"decay_dropped", "source_started",  "source_ended",   "zeroed",
                                           "reloaded",      "store_recovered", "decays_removed", "store_upgraded",
                                           "already_kept",  "loop_run",        "ring_down"};
    enum log_level level = LOG_LEVEL_WARNING;
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        if (strcmp(event->code, expected[i]) == 0)
            level = LOG_LEVEL_INFO;
    log_message(daemon->log, &(struct log_message){.level = level,
                                                   .code = event->code,
                                                   .sentence = event->sentence,
                                                   .rig = event->rig,
                                                   .channel = event->channel,
                                                   .source_kind = event->source_kind,
                                                   .reason = event->reason,
                                                   .count = event->count});
    if (daemon->service)
        service_publish_event(daemon->service, event);
}

static void on_progress(void *context, const struct rig *rig, const struct channel_status *channel)
{
    struct daemon *daemon = context;
    service_publish_progress(daemon->service, rig_name(rig), channel->name, rig_source_kind(rig), channel->unit,
                             &channel->segment);
}

static bool wants_signal(void *context)
{
    const struct daemon *daemon = context;
    return daemon->service && service_wants_signal(daemon->service);
}

static void on_signal(void *context, const struct service_signal *shown)
{
    struct daemon *daemon = context;
    service_publish_signal(daemon->service, shown);
}

/* The rig learns of it before the clients do, so that their next `status` agrees with what they were told. */
static void on_published(void *context, struct kept_result *result)
{
    struct daemon *daemon = context;
    rig_set_note_result(daemon->rigs, result);
    service_publish_result(daemon->service, result);
}

static void on_lost(void *context, const struct decay_origin *origin, const char *reason, const char *sentence)
{
    struct service_event event = {.code = "decay_lost",
                                  .sentence = sentence,
                                  .rig = origin->rig,
                                  .channel = origin->channel,
                                  .source_kind = origin->source_kind,
                                  .at_ns = clock_realtime_ns(),
                                  .reason = reason,
                                  .count = 1};
    on_event(context, &event);
}

static void on_known(void *context, const struct decay_origin *origin, uint64_t count, uint64_t latest_id)
{
    char sentence[512];
    const bool of_client = strcmp(origin->device, "request") == 0;
    snprintf(sentence, sizeof sentence,
             "%" PRIu64 " %s of %s %s already kept, the last of them as decay %" PRIu64 ": not stored again", count,
             count == 1 ? "decay" : "decays", of_client ? "a record that a client sent" : origin->device,
             count == 1 ? "was" : "were", latest_id);
    struct service_event event = {.code = "already_kept",
                                  .sentence = sentence,
                                  .rig = origin->rig,
                                  .source_kind = origin->source_kind,
                                  .at_ns = clock_realtime_ns(),
                                  .count = count};
    on_event(context, &event);
}

static size_t channel_rank(void *context, const char *rig, const char *channel)
{
    const struct daemon *daemon = context;
    const struct rig *found = rig_set_find(daemon->rigs, rig);
    return found ? rig_channel_rank(found, channel) : SIZE_MAX;
}

static void on_drained(void *context)
{
    struct daemon *daemon = context;
    rig_set_resume(daemon->rigs);
}

void daemon_tell(void *daemon, const char *code, const char *sentence)
{
    struct service_event event = {.code = code, .sentence = sentence, .at_ns = clock_realtime_ns()};
    on_event(daemon, &event);
}

void daemon_tell_removed(void *context, unsigned count, uint64_t stored_from)
{
    struct daemon *daemon = context;
    struct service_event event = {.code = "decays_removed",
                                  .sentence = "the oldest decays that are not protected made room in the store",
                                  .at_ns = clock_realtime_ns(),
                                  .count = count};
    if (daemon->service)
        service_set_stored_from(daemon->service, stored_from);
    on_event(daemon, &event);
}

void daemon_note_written(void *context, uint64_t until_seq)
{
    struct daemon *daemon = context;
    if (daemon->service)
        service_set_stored_until(daemon->service, until_seq);
}

/* --- what the service asks --- */

/* Filled anew for each question, into memory that lives as long as the daemon: nothing is allocated to be asked. */
static const struct daemon_status *backend_status(void *context)
{
    struct daemon *daemon = context;
    daemon->status.rig_count = rig_set_count(daemon->rigs);
    daemon->status.rigs = rig_set_status(daemon->rigs);
    daemon->status.recorder_last_s = daemon->configurations.first->recorder.last_s;
    pipeline_status(daemon->pipeline, daemon->threads, &daemon->status);
    if (!daemon->status.store_problem && daemon->retention.waits.text[0])
        daemon->status.store_problem = daemon->retention.waits.text;
    watchdog_status(daemon->watchdog, &daemon->status.watchdog);
    return &daemon->status;
}

static const struct device_survey *backend_devices(void *context, bool ask, bool *surveying, int64_t *taken_at_ns)
{
    struct daemon *daemon = context;
    if (ask)
        devices_ask(daemon->devices);
    return devices_latest(daemon->devices, surveying, taken_at_ns);
}

static int backend_zero(void *context, const char *rig, const char *channel, double *position,
                        struct complaint *complaint)
{
    struct daemon *daemon = context;
    struct rig *found = rig_set_find(daemon->rigs, rig);
    if (found)
        return rig_zero(found, channel, position, complaint);
    complaint_set(complaint, "there is no rig %s", rig);
    return -ENOTSUP;
}

static bool backend_configuration(void *context, const char *id, struct configuration_view *view)
{
    const struct daemon *daemon = context;
    const struct configuration *found =
        id ? configurations_find(&daemon->configurations, id) : daemon->configurations.running;
    if (!found)
        return false;
    *view = (struct configuration_view){.id = found->id, .path = found->path, .text = found->text};
    return true;
}

static long backend_identify(void *context, struct identify_request *request, identify_answer answer,
                             void *answer_context)
{
    struct daemon *daemon = context;
    const struct configuration *running = daemon->configurations.running;
    const struct recorded_channel recorded = {.rig = request->rig,
                                              .channel = request->name,
                                              .resolution = request->resolution,
                                              .tells_gaps = request->tells_gaps};
    struct recorded_settings found = recorded_settings(running, &recorded);
    if (!segment_settings_limit(&found.segment, request->amplitude_max, request->amplitude_min) && !request->whole)
        return -EDOM;
    const struct request_settings settings = {found.segment, found.physical, running->id};
    /* Of a rig that the configuration knows, that counts more; else what the client says of its record. */
    if (*request->rig)
        request->resolution = found.segment.resolution;
    return pipeline_request(daemon->pipeline, request, &settings, answer, answer_context);
}

static long backend_simulate(void *context, struct simulate_request *request, simulate_answer answer,
                             void *answer_context)
{
    struct daemon *daemon = context;
    return pipeline_simulate(daemon->pipeline, request, answer, answer_context);
}

static void backend_identify_cancel(void *context, long ticket)
{
    struct daemon *daemon = context;
    pipeline_cancel_request(daemon->pipeline, ticket);
}

static void backend_note_result(void *context, const struct kept_result *result, uint64_t seq)
{
    struct daemon *daemon = context;
    publication_log_note_result(daemon->publication_log, result->of->id, result->revision, seq);
}

static void backend_note_event(void *context, const struct service_event *event, uint64_t seq, const char *line)
{
    struct daemon *daemon = context;
    const struct store_event stored = {.seq = seq,
                                       .at_ns = event->at_ns,
                                       .code = event->code,
                                       .rig = event->rig,
                                       .channel = event->channel,
                                       .text = line};
    publication_log_note_event(daemon->publication_log, &stored);
}

/* --- who is who --- */

struct pipeline_listener daemon_pipeline_listener(struct daemon *daemon)
{
    return (struct pipeline_listener){.published = on_published,
                                      .lost = on_lost,
                                      .known = on_known,
                                      .channel_rank = channel_rank,
                                      .drained = on_drained,
                                      .told = daemon_tell,
                                      .context = daemon};
}

struct rig_listener daemon_rig_listener(struct daemon *daemon)
{
    return (struct rig_listener){.event = on_event,
                                 .progress = on_progress,
                                 .wants_signal = wants_signal,
                                 .signal = on_signal,
                                 .context = daemon};
}

struct service_backend daemon_backend(struct daemon *daemon)
{
    return (struct service_backend){.context = daemon,
                                    .status = backend_status,
                                    .zero = backend_zero,
                                    .devices = backend_devices,
                                    .configuration = backend_configuration,
                                    .identify = backend_identify,
                                    .identify_cancel = backend_identify_cancel,
                                    .simulate = backend_simulate,
                                    .ask = pipeline_reader(daemon->pipeline) ? questions_ask : NULL,
                                    .ask_cancel = questions_cancel,
                                    .questions = &daemon->questions,
                                    .maintenance = daemon->maintenance ? maintenance_order : NULL,
                                    .maintenance_cancel = maintenance_cancel,
                                    .keeper = daemon->maintenance,
                                    .note_result = backend_note_result,
                                    .note_event = backend_note_event};
}
