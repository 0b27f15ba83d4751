/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The two legs of a decay's way. Raw first: whatever identification does to the process, the decay is kept. */

#include "pipeline/decay_job.h"

#include "pipeline/analysis.h"
#include "report/result_text.h"

#include <errno.h>
#include <stdlib.h>

struct decay_job *decay_job_create(struct kept_decay *decay, enum job_priority priority, double deadline_s)
{
    struct decay_job *job = calloc(1, sizeof *job);
    if (!job)
        return NULL;
    job->decay = kept_decay_reference(decay);
    job->revision = 1;
    job->write_job.job.priority = priority;
    job->write_job.job.bytes = decay_bytes(decay->decay);
    job->write_job.job.deadline_s = deadline_s;
    return job;
}

void decay_job_destroy(struct decay_job *job)
{
    kept_result_release(job->result);
    kept_decay_release(job->decay);
    free(job);
}

bool decay_job_publishes(const struct decay_job *job)
{
    return !job->only_compare && job->together == 0;
}

/* --- the first leg --- */

/* What a client wants kept is identified by now, and gets the numbers of the one that is there. */
static int take_number(struct decay_job *decay_job, uint64_t run)
{
    decay_job->decay->id = decay_job->known_id;
    decay_job->decay->run = run;
    decay_job->decay->known = true;
    result_text_forget(decay_job->result);
    return result_text_make(decay_job->result) == 0 ? -EEXIST : -ENOMEM;
}

static int write_decay(struct write_job *write_job, struct store *store)
{
    struct decay_job *decay_job = (struct decay_job *)write_job;
    uint64_t run = 0;
    decay_job->known_id = 0;
    int error = decay_job->may_be_known ? store_find_same(store, decay_job->decay, &decay_job->known_id, &run) : 0;
    if (!error && decay_job->known_id > 0)
        return decay_job->result ? take_number(decay_job, run) : -EEXIST;
    return error ? error : store_put_decay(store, decay_job->decay);
}

/* What the writer wrote, it wrote before this: back to the event loop. */
static void on_stored(struct job *job)
{
    struct decay_job *decay_job = (struct decay_job *)job;
    decay_job->stored(decay_job);
}

void decay_job_store(struct decay_job *job)
{
    job->write_job.write = write_decay;
    job->write_job.job.run = write_job_ends;
    job->write_job.job.finished = on_stored;
    worker_submit(job->writer, &job->write_job.job);
}

/* --- the second leg --- */

static int next_revision(struct kept_result *result)
{
    result->revision++;
    result_text_forget(result);
    return result_text_make(result) == 0 ? 0 : -ENOMEM;
}

/* The ladder of a decay, and other orders, may be stored while somebody has the decay identified again: what they asked
 * for comes behind them. */
static int write_result(struct write_job *write_job, struct store *store)
{
    enum { MOST_TRIES = 20 }; /* more than there are orders at once */
    const struct decay_job *decay_job = (struct decay_job *)write_job;
    int error = store_put_result(store, decay_job->result);
    for (int tries = 1; error == -EEXIST && decay_job->again && tries < MOST_TRIES; tries++) {
        error = next_revision(decay_job->result);
        if (!error)
            error = store_put_result(store, decay_job->result);
    }
    return error;
}

static bool was_cancelled(const struct identification *found)
{
    return found->verdict == VERDICT_CANCELLED || found->ladder_stopped ||
           (found->ladder && found->ladder->verdict == VERDICT_CANCELLED);
}

/* Whoever reads the first answer, and whoever takes up what a daemon left undone, sees it there. */
static void promise_ladder(const struct decay_job *decay_job)
{
    const struct kept_result *result = decay_job->result;
    struct identification *found = &decay_job->result->identification;
    if (result->found) /* a kind in two steps has promised it itself */
        return;
    found->ladder_follows =
        decay_job->ladder_follows && !found->ladder && !decay_job->ladder && found->recommended != RECOMMENDED_NONE;
}

/* What ended it before it had any answer; 0: nothing did. */
static int ended_by(const struct identification *found)
{
    return was_cancelled(found) ? -ECANCELED : found->verdict == VERDICT_NO_MEMORY ? -ENOMEM : 0;
}

/* The answer that was there is worth more than none of a second step that was stopped, or for which memory was short.
 */
static bool earlier_answer_stays(const struct decay_job *decay_job)
{
    return *decay_job->ending || (decay_job->has_answer && !decay_job->joint && decay_job->result->found);
}

/* What earlier releases say, where there will be a ladder to ask them. */
static struct kept_result *identify_after_others(const struct decay_job *decay_job, const atomic_bool *cancel)
{
    struct earlier_releases earlier = {.count = 0};
    const struct analysis_steps steps = {.ladder = decay_job->ladder,
                                         .more_follows = decay_job->ladder_follows && !decay_job->ladder,
                                         .earlier = &earlier};
    if (steps.ladder)
        release_memory_before(decay_job->releases, decay_job->decay, &earlier);
    struct kept_result *result = identify_kept_decay(decay_job->decay, &steps, cancel);
    if (result && result->identification.ladder && decay_job_publishes(decay_job))
        release_memory_add(decay_job->releases, decay_job->decay, result->identification.ladder);
    return result;
}

/* Any verdict is a result; only memory can be lacking. An identification that was told to stop because the daemon ends
 * is none: the decay is identified at the next start. */
static struct worker *identify_decay(struct job *job)
{
    struct decay_job *decay_job = (struct decay_job *)job;
    decay_job->write_job.error = 0;
    if (!decay_job->result) /* else it was identified before it was stored */
        decay_job->result = decay_job->given_up ? leave_kept_decay(decay_job->decay, VERDICT_GIVEN_UP)
                                                : identify_after_others(decay_job, &job->cancel);
    if (decay_job->result && earlier_answer_stays(decay_job))
        decay_job->write_job.error = ended_by(&decay_job->result->identification);
    if (decay_job->write_job.error)
        return NULL;
    if (decay_job->result) {
        decay_job->result->revision = decay_job->revision;
        promise_ladder(decay_job);
    }
    if (!decay_job->result || result_text_make(decay_job->result) != 0) {
        decay_job->write_job.error = -ENOMEM;
        return NULL;
    }
    job->run = write_job_ends;
    return decay_job_publishes(decay_job) ? decay_job->writer : NULL;
}

static void on_finished(struct job *job)
{
    struct decay_job *decay_job = (struct decay_job *)job;
    decay_job->finished(decay_job);
}

static int write_attempt(struct write_job *write_job, struct store *store)
{
    return store_put_attempt(store, ((struct decay_job *)write_job)->decay->id);
}

/* The attempt is on the disk: it may be made. For a first answer, one that follows another is made at once, before
 * whatever waits: else the decay would be blamed for a daemon that was killed while it only stood in a queue. A ladder
 * takes too long for the others to wait. */
static struct worker *attempt_noted(struct job *job)
{
    struct decay_job *decay_job = (struct decay_job *)job;
    if (decay_job->write_job.error)
        return NULL;
    decay_job->attempted = true;
    if (decay_job->decay->attempts > 0 && !decay_job->has_answer)
        job->priority = JOB_LIVE;
    decay_job->write_job.write = write_result;
    job->run = identify_decay;
    return decay_job->identifier;
}

void decay_job_identify(struct decay_job *job)
{
    bool note_first = job->left_over && !job->given_up;
    job->write_job.write = note_first ? write_attempt : write_result;
    job->write_job.job.run = note_first ? attempt_noted : identify_decay;
    job->write_job.job.finished = on_finished;
    worker_submit(note_first ? job->writer : job->identifier, &job->write_job.job);
}
