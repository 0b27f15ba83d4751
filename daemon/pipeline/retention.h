/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_RETENTION_H
#define FRICID_RETENTION_H

#include "pipeline/pipeline.h"

#include <stdbool.h>
#include <stdint.h>

/* How long decays are kept, and how large the store may grow; 0: for ever, without limit. */
struct retention_limits {
    double keep_days;
    uint64_t max_bytes;
};

/* Told in the event loop. */
struct retention_listener {
    /* How many were removed, and from which number on notifications are all there. */
    void (*removed)(void *context, unsigned count, uint64_t stored_from);
    /* "retention_waits": nothing goes for its age until further notice, and why. */
    void (*told)(void *context, const char *code, const char *sentence);
    void *context;
};

/* Removing of decays that are older or too much. Belongs to the event loop. All zero to begin with. */
struct retention {
    bool removing, stopping;
    struct complaint waits; /* as it was told; empty: nothing keeps decays from being old */
};

/* Removes what the limits say, beside the daily work, unless that is being done already. */
void retention_run(struct retention *retention, struct pipeline *pipeline, const struct retention_limits *limits,
                   const struct retention_listener *listener);

/* Somebody says that the date is right. */
void retention_believe_date(struct pipeline *pipeline);

/* What is being removed ends with the bite at hand. Before the pipeline stops. */
void retention_stop(struct retention *retention);

#endif
