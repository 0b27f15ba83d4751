/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_WORKER_WORKER_H
#define FRICID_WORKER_WORKER_H

#include "worker/job.h"
#include "worker/mailbox.h"

#include <stdint.h>

/* A thread that works off a queue of jobs, the most urgent first, in order of arrival among equals. */
struct worker;

struct worker_status {
    size_t queued_jobs;
    size_t queued_bytes; /* of the jobs queued and running */
    uint64_t finished_jobs;
    double running_s; /* age of the running job, s; 0: idle */
    double busy_s;    /* all finished jobs together, s */
    double longest_s; /* longest run so far, s */
    bool overdue;     /* the running job is past its deadline */
};

/* Starts the thread; `name` shows in ps and gdb (15 characters). Jobs that are done go to the mailbox. NULL when the
 * system refuses (errno says why). */
struct worker *worker_create(const char *name, struct mailbox *mailbox);

/* Does in the worker's thread what several jobs need together; each of them runs afterwards. */
typedef void (*worker_batch)(void *context, struct job *const *jobs, size_t count);

enum { WORKER_BATCH_MOST = 64 };

/* The same, but the thread takes all jobs that wait, at most WORKER_BATCH_MOST, and hands them to `batch` before it
 * runs them. Such a worker knows no deadlines: what it waits for is not the jobs' fault. */
struct worker *worker_create_batching(const char *name, struct mailbox *mailbox, worker_batch batch, void *context);

/* From any thread: queues the job, which the worker owns from now on. */
void worker_submit(struct worker *worker, struct job *job);

/* From any thread: asks the running job to stop when it is past its deadline. Returns true when it just did. */
bool worker_cancel_overdue(struct worker *worker);

void worker_status(struct worker *worker, struct worker_status *status);

/* Cancels the running job and posts the queued ones to the mailbox unrun; no job is lost. Waits for the thread. */
void worker_stop(struct worker *worker);

/* The same, but for jobs that may hang in the kernel, on a disk that does not answer. False when the thread has not
 * ended after so long, s: the worker is not the caller's any more. When the thread does end, it frees the worker and
 * calls `gone`, which must touch nothing that has ended with the event loop. */
bool worker_stop_within(struct worker *worker, double patience_s, void (*gone)(void *context), void *context);

/* Lets the thread work off its queue, then ends it. No job is cancelled. */
void worker_finish(struct worker *worker);

void worker_destroy(struct worker *worker); /* stops first; NULL is fine */

#endif
