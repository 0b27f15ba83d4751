/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The writer thread: one transaction for all that waits, and patience when the disk is full, read-only or damaged. */

#include "pipeline/store_writer.h"

#include "proto/cause.h"
#include "proto/clock.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

/* Between two attempts on a disk that refuses, ms; between two repairs, which read the whole file, up to eight times
 * that. */
enum { PATIENCE_MS = 500, MOST_PATIENCE = 8 };

/* A repair that was made and does not help is not repeated for ever; after it the writer only waits. */
enum { MOST_REPAIRS = 3 };

enum { NOT_DISTRUSTED = -1 };

struct store_writer {
    struct store *store;
    struct mailbox *mailbox;
    struct worker *worker;
    struct store_writer_listener listener;
    pthread_mutex_t mutex; /* guards `ending` */
    pthread_cond_t wake;
    bool ending;
    bool finished; /* of the event loop: the thread has ended */
    atomic_uint repairs;
    atomic_bool problem;
    _Atomic int64_t distrusted; /* the file that was there after so many repairs */
    int problem_told;           /* of the writer's thread: what it told of last */
    bool gave_up;               /* likewise: the daemon ends, and something that waited could not be stored */
};

/* A sentence on its way to the event loop. */
struct told {
    struct job job;
    struct store_writer *writer;
    const char *code;
    struct complaint sentence;
};

static void told_finished(struct job *job)
{
    struct told *told = (struct told *)job;
    struct store_writer_listener *listener = &told->writer->listener;
    if (listener->told)
        listener->told(listener->context, told->code, told->sentence.text);
    free(told);
}

static struct told *told_create(struct store_writer *writer, const char *code)
{
    struct told *told = calloc(1, sizeof *told);
    if (!told)
        return NULL;
    told->job.finished = told_finished;
    told->writer = writer;
    told->code = code;
    return told;
}

static void tell_fault(struct store_writer *writer, int error, const char *sqlite_says)
{
    struct told *told = told_create(writer, "store_fault");
    if (!told)
        return;
    struct store_statistics statistics;
    store_statistics(writer->store, &statistics);
    const char *path = statistics.path ? statistics.path : "memory";
    const char *wait = "Decays wait in memory, up to queue_max_bytes, and are stored as soon as that is possible";
    if (error == -ENOSPC)
        complaint_set(&told->sentence, "%s: the disk is full: make room. %s", path, wait);
    else if (error == -EDQUOT)
        complaint_set(&told->sentence,
                      "%s: a file may not become so large: raise that limit (ulimit -f, LimitFSIZE=). %s", path, wait);
    else if (error == -EROFS)
        complaint_set(&told->sentence, "%s: the disk is read-only: mount it for writing. %s", path, wait);
    else if (error == -EINVAL) /* what stands in the way is told by its name */
        complaint_set(&told->sentence, "%s. %s", sqlite_says, wait);
    else
        complaint_set(&told->sentence, "%s cannot be written: %s (%s). %s", path, cause_of(error), sqlite_says, wait);
    mailbox_post(writer->mailbox, &told->job);
}

static void tell_recovered(struct store_writer *writer)
{
    struct told *told = told_create(writer, "store_recovered");
    if (!told)
        return;
    complaint_set(&told->sentence, "the store takes data again: what had to wait is stored now");
    mailbox_post(writer->mailbox, &told->job);
}

/* The damaged file is set aside; what was written with it half way is written again into the new one. */
static int set_aside(struct store_writer *writer)
{
    int error = store_reason(writer->store, store_set_aside(writer->store));
    if (!error)
        atomic_fetch_add(&writer->repairs, 1);
    return error;
}

static void tell_what_was_done(struct store_writer *writer, const char *code, const struct complaint *sentence)
{
    struct told *told = told_create(writer, code);
    if (!told)
        return;
    told->sentence = *sentence;
    mailbox_post(writer->mailbox, &told->job);
}

static void tell_notices(struct store_writer *writer)
{
    struct complaint notice;
    if (store_take_notice(writer->store, &notice))
        tell_what_was_done(writer, "store_repaired", &notice);
    if (store_take_upgrade(writer->store, &notice))
        tell_what_was_done(writer, "store_upgraded", &notice);
    if (store_take_set_aside(writer->store, &notice))
        tell_what_was_done(writer, "store_set_aside", &notice);
}

/* Waits before the next attempt. False: the daemon is ending, and there will be only one more. */
static bool wait_a_moment(struct store_writer *writer, int patience)
{
    const struct timespec until = clock_monotonic_in(patience * PATIENCE_MS * INT64_C(1000000));
    pthread_mutex_lock(&writer->mutex);
    while (!writer->ending && pthread_cond_timedwait(&writer->wake, &writer->mutex, &until) == 0)
        ;
    bool ending = writer->ending;
    pthread_mutex_unlock(&writer->mutex);
    return !ending;
}

/* Errors of the job alone are the job's; all others are of the disk, and of the whole transaction. */
static bool is_the_jobs_own(int error)
{
    return error == 0 || error == -EEXIST || error == -ENOENT || error == -EFBIG;
}

/* A file that was put back under its name is another one. */
static int settle(struct store_writer *writer)
{
    bool moved;
    int error = store_settle(writer->store, &moved);
    if (moved)
        atomic_fetch_add(&writer->repairs, 1);
    return error;
}

/* All jobs in one transaction. The first error that is not a job's own ends it. */
static int write_jobs(struct store_writer *writer, struct job *const *jobs, size_t count)
{
    int error = store_begin(writer->store);
    for (size_t i = 0; i < count && !error; i++) {
        struct write_job *write_job = (struct write_job *)jobs[i];
        write_job->error = write_job->write(write_job, writer->store);
        if (!is_the_jobs_own(write_job->error))
            error = write_job->error;
    }
    return error ? error : store_commit(writer->store);
}

