/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What others see of the pipeline: its threads, its queue and its store. */

#include "pipeline/pipeline_state.h"

/* A disk may keep the writer waiting so long before it is called unhealthy, s: drives spin up, arrays rebuild, and
 * nothing is gained by giving up a decay that waits for one. */
static const double disk_patience_s = 300;

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
    pipeline_look_after_store(pipeline);
    pipeline_start_backlogs(pipeline);
    pipeline_tell_known(pipeline);
    return (size_t)worker_cancel_overdue(pipeline->identifier) + (size_t)worker_cancel_overdue(pipeline->ladders);
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
    threads[2] = thread_status_of(pipeline->ladders, "ladders", pipeline_ladder_job_s(&pipeline->settings));
    threads[2].feeds_watchdog = true;
    if (pipeline->reader) {
        threads[3] = thread_status_of(store_reader_thread(pipeline->reader), "reader", disk_patience_s);
        threads[3].healthy = !waits_for_disk(store_reader_thread(pipeline->reader));
    }
    status->threads = threads;
    status->thread_count = pipeline->reader ? 4 : 3;
    status->queue_bytes = pipeline_queued_bytes(pipeline);
    status->queue_max_bytes = pipeline->settings.queue_max_bytes;
    status->store_kind = statistics.kind;
    status->stored_decays = statistics.decays;
    status->stored_results = statistics.results;
    status->stored_bytes = statistics.bytes;
    status->store_path = statistics.path;
    status->store_problem = *pipeline->store_problem.text ? pipeline->store_problem.text : NULL;
    status->store_set_aside = *pipeline->set_aside.text ? pipeline->set_aside.text : NULL;
    status->waiting_decays = statistics.waiting;
    status->protected_decays = statistics.protected;
    status->store_free_bytes = statistics.free_bytes;
}
