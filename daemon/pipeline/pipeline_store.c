/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Decays that come back out of the store: after a crash, when there were too many at once, and when
 * somebody wants them identified again. */

#include "pipeline/pipeline_state.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_on_its_way(void *context, uint64_t id)
{
    const struct pipeline *pipeline = context;
    const struct decay_job *decay_job;
    LIST_FOREACH(decay_job, &pipeline->identifying, entry)
    {
        if (decay_job->decay->id == id)
            return true;
    }
    return false;
}

/* It is not made once more while the others of its run are, or the fit of all. */
static bool is_on_its_way_to_joint(void *context, uint64_t id)
{
    return is_on_its_way(context, id) || pipeline_is_joining(context, id);
}

/* A decay that no daemon survives would keep all others from their results for ever. Not few: a decay is also in work
 * when the power fails, or somebody kills the daemon, several times on end. */
enum { MOST_ATTEMPTS = 10 };

static bool is_left_over(const struct pipeline *pipeline, const struct kept_decay *decay)
{
    return decay->id <= pipeline->left_over;
}

static bool is_given_up(const struct pipeline *pipeline, const struct kept_decay *decay)
{
    return is_left_over(pipeline, decay) && decay->attempts >= MOST_ATTEMPTS;
}

static void tell_given_up(struct pipeline *pipeline, const struct kept_decay *decay, const char *once_more)
{
    char sentence[384];
    snprintf(sentence, sizeof sentence,
             "decay %" PRIu64 " of rig %s, channel %s: the daemon ended %u times while it identified it. The decay is "
             "kept and left alone; fricidctl reidentify %s tries once more",
             decay->id, decay->origin.rig, decay->origin.channel, decay->attempts, once_more);
    pipeline_tell(pipeline, "decay_given_up", sentence);
}

static struct decay_job *make_job_of_backlog(struct backlog *backlog, struct kept_decay *decay,
                                             enum job_priority priority)
{
    struct pipeline *pipeline = backlog->context;
    struct decay_job *decay_job = pipeline_make_job(pipeline, decay, priority);
    if (!decay_job)
        return NULL;
    decay_job->backlog = backlog;
    decay_job->revision = backlog->revision + 1;
    decay_job->left_over = is_left_over(pipeline, decay);
    return decay_job;
}

static void on_without_result(struct backlog *backlog, struct kept_decay *decay, unsigned together)
{
    (void)together;
    struct pipeline *pipeline = backlog->context;
    struct decay_job *decay_job = make_job_of_backlog(backlog, decay, JOB_PATIENT);
    if (!decay_job) {
        pipeline_tell_lost(pipeline, &decay->origin, "no_memory", "not enough memory for the result");
        backlog_next(backlog);
        return;
    }
    decay_job->given_up = is_given_up(pipeline, decay);
    if (decay_job->given_up)
        tell_given_up(pipeline, decay, "--verdict given_up");
    pipeline->jobs++;
    pipeline_identify_next(pipeline, decay_job);
}

/* It keeps the result that it has. */
static void give_up_ladder(struct backlog *backlog, const struct kept_decay *decay)
{
    char once_more[48];
    snprintf(once_more, sizeof once_more, "--where id=%" PRIu64, decay->id);
    tell_given_up(backlog->context, decay, once_more);
    backlog_next(backlog);
}

/* The pass goes on to another run, or ends with 0: of the last one it brings no more ladders. */
static void go_to_run(struct pipeline *pipeline, uint64_t run)
{
    if (pipeline->ladder_run != run)
        pipeline_join_run(pipeline, pipeline->ladder_run);
    pipeline->ladder_run = run;
}

