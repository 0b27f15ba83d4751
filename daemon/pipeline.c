/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The way of a decay through the threads: stored raw by the writer, identified by the identifier, its result stored
 * by the writer, published by the event loop. It also counts what is on its way and says when there is too much. */

#include "pipeline.h"

#include "decay_job.h"
#include "identify_job.h"
#include "sweep.h"
#include "worker/mailbox.h"

#include <errno.h>
#include <inttypes.h>
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
    struct mailbox *mailbox;
    struct store_writer *writer;
    struct store_reader *reader; /* NULL: the store is in memory */
    struct worker *identifier;
    size_t unstored;     /* bytes of decays that wait to be stored */
    size_t unidentified; /* bytes of stored decays that wait in memory for their result */
    size_t jobs;         /* decays and requests on their way */
    atomic_bool stopping;
    LIST_HEAD(, decay_job) identifying; /* decays on their second leg */
    struct sweep sweep;
    struct identify_jobs requests;
    struct complaint store_problem; /* what the writer told of and did not take back; empty: nothing */
};

/* --- what is on its way --- */

/* Nothing is lost unsaid. */
static void tell_lost(struct pipeline *pipeline, const struct decay_origin *origin, const char *reason,
                      const char *sentence)
{
    if (pipeline->listener.lost)
        pipeline->listener.lost(pipeline->listener.context, origin, reason, sentence);
}

static void tell(struct pipeline *pipeline, const char *code, const char *sentence)
{
    if (pipeline->listener.told)
        pipeline->listener.told(pipeline->listener.context, code, sentence);
}

/* What counts against queue_max_bytes. In memory nothing is ever safe, and everything counts. */
static size_t queued_bytes(const struct pipeline *pipeline)
{
    return pipeline->unstored + (pipeline->reader ? 0 : pipeline->unidentified);
}

/* A source that waits also waits for the identifier: the disk is not its queue. */
static bool has_room(const struct pipeline *pipeline, size_t part)
{
    return pipeline->unstored + pipeline->unidentified <= pipeline->settings.queue_max_bytes / part &&
           !(pipeline->reader && (pipeline->sweep.wanted || pipeline->sweep.running));
}

bool pipeline_wants_pause(const struct pipeline *pipeline)
{
    return !has_room(pipeline, 2);
}

/* Sources resume at a quarter and pause at half of the limit: in between nothing happens, so that they do not
 * flutter. */
static void tell_drained(struct pipeline *pipeline, bool had_room)
{
    if (!had_room && has_room(pipeline, 4) && pipeline->listener.drained)
        pipeline->listener.drained(pipeline->listener.context);
}

bool pipeline_idle(const struct pipeline *pipeline)
{
    return pipeline->jobs == 0;
}

/* --- the second leg: identified, and the result stored --- */

static void finish_decay(struct pipeline *pipeline, struct decay_job *decay_job)
{
    bool had_room = has_room(pipeline, 4), from_store = decay_job->from_store;
    LIST_REMOVE(decay_job, entry);
    pipeline->jobs--;
    pipeline->unidentified -= decay_job->write_job.job.bytes;
    decay_job_destroy(decay_job);
    if (!atomic_load(&pipeline->stopping)) {
        if (from_store)
            sweep_next(&pipeline->sweep);
        else
            sweep_start(&pipeline->sweep);
    }
    tell_drained(pipeline, had_room);
}

/* Without a result, but stored: it is identified at the next start. */
static void tell_unidentified(struct pipeline *pipeline, const struct decay_job *decay_job)
{
    const struct decay_origin *origin = &decay_job->decay->origin;
    bool ending = atomic_load(&pipeline->stopping);
    if (decay_job->write_job.error == -ENOMEM)
        tell_lost(pipeline, origin, "no_memory", "not enough memory for the result");
    else if (decay_job->write_job.error && !ending)
        tell_lost(pipeline, origin, "store", strerror(-decay_job->write_job.error));
    else if (!pipeline->reader)
        tell_lost(pipeline, origin, "shutdown",
                  "the daemon stopped before the decay was identified, and without a store nothing is kept");
}

/* Back in the event loop, with a durable result or without one. */
static void on_identified(struct decay_job *decay_job)
{
    struct pipeline *pipeline = decay_job->context;
    bool done = decay_job->write_job.job.ran && decay_job->write_job.error == 0;
    if (done && !decay_job->only_compare)
        pipeline->listener.published(pipeline->listener.context, decay_job->result);
    else if (!done && !decay_job->again)
        tell_unidentified(pipeline, decay_job);
    if (decay_job->again)
        decay_job->again(decay_job->again_context, done ? decay_job->result : NULL);
    finish_decay(pipeline, decay_job);
}

