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

/* Has the daemon identify channels of a recording that are one record together, or one alone, in one request or in
 * pieces. On STATUS_OK *reply is a new reference to {"results": […], "drops": {…}}; anything else has been explained on
 * standard error. */
enum exit_status upload_sensors(struct client *client, const struct recording *recording, const size_t *channels,
                                size_t count, bool whole, json_t **reply);

/* Which channels of a recording are one record with this one, as sensors_together(); one that is wanted by its name is
 * alone. A daemon, which is asked, that does not know of sensors gets each alone, too. 0: it went with an earlier one.
 */
size_t upload_together(struct client *client, const struct recording *recording, size_t channel, size_t *room,
                       enum exit_status *status);

/* Reads a recording that is about to be sent: of several sensors of one structure those that have holes are taken out.
 * As recording_load(). */
int recording_to_identify(const struct client *client, const char *file, struct recording *recording,
                          struct complaint *complaint);

#endif