/* It stays pending where memory is short, or other settings hold by now. */
static void on_without_ladder(struct backlog *backlog, struct kept_decay *decay, unsigned together)
{
    (void)together;
    struct pipeline *pipeline = backlog->context;
    go_to_run(pipeline, decay->run);
    if (is_given_up(pipeline, decay)) {
        give_up_ladder(backlog, decay);
        return;
    }
    struct decay_job *decay_job =
        pipeline_makes_ladders(pipeline) ? make_job_of_backlog(backlog, decay, JOB_AGAIN) : NULL;
    if (!decay_job) {
        backlog_put_off(backlog);
        return;
    }
    decay_job->has_answer = true;
    pipeline_want_ladder(pipeline, decay_job);
    pipeline_identify_next(pipeline, decay_job);
    backlog_want(&pipeline->joint_backlog);
}

/* A result as it was, for what its numbers are; the channels of a run are fitted together when all have come. */
static void on_without_joint(struct backlog *backlog, struct kept_decay *decay, unsigned together)
{
    struct pipeline *pipeline = backlog->context;
    if (is_given_up(pipeline, decay)) {
        backlog_next(backlog);
        return;
    }
    struct decay_job *decay_job =
        pipeline_makes_ladders(pipeline) ? make_job_of_backlog(backlog, decay, JOB_AGAIN) : NULL;
    if (!decay_job) {
        backlog_put_off(backlog);
        return;
    }
    decay_job->revision = backlog->revision;
    decay_job->together = together;
    decay_job->has_answer = true;
    pipeline_want_ladder(pipeline, decay_job);
    pipeline_identify_next(pipeline, decay_job);
}

/* Sources that waited for it may go on. */
static void on_rested(void *context)
{
    pipeline_tell_drained(context, false);
}

static void on_ladders_rested(void *context)
{
    go_to_run(context, 0);
    on_rested(context);
}

/* Of a run that could not be gathered, those that are there are fitted together, unless another pass follows. */
static void on_joint_rested(void *context)
{
    struct pipeline *pipeline = context;
    if (!pipeline->joint_backlog.wanted)
        pipeline_join_all(pipeline);
    on_rested(context);
}

static void on_unreadable(void *context, uint64_t id, int error)
{
    char sentence[256];
    snprintf(sentence, sizeof sentence,
             error == -EUCLEAN || error == -ENODATA
                 ? "decay %" PRIu64 " cannot be identified: its samples in the store are damaged"
                 : "decay %" PRIu64 " cannot be identified now: it could not be read from the store",
             id);
    pipeline_tell(context, "decay_unreadable", sentence);
}

static void identify_what_waits(struct pipeline *pipeline)
{
    if (!pipeline->reader || atomic_load(&pipeline->stopping))
        return;
    backlog_want(&pipeline->backlog);
    backlog_want(&pipeline->ladder_backlog);
    backlog_want(&pipeline->joint_backlog);
    pipeline_start_backlogs(pipeline);
}

enum { CHECK_LOOKS = 3, MOST_DISTRUSTS = 3 };

int pipeline_identify_again(struct pipeline *pipeline, struct kept_decay *decay, unsigned revision, bool only_compare,
                            bool ladder, void (*again)(void *context, const struct kept_result *result), void *context)
{
    struct decay_job *decay_job = pipeline_make_job(pipeline, decay, JOB_AGAIN);
    if (!decay_job)
        return -ENOMEM;
    decay_job->revision = revision;
    decay_job->only_compare = only_compare;
    if (ladder)
        pipeline_want_ladder(pipeline, decay_job);
    decay_job->again = again;
    decay_job->again_context = context;
    pipeline->jobs++;
    pipeline_identify_next(pipeline, decay_job);
    return 0;
}

/* A look through the whole file, on the way of everything that is written. */
struct check_job {
    struct write_job write_job; /* first: a check is this */
    struct pipeline *pipeline;
    bool at_start;
    bool damaged;     /* known to be, before the first look */
    unsigned repairs; /* that there had been when it was sent: a later one has set aside what was known */
    unsigned looks;
    uint64_t latest; /* decay in the store */
};

/* The writer sets aside what is damaged, then looks again. Damage that stays keeps nobody from writing what can be
 * written. */
