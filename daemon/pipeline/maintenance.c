/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Orders to the store, each a chain of jobs through the threads: read, identify, write, and round again for the next
 * decay. One that nobody waits for any more ends at the next turn. */

#include "pipeline/maintenance.h"

#include "pipeline/backup_file.h"
#include "report/compare_results.h"
#include "store/read_decay.h"
#include "worker/mailbox.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ORDERS = 16 };

struct order {
    LIST_ENTRY(order) entry;
    struct maintenance *maintenance;
    struct maintenance_order order;
    struct maintenance_outcome outcome;
    struct result_changes changes;
    unsigned char *piece; /* of a backup; owned */
    long ticket;
    maintenance_done done; /* NULL: nobody waits any more */
    void *context;
    atomic_bool unwanted; /* likewise, for the other threads */
    uint64_t after;       /* the decay that was dealt with last */
    struct job *backup;   /* that works on it; NULL: none does */
};

struct maintenance {
    struct pipeline *pipeline;
    struct mailbox *mailbox;
    struct worker *worker; /* backups take long, and must keep no question waiting */
    struct backup_file backup;
    char *directory; /* owned */
    LIST_HEAD(, order) orders;
    long last_ticket;
    bool stopping;
};

/* Answers, and forgets the order. */
static void finish(struct order *order, int error)
{
    order->outcome.error = error;
    order->outcome.changes = &order->changes;
    order->outcome.data = order->piece;
    if (order->done)
        order->done(order->context, &order->outcome);
    LIST_REMOVE(order, entry);
    result_changes_clear(&order->changes);
    free(order->piece);
    free(order);
}

static bool is_wanted(const struct order *order)
{
    return order->done && !order->maintenance->stopping;
}

/* --- protecting --- */

struct protect_job {
    struct write_job write_job; /* first: such a job is this */
    struct order *order;
};

/* Whoever waited in vain for a disk was told that it failed: then it must not happen later. */
static int write_protection(struct write_job *write_job, struct store *store)
{
    const struct order *order = ((struct protect_job *)write_job)->order;
    if (atomic_load(&order->unwanted))
        return -ENOENT;
    return store_protect(store, order->order.query.id, order->order.protect);
}

static void protection_written(struct job *job)
{
    struct protect_job *protect = (struct protect_job *)job;
    finish(protect->order, job->ran ? protect->write_job.error : -ESHUTDOWN);
    free(protect);
}

static int protect(struct order *order)
{
    struct protect_job *job = calloc(1, sizeof *job);
    if (!job)
        return -ENOMEM;
    job->write_job.write = write_protection;
    job->write_job.job.finished = protection_written;
    job->write_job.job.priority = JOB_REQUEST;
    job->order = order;
    store_writer_submit(pipeline_writer(order->maintenance->pipeline), &job->write_job);
    return 0;
}

/* --- identifying again, and comparing --- */

struct again_job {
    struct read_job read_job; /* first: such a job is this */
    struct order *order;
    uint64_t after, id;
    struct kept_decay *decay;
    struct found_result stored;
};

static int read_next(struct read_job *read_job, struct database *database)
{
    struct again_job *again = (struct again_job *)read_job;
    unsigned revision;
    int error = find_next_id(database, &again->order->order.query, again->after, &again->id);
    if (error || again->id == 0)
        return error;
    error = read_decay(database, again->id, &again->decay, &revision);
    return error ? error : find_result(database, again->id, 0, &again->stored);
}

static int take_next(struct order *order);

static void again_free(struct again_job *again)
{
    kept_decay_release(again->decay);
    free(again->stored.text);
    free(again);
}

/* Identified, and stored or compared: the next one. */
static void on_identified_again(void *context, const struct kept_result *result)
{
    struct again_job *again = context;
    struct order *order = again->order;
    order->outcome.decays++;
    if (!result)
        order->outcome.failed++;
    else if (order->order.kind == MAINTENANCE_CHECK &&
             compare_results(again->id, again->stored.text, result->document, &order->changes))
        order->outcome.changed++;
    order->after = again->id;
    again_free(again);
    int error = take_next(order);
    if (error)
        finish(order, error);
}

/* A decay whose samples cannot be read is counted, and the next one is taken. */
static void on_read(struct job *job)
{
    struct again_job *again = (struct again_job *)job;
    struct order *order = again->order;
    const bool is_check = order->order.kind == MAINTENANCE_CHECK;
    int error = job->ran ? again->read_job.error : -ESHUTDOWN;
    if (again->id == 0 || error == -ESHUTDOWN) {
        again_free(again);
        finish(order, error);
        return;
    }
    if (!error)
        error =
            pipeline_identify_again(order->maintenance->pipeline, again->decay, again->stored.revision + 1, is_check,
                                    !is_check || result_is_final(again->stored.text), on_identified_again, again);
    if (!error)
        return;
    order->outcome.decays++;
    order->outcome.failed++;
    order->after = again->id;
    again_free(again);
    error = take_next(order);
    if (error)
        finish(order, error);
}

static int take_next(struct order *order)
{
    if (!is_wanted(order))
        return -ESHUTDOWN;
    struct again_job *again = calloc(1, sizeof *again);
    if (!again)
        return -ENOMEM;
    again->read_job.read = read_next;
    again->read_job.job.finished = on_read;
    again->read_job.job.priority = JOB_AGAIN;
    again->order = order;
    again->after = order->after;
    store_reader_submit(pipeline_reader(order->maintenance->pipeline), &again->read_job);
    return 0;
}