/* What was committed is not written once more, but it counts only where the next daemon finds it. */
static int write_all(struct store_writer *writer, struct job *const *jobs, size_t count, bool *committed)
{
    int error = settle(writer);
    if (!error && !*committed) {
        error = write_jobs(writer, jobs, count);
        *committed = error == 0;
        error = error ? error : settle(writer);
    }
    return store_reason(writer->store, error);
}

/* Once for every kind of problem, not for every attempt. */
static void note_problem(struct store_writer *writer, int error)
{
    if (writer->problem_told != error)
        tell_fault(writer, error, store_sentence(writer->store));
    writer->problem_told = error;
    atomic_store(&writer->problem, true);
}

static void note_success(struct store_writer *writer)
{
    if (writer->problem_told == 0)
        return;
    writer->problem_told = 0;
    atomic_store(&writer->problem, false);
    /* Whoever was told what is lost is not told that all is stored. */
    if (!writer->gave_up)
        tell_recovered(writer);
}

/* What the disk does not allow now, for want of room, say, is tried again like all else that it does not allow. */
static int set_aside_if_damaged(struct store_writer *writer, int error, unsigned *repairs, int *patience)
{
    if (error != -EUCLEAN || *repairs == MOST_REPAIRS || writer->gave_up)
        return error;
    error = set_aside(writer);
    *repairs += error == 0;
    if (error && *patience < MOST_PATIENCE)
        *patience *= 2;
    return error;
}

/* Until all of it is durable, or the daemon ends: then there is one attempt more. Each error may sit in the connection:
 * all but the plainest are met with a new one. */
static void write_patiently(void *context, struct job *const *jobs, size_t count)
{
    struct store_writer *writer = context;
    unsigned repairs = 0;
    int error, patience = 1;
    bool last = false, committed = false;
    while ((error = write_all(writer, jobs, count, &committed)) != 0) {
        tell_notices(writer);
        store_rollback(writer->store);
        error = set_aside_if_damaged(writer, error, &repairs, &patience);
        if (error == 0)
            continue;
        note_problem(writer, error);
        if (error != -ENOSPC && error != -EBUSY)
            store_reopen(writer->store);
        if (last)
            break;
        last = !wait_a_moment(writer, patience);
    }
    tell_notices(writer);
    if (error == 0)
        note_success(writer);
    else
        writer->gave_up = true;
    for (size_t i = 0; i < count && error != 0; i++)
        ((struct write_job *)jobs[i])->error = error;
}

static int init_waiting(struct store_writer *writer)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    int error = pthread_cond_init(&writer->wake, &attributes);
    pthread_condattr_destroy(&attributes);
    return error ? error : pthread_mutex_init(&writer->mutex, NULL);
}

struct worker *write_job_ends(struct job *job)
{
    (void)job;
    return NULL;
}

struct store_writer *store_writer_create(struct store *store, struct mailbox *mailbox,
                                         const struct store_writer_listener *listener)
{
    struct store_writer *writer = calloc(1, sizeof *writer);
    if (!writer)
        return NULL;
    writer->mailbox = mailbox;
    writer->listener = *listener;
    writer->store = store;
    atomic_init(&writer->distrusted, NOT_DISTRUSTED);
    int error = init_waiting(writer);
    if (!error) {
        writer->worker = worker_create_batching("writer", mailbox, write_patiently, writer);
        error = writer->worker ? 0 : errno;
    }
    if (error) {
        free(writer);
        errno = error;
        return NULL;
    }
    return writer;
}

struct worker *store_writer_thread(const struct store_writer *writer)
{
    return writer->worker;
}

/* After the end of the thread its last words are written at once, in the caller's. */
void store_writer_submit(struct store_writer *writer, struct write_job *write_job)
{
    struct job *job = &write_job->job;
    job->run = write_job_ends;
    if (writer->finished) {
        write_patiently(writer, &job, 1);
        job->run(job);
        job->ran = true;
        mailbox_post(writer->mailbox, job);
        return;
    }
    worker_submit(writer->worker, &write_job->job);
}

unsigned store_writer_repairs(const struct store_writer *writer)
{
    return atomic_load(&writer->repairs);
}

void store_writer_distrust(struct store_writer *writer, unsigned repairs)
{
    atomic_store(&writer->distrusted, (int64_t)repairs);
}

bool store_writer_is_distrusted(struct store_writer *writer)
{
    return atomic_exchange(&writer->distrusted, NOT_DISTRUSTED) == (int64_t)atomic_load(&writer->repairs);
}

bool store_writer_has_problem(const struct store_writer *writer)
{
    return atomic_load(&writer->problem);
}

void store_writer_statistics(const struct store_writer *writer, struct store_statistics *statistics)
{
    store_statistics(writer->store, statistics);
}

void store_writer_finish(struct store_writer *writer)
{
    store_hurry(writer->store);
    pthread_mutex_lock(&writer->mutex);
    writer->ending = true;
    pthread_cond_signal(&writer->wake);
    pthread_mutex_unlock(&writer->mutex);
    worker_finish(writer->worker);
    writer->finished = true;
}

void store_writer_destroy(struct store_writer *writer)
{
    if (!writer)
        return;
    store_writer_finish(writer);
    worker_destroy(writer->worker);
    pthread_cond_destroy(&writer->wake);
    pthread_mutex_destroy(&writer->mutex);
    store_close(writer->store);
    free(writer);
}
