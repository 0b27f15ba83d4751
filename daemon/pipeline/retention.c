/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Making room in the store: a bite at a time, so that what is measured meanwhile does not wait for long. */

#include "pipeline/retention.h"

#include "pipeline/store_writer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DECAYS_A_BITE = 50 };

struct room_job {
    struct write_job write_job; /* first: such a job is this */
    struct retention *retention;
    struct pipeline *pipeline;
    struct retention_limits limits;
    struct retention_listener listener;
    struct complaint waits;
    unsigned removed, bite;
    uint64_t stored_from;
};

static int write_room(struct write_job *write_job, struct store *store)
{
    struct room_job *room = (struct room_job *)write_job;
    struct store_numbering numbering;
    /* 158 years are for ever. */
    const int64_t keep_ns = (int64_t)fmin(86400e9 * room->limits.keep_days, 5e18);
    int error = store_make_room(store, keep_ns, room->limits.max_bytes, DECAYS_A_BITE, &room->bite, &room->waits);
    if (!error && room->bite > 0 && (error = store_get_numbering(store, &numbering)) == 0)
        room->stored_from = numbering.gone_seq + 1;
    return error;
}

/* Once for each reason to wait. */
static void tell_waits(const struct room_job *room)
{
    struct complaint *told = &room->retention->waits;
    if (room->waits.text[0] && strcmp(room->waits.text, told->text) != 0)
        room->listener.told(room->listener.context, "retention_waits", room->waits.text);
    *told = room->waits;
}

static void room_written(struct job *job)
{
    struct room_job *room = (struct room_job *)job;
    bool done = job->ran && room->write_job.error == 0;
    room->removed += done ? room->bite : 0;
    if (done && room->bite == DECAYS_A_BITE && !room->retention->stopping) {
        store_writer_submit(pipeline_writer(room->pipeline), &room->write_job);
        return;
    }
    if (room->removed > 0)
        room->listener.removed(room->listener.context, room->removed, room->stored_from);
    if (done)
        tell_waits(room);
    room->retention->removing = false;
    free(room);
}

void retention_run(struct retention *retention, struct pipeline *pipeline, const struct retention_limits *limits,
                   const struct retention_listener *listener)
{
    bool wanted = limits->keep_days > 0 || limits->max_bytes > 0;
    if (!wanted)
        retention->waits.text[0] = '\0';
    struct room_job *room = wanted && !retention->removing ? calloc(1, sizeof *room) : NULL;
    if (!room)
        return;
    room->write_job.write = write_room;
    room->write_job.job.finished = room_written;
    room->write_job.job.priority = JOB_AGAIN;
    room->retention = retention;
    room->pipeline = pipeline;
    room->limits = *limits;
    room->listener = *listener;
    retention->removing = true;
    store_writer_submit(pipeline_writer(pipeline), &room->write_job);
}

static int write_belief(struct write_job *write_job, struct store *store)
{
    (void)write_job;
    return store_believe_date(store);
}

static void belief_written(struct job *job)
{
    free(job);
}

/* Without memory for it the date is believed a day later, or at the next word. */
void retention_believe_date(struct pipeline *pipeline)
{
    struct write_job *belief = calloc(1, sizeof *belief);
    if (!belief)
        return;
    belief->write = write_belief;
    belief->job.finished = belief_written;
    belief->job.priority = JOB_REQUEST;
    store_writer_submit(pipeline_writer(pipeline), belief);
}

void retention_stop(struct retention *retention)
{
    retention->stopping = true;
}
