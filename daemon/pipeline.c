/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The way of a decay through the threads: stored raw by the writer, identified by the identifier, its result stored
 * by the writer, published by the event loop. It also counts what is on its way and says when there is too much. */

#include "pipeline.h"

#include "analysis.h"
#include "identify_job.h"
#include "worker/mailbox.h"
#include "worker/worker.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A disk may keep the writer waiting so long before it is called unhealthy, s: drives spin up, arrays rebuild, and
 * nothing is gained by giving up a decay that waits for one. */
static const double disk_patience_s = 300;

/* Belongs to the event loop's thread; workers reach the store through their jobs, and nothing else of it. */
struct pipeline {
    struct pipeline_settings settings;
    struct pipeline_listener listener;
    struct store *store;
    struct mailbox *mailbox;
    struct worker *writer, *identifier;
    size_t bytes; /* of decays on their way */
    size_t jobs;  /* decays and requests on their way */
    bool stopping;
    struct identify_jobs requests;
};

/* A decay on its way. */
struct decay_job {
    struct job job;
    struct pipeline *pipeline;
    double identify_deadline_s;
    struct kept_decay *decay;
    struct kept_result *result; /* once identified */
    int error;                  /* of the store, or -ENOMEM */
};

/* These three run in the threads, one after the other: each names the next step and the worker that takes it. */
static struct worker *store_result(struct job *job)
{
    struct decay_job *decay_job = (struct decay_job *)job;
    decay_job->error = store_put_result(decay_job->pipeline->store, decay_job->result);
    return NULL;
}

/* Any verdict is a result; only memory can be lacking. */
static struct worker *identify_decay(struct job *job)
{
    struct decay_job *decay_job = (struct decay_job *)job;
    decay_job->result = identify_kept_decay(decay_job->decay, &job->cancel);
    if (!decay_job->result) {
        decay_job->error = -ENOMEM;
        return NULL;
    }
    job->run = store_result;
    job->deadline_s = disk_patience_s;
    return decay_job->pipeline->writer;
}

/* Raw first: whatever identification does to the process, the decay is kept. */
static struct worker *store_decay(struct job *job)
{
    struct decay_job *decay_job = (struct decay_job *)job;
    decay_job->error = store_put_decay(decay_job->pipeline->store, decay_job->decay);
    if (decay_job->error)
        return NULL;
    job->run = identify_decay;
    job->deadline_s = decay_job->identify_deadline_s;
    return decay_job->pipeline->identifier;
}

/* Nothing is lost unsaid. */
static void tell_lost(struct pipeline *pipeline, const struct decay_origin *origin, const char *reason,
                      const char *sentence)
{
    if (pipeline->listener.lost)
        pipeline->listener.lost(pipeline->listener.context, origin, reason, sentence);
}

/* Whether the daemon's end came before the result: the job never ran, or was told to stop while it did. */
static bool cut_short(const struct decay_job *decay_job)
{
    if (!decay_job->job.ran)
        return true;
    return decay_job->pipeline->stopping && decay_job->result &&
           decay_job->result->identification.verdict == VERDICT_CANCELLED;
}

/* Back in the event loop: exactly one of published and lost is told for every decay that was submitted. */
static void decay_job_finished(struct job *job)
{
    struct decay_job *decay_job = (struct decay_job *)job;
    struct pipeline *pipeline = decay_job->pipeline;
    if (cut_short(decay_job))
        tell_lost(pipeline, &decay_job->decay->origin, "shutdown",
                  "the daemon stopped before the decay was identified and its result kept");
    else if (decay_job->error)
        tell_lost(pipeline, &decay_job->decay->origin, "store", strerror(-decay_job->error));
    else
        pipeline->listener.published(pipeline->listener.context, decay_job->result);
    /* Sources resume at a quarter and pause at half of the limit: in between nothing happens, so that they do not
     * flutter. */
    size_t before = pipeline->bytes, quarter = pipeline->settings.queue_max_bytes / 4;
    pipeline->bytes -= job->bytes;
    pipeline->jobs--;
    if (before > quarter && pipeline->bytes <= quarter && pipeline->listener.drained)
        pipeline->listener.drained(pipeline->listener.context);
    kept_result_release(decay_job->result);
    kept_decay_release(decay_job->decay);
    free(decay_job);
}

