/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_JOB_H
#define FRICID_IDENTIFY_JOB_H

#include "pipeline/release_memory.h"
#include "service/backend.h"
#include "worker/worker.h"

#include <sys/queue.h>

/* Records that clients want identified, while they are with the identifier thread. */

/* Of the results of a record so much is held as text, some three hundred of them; the text of others is written when a
 * client asks for it. */
enum { IDENTIFY_TEXT_BYTES = 4 << 20 };

struct identify_job;
LIST_HEAD(identify_job_list, identify_job);

/* The requests under way; embedded in the pipeline, used in the event loop's thread only. */
struct identify_jobs {
    struct identify_job_list running;
    long last_ticket;
};

struct identify_job_settings {
    struct segment_settings segment;
    struct physical_settings physical;
    double deadline_s;
    double ladders_s; /* as of struct analysis_input */
    const char *config_id;
    struct release_memory *releases; /* of requests that belong together */
    void (*done)(void *context);     /* after the answer, or where the answer would have been */
    void *done_context;
};

void identify_jobs_init(struct identify_jobs *jobs);

/* Takes the request's arrays over and queues it; the answer comes in the event loop. A ticket > 0, or -EAGAIN when too
 * many are queued, -ENOMEM. */
long identify_jobs_add(struct identify_jobs *jobs, struct worker *identifier,
                       const struct identify_job_settings *settings, struct identify_request *request,
                       identify_answer answer, void *answer_context);

/* The answer is not wanted any more; the job stops at its next occasion. */
void identify_jobs_cancel(struct identify_jobs *jobs, long ticket);

#endif
