/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PIPELINE_STATE_H
#define FRICID_PIPELINE_STATE_H

#include "pipeline/backlog.h"
#include "pipeline/decay_job.h"
#include "pipeline/identify_job.h"
#include "pipeline/joint_runs.h"
#include "pipeline/pipeline.h"
#include "pipeline/simulate_job.h"
#include "worker/mailbox.h"

#include <stdatomic.h>

/* What a pipeline is made of; for pipeline.c, which starts and stops it, pipeline_decays.c, which sends decays on their
 * way, pipeline_joint.c, which brings the channels of a run together, pipeline_store.c, which brings decays back out of
 * the store, pipeline_requests.c, which takes requests, and pipeline_status.c, which shows it. */

/* Decays of a rig that the store has already, until they are told of together. */
struct known_decays {
    struct decay_origin origin; /* of the latest of them */
    uint64_t count, latest_id;
};

/* Belongs to the event loop's thread; workers reach the store through their jobs, and nothing else of it. */
struct pipeline {
    struct pipeline_settings settings;
    struct pipeline_listener listener;
    struct mailbox *mailbox;
    struct store_writer *writer;
    struct store_reader *reader;                        /* NULL: the store is in memory */
    struct worker *identifier;                          /* first answers, which wait for no ladder */
    struct worker *ladders;                             /* answers with the ladder of models */
    struct release_memory *releases, *request_releases; /* of the rigs; of requests that belong together */
    size_t unstored;                                    /* bytes of decays that wait to be stored */
    size_t unidentified;   /* bytes of stored decays that wait in memory for their result */
    size_t without_ladder; /* bytes of decays that have a result and wait for the one with the ladder, or with other
                              channels */
    size_t jobs;           /* decays and requests on their way to an answer */
    atomic_bool stopping;
    LIST_HEAD(, decay_job) identifying; /* decays on their second leg */
    struct backlog backlog;             /* decays without a result */
    struct backlog ladder_backlog;      /* those whose ladder is pending, behind all others */
    struct backlog joint_backlog;       /* and behind these, runs whose channels were not fitted together yet */
    struct write_job look;              /* sees whether the file is still in its place, when nothing else is written */
    bool looking;
    unsigned distrusts; /* how often the store was set aside because a reader met damage */
    struct known_decays known;
    uint64_t left_over; /* decays up to this one are of daemons before this one */
    struct identify_jobs requests;
    struct simulate_job_list simulations; /* their tickets are of the same series */
    struct joint_runs joint_runs;         /* what waits for the other channels of its run */
    LIST_HEAD(, joint_job) joining;       /* runs whose channels are being fitted together */
    void (*publish_joint)(struct pipeline *pipeline, struct kept_result *result); /* what comes of that */
    uint64_t ladder_run;            /* that the pass through ladder_backlog is at; 0: at none */
    struct complaint store_problem; /* what the writer told of and did not take back; empty: nothing */
    struct complaint set_aside;     /* what it told of a damaged file last; empty: there was none */
};

/* Nothing is lost unsaid. */
void pipeline_tell_lost(struct pipeline *pipeline, const struct decay_origin *origin, const char *reason,
                        const char *sentence);
void pipeline_tell(struct pipeline *pipeline, const char *code, const char *sentence);

/* Tells of the decays that the store has already, if there are any to tell of. */
void pipeline_tell_known(struct pipeline *pipeline);

/* Whether what is on its way takes at most one part in so many of queue_max_bytes, and no store is looked through. */
bool pipeline_has_room(const struct pipeline *pipeline, size_t part);

/* Sources go on when there is room now and was none before. */
void pipeline_tell_drained(struct pipeline *pipeline, bool had_room);

/* What counts against queue_max_bytes. */
size_t pipeline_queued_bytes(const struct pipeline *pipeline);

/* NULL when memory is short. */
struct decay_job *pipeline_make_job(struct pipeline *pipeline, struct kept_decay *kept, enum job_priority priority);

/* The longest time of a job that identifies and climbs the ladder of models, s; 0: no limit. */
static inline double pipeline_ladder_job_s(const struct pipeline_settings *settings)
{
    return settings->job_deadline_s > 0 ? settings->job_deadline_s + settings->ladder_deadline_s : 0;
}

/* The job's answer comes with the ladder of models, where any does. */
void pipeline_want_ladder(struct pipeline *pipeline, struct decay_job *decay_job);

/* The result of a job that is done, and is not on its second leg any more, may wait for the other channels of its run.
 */
void pipeline_keep_for_run(struct pipeline *pipeline, struct decay_job *decay_job);

/* Fits the channels of a run together when none of them is on its way to a ladder any more. */
void pipeline_join_run(struct pipeline *pipeline, uint64_t run);

/* The same for each run of which a result waits. */
void pipeline_join_all(struct pipeline *pipeline);

/* Whether the ladder of a decay is made, and its result waits for the other channels or is being fitted with them. */
bool pipeline_is_joining(const struct pipeline *pipeline, uint64_t id);

/* Sends a result that was fitted together with others to the store as the next revision; takes it over. */
void pipeline_publish_joint(struct pipeline *pipeline, struct kept_result *result);

/* A decay is not fitted together with the other channels of its run, and why; when the daemon ends that goes without
 * saying. */
void pipeline_tell_apart(struct pipeline *pipeline, const struct kept_decay *decay, const char *cause);

/* Sends a decay on its first leg; takes the job over. */
void pipeline_store(struct pipeline *pipeline, struct decay_job *decay_job);

/* Sends a stored decay on its second leg; takes the job over. */
void pipeline_identify_next(struct pipeline *pipeline, struct decay_job *decay_job);

/* A reader may have met damage: then the store is set aside, though not for ever. */
void pipeline_look_after_store(struct pipeline *pipeline);

/* The daemon survived an attempt that was noted, and that stored no result; one that is stored takes all of them back.
 */
void pipeline_take_back_attempt(struct pipeline *pipeline, uint64_t id);

/* Whether ladders are made now. */
bool pipeline_makes_ladders(const struct pipeline *pipeline);

/* What waits in the store is brought back when its turn has come. */
void pipeline_start_backlogs(struct pipeline *pipeline);

/* Sets up the backlogs that bring decays back. */
void pipeline_observe_store(struct pipeline *pipeline);

/* A store_writer_listener: context is the pipeline. */
void pipeline_hear_store(void *context, const char *code, const char *sentence);

#endif
