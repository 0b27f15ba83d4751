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

/* Removing of decays that are older or too much. Belongs to the event loop. All zero to begin with. */
struct retention {
    bool removing, stopping;
};

/* Removes what the limits say, beside the daily work, unless that is being done already. `removed` is told how many,
 * and from which number on notifications are all there; not when there was nothing to remove. */
void retention_run(struct retention *retention, struct pipeline *pipeline, const struct retention_limits *limits,
                   void (*removed)(void *context, unsigned count, uint64_t stored_from), void *context);

/* What is being removed ends with the bite at hand. Before the pipeline stops. */
void retention_stop(struct retention *retention);

#endif
