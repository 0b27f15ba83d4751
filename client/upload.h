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

/* Has the daemon identify one channel of a recording, in one request or in pieces. On STATUS_OK *reply is a new
 * reference to {"results": […], "drops": {…}}; anything else has been explained on standard error. */
enum exit_status upload_channel(struct client *client, const struct recording *recording, size_t channel, bool whole,
                                json_t **reply);

/* The same of channels that are one record together (sensors_together()). */
enum exit_status upload_sensors(struct client *client, const struct recording *recording, const size_t *channels,
                                size_t count, bool whole, json_t **reply);

/* Whether the daemon, which is asked, takes such a record. */
bool upload_takes_sensors(struct client *client, enum exit_status *status);

/* Reads a recording that is about to be sent: of several sensors of one structure those that have holes are taken out.
 * As recording_load(). */
int recording_to_identify(const struct client *client, const char *file, struct recording *recording,
                          struct complaint *complaint);

#endif
