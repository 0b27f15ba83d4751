/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SERVICE_STATUS_JSON_H
#define FRICID_SERVICE_STATUS_JSON_H

#include "service/backend.h"

#include <jansson.h>

/* What the daemon is doing, as `status` shows it. New references, NULL when memory is short. */

/* {"major": …, "minor": …} */
json_t *protocol_to_json(void);

/* A channel's moment, for `status` and notify.progress. */
json_t *segment_state_to_json(const struct segment_state *state);

/* The members rigs, threads, store and queue. */
json_t *daemon_status_to_json(const struct daemon_status *status);

/* Candidates that did not become decays, counted by reason. */
json_t *drops_to_json(const uint64_t drops[DROP_REASONS]);

#endif
