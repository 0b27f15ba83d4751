/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The way of a decay through the threads: stored raw by the writer, identified by the identifier, its result stored
 * by the writer, published by the event loop. */

#include "pipeline/decay_job.h"
#include "pipeline/pipeline_state.h"
#include "proto/cause.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void note_known(struct pipeline *pipeline, const struct decay_job *decay_job)
{
    const struct decay_origin *origin = &decay_job->decay->origin;
    if (strcmp(pipeline->known.origin.rig, origin->rig) != 0)
        pipeline_tell_known(pipeline);
    pipeline->known =
        (struct known_decays){.origin = *origin, .count = pipeline->known.count + 1, .latest_id = decay_job->known_id};
}

/* Tells whoever wants the record kept whether its result is stored, or at least its decay. */
static void tell_kept(struct decay_job *decay_job, bool result_is_stored, bool decay_is_stored)
{
    if (!decay_job->kept)
        return;
    struct kept_result *result = result_is_stored ? decay_job->result : NULL;
    if (result)
        decay_job->result = NULL;
    decay_job->kept(decay_job->kept_context, result, decay_is_stored);
}

/* --- the second leg: identified, and the result stored --- */

/* Where the bytes of a decay on this leg count. */
static size_t *waiting_bytes(struct pipeline *pipeline, const struct decay_job *decay_job)
{
    return decay_job->has_answer ? &pipeline->without_ladder : &pipeline->unidentified;
}

/* It goes to the store as one that was identified before. */
void pipeline_publish_joint(struct pipeline *pipeline, struct kept_result *result)
{
    struct decay_job *decay_job = pipeline_make_job(pipeline, result->of, JOB_PATIENT);
    if (!decay_job) {
        pipeline_tell_apart(pipeline, result->of, cause_of(-ENOMEM));
        kept_result_release(result);
        return;
    }
    decay_job->result = result;
    decay_job->revision = result->revision + 1;
    decay_job->ladder = decay_job->has_answer = decay_job->joint = true;
    pipeline_identify_next(pipeline, decay_job);
}

static void finish_decay(struct pipeline *pipeline, struct decay_job *decay_job)
{
    const bool had_room = pipeline_has_room(pipeline, 4);
    struct backlog *backlog = decay_job->backlog;
    const uint64_t run = decay_job->decay->run;
    const size_t together = decay_job->together;
    pipeline->jobs -= !decay_job->has_answer;
    *waiting_bytes(pipeline, decay_job) -= decay_job->write_job.job.bytes;
    decay_job_destroy(decay_job);
    /* A pass through the ladders that wait joins a run when it leaves it. */
    if (backlog != &pipeline->ladder_backlog && joint_runs_count(&pipeline->joint_runs, run) >= together)
        pipeline_join_run(pipeline, run);
    if (!atomic_load(&pipeline->stopping)) {
        if (backlog)
            backlog_next(backlog);
        pipeline_start_backlogs(pipeline);
    }
    pipeline_tell_drained(pipeline, had_room);
}

/* The file that holds it was set aside while it was identified. */
static void tell_elsewhere(struct pipeline *pipeline, uint64_t id)
{
    char sentence[192];
    snprintf(sentence, sizeof sentence,
             "decay %" PRIu64 " gets no result now: it is in a file of the store that was set aside", id);
    pipeline_tell(pipeline, "decay_unreadable", sentence);
}

/* Its first answer is stored and told; without a store nobody can ask for the ladder later. */
static void tell_ladder_missing(struct pipeline *pipeline, uint64_t id, const char *cause)
{
    char sentence[320];
    int length = snprintf(sentence, sizeof sentence,
                          "decay %" PRIu64 " has its first result, and gets no ladder of models now: %s", id, cause);
    if (pipeline->reader && length > 0 && (size_t)length < sizeof sentence)
        snprintf(sentence + length, sizeof sentence - (size_t)length,
                 ". fricidctl reidentify --where id=%" PRIu64 " makes it", id);
    pipeline_tell(pipeline, "ladder_missing", sentence);
}

/* When the daemon ends it goes without saying that no ladder comes. */
static void tell_without_ladder(struct pipeline *pipeline, const struct decay_job *decay_job)
{
    const int error = decay_job->write_job.error;
    if (!error || error == -EEXIST || atomic_load(&pipeline->stopping))
        return;
    if (decay_job->joint || decay_job->together) {
        if (error != -ENOENT)
            pipeline_tell_apart(pipeline, decay_job->decay, cause_of(error));
        return;
    }
    tell_ladder_missing(pipeline, decay_job->decay->id,
                        error == -ENOENT ? "it is not in the file of the store any more" : cause_of(error));
}

