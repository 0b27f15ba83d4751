/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_CLIENT_H
#define FRICID_CLIENT_CLIENT_H

#include "client/connection.h"
#include "client/exit_status.h"
#include "client/options.h"
#include "client/own_daemon.h"
#include "client/screen.h"

#include <jansson.h>

struct command;

/* One run of fricidctl: what every command works with. */
struct client {
    struct options options;
    const struct command *const *commands; /* all that there are, NULL behind the last */
    struct screen screen;
    bool verbatim;                 /* strings stay as they are, also without --json: a program will read them */
    char together[64];             /* what requests that belong together are known by; empty: each is alone */
    struct connection *connection; /* NULL until client_connect(); whoever owns the client closes it */
    struct own_daemon own;         /* what it leads to after client_connect_own(); likewise ended by the owner */
};

/* What the daemon may take to answer when the user gave no --timeout, s. */
#define CLIENT_TIMEOUT_S 10.0

double client_timeout(const struct client *client, double otherwise);

/* Connects. Anything but STATUS_OK has been explained on standard error. */
enum exit_status client_connect(struct client *client);

/* Connects, where none answers at the default socket to one of this run alone: for what needs no daemon that runs.
 * Likewise. */
enum exit_status client_connect_or_own(struct client *client);

/* Connects to a daemon of this run alone, so that nothing reaches the one that runs. Likewise. */
enum exit_status client_connect_own(struct client *client);

/* Connects where necessary, and asks. Takes `params` over (NULL: none). On STATUS_OK *result is a new reference; for
 * people (not with --json) its strings are safe to print. */
enum exit_status client_ask(struct client *client, const char *method, json_t *params, json_t **result);

/* The same with a timeout of its own for this question. */
enum exit_status client_ask_within(struct client *client, const char *method, json_t *params, double timeout_s,
                                   json_t **result);

/* The same for what the daemon may have given up meanwhile: where it says not_found, the status is STATUS_OK and
 * *result NULL, and nothing is explained. */
enum exit_status client_ask_held(struct client *client, const char *method, json_t *params, json_t **result);

/* Prints a reply and frees it: with --json as it is, else with `print`, whose status this returns. */
enum exit_status client_print(struct client *client, json_t *reply,
                              enum exit_status (*print)(struct client *client, const json_t *reply));

/* Says which file was written: its path, or with --json `about`, which this frees, with the member "file". */
void client_tell_file(const struct client *client, json_t *about, const char *path);

/* The id that is the command's argument, as people write it: 42 or #42. `of`: "result", for the message. */
enum exit_status client_named_id(const struct client *client, const char *of, int64_t *id);

/* Asks for the result of that id. */
enum exit_status client_ask_named_result(struct client *client, json_t **result);

#endif
