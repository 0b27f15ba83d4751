/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_SIGNAL_FEED_H
#define FRICID_CLIENT_SIGNAL_FEED_H

#include "client/client.h"

#include <jansson.h>
#include <stdbool.h>

/* What channels measure, as the daemon tells it ten times a second. */
struct signal_feed {
    struct client *client;
    const char *rig, *channel; /* only these; NULL: any */
    bool may_be_silent;        /* nothing is waited for that does not come within a second, and *notification is NULL */
};

/* Subscribes. Says at once when no rig has what is wanted. */
enum exit_status signal_feed_open(struct signal_feed *feed);

/* Waits for the next notification that is wanted: a new reference to the whole message. Gives up with a message when
 * none comes within the client's timeout, for then nothing is measured. */
enum exit_status signal_feed_next(const struct signal_feed *feed, json_t **notification);

/* From where to where a channel went in some notifications; begins as {0}. */
struct signal_reach {
    double least, most;
    double noise; /* reversals below this are noise to the daemon */
    bool any;
};

void signal_reach_add(struct signal_reach *reach, const json_t *notification);

/* Further than its noise does. */
bool signal_reach_moves(const struct signal_reach *reach);

#endif