/* Without a result, but stored: it is identified at the next start. */
static void tell_unidentified(struct pipeline *pipeline, const struct decay_job *decay_job)
{
    const struct decay_origin *origin = &decay_job->decay->origin;
    bool ending = atomic_load(&pipeline->stopping);
    /* The backlog saw it just before it had its result. */
    if (decay_job->write_job.error == -EEXIST)
        return;
    if (decay_job->write_job.error == -ENOENT && pipeline->reader) {
        tell_elsewhere(pipeline, decay_job->decay->id);
        return;
    }
    if (decay_job->write_job.error == -ENOMEM)
        pipeline_tell_lost(pipeline, origin, "no_memory", "not enough memory for the result");
    else if (decay_job->write_job.error && !ending)
        pipeline_tell_lost(pipeline, origin, "store", cause_of(decay_job->write_job.error));
    else if (!pipeline->reader)
        pipeline_tell_lost(pipeline, origin, "shutdown",
                           "the daemon stopped before the decay was identified, and without a store nothing is kept");
}

/* A decay that has its first answer goes round once more, for the ladder. When so many wait for that already as may
 * wait for the store, or memory is short, its turn comes when these have theirs. */
static void follow_up(struct pipeline *pipeline, const struct decay_job *first)
{
    const struct kept_result *result = first->result;
    const size_t bytes = decay_bytes(first->decay->decay);
    if (!result->identification.ladder_follows || !pipeline_makes_ladders(pipeline))
        return;
    struct decay_job *next = pipeline->without_ladder + bytes <= pipeline->settings.queue_max_bytes
                                 ? pipeline_make_job(pipeline, first->decay, JOB_PATIENT)
                                 : NULL;
    if (!next) {
        if (pipeline->reader)
            backlog_want(&pipeline->ladder_backlog);
        else
            tell_ladder_missing(pipeline, first->decay->id,
                                "too many wait for theirs already, and without a store it cannot wait");
        return;
    }
    next->revision = result->revision + 1;
    next->has_answer = true;
    pipeline_want_ladder(pipeline, next);
    pipeline_identify_next(pipeline, next);
}

/* Back in the event loop, with a durable result or without one. */
static void on_identified(struct decay_job *decay_job)
{
    struct pipeline *pipeline = decay_job->context;
    bool done = decay_job->write_job.job.ran && decay_job->write_job.error == 0;
    if (done && decay_job_publishes(decay_job)) {
        pipeline->listener.published(pipeline->listener.context, decay_job->result);
        follow_up(pipeline, decay_job);
    } else if (!done && decay_job->has_answer)
        tell_without_ladder(pipeline, decay_job);
    else if (!done && !decay_job->again)
        tell_unidentified(pipeline, decay_job);
    if (decay_job->again)
        decay_job->again(decay_job->again_context, done ? decay_job->result : NULL);
    /* A pass through the backlog that saw the decay before it was here has stored the same. */
    tell_kept(decay_job, done || decay_job->write_job.error == -EEXIST, pipeline->reader != NULL);
    LIST_REMOVE(decay_job, entry);
    if (done)
        pipeline_keep_for_run(pipeline, decay_job);
    /* What is kept for its run has its attempt noted until that is fitted: the fit may be what no daemon survives. */
    const bool kept = done && !decay_job->result;
    if (decay_job->attempted && !kept && !(done && decay_job_publishes(decay_job)))
        pipeline_take_back_attempt(pipeline, decay_job->decay->id);
    finish_decay(pipeline, decay_job);
}

void pipeline_identify_next(struct pipeline *pipeline, struct decay_job *decay_job)
{
    *waiting_bytes(pipeline, decay_job) += decay_job->write_job.job.bytes;
    LIST_INSERT_HEAD(&pipeline->identifying, decay_job, entry);
    decay_job_identify(decay_job);
}

/* --- the first leg: stored raw --- */

static const char *why_not_stored(const struct decay_job *decay_job)
{
    if (!decay_job->write_job.job.ran)
        return "the daemon stopped before the decay was stored";
    return cause_of(decay_job->write_job.error);
}

/* The decay leaves memory: it is in the store, and the backlog brings it back when its turn comes. */
static void leave_in_store(struct pipeline *pipeline, struct decay_job *decay_job)
{
    backlog_want(&pipeline->backlog);
    pipeline->jobs--;
    tell_kept(decay_job, false, true);
    decay_job_destroy(decay_job);
}