/* --- backups --- */

struct backup_job {
    struct job job; /* first: such a job is this */
    struct order *order;
    int error;
};

static struct worker *run_backup(struct job *job)
{
    struct backup_job *backup = (struct backup_job *)job;
    struct order *order = backup->order;
    struct maintenance *maintenance = order->maintenance;
    struct maintenance_outcome *outcome = &order->outcome;
    switch (order->order.kind) {
    case MAINTENANCE_BACKUP:
        backup->error = backup_file_make(&maintenance->backup, maintenance->directory, &job->cancel);
        outcome->bytes = maintenance->backup.bytes;
        outcome->checksum = maintenance->backup.checksum;
        outcome->number = maintenance->backup.number;
        break;
    case MAINTENANCE_BACKUP_READ:
        backup->error = backup_file_read(&maintenance->backup, order->order.number, order->order.offset, &order->piece,
                                         &outcome->bytes);
        break;
    default:
        backup->error = backup_file_close(&maintenance->backup, order->order.number);
    }
    return NULL;
}

/* A copy that is complete when nobody waits for it any more is not kept for whoever comes next. */
static void backup_ran(struct job *job)
{
    struct backup_job *backup = (struct backup_job *)job;
    struct order *order = backup->order;
    if (job->ran && !backup->error && order->order.kind == MAINTENANCE_BACKUP && !is_wanted(order)) {
        order->order = (struct maintenance_order){.kind = MAINTENANCE_BACKUP_END, .number = order->outcome.number};
        worker_submit(order->maintenance->worker, job);
        return;
    }
    finish(order, job->ran ? backup->error : -ESHUTDOWN);
    free(backup);
}

static int back_up(struct order *order)
{
    struct backup_job *backup = calloc(1, sizeof *backup);
    if (!backup)
        return -ENOMEM;
    backup->job.run = run_backup;
    backup->job.finished = backup_ran;
    backup->job.priority = JOB_REQUEST;
    backup->order = order;
    order->backup = &backup->job;
    worker_submit(order->maintenance->worker, &backup->job);
    return 0;
}

/* --- orders --- */

static int start(struct order *order)
{
    switch (order->order.kind) {
    case MAINTENANCE_PROTECT:
        return protect(order);
    case MAINTENANCE_REIDENTIFY:
    case MAINTENANCE_CHECK:
        return take_next(order);
    default:
        return back_up(order);
    }
}

static size_t count_orders(const struct maintenance *maintenance)
{
    size_t count = 0;
    const struct order *order;
    LIST_FOREACH(order, &maintenance->orders, entry)
    count++;
    return count;
}

long maintenance_order(struct maintenance *maintenance, const struct maintenance_order *order, maintenance_done done,
                       void *context)
{
    bool writes = order->kind == MAINTENANCE_PROTECT || order->kind == MAINTENANCE_REIDENTIFY;
    /* What gives room back is never too much. */
    if ((count_orders(maintenance) >= MOST_ORDERS && order->kind != MAINTENANCE_BACKUP_END) || maintenance->stopping)
        return -EAGAIN;
    if (writes && store_writer_has_problem(pipeline_writer(maintenance->pipeline)))
        return -EROFS;
    struct order *taken = calloc(1, sizeof *taken);
    if (!taken)
        return -ENOMEM;
    taken->maintenance = maintenance;
    taken->order = *order;
    taken->done = done;
    taken->context = context;
    long ticket = taken->ticket = ++maintenance->last_ticket;
    LIST_INSERT_HEAD(&maintenance->orders, taken, entry);
    int error = start(taken);
    if (error) {
        LIST_REMOVE(taken, entry);
        free(taken);
        return error;
    }
    return ticket;
}

void maintenance_cancel(struct maintenance *maintenance, long ticket)
{
    struct order *order;
    LIST_FOREACH(order, &maintenance->orders, entry)
    {
        if (order->ticket == ticket) {
            order->done = NULL;
            atomic_store(&order->unwanted, true);
            if (order->backup)
                atomic_store(&order->backup->cancel, true);
        }
    }
}

struct maintenance *maintenance_create(struct event_base *base, struct pipeline *pipeline, const char *directory)
{
    struct maintenance *maintenance = calloc(1, sizeof *maintenance);
    if (!maintenance)
        return NULL;
    maintenance->pipeline = pipeline;
    backup_file_init(&maintenance->backup);
    backup_file_tidy(directory);
    LIST_INIT(&maintenance->orders);
    maintenance->directory = strdup(directory);
    maintenance->mailbox = mailbox_create(base);
    if (maintenance->directory && maintenance->mailbox)
        maintenance->worker = worker_create("maintenance", maintenance->mailbox);
    if (!maintenance->worker) {
        int error = errno;
        maintenance_destroy(maintenance);
        errno = error;
        return NULL;
    }
    return maintenance;
}

void maintenance_stop(struct maintenance *maintenance)
{
    if (!maintenance)
        return;
    maintenance->stopping = true;
    if (maintenance->worker)
        worker_stop(maintenance->worker);
    if (maintenance->mailbox)
        mailbox_drain(maintenance->mailbox);
}

void maintenance_destroy(struct maintenance *maintenance)
{
    if (!maintenance)
        return;
    maintenance_stop(maintenance);
    worker_destroy(maintenance->worker);
    mailbox_destroy(maintenance->mailbox);
    backup_file_close(&maintenance->backup, maintenance->backup.number);
    free(maintenance->directory);
    free(maintenance);
}
