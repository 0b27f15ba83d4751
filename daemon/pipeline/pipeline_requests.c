/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Records that clients want identified. One that is to be kept: once it is identified, what was found in it goes the
 * way of every decay, and the client is answered when all of it is stored and published. */

#include "pipeline/pipeline_state.h"
#include "report/result_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* So many of what was found are on their way at once, with their texts: some megabytes. */
enum { KEEPING_AT_ONCE = 256 };

/* A record that is to be kept. */
struct keeping {
    struct pipeline *pipeline;
    identify_answer answer;
    void *answer_context;
    struct identify_request request; /* owned, from when something was found in it */
    /* Owned: the first `stored`, with their results; between them and number `sent` nothing; then those that were not
     * sent on their way yet. */
    struct kept_result **results;
    size_t count, sent, stored;
    size_t waiting; /* on their way */
    size_t later;   /* stored without a result */
    size_t text_bytes;
    uint64_t drops[DROP_REASONS];
};

static struct keeping *keeping_create(struct pipeline *pipeline, identify_answer answer, void *answer_context)
{
    struct keeping *keeping = calloc(1, sizeof *keeping);
    if (keeping)
        *keeping = (struct keeping){.pipeline = pipeline, .answer = answer, .answer_context = answer_context};
    return keeping;
}

static void keeping_destroy(struct keeping *keeping)
{
    if (!keeping)
        return;
    for (size_t i = 0; i < keeping->count; i++)
        kept_result_release(keeping->results[i]);
    free(keeping->results);
    identify_request_clear(&keeping->request);
    free(keeping);
}

/* A client that asked for all to be kept is not told that all is well when something is not, nor sends again what is
 * stored. */
static void answer_keeping(struct keeping *keeping)
{
    struct complaint complaint;
    const size_t lost = keeping->count - keeping->stored - keeping->later;
    const bool all = keeping->stored == keeping->count;
    if (!all)
        complaint_set(&complaint,
                      "of %zu records that were found %zu were stored with their results, %zu were stored and get "
                      "theirs when the daemon starts anew, and %zu were not stored",
                      keeping->count, keeping->stored, keeping->later, lost);
    keeping->answer(keeping->answer_context, &keeping->request, keeping->results, all ? keeping->stored : 0,
                    keeping->drops, all ? NULL : complaint.text);
    keeping_destroy(keeping);
}

static void on_kept(void *context, struct kept_result *result, bool stored);

/* Its text was not written yet: it will have an id. It takes no room in the queue, which is for what rigs measure and
 * would lose: the service bounds what clients bring. False when memory is short. */
static bool send(struct keeping *keeping, struct kept_result **result)
{
    struct decay_job *job = pipeline_make_job(keeping->pipeline, (*result)->of, JOB_REQUEST);
    if (!job)
        return false;
    job->write_job.job.bytes = 0;
    job->result = *result;
    *result = NULL;
    job->may_be_known = true;
    job->kept = on_kept;
    job->kept_context = keeping;
    keeping->sent++;
    keeping->waiting++;
    pipeline_store(keeping->pipeline, job);
    return true;
}

/* Sends the next ones; answers when none is left, or none can go any more: memory is short, or the daemon ends. */
static void go_on(struct keeping *keeping)
{
    while (keeping->sent < keeping->count && keeping->waiting < KEEPING_AT_ONCE &&
           !atomic_load(&keeping->pipeline->stopping))
        if (!send(keeping, &keeping->results[keeping->sent]))
            break;
    if (keeping->waiting == 0)
        answer_keeping(keeping);
}

/* Whether the budget of what clients bring has so much left. That a text is not held is no reason to refuse a record.
 */
static bool is_granted(struct memory_charge *charge, size_t bytes)
{
    if (!charge)
        return true;
    const enum memory_answer before = charge->answer;
    const bool granted = memory_charge_add(charge, bytes) == MEMORY_GRANTED;
    charge->answer = before;
    return granted;
}

