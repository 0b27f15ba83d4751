/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_UPLOAD_H
#define FRICID_CLIENT_UPLOAD_H

#include "client/client.h"
#include "proto/recording.h"

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* An identification of a long recording may queue behind others, s. */
#define IDENTIFY_TIMEOUT_S 600.0

/* Samples in one message of the protocol. */
enum { UPLOAD_CHUNK = 8192 };

/* What was sent in one request or in pieces: a channel, or all that are one record with it. */
struct uploaded {
    char name[256]; /* of the channel, or of all of them */
    size_t sensors; /* 0: it went with an earlier one, and there is no reply */
    json_t *reply;  /* a new reference to {"results": […], "drops": {…}} */
};

/* Has the daemon identify a channel of a recording with those that are one record with it, as sensors_together(); one
 * that is wanted by its name is alone. A daemon, which is asked, that does not know of sensors gets each alone, too.
 * room: of recording->channel_count. Anything but STATUS_OK has been explained on standard error. */
enum exit_status upload_record(struct client *client, const struct recording *recording, size_t channel, size_t *room,
                               struct uploaded *uploaded);

/* Reads a recording that is about to be sent: of several sensors of one structure those that have holes are taken out.
 * As recording_load(). */
int recording_to_identify(const struct client *client, const char *file, struct recording *recording,
                          struct complaint *complaint);

#endif
