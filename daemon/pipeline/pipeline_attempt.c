/* SPDX-License-Identifier: GPL-3.0-or-later */

/* An attempt to identify a decay is noted in the store before it is made, for the case that the daemon does not survive
 * it; one that it survives is taken back. */

#include "pipeline/pipeline_state.h"

#include <stdlib.h>

/* An attempt on its way back. */
struct take_back_job {
    struct write_job write_job; /* first: such a job is this */
    uint64_t id;
};

static int write_taken_back(struct write_job *write_job, struct store *store)
{
    return store_take_back_attempt(store, ((struct take_back_job *)write_job)->id);
}

static void taken_back(struct job *job)
{
    free(job);
}

/* A disk that does not take it, or no memory, leaves the attempt counted: ten are allowed. */
void pipeline_take_back_attempt(struct pipeline *pipeline, uint64_t id)
{
    struct take_back_job *job = calloc(1, sizeof *job);
    if (!job)
        return;
    job->write_job.write = write_taken_back;
    job->write_job.job.finished = taken_back;
    job->id = id;
    store_writer_submit(pipeline->writer, &job->write_job);
}
