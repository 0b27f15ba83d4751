/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CARE_H
#define FRICID_CARE_H

#include "pipeline/pipeline.h"
#include "service/backend.h"

/* What people want done with the store: protecting decays, identifying them again, backups. Each order is carried out
 * beside the daily work, after it. Belongs to the event loop. */
struct care;

/* NULL when the system refuses (errno says why). */
struct care *care_create(struct event_base *base, struct pipeline *pipeline, const char *directory);

/* See service_backend.care. */
long care_order(struct care *care, const struct care_order *order, care_done done, void *context);
void care_cancel(struct care *care, long ticket);

/* How long decays are kept, and how large the store may grow; 0: for ever, without limit. */
struct care_limits {
    double keep_days;
    uint64_t max_bytes;
};

/* Now and then: removes what is older or too much. `removed` is told how many, and from which number on notifications
 * are all there. */
void care_make_room(struct care *care, const struct care_limits *limits,
                    void (*removed)(void *context, unsigned count, uint64_t stored_from), void *context);

/* Orders under way are broken off: they are answered as such. Before the pipeline stops. */
void care_stop(struct care *care);

void care_destroy(struct care *care); /* after the pipeline was stopped; NULL is fine */

#endif