/* Takes the decay over only when it succeeds. */
static struct decay_job *decay_job_create(struct pipeline *pipeline, const struct decay_origin *origin,
                                          struct decay *decay, enum job_priority priority)
{
    struct decay_job *decay_job = calloc(1, sizeof *decay_job);
    if (!decay_job)
        return NULL;
    decay_job->decay = kept_decay_create(origin, decay);
    if (!decay_job->decay) {
        free(decay_job);
        return NULL;
    }
    decay_job->pipeline = pipeline;
    decay_job->job.run = store_decay;
    decay_job->job.finished = decay_job_finished;
    decay_job->job.priority = priority;
    decay_job->job.bytes = decay_bytes(decay);
    decay_job->job.deadline_s = disk_patience_s;
    decay_job->identify_deadline_s = pipeline->settings.job_deadline_s;
    return decay_job;
}

/* The newest decay gives way, not one that waits: those are promised already. */
static void refuse(struct pipeline *pipeline, const struct decay_origin *origin, struct decay *decay)
{
    char sentence[256];
    snprintf(sentence, sizeof sentence,
             "the queue is full: the decay takes %zu bytes, %zu wait already, and queue_max_bytes is %zu",
             decay_bytes(decay), pipeline->bytes, pipeline->settings.queue_max_bytes);
    decay_destroy(decay);
    tell_lost(pipeline, origin, "queue_full", sentence);
}

int pipeline_submit(struct pipeline *pipeline, const struct decay_origin *origin, struct decay *decay,
                    bool source_waits)
{
    if (!source_waits && pipeline->bytes + decay_bytes(decay) > pipeline->settings.queue_max_bytes) {
        refuse(pipeline, origin, decay);
        return -ENOBUFS;
    }
    struct decay_job *decay_job = decay_job_create(pipeline, origin, decay, source_waits ? JOB_PATIENT : JOB_LIVE);
    if (!decay_job) {
        decay_destroy(decay);
        tell_lost(pipeline, origin, "no_memory", "not enough memory for the decay");
        return -ENOMEM;
    }
    pipeline->bytes += decay_job->job.bytes;
    pipeline->jobs++;
    worker_submit(pipeline->writer, &decay_job->job);
    return 0;
}

/* A larger limit lets sources go on that were paused: otherwise only a decay that leaves the queue would. */
void pipeline_reconfigure(struct pipeline *pipeline, const struct pipeline_settings *settings)
{
    pipeline->settings = *settings;
    if (!pipeline_wants_pause(pipeline) && pipeline->listener.drained)
        pipeline->listener.drained(pipeline->listener.context);
}

static void request_done(void *context)
{
    struct pipeline *pipeline = context;
    pipeline->jobs--;
}

/* Requests do not count as bytes of the queue: the service bounds them by its own budget. */
long pipeline_request(struct pipeline *pipeline, struct identify_request *request, const char *config_id,
                      identify_answer answer, void *answer_context)
{
    struct identify_job_settings settings = {.segment = pipeline->settings.segment,
                                             .physical = pipeline->settings.physical,
                                             .deadline_s = pipeline->settings.job_deadline_s,
                                             .config_id = config_id,
                                             .done = request_done,
                                             .done_context = pipeline};
    long ticket =
        identify_jobs_add(&pipeline->requests, pipeline->identifier, &settings, request, answer, answer_context);
    if (ticket > 0)
        pipeline->jobs++;
    return ticket;
}

void pipeline_cancel_request(struct pipeline *pipeline, long ticket)
{
    identify_jobs_cancel(&pipeline->requests, ticket);
}

