/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Behind the ladders: what the channels of a run say together, as the next revision of each of their results. */

#include "pipeline/joint_results.h"
#include "pipeline/pipeline_state.h"
#include "report/result_text.h"

#include <stdlib.h>

/* What waits for the other channels of its run may take so much of the queue's bytes. */
enum { WAITING_PART = 4 };

struct joint_job {
    struct job job; /* first: a joint job is this */
    struct pipeline *pipeline;
    joint_publisher *publish;
    char reference[64];
    struct kept_result *results[JOINT_CHANNELS_MOST]; /* owned */
    size_t count;
    int error;
};

static struct worker *fit_together(struct job *job)
{
    struct joint_job *joint_job = (struct joint_job *)job;
    joint_job->error = joint_results_make(joint_job->results, joint_job->count, joint_job->reference, &job->cancel);
    return NULL;
}

static void fitted_together(struct job *job)
{
    struct joint_job *joint_job = (struct joint_job *)job;
    struct pipeline *pipeline = joint_job->pipeline;
    const bool done = job->ran && joint_job->error == 0 && !atomic_load(&pipeline->stopping);
    for (size_t i = 0; i < joint_job->count; i++) {
        if (done)
            joint_job->publish(pipeline, joint_job->results[i]);
        else
            kept_result_release(joint_job->results[i]);
    }
    free(joint_job);
}

/* Whether another channel of the run is about to get its ladder. */
static bool others_follow(const struct pipeline *pipeline, uint64_t run)
{
    const struct decay_job *decay_job;
    LIST_FOREACH(decay_job, &pipeline->identifying, entry)
    {
        if (decay_job->decay->run == run && !decay_job->only_compare)
            return true;
    }
    return false;
}

/* The first channel of a rig that is not there any more is not known: then it is the first that has a ladder. */
static void name_reference(const struct pipeline *pipeline, struct joint_job *joint_job)
{
    const char *rig = joint_job->results[0]->of->origin.rig;
    const char *reference =
        pipeline->listener.reference ? pipeline->listener.reference(pipeline->listener.context, rig) : NULL;
    copy_text(joint_job->reference, sizeof joint_job->reference, reference);
}

void pipeline_join_run(struct pipeline *pipeline, uint64_t run, double deadline_s, joint_publisher *publish)
{
    if (run == 0 || atomic_load(&pipeline->stopping) || others_follow(pipeline, run))
        return;
    struct joint_job *joint_job = calloc(1, sizeof *joint_job);
    if (!joint_job)
        return;
    joint_job->count = joint_runs_take(&pipeline->joint_runs, run, joint_job->results);
    if (joint_job->count == 0) {
        free(joint_job);
        return;
    }
    joint_job->job.run = fit_together;
    joint_job->job.finished = fitted_together;
    joint_job->job.priority = JOB_PATIENT;
    joint_job->job.deadline_s = deadline_s;
    joint_job->pipeline = pipeline;
    joint_job->publish = publish;
    name_reference(pipeline, joint_job);
    worker_submit(pipeline->ladders, &joint_job->job);
}

void pipeline_keep_for_run(struct pipeline *pipeline, struct decay_job *decay_job)
{
    if (decay_job->only_compare || !decay_job->result || decay_job->decay->run == 0 ||
        !joint_results_want(decay_job->result))
        return;
    result_text_forget(decay_job->result); /* it was told */
    joint_runs_add(&pipeline->joint_runs, decay_job->result, pipeline->settings.queue_max_bytes / WAITING_PART);
    decay_job->result = NULL;
}
