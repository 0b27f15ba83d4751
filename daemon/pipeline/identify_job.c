/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A client's record on its way through the identifier thread. Apart from the decays of the rigs: it is not stored,
 * somebody waits for it, and that somebody may leave. */

#include "pipeline/identify_job.h"

#include "acquire/source.h"
#include "pipeline/analysis.h"
#include "report/result_text.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Clients wait for their answers: more than this would wait for ever. */
enum { IDENTIFY_JOBS_MOST = 64 };

/* Owned by the worker while it is queued or runs, then by identify_request_finished(). */
struct identify_job {
    struct job job;
    LIST_ENTRY(identify_job) entry;
    struct identify_job_settings settings;
    struct identify_request request; /* owned */
    struct decay_origin origin;
    long ticket;
    identify_answer answer;
    void *answer_context;
    struct analysis analysis;
    int error;
};

void identify_jobs_init(struct identify_jobs *jobs)
{
    LIST_INIT(&jobs->running);
    jobs->last_ticket = 0;
}

/* As many as a client gets with its first answers: written here, because it takes longer than all else that the event
 * loop does with them. Where memory is short it is the loop that notices. */
static int write_documents(struct analysis *analysis, struct memory_charge *charge)
{
    size_t bytes = 0;
    for (size_t i = 0; i < analysis->count && bytes < IDENTIFY_TEXT_BYTES; i++) {
        const char *document = result_document(analysis->results[i]);
        size_t length = document ? strlen(document) + 1 : 0;
        if (charge && memory_charge_add(charge, length) != MEMORY_GRANTED)
            return -EDQUOT;
        bytes += length;
    }
    return 0;
}

/* Without a gap there is one run, which the analysis makes itself. False: memory is short. */
static bool make_runs(const struct identify_request *request, struct analysis_run **runs)
{
    *runs = request->gap_count > 0 ? calloc(request->gap_count + 1, sizeof **runs) : NULL;
    if (!*runs)
        return request->gap_count == 0;
    uint64_t missing = 0;
    for (size_t i = 0; i <= request->gap_count; i++) {
        const struct request_gap none = {0}, *gap = i > 0 ? &request->gaps[i - 1] : &none;
        missing += gap->lost;
        (*runs)[i] = (struct analysis_run){.first = gap->sample,
                                           .first_index = gap->sample + missing,
                                           .origin_s = request->start_s,
                                           .period_s = request->period_s,
                                           .broken = i > 0,
                                           .lost = gap->lost};
    }
    return true;
}

/* With the releases of the requests before it, and remembered for those behind it, where they belong together. */
static int analyse_together(struct identify_job *identify_job, struct analysis_input *input)
{
    struct decay_origin all = identify_job->origin;
    struct earlier_releases earlier = {.count = 0};
    snprintf(all.rig, sizeof all.rig, "%s", identify_job->request.together);
    if (*all.rig)
        release_memory_get(identify_job->settings.releases, &all, &earlier);
    input->earlier = &earlier;
    const int error = analyse(input, &identify_job->analysis);
    if (*all.rig && !error)
        release_memory_put(identify_job->settings.releases, &all, &identify_job->analysis.earlier);
    return error;
}

/* In the identifier's thread: touches nothing but its own job, and the memory of releases, which has a lock. */
static struct worker *identify_request_run(struct job *job)
{
    struct identify_job *identify_job = (struct identify_job *)job;
    const struct identify_request *request = &identify_job->request;
    struct analysis_input input = {.displacement = request->displacement,
                                   .time_s = request->time_s,
                                   .flags = request->flags,
                                   .count = request->count,
                                   .start_s = request->start_s,
                                   .period_s = request->period_s,
                                   .resolution = request->resolution,
                                   .whole = request->whole,
                                   .amplitude_most = request->amplitude_max,
                                   .amplitude_least = request->amplitude_min,
                                   .dated = request->dated,
                                   .zero_at_ns = decay_released_at_ns(request->start_at_ns, -request->start_s),
                                   .ladders_s = identify_job->settings.ladders_s,
                                   .segment = identify_job->settings.segment,
                                   .origin = &identify_job->origin,
                                   .cancel = &job->cancel,
                                   .charge = request->charge};
    struct analysis_run *runs;
    identify_job->error = make_runs(request, &runs) ? 0 : -ENOMEM;
    input.runs = runs;
    input.run_count = runs ? request->gap_count + 1 : 0;
    if (identify_job->error == 0)
        identify_job->error = analyse_together(identify_job, &input);
    free(runs);
    if (identify_job->error == 0 && !request->keep)
        identify_job->error = write_documents(&identify_job->analysis, request->charge);
    return NULL;
}

