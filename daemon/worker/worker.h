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

/* From any thread: queues the job, which the worker owns from now on. */
void worker_submit(struct worker *worker, struct job *job);

/* From any thread: asks the running job to stop when it is past its deadline. Returns true when it just did. */
bool worker_cancel_overdue(struct worker *worker);

void worker_status(struct worker *worker, struct worker_status *status);

/* Cancels the running job and posts the queued ones to the mailbox unrun; no job is lost. Waits for the thread. */
void worker_stop(struct worker *worker);

void worker_destroy(struct worker *worker); /* stops first; NULL is fine */

#endif
