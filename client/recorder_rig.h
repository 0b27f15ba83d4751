/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_RECORDER_RIG_H
#define FRICID_CLIENT_RECORDER_RIG_H

#include "client/client.h"

#include <jansson.h>

/* Asks what the daemon's recorder has of the rig that is the command's argument, or of the only one there is, from
 * --last on where that is given. *rig is borrowed from *reply, a new reference. What is wrong is told. */
enum exit_status recorder_rig_find(struct client *client, json_t **reply, const json_t **rig);

#endif
