/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The life of a pipeline: its store and threads, started and stopped in an order. */

#include "pipeline/pipeline_state.h"

#include "worker/mailbox.h"

#include <errno.h>
#include <stdlib.h>

void pipeline_reconfigure(struct pipeline *pipeline, const struct pipeline_settings *settings)
{
    pipeline->settings = *settings;
    if (!pipeline_wants_pause(pipeline) && pipeline->listener.drained)
        pipeline->listener.drained(pipeline->listener.context);
}

/* Store and mailbox before the threads that use them. */
static int start_threads(struct pipeline *pipeline, struct store *store)
{
    const struct store_writer_listener listener = {.told = pipeline_hear_store, .context = pipeline};
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
    pipeline_observe_store(pipeline);
    pipeline->releases = release_memory_create();
    pipeline->request_releases = release_memory_create();
    if (!pipeline->releases || !pipeline->request_releases)
        return -1;
    pipeline->identifier = worker_create("identifier", pipeline->mailbox);
    pipeline->ladders = pipeline->identifier ? worker_create("ladders", pipeline->mailbox) : NULL;
    return pipeline->ladders ? 0 : -1;
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
    LIST_INIT(&pipeline->joining);
    pipeline->publish_joint = pipeline_publish_joint;
    identify_jobs_init(&pipeline->requests);
    LIST_INIT(&pipeline->simulations);
    pipeline->mailbox = mailbox_create(base);
    if (!pipeline->mailbox || start_threads(pipeline, store) != 0) {
        if (!pipeline->writer)
            store_close(store);
        pipeline_destroy(pipeline);
        return NULL;
    }
    return pipeline;
}

/* The reader and the identifiers first: what these were doing may still go to the writer, which writes all that
 * it has. */
void pipeline_stop(struct pipeline *pipeline)
{
    atomic_store(&pipeline->stopping, true);
    if (pipeline->reader)
        store_reader_stop(pipeline->reader);
    if (pipeline->identifier)
        worker_stop(pipeline->identifier);
    if (pipeline->ladders)
        worker_stop(pipeline->ladders);
    if (pipeline->writer)
        store_writer_finish(pipeline->writer);
    if (pipeline->mailbox)
        mailbox_drain(pipeline->mailbox);
    pipeline_tell_known(pipeline);
}

void pipeline_destroy(struct pipeline *pipeline)
{
    if (!pipeline)
        return;
    /* A failed pipeline_create() ends here, and its errno is the reason. */
    int saved = errno;
    pipeline_stop(pipeline);
    worker_destroy(pipeline->identifier);
    worker_destroy(pipeline->ladders);
    joint_runs_clear(&pipeline->joint_runs);
    store_reader_destroy(pipeline->reader);
    /* The mailbox before the writer: what it still holds may speak of the store. */
    if (pipeline->writer)
        store_writer_finish(pipeline->writer);
    mailbox_destroy(pipeline->mailbox);
    store_writer_destroy(pipeline->writer);
    release_memory_destroy(pipeline->releases);
    release_memory_destroy(pipeline->request_releases);
    free(pipeline);
    errno = saved;
}
