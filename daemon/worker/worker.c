/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One thread and its queue. What a job does is the job's business: this file knows only which comes next, how long
 * it has been running, and how to stop. */

#include "worker/worker.h"

#include "proto/clock.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

/* A thread, its queue, and what is known of the job that runs. */
struct worker {
    pthread_mutex_t mutex; /* guards all below */
    pthread_cond_t wake;
    pthread_t thread;
    struct mailbox *mailbox;
    struct job_queue queued[JOB_PRIORITIES];
    struct job *running;
    double running_since_s;       /* CLOCK_MONOTONIC */
    struct worker_status figures; /* running_s and overdue are worked out when asked */
    worker_batch batch;           /* NULL: one job at a time */
    void *batch_context;
    bool stop, finish, joined;
    bool ended;                  /* the thread touches nothing any more */
    void (*gone)(void *context); /* not NULL: nobody waits for the thread, which frees what is left */
    void *gone_context;
};

/* Under the mutex. The highest priority that has a job, the oldest of its jobs. */
static struct job *take_first(struct worker *worker)
{
    for (int priority = 0; priority < JOB_PRIORITIES; priority++) {
        struct job *job = TAILQ_FIRST(&worker->queued[priority]);
        if (job) {
            TAILQ_REMOVE(&worker->queued[priority], job, entry);
            worker->figures.queued_jobs--;
            return job;
        }
    }
    return NULL;
}

/* The next jobs, the first of them marked as running; none when the worker is to stop. */
static size_t wait_for_jobs(struct worker *worker, struct job *jobs[WORKER_BATCH_MOST])
{
    size_t count = 0, most = worker->batch ? WORKER_BATCH_MOST : 1;
    pthread_mutex_lock(&worker->mutex);
    while (!worker->stop && !(jobs[0] = take_first(worker))) {
        /* Nothing is left: from here on jobs go back unrun. */
        if (worker->finish)
            worker->stop = true;
        else
            pthread_cond_wait(&worker->wake, &worker->mutex);
    }
    if (!worker->stop) {
        worker->running = jobs[0];
        for (count = 1; count < most && (jobs[count] = take_first(worker));)
            count++;
    }
    worker->running_since_s = clock_monotonic_s();
    pthread_mutex_unlock(&worker->mutex);
    return count;
}

/* The bytes of a job count until it has run: what is under way is memory as well. */
static void note_finished(struct worker *worker, size_t bytes)
{
    pthread_mutex_lock(&worker->mutex);
    double took = clock_monotonic_s() - worker->running_since_s;
    if (took > worker->figures.longest_s)
        worker->figures.longest_s = took;
    worker->figures.busy_s += took;
    worker->figures.finished_jobs++;
    worker->figures.queued_bytes -= bytes;
    worker->running = NULL;
    /* For the next of a batch: what they waited for together counts once. */
    worker->running_since_s = clock_monotonic_s();
    pthread_mutex_unlock(&worker->mutex);
}

/* The job is not touched after it was handed on: its next owner may be free to destroy it. */
static void run(struct worker *worker, struct job *job)
{
    size_t bytes = job->bytes;
    struct worker *next = job->run(job);
    job->ran = true;
    note_finished(worker, bytes);
    if (next)
        worker_submit(next, job);
    else
        mailbox_post(worker->mailbox, job);
}

/* After the thread has ended: what was queued goes back unrun. */
static void return_unrun(struct worker *worker)
{
    struct job *job;
    while ((job = take_first(worker))) {
        worker->figures.queued_bytes -= job->bytes;
        atomic_store(&job->cancel, true);
        mailbox_post(worker->mailbox, job);
    }
}

/* The owner has gone on without the thread. */
static void end_alone(struct worker *worker)
{
    void (*gone)(void *context) = worker->gone;
    void *context = worker->gone_context;
    return_unrun(worker);
    worker->joined = true;
    worker_destroy(worker);
    gone(context);
}

static void *work(void *context)
{
    struct worker *worker = context;
    struct job *jobs[WORKER_BATCH_MOST];
    size_t count;
    while ((count = wait_for_jobs(worker, jobs)) > 0) {
        if (worker->batch)
            worker->batch(worker->batch_context, jobs, count);
        for (size_t i = 0; i < count; i++)
            run(worker, jobs[i]);
    }
    pthread_mutex_lock(&worker->mutex);
    worker->ended = true;
    bool alone = worker->gone != NULL;
    pthread_mutex_unlock(&worker->mutex);
    if (alone)
        end_alone(worker);
    return NULL;
}

/* Signals belong to the event loop: a worker thread starts with all of them blocked. */
static int start_thread(struct worker *worker)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&worker->thread, NULL, work, worker);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

struct worker *worker_create(const char *name, struct mailbox *mailbox)
{
    return worker_create_batching(name, mailbox, NULL, NULL);
}