/* A queue of the identifier may take as much memory as the queue of the writer, not more. */
static bool must_wait_in_store(const struct pipeline *pipeline, const struct decay_job *decay_job)
{
    return pipeline->reader && !decay_job->kept && pipeline->unidentified > 0 &&
           pipeline->unidentified + decay_job->write_job.job.bytes > pipeline->settings.queue_max_bytes;
}

static void on_stored(struct decay_job *decay_job)
{
    struct pipeline *pipeline = decay_job->context;
    bool had_room = pipeline_has_room(pipeline, 4);
    pipeline->unstored -= decay_job->write_job.job.bytes;
    if (decay_job->write_job.job.ran && decay_job->write_job.error == -EEXIST) {
        note_known(pipeline, decay_job);
        pipeline->jobs--;
        tell_kept(decay_job, true, true);
        decay_job_destroy(decay_job);
    } else if (!decay_job->write_job.job.ran || decay_job->write_job.error) {
        pipeline_tell_lost(pipeline, &decay_job->decay->origin, decay_job->write_job.job.ran ? "store" : "shutdown",
                           why_not_stored(decay_job));
        pipeline->jobs--;
        tell_kept(decay_job, false, false);
        decay_job_destroy(decay_job);
    } else if (must_wait_in_store(pipeline, decay_job) || (pipeline->reader && atomic_load(&pipeline->stopping))) {
        leave_in_store(pipeline, decay_job);
    } else {
        pipeline_identify_next(pipeline, decay_job);
    }
    pipeline_tell_drained(pipeline, had_room);
}

/* --- decays come in --- */

/* Both legs are settled here, whether the decay has the first one still before it or not. */
struct decay_job *pipeline_make_job(struct pipeline *pipeline, struct kept_decay *kept, enum job_priority priority)
{
    struct decay_job *decay_job = decay_job_create(kept, priority, pipeline->settings.job_deadline_s);
    if (!decay_job)
        return NULL;
    decay_job->identifier = pipeline->identifier;
    decay_job->writer = store_writer_thread(pipeline->writer);
    decay_job->releases = pipeline->releases;
    decay_job->ending = &pipeline->stopping;
    decay_job->ladder_follows = pipeline->settings.ladder_deadline_s > 0;
    decay_job->stored = on_stored;
    decay_job->finished = on_identified;
    decay_job->context = pipeline;
    return decay_job;
}

void pipeline_want_ladder(struct pipeline *pipeline, struct decay_job *decay_job)
{
    if (!(pipeline->settings.ladder_deadline_s > 0))
        return;
    decay_job->ladder = true;
    decay_job->identifier = pipeline->ladders;
    decay_job->write_job.job.deadline_s = pipeline_ladder_job_s(&pipeline->settings);
}

/* The newest decay gives way, not one that waits: those are promised already. */
static void refuse(struct pipeline *pipeline, const struct decay_origin *origin, struct decay *decay)
{
    char sentence[256];
    snprintf(sentence, sizeof sentence,
             "the queue is full: the decay takes %zu bytes, %zu wait already, and queue_max_bytes is %zu",
             decay_bytes(decay), pipeline_queued_bytes(pipeline), pipeline->settings.queue_max_bytes);
    decay_destroy(decay);
    pipeline_tell_lost(pipeline, origin, "queue_full", sentence);
}

void pipeline_store(struct pipeline *pipeline, struct decay_job *decay_job)
{
    pipeline->unstored += decay_job->write_job.job.bytes;
    pipeline->jobs++;
    decay_job_store(decay_job);
}

int pipeline_submit(struct pipeline *pipeline, const struct decay_origin *origin, struct decay *decay,
                    bool source_waits, bool may_be_known)
{
    if (!source_waits && pipeline_queued_bytes(pipeline) + decay_bytes(decay) > pipeline->settings.queue_max_bytes) {
        refuse(pipeline, origin, decay);
        return -ENOBUFS;
    }
    struct kept_decay *kept = kept_decay_create(origin, decay);
    struct decay_job *decay_job =
        kept ? pipeline_make_job(pipeline, kept, source_waits ? JOB_PATIENT : JOB_LIVE) : NULL;
    if (!decay_job) {
        if (!kept)
            decay_destroy(decay);
        kept_decay_release(kept);
        pipeline_tell_lost(pipeline, origin, "no_memory", "not enough memory for the decay");
        return -ENOMEM;
    }
    kept_decay_release(kept);
    decay_job->may_be_known = may_be_known;
    pipeline_store(pipeline, decay_job);
    return 0;
}
