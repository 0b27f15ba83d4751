/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_SIGNAL_FEED_H
#define FRICID_CLIENT_SIGNAL_FEED_H

#include "client/client.h"

#include <jansson.h>

/* What channels measure, as the daemon tells it ten times a second. */
struct signal_feed {
    struct client *client;
    const char *rig, *channel; /* only these; NULL: any */
};

/* Subscribes. */
enum exit_status signal_feed_open(struct signal_feed *feed);

/* Waits for the next notification that is wanted: a new reference to the whole message. Gives up with a message when
 * none comes within the client's timeout, for then nothing is measured. */
enum exit_status signal_feed_next(const struct signal_feed *feed, json_t **notification);

#endif
