/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From one decay without a result to the next, in the order in which they were stored. Those that a daemon did not
 * survive come last: they hold nobody up, and a daemon that is killed again and again is not killed over the same. */

#include "pipeline/backlog.h"

#include "store/read_decay.h"

#include <stdlib.h>

/* The question for the next decay. */
struct step {
    struct read_job read_job; /* first: a step is this */
    struct backlog *backlog;
    bool tried;
    uint64_t after, id;
    struct kept_decay *decay;
    unsigned revision;
};

static int find_next(struct step *step, struct database *database)
{
    int error = next_waiting(database, step->tried, step->after, &step->id);
    if (!error && step->id == 0 && !step->tried) {
        step->tried = true;
        error = next_waiting(database, true, 0, &step->id);
    }
    return error;
}

/* A live decay may get its result between the two questions: it does not get a second one. */
static int read_step(struct read_job *read_job, struct database *database)
{
    struct step *step = (struct step *)read_job;
    for (;;) {
        int error = find_next(step, database);
        if (error || step->id == 0)
            return error;
        error = read_decay(database, step->id, &step->decay, &step->revision);
        if (error || step->revision == 0)
            return error;
        kept_decay_release(step->decay);
        step->decay = NULL;
        step->after = step->id;
    }
}

static void take_step(struct backlog *backlog);

/* Nothing was read: the pass through the backlog is over until backlog_start() is called again. What was left in the
 * store while the last question was on its way may not have been seen by it. */
static void rest(struct backlog *backlog, bool failed)
{
    backlog->running = false;
    backlog->wanted = failed || backlog->again;
    backlog->again = false;
    backlog->tried = false;
    backlog->after = 0;
    backlog->rested(backlog->context);
}

static void step_finished(struct job *job)
{
    struct step *step = (struct step *)job;
    struct backlog *backlog = step->backlog;
    if (!job->ran || step->id == 0)
        rest(backlog, !job->ran || step->read_job.error != 0);
    else {
        backlog->after = step->id;
        backlog->tried = step->tried;
        if (step->decay && !backlog->on_its_way(backlog->context, step->id)) {
            backlog->found(backlog->context, step->decay, step->revision + 1);
        } else {
            if (!step->decay)
                backlog->unreadable(backlog->context, step->id, step->read_job.error);
            take_step(backlog);
        }
    }
    kept_decay_release(step->decay);
    free(step);
}

static void take_step(struct backlog *backlog)
{
    struct step *step = calloc(1, sizeof *step);
    if (!step) {
        rest(backlog, true);
        return;
    }
    step->read_job.job.finished = step_finished;
    step->read_job.job.priority = JOB_PATIENT;
    step->read_job.read = read_step;
    step->backlog = backlog;
    step->tried = backlog->tried;
    step->after = backlog->after;
    backlog->running = true;
    store_reader_submit(backlog->reader, &step->read_job);
}

void backlog_want(struct backlog *backlog)
{
    backlog->wanted = true;
    backlog->again = backlog->running;
}

void backlog_start(struct backlog *backlog)
{
    if (backlog->reader && backlog->wanted && !backlog->running)
        take_step(backlog);
}

void backlog_next(struct backlog *backlog)
{
    take_step(backlog);
}
