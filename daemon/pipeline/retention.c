/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Making room in the store: a bite at a time, so that what is measured meanwhile does not wait for long. */

#include "pipeline/retention.h"

#include "pipeline/store_writer.h"

#include <stdlib.h>
#include <time.h>

enum { DECAYS_A_BITE = 50 };

struct room_job {
    struct write_job write_job; /* first: such a job is this */
    struct retention *retention;
    struct pipeline *pipeline;
    struct retention_limits limits;
    unsigned removed, bite;
    uint64_t stored_from;
    void (*told)(void *context, unsigned count, uint64_t stored_from);
    void *context;
};

static int write_room(struct write_job *write_job, struct store *store)
{
    struct room_job *room = (struct room_job *)write_job;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    int64_t before_ns = INT64_MIN;
    if (room->limits.keep_days > 0)
        before_ns = ((int64_t)now.tv_sec - (int64_t)(86400 * room->limits.keep_days)) * 1000000000;
    struct store_numbering numbering;
    int error = store_make_room(store, before_ns, room->limits.max_bytes, DECAYS_A_BITE, &room->bite);
    if (!error && room->bite > 0 && (error = store_get_numbering(store, &numbering)) == 0)
        room->stored_from = numbering.gone_seq + 1;
    return error;
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
        room->told(room->context, room->removed, room->stored_from);
    room->retention->removing = false;
    free(room);
}

void retention_run(struct retention *retention, struct pipeline *pipeline, const struct retention_limits *limits,
                   void (*removed)(void *context, unsigned count, uint64_t stored_from), void *context)
{
    bool wanted = limits->keep_days > 0 || limits->max_bytes > 0;
    struct room_job *room = wanted && !retention->removing ? calloc(1, sizeof *room) : NULL;
    if (!room)
        return;
    room->write_job.write = write_room;
    room->write_job.job.run = write_job_ends;
    room->write_job.job.finished = room_written;
    room->write_job.job.priority = JOB_AGAIN;
    room->retention = retention;
    room->pipeline = pipeline;
    room->limits = *limits;
    room->told = removed;
    room->context = context;
    retention->removing = true;
    store_writer_submit(pipeline_writer(pipeline), &room->write_job);
}

void retention_stop(struct retention *retention)
{
    retention->stopping = true;
}