/* The text of the first answers is held, as that of records that are not kept. */
static void take_result(struct keeping *keeping, struct kept_result *result)
{
    const size_t length = strlen(result->document) + strlen(result->summary);
    keeping->results[keeping->stored++] = result;
    keeping->text_bytes += length;
    if (keeping->text_bytes > IDENTIFY_TEXT_BYTES || !is_granted(keeping->request.charge, length))
        result_text_forget(result);
}

static void on_kept(void *context, struct kept_result *result, bool stored)
{
    struct keeping *keeping = context;
    keeping->waiting--;
    if (result)
        take_result(keeping, result);
    else if (stored)
        keeping->later++;
    go_on(keeping);
}

/* An identify_answer: context is the keeping, which lives until the answer. A store that is known to take nothing is
 * not waited for: the client can send the record again. */
static void keeping_found(void *context, struct identify_request *request, struct kept_result **results, size_t count,
                          const uint64_t drops[DROP_REASONS], const char *complaint)
{
    struct keeping *keeping = context;
    const char *problem = keeping->pipeline->store_problem.text;
    struct complaint refusal;
    keeping->results = count > 0 ? calloc(count, sizeof *keeping->results) : NULL;
    if (count > 0 && *problem)
        complaint_set(&refusal, "nothing of this record is kept: %s", problem);
    if (count == 0 || *problem || !keeping->results) {
        keeping->answer(keeping->answer_context, request, results, 0, drops,
                        count == 0 ? complaint
                        : *problem ? refusal.text
                                   : "not enough memory to keep this record");
        keeping_destroy(keeping);
        return;
    }
    keeping->request = *request;
    *request = (struct identify_request){0};
    keeping->count = count;
    memcpy(keeping->drops, drops, sizeof keeping->drops);
    memcpy(keeping->results, results, count * sizeof *results);
    memset(results, 0, count * sizeof *results);
    go_on(keeping);
}

static void request_done(void *context)
{
    struct pipeline *pipeline = context;
    pipeline->jobs--;
}

/* Requests do not count as bytes of the queue, nor does what is kept of them: the service bounds them by its own
 * budget, until they are answered. */
long pipeline_request(struct pipeline *pipeline, struct identify_request *request,
                      const struct request_settings *settings, identify_answer answer, void *answer_context)
{
    const struct identify_job_settings job = {.segment = settings->segment,
                                              .physical = settings->physical,
                                              .deadline_s = pipeline_ladder_job_s(&pipeline->settings),
                                              .ladders_s = pipeline->settings.ladder_deadline_s,
                                              .config_id = settings->config_id,
                                              .releases = pipeline->request_releases,
                                              .done = request_done,
                                              .done_context = pipeline};
    struct keeping *keeping = NULL;
    if (request->keep && !(keeping = keeping_create(pipeline, answer, answer_context)))
        return -ENOMEM;
    long ticket = identify_jobs_add(&pipeline->requests, pipeline->ladders, &job, request,
                                    keeping ? keeping_found : answer, keeping ? (void *)keeping : answer_context);
    if (ticket > 0)
        pipeline->jobs++;
    else
        keeping_destroy(keeping);
    return ticket;
}

long pipeline_simulate(struct pipeline *pipeline, struct simulate_request *request, simulate_answer answer,
                       void *answer_context)
{
    const struct simulate_job_settings job = {.ticket = pipeline->requests.last_ticket + 1,
                                              .deadline_s = pipeline->settings.job_deadline_s,
                                              .done = request_done,
                                              .done_context = pipeline};
    const int error =
        simulate_jobs_add(&pipeline->simulations, pipeline->ladders, &job, request, answer, answer_context);
    if (error != 0)
        return error;
    pipeline->jobs++;
    return pipeline->requests.last_ticket = job.ticket;
}

void pipeline_cancel_request(struct pipeline *pipeline, long ticket)
{
    identify_jobs_cancel(&pipeline->requests, ticket);
    simulate_jobs_cancel(&pipeline->simulations, ticket);
}