/* Why there is no answer; NULL: there is one, perhaps without a single decay. */
static const char *complaint_of(const struct identify_job *identify_job)
{
    if (!identify_job->job.ran)
        return "the daemon is stopping";
    switch (identify_job->error) {
    case 0:
        return NULL;
    case -ECANCELED:
        return "the identification was stopped: it took longer than job_deadline_s and ladder_deadline_s allow, or the "
               "daemon is ending; fricidd --offline has no such limits";
    default:
        return "not enough memory to identify this record";
    }
}

static void identify_request_finished(struct job *job)
{
    struct identify_job *identify_job = (struct identify_job *)job;
    LIST_REMOVE(identify_job, entry);
    const char *complaint = complaint_of(identify_job);
    /* The order matters: the answer borrows what is freed below. Half of a record's decays would pass for all. */
    identify_job->answer(identify_job->answer_context, &identify_job->request, identify_job->analysis.results,
                         complaint ? 0 : identify_job->analysis.count, identify_job->analysis.drops, complaint);
    identify_job->settings.done(identify_job->settings.done_context);
    analysis_clear(&identify_job->analysis);
    identify_request_clear(&identify_job->request);
    free(identify_job);
}

/* A request has no rig and no device; results show "request" in their place. */
static void describe_origin(struct identify_job *identify_job)
{
    const struct identify_request *request = &identify_job->request;
    const struct form_name columns = request->form ? kind_form_name(request->form) : (struct form_name){""};
    const struct decay_origin_names names = {.rig = "request",
                                             .channel = request->name,
                                             .source_kind = source_kind_name(SOURCE_RECORDING),
                                             .device = "request",
                                             .config_id = identify_job->settings.config_id,
                                             .unit = request->unit,
                                             .read_as = request->read_as,
                                             .kind = request->kind ? request->kind->name : NULL,
                                             .columns = request->sensors > 0 ? request->sensor : columns.text,
                                             .quantity = request->form ? request->form->column[0].quantity
                                                         : request->kind
                                                             ? samples_quantity(request->kind, request->unit)
                                                             : QUANTITY_DISPLACEMENT};
    const bool has_rate = !request->time_s && !request->form;
    identify_job->origin =
        decay_origin_make(&names, &identify_job->settings.physical, has_rate ? 1.0 / request->period_s : NAN);
    identify_job->origin.delay_s = request->delay_s;
    identify_job->origin.time_error_s = request->time_error_s;
    decay_origin_add_clock(&identify_job->origin, request->clock_ppm);
}

static size_t count_running(const struct identify_jobs *jobs)
{
    size_t count = 0;
    const struct identify_job *identify_job;
    LIST_FOREACH(identify_job, &jobs->running, entry)
    count++;
    return count;
}

/* A ticket is never 0 and never used twice, so that a late cancel cannot hit another request. */
long identify_jobs_add(struct identify_jobs *jobs, struct worker *identifier,
                       const struct identify_job_settings *settings, struct identify_request *request,
                       identify_answer answer, void *answer_context)
{
    if (count_running(jobs) >= IDENTIFY_JOBS_MOST)
        return -EAGAIN;
    struct identify_job *identify_job = calloc(1, sizeof *identify_job);
    if (!identify_job)
        return -ENOMEM;
    identify_job->job.run = identify_request_run;
    identify_job->job.finished = identify_request_finished;
    identify_job->job.priority = JOB_REQUEST;
    identify_job->job.bytes = request->count * sizeof(double) * (request->time_s ? 2 : 1);
    identify_job->job.deadline_s = settings->deadline_s;
    identify_job->settings = *settings;
    identify_job->request = *request;
    /* The arrays have changed hands: the caller's clean-up must not find them. */
    memset(request, 0, sizeof *request);
    identify_job->ticket = ++jobs->last_ticket;
    identify_job->answer = answer;
    identify_job->answer_context = answer_context;
    describe_origin(identify_job);
    LIST_INSERT_HEAD(&jobs->running, identify_job, entry);
    worker_submit(identifier, &identify_job->job);
    return identify_job->ticket;
}

/* The job ends in its own time; its memory is freed when it comes back. */
void identify_jobs_cancel(struct identify_jobs *jobs, long ticket)
{
    struct identify_job *identify_job;
    LIST_FOREACH(identify_job, &jobs->running, entry)
    {
        if (identify_job->ticket == ticket)
            atomic_store(&identify_job->job.cancel, true);
    }
}
