/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_WORKER_JOB_H
#define FRICID_WORKER_JOB_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/queue.h>

struct worker;

/* Which job a worker takes first. */
enum job_priority {
    JOB_LIVE,    /* a decay that was just measured */
    JOB_REQUEST, /* a client waits */
    JOB_PATIENT, /* a decay of a source that waits until there is room */
    JOB_AGAIN,   /* stored decays, identified anew */
    JOB_PRIORITIES
};

/* A piece of work on its way through the worker threads and back to the event loop. Embedded as the first member of
 * whatever the job is about; one owner at a time: the worker that it is queued at, then the mailbox, then whoever
 * `finished` is. */
struct job {
    /* Works in the worker's thread. Returns the worker where the job goes on, or NULL: back to the event loop. */
    struct worker *(*run)(struct job *job);
    /* Called in the event loop's thread at the end; also when the job was cancelled before it ran. Owns the job. */
    void (*finished)(struct job *job);
    enum job_priority priority;
    size_t bytes;       /* what it holds in memory, for the queue figures */
    double deadline_s;  /* longest time in one run; 0: none */
    atomic_bool cancel; /* set: stop at the next occasion */
    bool ran;           /* false in `finished`: cancelled while it was still queued */
    TAILQ_ENTRY(job) entry;
};

TAILQ_HEAD(job_queue, job);

#endif