static void identify_next(struct pipeline *pipeline, struct decay_job *decay_job)
{
    pipeline->unidentified += decay_job->write_job.job.bytes;
    LIST_INSERT_HEAD(&pipeline->identifying, decay_job, entry);
    decay_job_identify(decay_job);
}

/* --- the first leg: stored raw --- */

static const char *why_not_stored(const struct decay_job *decay_job)
{
    if (!decay_job->write_job.job.ran)
        return "the daemon stopped before the decay was stored";
    return strerror(-decay_job->write_job.error);
}

/* The decay leaves memory: it is in the store, and a sweep brings it back when its turn comes. */
static void leave_in_store(struct pipeline *pipeline, struct decay_job *decay_job)
{
    sweep_want(&pipeline->sweep);
    pipeline->jobs--;
    decay_job_destroy(decay_job);
}

/* A queue of the identifier may take as much memory as the queue of the writer, not more. */
static bool must_wait_in_store(const struct pipeline *pipeline, const struct decay_job *decay_job)
{
    return pipeline->reader && pipeline->unidentified > 0 &&
           pipeline->unidentified + decay_job->write_job.job.bytes > pipeline->settings.queue_max_bytes;
}

static void on_stored(struct decay_job *decay_job)
{
    struct pipeline *pipeline = decay_job->context;
    bool had_room = has_room(pipeline, 4);
    pipeline->unstored -= decay_job->write_job.job.bytes;
    if (!decay_job->write_job.job.ran || decay_job->write_job.error) {
        tell_lost(pipeline, &decay_job->decay->origin, decay_job->write_job.job.ran ? "store" : "shutdown",
                  why_not_stored(decay_job));
        pipeline->jobs--;
        decay_job_destroy(decay_job);
    } else if (must_wait_in_store(pipeline, decay_job) || (pipeline->reader && atomic_load(&pipeline->stopping))) {
        leave_in_store(pipeline, decay_job);
    } else {
        identify_next(pipeline, decay_job);
    }
    tell_drained(pipeline, had_room);
}

/* --- decays come in --- */

/* Both legs are settled here, whether the decay has the first one still before it or not. */
static struct decay_job *make_job(struct pipeline *pipeline, struct kept_decay *kept, enum job_priority priority)
{
    struct decay_job *decay_job = decay_job_create(kept, priority, pipeline->settings.job_deadline_s);
    if (!decay_job)
        return NULL;
    decay_job->documents = pipeline->reader != NULL;
    decay_job->identifier = pipeline->identifier;
    decay_job->writer = store_writer_thread(pipeline->writer);
    decay_job->ending = &pipeline->stopping;
    decay_job->stored = on_stored;
    decay_job->finished = on_identified;
    decay_job->context = pipeline;
    return decay_job;
}

/* The newest decay gives way, not one that waits: those are promised already. */
static void refuse(struct pipeline *pipeline, const struct decay_origin *origin, struct decay *decay)
{
    char sentence[256];
    snprintf(sentence, sizeof sentence,
             "the queue is full: the decay takes %zu bytes, %zu wait already, and queue_max_bytes is %zu",
             decay_bytes(decay), queued_bytes(pipeline), pipeline->settings.queue_max_bytes);
    decay_destroy(decay);
    tell_lost(pipeline, origin, "queue_full", sentence);
}

int pipeline_submit(struct pipeline *pipeline, const struct decay_origin *origin, struct decay *decay,
                    bool source_waits)
{
    if (!source_waits && queued_bytes(pipeline) + decay_bytes(decay) > pipeline->settings.queue_max_bytes) {
        refuse(pipeline, origin, decay);
        return -ENOBUFS;
    }
    struct kept_decay *kept = kept_decay_create(origin, decay);
    struct decay_job *decay_job = kept ? make_job(pipeline, kept, source_waits ? JOB_PATIENT : JOB_LIVE) : NULL;
    if (!decay_job) {
        if (!kept)
            decay_destroy(decay);
        kept_decay_release(kept);
        tell_lost(pipeline, origin, "no_memory", "not enough memory for the decay");
        return -ENOMEM;
    }
    kept_decay_release(kept);
    pipeline->unstored += decay_job->write_job.job.bytes;
    pipeline->jobs++;
    decay_job_store(decay_job);
    return 0;
}

