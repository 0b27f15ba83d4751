/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SIMULATE_JOB_H
#define FRICID_SIMULATE_JOB_H

#include "service/backend.h"
#include "worker/worker.h"

#include <sys/queue.h>

/* Contacts that clients want simulated, while they are with a worker. */

struct simulate_job;
LIST_HEAD(simulate_job_list, simulate_job);

struct simulate_job_settings {
    long ticket;
    double deadline_s;
    void (*done)(void *context); /* after the answer */
    void *done_context;
};

/* Queues a request, which is borrowed until the answer; that comes in the event loop. 0; -EAGAIN when too many are
 * queued, -ENOMEM. */
int simulate_jobs_add(struct simulate_job_list *jobs, struct worker *worker,
                      const struct simulate_job_settings *settings, struct simulate_request *request,
                      simulate_answer answer, void *answer_context);

/* The answer is not wanted any more; the job stops at its next occasion. */
void simulate_jobs_cancel(struct simulate_job_list *jobs, long ticket);

#endif
