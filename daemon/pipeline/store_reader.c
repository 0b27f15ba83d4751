/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The reader thread: a connection that sees what is committed, opened when it is needed and again after a repair. */

#include "pipeline/store_reader.h"

#include "store/schema.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The connection belongs to the thread. */
struct store_reader {
    char *path; /* owned */
    struct store_writer *writer;
    struct worker *worker;
    struct database database;
    unsigned repairs; /* when it was opened */
};

/* For reading and writing, though nothing is written: a log that nobody has folded in yet wants to be looked after. A
 * read-only disk is no reason not to read. */
static int open_file(struct store_reader *reader)
{
    struct complaint complaint;
    int error = database_open(&reader->database, reader->path, SQLITE_OPEN_READWRITE, &complaint);
    if (error == -EROFS || error == -EACCES)
        error = database_open(&reader->database, reader->path, SQLITE_OPEN_READONLY, &complaint);
    if (!error)
        error = schema_prepare_reader(&reader->database);
    if (error)
        database_close(&reader->database);
    /* A file that is not there yet is another thing than a result that is not in it. */
    return error == -ENOENT ? -EAGAIN : error;
}

static int connect_to_store(struct store_reader *reader)
{
    unsigned repairs = store_writer_repairs(reader->writer);
    if (reader->database.handle && reader->repairs != repairs)
        database_close(&reader->database);
    reader->repairs = repairs;
    return reader->database.handle ? 0 : open_file(reader);
}

/* Errors may sit in the connection: the next question gets a new one. */
static struct worker *answer(struct job *job)
{
    struct read_job *read_job = (struct read_job *)job;
    struct store_reader *reader = read_job->reader;
    read_job->error = connect_to_store(reader);
    if (!read_job->error)
        read_job->error = read_job->read(read_job, &reader->database);
    if (read_job->error == -EIO || read_job->error == -EUCLEAN || read_job->error == -ENOMEDIUM)
        database_close(&reader->database);
    if (read_job->error == -EUCLEAN || read_job->error == -ENOMEDIUM)
        store_writer_distrust(reader->writer, reader->repairs);
    return NULL;
}

struct store_reader *store_reader_create(const char *path, struct store_writer *writer, struct mailbox *mailbox)
{
    struct store_reader *reader = calloc(1, sizeof *reader);
    if (!reader)
        return NULL;
    reader->writer = writer;
    reader->path = strdup(path);
    if (reader->path)
        reader->worker = worker_create("reader", mailbox);
    if (!reader->worker) {
        int error = reader->path ? errno : ENOMEM;
        free(reader->path);
        free(reader);
        errno = error;
        return NULL;
    }
    return reader;
}

struct worker *store_reader_thread(const struct store_reader *reader)
{
    return reader->worker;
}

void store_reader_submit(struct store_reader *reader, struct read_job *read_job)
{
    read_job->reader = reader;
    read_job->error = 0;
    read_job->job.run = answer;
    worker_submit(reader->worker, &read_job->job);
}

unsigned store_reader_repairs(const struct store_reader *reader)
{
    return reader->repairs;
}

void store_reader_stop(struct store_reader *reader)
{
    worker_stop(reader->worker);
}

void store_reader_destroy(struct store_reader *reader)
{
    if (!reader)
        return;
    worker_destroy(reader->worker);
    database_close(&reader->database);
    free(reader->path);
    free(reader);
}