void pipeline_reconfigure(struct pipeline *pipeline, const struct pipeline_settings *settings)
{
    pipeline->settings = *settings;
    if (!pipeline_wants_pause(pipeline) && pipeline->listener.drained)
        pipeline->listener.drained(pipeline->listener.context);
}

/* --- decays out of the store --- */

static bool is_on_its_way(void *context, uint64_t id)
{
    const struct pipeline *pipeline = context;
    const struct decay_job *decay_job;
    LIST_FOREACH(decay_job, &pipeline->identifying, entry)
    {
        if (decay_job->decay->id == id)
            return true;
    }
    return false;
}

static void on_found(void *context, struct kept_decay *decay, unsigned revision)
{
    struct pipeline *pipeline = context;
    struct decay_job *decay_job = make_job(pipeline, decay, JOB_PATIENT);
    if (!decay_job) {
        tell_lost(pipeline, &decay->origin, "no_memory", "not enough memory for the result");
        sweep_next(&pipeline->sweep);
        return;
    }
    decay_job->from_store = true;
    decay_job->revision = revision;
    pipeline->jobs++;
    identify_next(pipeline, decay_job);
}

/* Sources that waited for it may go on. */
static void on_rested(void *context)
{
    tell_drained(context, false);
}

static void on_unreadable(void *context, uint64_t id, int error)
{
    char sentence[256];
    snprintf(sentence, sizeof sentence,
             error == -EUCLEAN ? "decay %" PRIu64 " cannot be identified: its samples in the store are damaged"
                               : "decay %" PRIu64 " cannot be identified now: it could not be read from the store",
             id);
    tell(context, "decay_unreadable", sentence);
}

static void identify_what_waits(struct pipeline *pipeline)
{
    if (!pipeline->reader || atomic_load(&pipeline->stopping))
        return;
    sweep_want(&pipeline->sweep);
    sweep_start(&pipeline->sweep);
}

enum { CHECK_LOOKS = 3 };

int pipeline_identify_again(struct pipeline *pipeline, struct kept_decay *decay, unsigned revision, bool only_compare,
                            void (*again)(void *context, const struct kept_result *result), void *context)
{
    struct decay_job *decay_job = make_job(pipeline, decay, JOB_AGAIN);
    if (!decay_job)
        return -ENOMEM;
    decay_job->revision = revision;
    decay_job->only_compare = only_compare;
    decay_job->again = again;
    decay_job->again_context = context;
    pipeline->jobs++;
    identify_next(pipeline, decay_job);
    return 0;
}

/* A look through the whole file, on the way of everything that is written. */
struct check_job {
    struct write_job write_job; /* first: a check is this */
    struct pipeline *pipeline;
    unsigned looks;
};

/* The writer repairs what is damaged, then looks again. Damage that stays keeps nobody from writing what can be
 * written. */
static int check_store(struct write_job *write_job, struct store *store)
{
    struct check_job *check = (struct check_job *)write_job;
    return check->looks++ < CHECK_LOOKS ? store_check(store) : 0;
}

static struct worker *check_ran(struct job *job)
{
    (void)job;
    return NULL;
}

static void check_finished(struct job *job)
{
    struct check_job *check = (struct check_job *)job;
    if (job->ran)
        identify_what_waits(check->pipeline);
    free(check);
}

/* The check comes before anything is written: a damaged file is repaired by the writer before it gets more. */
void pipeline_recover(struct pipeline *pipeline)
{
    struct check_job *check = pipeline->reader ? calloc(1, sizeof *check) : NULL;
    if (!check)
        return;
    check->write_job.write = check_store;
    check->write_job.job.run = check_ran;
    check->write_job.job.finished = check_finished;
    check->pipeline = pipeline;
    store_writer_submit(pipeline->writer, &check->write_job);
}

/* A repair may have cost results: their decays are identified anew. */
static void on_told(void *context, const char *code, const char *sentence)
{
    struct pipeline *pipeline = context;
    if (strcmp(code, "store_fault") == 0)
        complaint_set(&pipeline->store_problem, "%s", sentence);
    else if (strcmp(code, "store_recovered") == 0)
        pipeline->store_problem.text[0] = '\0';
    tell(pipeline, code, sentence);
    identify_what_waits(pipeline);
}

/* --- requests --- */

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

/* --- what others see of it --- */

struct store_writer *pipeline_writer(const struct pipeline *pipeline)
{
    return pipeline->writer;
}

struct store_reader *pipeline_reader(const struct pipeline *pipeline)
{
    return pipeline->reader;
}

