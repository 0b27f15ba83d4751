/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "pipeline/simulate_job.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { SIMULATE_JOBS_MOST = 64 };

/* Owned by the worker while it is queued or runs, then by finished(). */
struct simulate_job {
    struct job job;
    LIST_ENTRY(simulate_job) entry;
    struct simulate_job_settings settings;
    struct simulate_request *request;
    simulate_answer answer;
    void *answer_context;
};

/* The column of one of these quantities out of rows, into `room`; NULL: there is none. */
static const double *take_column(const struct simulate_request *request, const char *const quantity[2], double *room)
{
    const struct kind_form *form = request->form;
    for (size_t c = 0; c < form->count; c++) {
        const char *name = form->column[c].quantity;
        if (strcmp(name, quantity[0]) != 0 && strcmp(name, quantity[1]) != 0)
            continue;
        for (size_t i = 0; i < request->rows; i++)
            room[i] = request->figures[i * form->count + c];
        return room;
    }
    return NULL;
}

/* In the worker's thread: touches nothing but its own job. */
static struct worker *simulate_job_run(struct job *job)
{
    static const char *const time[] = {QUANTITY_TIME, QUANTITY_TIME};
    static const char *const motion[] = {QUANTITY_DISPLACEMENT, QUANTITY_ANGLE};
    static const char *const force[] = {QUANTITY_FORCE, QUANTITY_TORQUE};
    struct simulate_request *request = ((struct simulate_job *)job)->request;
    const size_t rows = request->rows;
    double *room = malloc((3 * rows + 1) * sizeof *room);
    request->verdict = VERDICT_NO_MEMORY;
    if (!room)
        return NULL;
    const struct simulation_input input = {.time_s = take_column(request, time, room),
                                           .displacement = take_column(request, motion, room + rows),
                                           .force = take_column(request, force, room + 2 * rows),
                                           .count = rows,
                                           .mass = request->task->mass};
    request->verdict = simulate(&request->task->contact, &input, &job->cancel, &request->found);
    free(room);
    return NULL;
}

static const char *complaint_of(const struct simulate_job *simulate_job)
{
    if (!simulate_job->job.ran)
        return "the daemon is stopping";
    if (simulate_job->request->verdict == VERDICT_NO_MEMORY)
        return "memory is short at the moment: try again later";
    return atomic_load(&simulate_job->job.cancel)
               ? "the simulation was stopped: it took longer than job_deadline_s allows, or the daemon is ending"
               : NULL;
}

static void simulate_job_finished(struct job *job)
{
    struct simulate_job *simulate_job = (struct simulate_job *)job;
    LIST_REMOVE(simulate_job, entry);
    simulate_job->answer(simulate_job->answer_context, complaint_of(simulate_job));
    simulate_job->settings.done(simulate_job->settings.done_context);
    free(simulate_job);
}

static size_t count_jobs(const struct simulate_job_list *jobs)
{
    size_t count = 0;
    const struct simulate_job *simulate_job;
    LIST_FOREACH(simulate_job, jobs, entry)
    count++;
    return count;
}

int simulate_jobs_add(struct simulate_job_list *jobs, struct worker *worker,
                      const struct simulate_job_settings *settings, struct simulate_request *request,
                      simulate_answer answer, void *answer_context)
{
    if (count_jobs(jobs) >= SIMULATE_JOBS_MOST)
        return -EAGAIN;
    struct simulate_job *simulate_job = calloc(1, sizeof *simulate_job);
    if (!simulate_job)
        return -ENOMEM;
    simulate_job->job.run = simulate_job_run;
    simulate_job->job.finished = simulate_job_finished;
    simulate_job->job.priority = JOB_REQUEST;
    simulate_job->job.bytes = request->rows * request->form->count * sizeof(double);
    simulate_job->job.deadline_s = settings->deadline_s;
    simulate_job->settings = *settings;
    simulate_job->request = request;
    simulate_job->answer = answer;
    simulate_job->answer_context = answer_context;
    LIST_INSERT_HEAD(jobs, simulate_job, entry);
    worker_submit(worker, &simulate_job->job);
    return 0;
}

/* The job ends in its own time; its memory is freed when it comes back. */
void simulate_jobs_cancel(struct simulate_job_list *jobs, long ticket)
{
    struct simulate_job *simulate_job;
    LIST_FOREACH(simulate_job, jobs, entry)
    {
        if (simulate_job->settings.ticket == ticket)
            atomic_store(&simulate_job->job.cancel, true);
    }
}
