/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_MONITOR_MODEL_H
#define FRICID_CLIENT_MONITOR_MODEL_H

#include "client/finding.h"
#include "client/monitor/trace.h"
#include "client/screen.h"
#include "proto/complaint.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* What is known of the daemon: what it answered, and what it told since. Everything that comes in has strings that are
 * safe to print. Times are those of clock_monotonic_s(). */

/* Held of each; far more than a screen shows. */
enum { MODEL_RESULTS = 64, MODEL_EVENTS = 64 };

/* A decay that runs. */
struct running_decay {
    bool running;
    double first_amplitude; /* the first one that was told */
};

struct channel {
    json_t *facts; /* the latest of each: rig, channel, unit, signal and state as notified; condition, last */
    struct trace trace;
    struct running_decay decay;
    bool listed; /* by the latest status */
};

struct model {
    const struct glyphs *glyphs;
    json_t *status; /* the latest answer; NULL: none yet */
    struct findings findings;
    struct channel *channels; /* in the order of the configuration */
    size_t channel_count;
    json_t *results; /* the newest first; see model_take_result() */
    json_t *events;  /* the newest first, as notified */
    bool connected;
    double heard_s;             /* when the daemon said anything */
    struct complaint complaint; /* why there is no connection */
    bool failed;                /* memory was short: what is shown is not complete */
};

/* 0, or -ENOMEM. */
int model_open(struct model *model, const struct glyphs *glyphs);
void model_close(struct model *model);

/* The answer to `status`. Channels that it does not name are forgotten. */
void model_take_status(struct model *model, const json_t *status);

/* A notification, whole. */
void model_take(struct model *model, const json_t *notification, double now_s);

/* A RESULT of the protocol. What is kept of it in model->results is a row: id, released, rig, channel, source, verdict,
 * half_cycles, and f_n_hz, zeta, x_k, f_k_n as texts with uncertainty and unit. A later revision takes the place of the
 * earlier one. */
void model_take_result(struct model *model, const json_t *result);

/* Samples, scans and decays that did not reach where they should since the daemon started. */
struct losses {
    int64_t scans, decays;
};
struct losses model_losses(const struct model *model);

#endif
