/* SPDX-License-Identifier: GPL-3.0-or-later */

/* fricidctl version: both sides, so that a mismatch is seen at once. */

#include <config.h>

#include "client/command.h"
#include "client/reply.h"
#include "proto/address.h"

#include <stdio.h>

static json_t *own_version(void)
{
    return json_pack("{s:s, s:s, s:{s:i, s:i}}", "client", "fricidctl", "version", PACKAGE_VERSION, "protocol", "major",
                     FRICID_PROTOCOL_MAJOR, "minor", FRICID_PROTOCOL_MINOR);
}

static void print_daemon(const json_t *server)
{
    const json_t *protocol = json_object_get(server, "protocol");
    printf("%s %s, protocol %lld.%lld, Comedi: %s, systemd: %s\n", reply_text(server, "server", "fricidd"),
           reply_text(server, "version", "(version unknown)"), (long long)reply_integer(protocol, "major", 0),
           (long long)reply_integer(protocol, "minor", 0), reply_true(server, "comedi") ? "yes" : "no",
           reply_true(server, "systemd") ? "yes" : "no");
}

/* The client's own version is told even when nobody answers; the exit status then says so. */
static enum exit_status run_version(struct client *client)
{
    json_t *server = NULL;
    enum exit_status status = client_ask(client, "version", NULL, &server);
    if (client->options.json) {
        json_t *both = json_pack("{s:o, s:O?, s:s?}", "client", own_version(), "server", server, "reason",
                                 server ? NULL : "no fricidd answered");
        screen_json(&client->screen, both);
        json_decref(both);
    } else {
        printf("fricidctl %s, protocol %d.%d\n", PACKAGE_VERSION, FRICID_PROTOCOL_MAJOR, FRICID_PROTOCOL_MINOR);
        if (server)
            print_daemon(server);
    }
    json_decref(server);
    return status;
}

const struct command command_version = {
    .name = "version", .summary = "versions of client and daemon", .run = run_version};
