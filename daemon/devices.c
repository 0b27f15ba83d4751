/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A survey is made beside the event loop, and then shown by it: two of them take turns. */

#include "devices.h"

#include "proto/clock.h"
#include "worker/mailbox.h"
#include "worker/worker.h"

#include <stdlib.h>

struct devices {
    struct job job; /* first member: the worker's pointer is ours. There is one, used again and again */
    struct mailbox *mailbox;
    struct worker *worker;
    struct device_survey surveys[2];
    unsigned shown; /* which of them the event loop shows; the other is the worker's while it runs */
    bool known, surveying;
    int64_t taken_at_ns;
};

/* In the worker's thread. */
static struct worker *look(struct job *job)
{
    struct devices *devices = (struct devices *)job;
    device_survey_take(&devices->surveys[1 - devices->shown]);
    return NULL;
}

static void on_looked(struct job *job)
{
    struct devices *devices = (struct devices *)job;
    devices->surveying = false;
    if (!job->ran)
        return;
    devices->shown = 1 - devices->shown;
    devices->known = true;
    devices->taken_at_ns = clock_realtime_ns();
}

struct devices *devices_create(struct event_base *base)
{
    struct devices *devices = calloc(1, sizeof *devices);
    if (!devices)
        return NULL;
    devices->job.run = look;
    devices->job.finished = on_looked;
    devices->job.priority = JOB_REQUEST;
    devices->mailbox = mailbox_create(base);
    devices->worker = devices->mailbox ? worker_create("devices", devices->mailbox) : NULL;
    if (devices->worker)
        return devices;
    mailbox_destroy(devices->mailbox);
    free(devices);
    return NULL;
}

void devices_ask(struct devices *devices)
{
    if (devices->surveying)
        return;
    devices->surveying = true;
    worker_submit(devices->worker, &devices->job);
}

const struct device_survey *devices_latest(const struct devices *devices, bool *surveying, int64_t *taken_at_ns)
{
    *surveying = devices->surveying;
    *taken_at_ns = devices->taken_at_ns;
    return devices->known ? &devices->surveys[devices->shown] : NULL;
}

void devices_destroy(struct devices *devices)
{
    if (!devices)
        return;
    worker_destroy(devices->worker);
    mailbox_destroy(devices->mailbox);
    free(devices);
}
