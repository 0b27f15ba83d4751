/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_STORE_WRITER_H
#define FRICID_STORE_WRITER_H

#include "store/store.h"
#include "worker/worker.h"

#include <stdbool.h>

/* The writer thread and the store that it owns. What waits to be written goes into one transaction, and nothing goes on
 * before that is on the disk, in the file of that name. When the disk does not take it, the thread tries again until it
 * does: what waits, waits in memory, and the event loop hears of it. */
struct store_writer;

/* A job on its way through the writer: `write` puts into the open transaction; `job.run` is called once that is
 * committed, or given up at the end of the daemon: then with an error. `write` may be called several times. */
struct write_job {
    struct job job;
    int (*write)(struct write_job *write_job, struct store *store);
    int error; /* of this job; 0: what it wrote is durable */
};

/* `job.run` of a job that goes no further once it is written. */
struct worker *write_job_ends(struct job *job);

/* What the writer tells, in the event loop's thread: codes "store_fault", "store_recovered", "store_repaired",
 * "store_set_aside", "store_upgraded". */
struct store_writer_listener {
    void (*told)(void *context, const char *code, const char *sentence);
    void *context;
};

/* Takes the store over when it succeeds. NULL when the system refuses (errno says why). */
struct store_writer *store_writer_create(struct store *store, struct mailbox *mailbox,
                                         const struct store_writer_listener *listener);

struct worker *store_writer_thread(const struct store_writer *writer);

/* From the event loop. The job goes no further once it is written. */
void store_writer_submit(struct store_writer *writer, struct write_job *write_job);

/* Counts on with every file that takes the place of another: one that was opened before is not the store any more. From
 * any thread. */
unsigned store_writer_repairs(const struct store_writer *writer);

/* Somebody has met damage that the writer has not, in the file that was there after so many others: from any thread.
 * The other tells of it once, unless another file took its place meanwhile. */
void store_writer_distrust(struct store_writer *writer, unsigned repairs);
bool store_writer_is_distrusted(struct store_writer *writer);

/* The disk does not take what waits. From any thread. */
bool store_writer_has_problem(const struct store_writer *writer);

void store_writer_statistics(const struct store_writer *writer, struct store_statistics *statistics);

/* Writes what waits, as far as the disk takes it, and ends the thread. */
void store_writer_finish(struct store_writer *writer);

void store_writer_destroy(struct store_writer *writer); /* finishes first; NULL is fine */

#endif