bool pipeline_wants_pause(const struct pipeline *pipeline)
{
    return pipeline->bytes > pipeline->settings.queue_max_bytes / 2;
}

bool pipeline_idle(const struct pipeline *pipeline)
{
    return pipeline->jobs == 0;
}

size_t pipeline_check_deadlines(struct pipeline *pipeline)
{
    return (size_t)worker_cancel_overdue(pipeline->identifier);
}

bool pipeline_waits_for_disk(const struct pipeline *pipeline)
{
    struct worker_status status;
    worker_status(pipeline->writer, &status);
    return status.overdue;
}

/* A thread that is idle is healthy; one whose job is past its deadline is not. */
static struct thread_status thread_status_of(struct worker *worker, const char *name, double limit_s)
{
    struct worker_status status;
    worker_status(worker, &status);
    return (struct thread_status){.name = name,
                                  .queued_jobs = status.queued_jobs,
                                  .queued_bytes = status.queued_bytes,
                                  .finished_jobs = status.finished_jobs,
                                  .running_s = status.running_s,
                                  .busy_s = status.busy_s,
                                  .longest_s = status.longest_s,
                                  .limit_s = limit_s,
                                  .healthy = !status.overdue};
}

/* The figures of a moment: the threads go on meanwhile. */
void pipeline_status(const struct pipeline *pipeline, struct thread_status threads[PIPELINE_THREADS],
                     struct daemon_status *status)
{
    threads[0] = thread_status_of(pipeline->writer, "writer", disk_patience_s);
    threads[1] = thread_status_of(pipeline->identifier, "identifier", pipeline->settings.job_deadline_s);
    threads[1].feeds_watchdog = true;
    status->threads = threads;
    status->thread_count = PIPELINE_THREADS;
    status->queue_bytes = pipeline->bytes;
    status->queue_max_bytes = pipeline->settings.queue_max_bytes;
    struct store_statistics statistics;
    store_statistics(pipeline->store, &statistics);
    status->store_kind = statistics.kind;
    status->stored_decays = statistics.decays;
    status->stored_results = statistics.results;
    status->stored_bytes = statistics.bytes;
}

/* Store and mailbox before the threads that use them. */
struct pipeline *pipeline_create(struct event_base *base, const struct pipeline_settings *settings,
                                 const struct pipeline_listener *listener)
{
    struct pipeline *pipeline = calloc(1, sizeof *pipeline);
    if (!pipeline)
        return NULL;
    pipeline->settings = *settings;
    pipeline->listener = *listener;
    identify_jobs_init(&pipeline->requests);
    pipeline->store = store_open_memory();
    pipeline->mailbox = mailbox_create(base);
    if (pipeline->store && pipeline->mailbox) {
        pipeline->writer = worker_create("writer", pipeline->mailbox);
        pipeline->identifier = worker_create("identifier", pipeline->mailbox);
    }
    if (!pipeline->writer || !pipeline->identifier) {
        pipeline_destroy(pipeline);
        return NULL;
    }
    return pipeline;
}

void pipeline_stop(struct pipeline *pipeline)
{
    pipeline->stopping = true;
    /* The identifier first: what it was doing may still go to the writer. */
    if (pipeline->identifier)
        worker_stop(pipeline->identifier);
    if (pipeline->writer)
        worker_stop(pipeline->writer);
    if (pipeline->mailbox)
        mailbox_drain(pipeline->mailbox);
}

void pipeline_destroy(struct pipeline *pipeline)
{
    if (!pipeline)
        return;
    /* A failed pipeline_create() ends here, and its errno is the reason. */
    int saved = errno;
    pipeline_stop(pipeline);
    worker_destroy(pipeline->identifier);
    worker_destroy(pipeline->writer);
    mailbox_destroy(pipeline->mailbox);
    store_close(pipeline->store);
    free(pipeline);
    errno = saved;
}
