/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The methods that tell about the daemon itself, and the greeting. */

#include <config.h>

#include "proto/clock.h"
#include "proto/json_value.h"
#include "service/configuration_json.h"
#include "service/history.h"
#include "service/methods.h"
#include "service/service_state.h"
#include "service/session_state.h"
#include "service/status_json.h"
#include "service/stored_answers.h"

#include <unistd.h>

json_t *hello_to_json(const struct service *service)
{
    return json_pack("{s:s, s:s, s:o, s:s, s:o}", "server", "fricidd", "version", PACKAGE_VERSION, "protocol",
                     protocol_to_json(), "history_id", history_id(service->history), "started_at",
                     time_to_json(service->started_ns));
}

static void run_version(struct call *call, const json_t *params)
{
    (void)params;
    call_answer(call, json_pack("{s:s, s:s, s:o, s:b, s:b}", "server", "fricidd", "version", PACKAGE_VERSION,
                                "protocol", protocol_to_json(), "comedi", HAVE_COMEDI, "systemd", HAVE_SYSTEMD));
}

/* The files as they are, comments included: a user wants to see what was written. */
static void run_config(struct call *call, const json_t *params)
{
    const struct service_backend *backend = &call_session(call)->service->backend;
    const char *wanted = parameter_text(params, "config_id", NULL);
    struct configuration_view view;
    if (backend->configuration(backend->context, wanted, &view))
        call_answer(call, configuration_to_json(view.id, view.path, view.text));
    else if (store_can_be_asked(call_session(call)->service))
        answer_with_configuration(call, wanted ? wanted : "");
    else
        call_fail(call, JSONRPC_NOT_FOUND, NULL,
                  "no configuration with the id %s is known: the daemon remembers those that it has run under since "
                  "its start",
                  wanted ? wanted : "");
}

static json_t *clients_to_json(const struct service *service)
{
    size_t subscribers = 0;
    const struct session *session;
    LIST_FOREACH(session, &service->sessions, link)
    {
        subscribers += session->subscription.topics != 0;
    }
    return json_pack("{s:o, s:o, s:o}", "connections", count_to_json(service->session_count), "subscribers",
                     count_to_json(subscribers), "dropped_notifications",
                     count_to_json(service->dropped_notifications));
}

/* From where on a subscriber can still have everything. */
static json_t *history_to_json(const struct history *history)
{
    uint64_t available_from = history_available_from(history, TOPIC_HELD);
    bool any = history_held(history) > 0 || available_from < history_complete_from(history, TOPIC_HELD);
    json_t *oldest = any ? count_to_json(available_from) : json_null();
    json_t *object = json_pack("{s:s, s:o, s:o, s:n}", "history_id", history_id(history), "oldest_seq", oldest,
                               "next_seq", count_to_json(history_next_seq(history)), "reason");
    return with_reason(object, "no result and no event has been published yet");
}

/* The uptime comes from the monotonic clock: setting the time of day does not change it. */
static json_t *server_to_json(const struct service *service)
{
    const struct service_backend *backend = &service->backend;
    struct configuration_view running = {.id = ""};
    backend->configuration(backend->context, NULL, &running);
    char host[256] = "";
    if (gethostname(host, sizeof host - 1) != 0)
        host[0] = '\0';
    int64_t uptime_ns = clock_monotonic_ns() - service->started_monotonic_ns;
    return json_pack("{s:s, s:s, s:o, s:o, s:i, s:o, s:o, s:o}", "server", "fricidd", "version", PACKAGE_VERSION,
                     "protocol", protocol_to_json(), "host", text_to_json(host), "pid", (int)getpid(), "started_at",
                     time_to_json(service->started_ns), "uptime_s", number_to_json((double)uptime_ns * 1e-9),
                     "config_id", text_to_json(running.id));
}

static void run_status(struct call *call, const json_t *params)
{
    (void)params;
    const struct service *service = call_session(call)->service;
    const struct daemon_status *daemon = service->backend.status(service->backend.context);
    json_t *status = joined(server_to_json(service), daemon_status_to_json(daemon));
    status = joined(status, json_pack("{s:o, s:o}", "clients", clients_to_json(service), "history",
                                      history_to_json(service->history)));
    call_answer(call, status);
}

static const struct parameter config_parameters[] = {
    {.name = "config_id",
     .type = PARAMETER_TEXT,
     .maximum = 64,
     .since = 1,
     .note = "which one; the running one if left out"},
};

static const struct method methods[] = {
    {.name = "status", .run = run_status, .asks = true},
    {.name = "version", .run = run_version, .asks = true},
    {.name = "config", .parameters = PARAMETERS(config_parameters), .run = run_config, .asks = true},
};

const struct method_group methods_about_daemon = {methods, sizeof methods / sizeof methods[0]};
