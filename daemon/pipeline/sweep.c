/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From one decay without a result to the next, in the order in which they were stored. Those that a daemon did not
 * survive come last: they hold nobody up, and a daemon that is killed again and again is not killed over the same. */

#include "pipeline/sweep.h"

#include "store/read_decay.h"

#include <stdlib.h>

/* The question for the next decay. */
struct step {
    struct read_job read_job; /* first: a step is this */
    struct sweep *sweep;
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

static void take_step(struct sweep *sweep);

/* Nothing was read: the sweep is over until sweep_start() is called again. What was left in the store while the last
 * question was on its way may not have been seen by it. */
static void rest(struct sweep *sweep, bool failed)
{
    sweep->running = false;
    sweep->wanted = failed || sweep->again;
    sweep->again = false;
    sweep->tried = false;
    sweep->after = 0;
    sweep->rested(sweep->context);
}

static void step_finished(struct job *job)
{
    struct step *step = (struct step *)job;
    struct sweep *sweep = step->sweep;
    if (!job->ran || step->id == 0)
        rest(sweep, !job->ran || step->read_job.error != 0);
    else {
        sweep->after = step->id;
        sweep->tried = step->tried;
        if (step->decay && !sweep->on_its_way(sweep->context, step->id)) {
            sweep->found(sweep->context, step->decay, step->revision + 1);
        } else {
            if (!step->decay)
                sweep->unreadable(sweep->context, step->id, step->read_job.error);
            take_step(sweep);
        }
    }
    kept_decay_release(step->decay);
    free(step);
}

static void take_step(struct sweep *sweep)
{
    struct step *step = calloc(1, sizeof *step);
    if (!step) {
        rest(sweep, true);
        return;
    }
    step->read_job.job.finished = step_finished;
    step->read_job.job.priority = JOB_PATIENT;
    step->read_job.read = read_step;
    step->sweep = sweep;
    step->tried = sweep->tried;
    step->after = sweep->after;
    sweep->running = true;
    store_reader_submit(sweep->reader, &step->read_job);
}

void sweep_want(struct sweep *sweep)
{
    sweep->wanted = true;
    sweep->again = sweep->running;
}

void sweep_start(struct sweep *sweep)
{
    if (sweep->reader && sweep->wanted && !sweep->running)
        take_step(sweep);
}

void sweep_next(struct sweep *sweep)
{
    take_step(sweep);
}
