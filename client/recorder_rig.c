/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "client/recorder_rig.h"

#include "client/reply.h"

enum exit_status recorder_rig_find(struct client *client, json_t **reply, const json_t **rig)
{
    const struct options *options = &client->options;
    json_t *params = json_object();
    if (options->argument_count > 0)
        json_object_set_new(params, "rig", json_string(options->arguments[0]));
    if (options->given & OPTION_LAST)
        json_object_set_new(params, "last_s", json_real(options->last_s));
    enum exit_status status = client_ask(client, "recorder.find", params, reply);
    if (status != STATUS_OK)
        return status;
    const json_t *rigs = json_object_get(*reply, "rigs");
    *rig = json_array_get(rigs, 0);
    if (json_array_size(rigs) == 1 && reply_number(*reply, "last_s") > 0)
        return STATUS_OK;
    if (json_array_size(rigs) == 0)
        screen_message(&client->screen, "the daemon has no rig: it records nothing");
    else if (json_array_size(rigs) > 1)
        screen_message(&client->screen, "there are %zu rigs (%s, %s%s): say which one: fricidctl %s ... RIG",
                       json_array_size(rigs), reply_text(*rig, "rig", "?"),
                       reply_text(json_array_get(rigs, 1), "rig", "?"), json_array_size(rigs) > 2 ? ", ..." : "",
                       options->command);
    else
        screen_message(&client->screen,
                       "the recorder is switched off: last_s of the group recorder in fricid.conf is 0");
    status = json_array_size(rigs) > 1 ? STATUS_USAGE : STATUS_FAILED;
    json_decref(*reply);
    return status;
}
