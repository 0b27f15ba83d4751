/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From one decay that waits to the next, in the order in which they were stored. Those that a daemon did not
 * survive come last: they hold nobody up, and a daemon that is killed again and again is not killed over the same. */

#include "pipeline/backlog.h"

#include "store/read_decay.h"

#include <stdlib.h>

/* The question for the next decay. */
struct step {
    struct read_job read_job; /* first: a step is this */
    struct backlog *backlog;
    bool tried;
    uint64_t after;
    struct waiting_decay next;
    struct kept_decay *decay; /* NULL: the next one does not wait any more */
};

static int find_next(struct step *step, struct database *database)
{
    find_waiting *find = step->backlog->find;
    int error = find(database, step->tried, step->after, &step->next);
    if (!error && step->next.id == 0 && !step->tried) {
        step->tried = true;
        error = find(database, true, 0, &step->next);
    }
    return error;
}

/* A live decay may get its result between the two questions: it does not get a second one. */
static int read_step(struct read_job *read_job, struct database *database)
{
    struct step *step = (struct step *)read_job;
    unsigned revision;
    int error = find_next(step, database);
    if (error || step->next.id == 0 || !step->next.waits)
        return error;
    error = read_decay(database, step->next.id, &step->decay, &revision);
    if (!error && revision != step->backlog->revision) {
        kept_decay_release(step->decay);
        step->decay = NULL;
    }
    return error;
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
    const uint64_t id = step->next.id;
    if (!job->ran || id == 0)
        rest(backlog, !job->ran || step->read_job.error != 0);
    else {
        backlog->after = id;
        backlog->tried = step->tried;
        if (step->decay && !backlog->on_its_way(backlog->context, id)) {
            backlog->found(backlog, step->decay, step->next.together);
        } else {
            if (step->read_job.error)
                backlog->unreadable(backlog->context, id, step->read_job.error);
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

void backlog_put_off(struct backlog *backlog)
{
    rest(backlog, true);
}