size_t pipeline_check_deadlines(struct pipeline *pipeline)
{
    sweep_start(&pipeline->sweep);
    return (size_t)worker_cancel_overdue(pipeline->identifier);
}

/* Neither knows a deadline: what it waits for is a disk. */
static bool waits_for_disk(struct worker *worker)
{
    struct worker_status status;
    worker_status(worker, &status);
    return status.running_s > disk_patience_s;
}

bool pipeline_waits_for_disk(const struct pipeline *pipeline)
{
    return waits_for_disk(store_writer_thread(pipeline->writer));
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
    struct store_statistics statistics;
    store_writer_statistics(pipeline->writer, &statistics);
    threads[0] = thread_status_of(store_writer_thread(pipeline->writer), "writer", disk_patience_s);
    threads[0].healthy = !pipeline_waits_for_disk(pipeline);
    threads[1] = thread_status_of(pipeline->identifier, "identifier", pipeline->settings.job_deadline_s);
    threads[1].feeds_watchdog = true;
    if (pipeline->reader) {
        threads[2] = thread_status_of(store_reader_thread(pipeline->reader), "reader", disk_patience_s);
        threads[2].healthy = !waits_for_disk(store_reader_thread(pipeline->reader));
    }
    status->threads = threads;
    status->thread_count = pipeline->reader ? 3 : 2;
    status->queue_bytes = queued_bytes(pipeline);
    status->queue_max_bytes = pipeline->settings.queue_max_bytes;
    status->store_kind = statistics.kind;
    status->stored_decays = statistics.decays;
    status->stored_results = statistics.results;
    status->stored_bytes = statistics.bytes;
    status->store_path = statistics.path;
    status->store_problem = *pipeline->store_problem.text ? pipeline->store_problem.text : NULL;
    status->waiting_decays = statistics.waiting;
    status->store_free_bytes = statistics.free_bytes;
}

/* --- start and stop --- */

/* Store and mailbox before the threads that use them. */
static int start_threads(struct pipeline *pipeline, struct store *store)
{
    const struct store_writer_listener listener = {.told = on_told, .context = pipeline};
    struct store_statistics statistics;
    pipeline->writer = store_writer_create(store, pipeline->mailbox, &listener);
    if (!pipeline->writer)
        return -1;
    store_writer_statistics(pipeline->writer, &statistics);
    if (statistics.path) {
        pipeline->reader = store_reader_create(statistics.path, pipeline->writer, pipeline->mailbox);
        if (!pipeline->reader)
            return -1;
    }
    pipeline->sweep = (struct sweep){.reader = pipeline->reader,
                                     .found = on_found,
                                     .unreadable = on_unreadable,
                                     .rested = on_rested,
                                     .on_its_way = is_on_its_way,
                                     .context = pipeline};
    pipeline->identifier = worker_create("identifier", pipeline->mailbox);
    return pipeline->identifier ? 0 : -1;
}

struct pipeline *pipeline_create(struct event_base *base, struct store *store, const struct pipeline_settings *settings,
                                 const struct pipeline_listener *listener)
{
    struct pipeline *pipeline = calloc(1, sizeof *pipeline);
    if (!pipeline) {
        store_close(store);
        return NULL;
    }
    pipeline->settings = *settings;
    pipeline->listener = *listener;
    LIST_INIT(&pipeline->identifying);
    identify_jobs_init(&pipeline->requests);
    pipeline->mailbox = mailbox_create(base);
    if (!pipeline->mailbox || start_threads(pipeline, store) != 0) {
        if (!pipeline->writer)
            store_close(store);
        pipeline_destroy(pipeline);
        return NULL;
    }
    return pipeline;
}

/* The reader and the identifier first: what the identifier was doing may still go to the writer, which writes all that
 * it has. */
void pipeline_stop(struct pipeline *pipeline)
{
    atomic_store(&pipeline->stopping, true);
    if (pipeline->reader)
        store_reader_stop(pipeline->reader);
    if (pipeline->identifier)
        worker_stop(pipeline->identifier);
    if (pipeline->writer)
        store_writer_finish(pipeline->writer);
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
    store_reader_destroy(pipeline->reader);
    /* The mailbox before the writer: what it still holds may speak of the store. */
    if (pipeline->writer)
        store_writer_finish(pipeline->writer);
    mailbox_destroy(pipeline->mailbox);
    store_writer_destroy(pipeline->writer);
    free(pipeline);
    errno = saved;
}
