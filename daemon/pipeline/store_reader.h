/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_STORE_READER_H
#define FRICID_STORE_READER_H

#include "pipeline/store_writer.h"
#include "store/database.h"
#include "worker/worker.h"

/* The thread that reads the store, on a connection of its own: it never waits for the writer, nor the writer for it,
 * and the event loop waits for neither. */
struct store_reader;

/* A question to the store, embedded as the first member of whatever it is about. */
struct read_job {
    struct job job; /* `run` is the reader's; the rest is the caller's */
    struct store_reader *reader;
    /* In the reader's thread. 0 or an error of database.h. */
    int (*read)(struct read_job *read_job, struct database *database);
    int error; /* what it returned, or why it was not called */
};

/* NULL when the system refuses (errno says why). The file is opened with the first question. */
struct store_reader *store_reader_create(const char *path, struct store_writer *writer, struct mailbox *mailbox);

struct worker *store_reader_thread(const struct store_reader *reader);

/* job.finished is called in the event loop; with job.ran false when the daemon ended first. */
void store_reader_submit(struct store_reader *reader, struct read_job *read_job);

/* In the reader's thread: repairs of the store before its file was opened. After another, an id may be that of another
 * decay. */
unsigned store_reader_repairs(const struct store_reader *reader);

void store_reader_stop(struct store_reader *reader);
void store_reader_destroy(struct store_reader *reader); /* stops first; NULL is fine */

#endif