static int check_store(struct write_job *write_job, struct store *store)
{
    struct check_job *check = (struct check_job *)write_job;
    int error = check->looks < CHECK_LOOKS ? store_check(store) : 0;
    /* What a look at the tables does not find: texts that are none, samples that are not what was stored. */
    bool mended = store_writer_repairs(check->pipeline->writer) != check->repairs;
    if (check->looks++ < CHECK_LOOKS && check->damaged && !mended && !error)
        error = -EUCLEAN;
    return error ? error : store_latest_decay(store, &check->latest);
}

static void check_finished(struct job *job)
{
    struct check_job *check = (struct check_job *)job;
    if (check->at_start)
        check->pipeline->left_over = check->latest;
    if (job->ran)
        identify_what_waits(check->pipeline);
    free(check);
}

static void send_check(struct pipeline *pipeline, bool at_start, bool damaged)
{
    struct check_job *check = pipeline->reader ? calloc(1, sizeof *check) : NULL;
    if (!check)
        return;
    check->write_job.write = check_store;
    check->write_job.job.finished = check_finished;
    check->pipeline = pipeline;
    check->at_start = at_start;
    check->damaged = damaged;
    check->repairs = store_writer_repairs(pipeline->writer);
    store_writer_submit(pipeline->writer, &check->write_job);
}

/* The check comes before anything is written: a damaged file is set aside by the writer before it gets more. */
void pipeline_recover(struct pipeline *pipeline)
{
    send_check(pipeline, true, false);
}

static int write_nothing(struct write_job *write_job, struct store *store)
{
    (void)write_job;
    (void)store;
    return 0;
}

static void look_finished(struct job *job)
{
    struct write_job *look = (struct write_job *)job;
    struct pipeline *pipeline = (struct pipeline *)((char *)look - offsetof(struct pipeline, look));
    pipeline->looking = false;
}

/* The writer looks before and after everything that it writes, be it nothing. */
static void send_look(struct pipeline *pipeline)
{
    if (!pipeline->reader || pipeline->looking || atomic_load(&pipeline->stopping))
        return;
    pipeline->look =
        (struct write_job){.job.finished = look_finished, .job.priority = JOB_AGAIN, .write = write_nothing};
    pipeline->looking = true;
    store_writer_submit(pipeline->writer, &pipeline->look);
}

void pipeline_look_after_store(struct pipeline *pipeline)
{
    send_look(pipeline);
    if (pipeline->reader && store_writer_is_distrusted(pipeline->writer) && pipeline->distrusts++ < MOST_DISTRUSTS)
        send_check(pipeline, false, true);
}

/* Another file may hold decays that have no result: they are identified. */
void pipeline_hear_store(void *context, const char *code, const char *sentence)
{
    struct pipeline *pipeline = context;
    if (strcmp(code, "store_fault") == 0)
        complaint_set(&pipeline->store_problem, "%s", sentence);
    else if (strcmp(code, "store_recovered") == 0)
        pipeline->store_problem.text[0] = '\0';
    else if (strcmp(code, "store_set_aside") == 0)
        complaint_set(&pipeline->set_aside, "%s", sentence);
    pipeline_tell(pipeline, code, sentence);
    identify_what_waits(pipeline);
}

void pipeline_observe_store(struct pipeline *pipeline)
{
    pipeline->backlog = (struct backlog){.reader = pipeline->reader,
                                         .find = next_without_result,
                                         .found = on_without_result,
                                         .unreadable = on_unreadable,
                                         .rested = on_rested,
                                         .on_its_way = is_on_its_way,
                                         .context = pipeline};
    pipeline->ladder_backlog = pipeline->backlog;
    pipeline->ladder_backlog.find = next_without_ladder;
    pipeline->ladder_backlog.found = on_without_ladder;
    pipeline->ladder_backlog.rested = on_ladders_rested;
    pipeline->ladder_backlog.revision = 1;
    pipeline->joint_backlog = pipeline->backlog;
    pipeline->joint_backlog.find = next_without_joint;
    pipeline->joint_backlog.found = on_without_joint;
    pipeline->joint_backlog.rested = on_joint_rested;
    pipeline->joint_backlog.on_its_way = is_on_its_way_to_joint;
    pipeline->joint_backlog.revision = 2;
}
