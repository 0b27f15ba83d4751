/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Behind the ladders: what the channels of a run say together, as the next revision of each of their results. */

#include "pipeline/joint_results.h"
#include "pipeline/pipeline_state.h"
#include "proto/cause.h"
#include "report/result_text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What waits for the other channels of its run may take so much of the queue's bytes. */
enum { WAITING_PART = 4 };

struct joint_job {
    struct job job; /* first: a joint job is this */
    LIST_ENTRY(joint_job) entry;
    struct pipeline *pipeline;
    struct kept_result *results[JOINT_CHANNELS_MOST]; /* owned */
    size_t count;
    int error;
};

static struct worker *fit_together(struct job *job)
{
    struct joint_job *joint_job = (struct joint_job *)job;
    joint_job->error = joint_results_make(joint_job->results, joint_job->count, &job->cancel);
    return NULL;
}

void pipeline_tell_apart(struct pipeline *pipeline, const struct kept_decay *decay, const char *cause)
{
    char sentence[512];
    if (atomic_load(&pipeline->stopping))
        return;
    snprintf(sentence, sizeof sentence,
             "decay %" PRIu64
             " of rig %s, channel %s, is not fitted together now with the other channels of its run: %s."
             " fricidctl reidentify --where run_id=%" PRIu64 " makes it",
             decay->id, decay->origin.rig, decay->origin.channel, cause, decay->run);
    pipeline_tell(pipeline, "joint_missing", sentence);
}

/* What was brought out of the store only for this may have its attempt noted still. */
static void release_unfitted(struct pipeline *pipeline, struct kept_result *result)
{
    if (result->of->id <= pipeline->left_over)
        pipeline_take_back_attempt(pipeline, result->of->id);
    kept_result_release(result);
}

static void release_apart(struct pipeline *pipeline, struct kept_result *const *results, size_t count, int error)
{
    if (count > 0)
        pipeline_tell_apart(pipeline, results[0]->of, cause_of(error));
    for (size_t i = 0; i < count; i++)
        release_unfitted(pipeline, results[i]);
}

static void fitted_together(struct job *job)
{
    struct joint_job *joint_job = (struct joint_job *)job;
    struct pipeline *pipeline = joint_job->pipeline;
    LIST_REMOVE(joint_job, entry);
    pipeline->without_ladder -= job->bytes;
    if (job->ran && joint_job->error == 0 && !atomic_load(&pipeline->stopping)) {
        for (size_t i = 0; i < joint_job->count; i++)
            pipeline->publish_joint(pipeline, joint_job->results[i]);
    } else
        release_apart(pipeline, joint_job->results, joint_job->count, job->ran ? joint_job->error : -ECANCELED);
    free(joint_job);
    pipeline_tell_drained(pipeline, false); /* their bytes counted */
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

static size_t rank_of(void *context, const struct decay_origin *origin)
{
    const struct pipeline_listener *listener = context;
    return listener->channel_rank ? listener->channel_rank(listener->context, origin->rig, origin->channel) : SIZE_MAX;
}

void pipeline_join_run(struct pipeline *pipeline, uint64_t run)
{
    struct kept_result *results[JOINT_CHANNELS_MOST];
    if (run == 0 || atomic_load(&pipeline->stopping) || others_follow(pipeline, run))
        return;
    const size_t count = joint_runs_take(&pipeline->joint_runs, run, rank_of, &pipeline->listener, results);
    struct joint_job *joint_job = count > 0 ? calloc(1, sizeof *joint_job) : NULL;
    if (!joint_job) {
        release_apart(pipeline, results, count, -ENOMEM);
        return;
    }
    joint_job->job.run = fit_together;
    joint_job->job.finished = fitted_together;
    joint_job->job.priority = JOB_PATIENT;
    joint_job->job.deadline_s = pipeline_ladder_job_s(&pipeline->settings);
    joint_job->pipeline = pipeline;
    joint_job->count = count;
    memcpy(joint_job->results, results, count * sizeof results[0]);
    for (size_t i = 0; i < count; i++)
        joint_job->job.bytes += kept_result_bytes(results[i]);
    pipeline->without_ladder += joint_job->job.bytes;
    LIST_INSERT_HEAD(&pipeline->joining, joint_job, entry);
    worker_submit(pipeline->ladders, &joint_job->job);
}

/* From the last one on: what is taken leaves those before it in their places, or moves them further to the front. */
void pipeline_join_all(struct pipeline *pipeline)
{
    const struct joint_runs *runs = &pipeline->joint_runs;
    for (size_t i = runs->count; i-- > 0;)
        if (i < runs->count)
            pipeline_join_run(pipeline, runs->waiting[i]->of->run);
}

bool pipeline_is_joining(const struct pipeline *pipeline, uint64_t id)
{
    const struct joint_job *joint_job;
    LIST_FOREACH(joint_job, &pipeline->joining, entry)
    {
        for (size_t i = 0; i < joint_job->count; i++)
            if (joint_job->results[i]->of->id == id)
                return true;
    }
    return joint_runs_awaits_others(&pipeline->joint_runs, id);
}

/* One that waits for others is missed when it goes; one that has no others, or was fitted with them, is not. */
static void make_room(struct pipeline *pipeline)
{
    struct joint_runs *runs = &pipeline->joint_runs;
    struct kept_result *oldest;
    while ((oldest = joint_runs_give_way(runs, pipeline->settings.queue_max_bytes / WAITING_PART))) {
        const uint64_t run = oldest->of->run;
        if (!oldest->joint && (others_follow(pipeline, run) || joint_runs_has_new_release(runs, run)))
            pipeline_tell_apart(pipeline, oldest->of,
                                "too many newer results wait for the other channels of their runs, or too large ones");
        release_unfitted(pipeline, oldest);
    }
}

void pipeline_keep_for_run(struct pipeline *pipeline, struct decay_job *decay_job)
{
    if (decay_job->only_compare || !decay_job->result || decay_job->decay->run == 0 ||
        !joint_results_want(decay_job->result))
        return;
    result_text_forget(decay_job->result); /* it was told */
    joint_runs_add(&pipeline->joint_runs, decay_job->result);
    decay_job->result = NULL;
    make_room(pipeline);
}
