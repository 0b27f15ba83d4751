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

/* Orders under way are broken off: they are answered as such. Before the pipeline stops. */
void care_stop(struct care *care);

void care_destroy(struct care *care); /* after the pipeline was stopped; NULL is fine */

#endif
