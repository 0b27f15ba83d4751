/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The methods about cards and rigs: which there are, and what is done to them. */

#include "proto/json_value.h"
#include "service/devices_json.h"
#include "service/methods.h"
#include "service/service_state.h"
#include "service/session_state.h"

#include <errno.h>
#include <string.h>

/* The only channel of that name; NULL when there is none, or when rigs share the name and `rig` does not say which. */
static const struct channel_status *find_channel(const struct daemon_status *daemon, const char *rig,
                                                 const char *channel, const char **rig_name, size_t *found)
{
    const struct channel_status *only = NULL;
    *found = 0;
    for (size_t r = 0; r < daemon->rig_count; r++)
        for (size_t c = 0; c < daemon->rigs[r].channel_count; c++)
            if ((!rig || strcmp(rig, daemon->rigs[r].name) == 0) &&
                strcmp(channel, daemon->rigs[r].channels[c].name) == 0) {
                only = &daemon->rigs[r].channels[c];
                *rig_name = daemon->rigs[r].name;
                ++*found;
            }
    return *found == 1 ? only : NULL;
}

static void run_zero(struct call *call, const json_t *params)
{
    const struct service_backend *backend = &call_session(call)->service->backend;
    const char *channel = parameter_text(params, "channel", ""), *rig = parameter_text(params, "rig", NULL);
    struct complaint complaint;
    size_t found;
    double position;
    const struct channel_status *status = find_channel(backend->status(backend->context), rig, channel, &rig, &found);
    if (!status && found > 0) {
        call_fail(call, JSONRPC_INVALID_PARAMS, NULL, "%zu rigs have a channel %s: say which one (rig)", found,
                  channel);
        return;
    }
    if (!status) {
        call_fail(call, JSONRPC_NOT_FOUND, NULL, "no rig has a channel %s", channel);
        return;
    }
    int error = backend->zero(backend->context, rig, channel, &position, &complaint);
    if (error == 0)
        call_answer(call, json_pack("{s:s, s:s, s:o, s:s}", "rig", rig, "channel", channel, "position",
                                    number_to_json(position), "unit", status->unit));
    else
        call_fail(call, error == -EAGAIN ? JSONRPC_BUSY : JSONRPC_NOT_POSSIBLE, NULL, "%s", complaint.text);
}

/* Answered at once with what is known; with `survey` a newer one is begun. */
static void run_devices(struct call *call, const json_t *params)
{
    const struct service_backend *backend = &call_session(call)->service->backend;
    bool surveying;
    int64_t taken_at_ns;
    const struct device_survey *survey =
        backend->devices(backend->context, parameter_flag(params, "survey", true), &surveying, &taken_at_ns);
    call_answer(call, survey_to_json(survey, surveying, taken_at_ns));
}

static const struct parameter devices_parameters[] = {
    {.name = "survey", .type = PARAMETER_FLAG, .note = "begin a newer one; true if left out"},
};

static const struct parameter zero_parameters[] = {
    {.name = "channel", .type = PARAMETER_TEXT, .required = true, .maximum = 63},
    {.name = "rig",
     .type = PARAMETER_TEXT,
     .maximum = 63,
     .note = "needed where several rigs have a channel of that name"},
};

static const struct method methods[] = {
    {.name = "devices", .parameters = PARAMETERS(devices_parameters), .run = run_devices, .asks = true},
    {.name = "zero", .acts = true, .parameters = PARAMETERS(zero_parameters), .run = run_zero},
};

const struct method_group methods_about_rigs = {methods, sizeof methods / sizeof methods[0]};
