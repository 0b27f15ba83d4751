/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PIPELINE_MAINTENANCE_H
#define FRICID_PIPELINE_MAINTENANCE_H

#include "pipeline/pipeline.h"
#include "service/backend.h"

/* What people want done with the store: protecting decays, identifying them again, backups. Each order is carried out
 * beside the daily work, after it. Belongs to the event loop. */
struct maintenance;

/* NULL when the system refuses (errno says why). */
struct maintenance *maintenance_create(struct event_base *base, struct pipeline *pipeline, const char *directory);

/* See service_backend.maintenance. */
long maintenance_order(struct maintenance *maintenance, const struct maintenance_order *order, maintenance_done done,
                       void *context);
void maintenance_cancel(struct maintenance *maintenance, long ticket);

/* Orders under way are broken off: they are answered as such. Before the pipeline stops. */
void maintenance_stop(struct maintenance *maintenance);

void maintenance_destroy(struct maintenance *maintenance); /* after the pipeline was stopped; NULL is fine */

#endif