struct worker *worker_create_batching(const char *name, struct mailbox *mailbox, worker_batch batch, void *context)
{
    struct worker *worker = calloc(1, sizeof *worker);
    if (!worker)
        return NULL;
    worker->mailbox = mailbox;
    worker->batch = batch;
    worker->batch_context = context;
    for (int priority = 0; priority < JOB_PRIORITIES; priority++)
        TAILQ_INIT(&worker->queued[priority]);
    pthread_mutex_init(&worker->mutex, NULL);
    pthread_cond_init(&worker->wake, NULL);
    /* The last step, because the thread sees all that was set up before it. */
    int error = start_thread(worker);
    if (error) {
        worker->joined = true;
        worker_destroy(worker);
        errno = error;
        return NULL;
    }
    pthread_setname_np(worker->thread, name);
    return worker;
}

void worker_submit(struct worker *worker, struct job *job)
{
    pthread_mutex_lock(&worker->mutex);
    bool too_late = worker->stop;
    if (!too_late) {
        job->ran = false;
        TAILQ_INSERT_TAIL(&worker->queued[job->priority], job, entry);
        worker->figures.queued_jobs++;
        worker->figures.queued_bytes += job->bytes;
        pthread_cond_signal(&worker->wake);
    }
    pthread_mutex_unlock(&worker->mutex);
    /* Outside the mutex: a worker that stops gives the job back through the mailbox, so that its owner always hears
     * of it. */
    if (too_late) {
        atomic_store(&job->cancel, true);
        job->ran = false;
        mailbox_post(worker->mailbox, job);
    }
}

/* Under the mutex. */
static bool past_deadline(const struct worker *worker)
{
    return worker->running && !worker->batch && worker->running->deadline_s > 0 &&
           clock_monotonic_s() - worker->running_since_s > worker->running->deadline_s;
}

/* The exchange makes sure that a job is told of once, however often this is asked. */
bool worker_cancel_overdue(struct worker *worker)
{
    pthread_mutex_lock(&worker->mutex);
    bool cancelled = past_deadline(worker) && !atomic_exchange(&worker->running->cancel, true);
    pthread_mutex_unlock(&worker->mutex);
    return cancelled;
}

void worker_status(struct worker *worker, struct worker_status *status)
{
    pthread_mutex_lock(&worker->mutex);
    *status = worker->figures;
    status->running_s = worker->running ? clock_monotonic_s() - worker->running_since_s : 0.0;
    status->overdue = past_deadline(worker);
    pthread_mutex_unlock(&worker->mutex);
}

/* Cancelled jobs end at their next look at the flag. */
static void ask_to_stop(struct worker *worker)
{
    pthread_mutex_lock(&worker->mutex);
    worker->stop = true;
    if (worker->running)
        atomic_store(&worker->running->cancel, true);
    pthread_cond_signal(&worker->wake);
    pthread_mutex_unlock(&worker->mutex);
}

/* Whether the thread has ended; if not, it is left alone from now on when that is wanted. */
static bool has_ended(struct worker *worker, void (*gone)(void *context), void *context)
{
    pthread_mutex_lock(&worker->mutex);
    bool ended = worker->ended;
    worker->gone = ended ? NULL : gone;
    worker->gone_context = context;
    pthread_mutex_unlock(&worker->mutex);
    return ended;
}

bool worker_stop_within(struct worker *worker, double patience_s, void (*gone)(void *context), void *context)
{
    static const struct timespec a_moment = {.tv_nsec = 2000000};
    const double until_s = clock_monotonic_s() + patience_s;
    ask_to_stop(worker);
    while (!has_ended(worker, NULL, NULL) && clock_monotonic_s() < until_s)
        nanosleep(&a_moment, NULL);
    pthread_t thread = worker->thread;
    if (!has_ended(worker, gone, context)) {
        pthread_detach(thread);
        return false;
    }
    worker_stop(worker);
    return true;
}

/* Returns when the running job has. */
void worker_stop(struct worker *worker)
{
    if (worker->joined)
        return;
    ask_to_stop(worker);
    pthread_join(worker->thread, NULL);
    worker->joined = true;
    return_unrun(worker);
}

void worker_finish(struct worker *worker)
{
    if (worker->joined)
        return;
    pthread_mutex_lock(&worker->mutex);
    worker->finish = true;
    pthread_cond_signal(&worker->wake);
    pthread_mutex_unlock(&worker->mutex);
    pthread_join(worker->thread, NULL);
    worker->joined = true;
    return_unrun(worker);
}

void worker_destroy(struct worker *worker)
{
    if (!worker)
        return;
    worker_stop(worker);
    pthread_cond_destroy(&worker->wake);
    pthread_mutex_destroy(&worker->mutex);
    free(worker);
}
