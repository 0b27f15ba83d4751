/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A client's question to the store: asked in the reader's thread, answered in the event loop, unless the client has
 * gone meanwhile. */

#include "pipeline/questions.h"

#include "report/missing_fields.h"
#include "store/read_decay.h"

#include <errno.h>
#include <stdlib.h>

/* So many may wait: of each of a thousand clients two that it asked and one for its replay. */
enum { MOST_QUESTIONS = 3 * 1024 };

struct question_job {
    struct read_job read_job; /* first: a question is this */
    struct questions *questions;
    LIST_ENTRY(question_job) entry;
    struct store_question question;
    struct store_answer answer;
    store_answered answered; /* NULL: nobody waits any more */
    void *context;
    long ticket;
};

void questions_init(struct questions *questions, struct store_reader *reader)
{
    *questions = (struct questions){.reader = reader};
    LIST_INIT(&questions->running);
}

/* A file that took the place of a damaged one may have given the same number to another decay. */
static bool is_recent(const struct questions *questions, uint64_t id)
{
    return questions->recent && questions->recent->id == id &&
           questions->recent_repairs == store_reader_repairs(questions->reader);
}

/* A decay is read, checked and made numbers of once for all its pages, not once a page. */
static int read_samples(struct question_job *job, struct database *database)
{
    struct questions *questions = job->questions;
    unsigned revision;
    bool there;
    int error = has_decay(database, job->question.id, &there);
    if (!error && !there)
        error = -ENOENT;
    if (!error && !is_recent(questions, job->question.id)) {
        kept_decay_release(questions->recent);
        questions->recent = NULL;
        questions->recent_repairs = store_reader_repairs(questions->reader);
        error = read_decay(database, job->question.id, &questions->recent, &revision);
    }
    if (!error)
        job->answer.decay = kept_decay_reference(questions->recent);
    return error;
}

/* Texts of an earlier program, as clients of this one are promised them. */
static void tell_missing_fields(struct found_result *found)
{
    char *whole = found->id > 0 && found->text ? text_with_missing_fields(found->text) : NULL;
    if (!whole)
        return;
    free(found->text);
    found->text = whole;
}

static int read_result(const struct store_question *question, struct database *database, struct found_result *found)
{
    const int error = find_result(database, question->id, question->revision, found);
    if (!error)
        tell_missing_fields(found);
    return error;
}

static int read_notices(const struct store_question *question, struct database *database, struct found_results *found)
{
    const int error = find_notices(database, question->results, question->events, question->from_seq,
                                   question->before_seq, question->limit, found);
    for (size_t i = 0; !error && i < found->count; i++)
        tell_missing_fields(&found->results[i]);
    return error;
}

static int read_answer(struct read_job *read_job, struct database *database)
{
    struct question_job *job = (struct question_job *)read_job;
    const struct store_question *question = &job->question;
    struct store_answer *answer = &job->answer;
    switch (question->kind) {
    case QUESTION_RESULTS:
        return find_results(database, &question->query, &answer->found);
    case QUESTION_RESULT:
        return read_result(question, database, &answer->result);
    case QUESTION_RUN:
        return find_run(database, question->id, &answer->run);
    case QUESTION_SAMPLES:
        return read_samples(job, database);
    case QUESTION_CONFIGURATION:
        return find_configuration(database, question->config_id, &answer->configuration);
    case QUESTION_NOTICES:
        return read_notices(question, database, &answer->found);
    }
    return -ENOSYS;
}

/* A file that is not there yet, because the disk does not take it, holds nothing: that is an answer to who wants a
 * list. */
static int outcome(const struct question_job *job)
{
    if (!job->read_job.job.ran)
        return -ESHUTDOWN;
    bool list = job->question.kind == QUESTION_RESULTS || job->question.kind == QUESTION_NOTICES;
    return list && job->read_job.error == -ENOENT ? 0 : job->read_job.error;
}

static void question_finished(struct job *base)
{
    struct question_job *job = (struct question_job *)base;
    LIST_REMOVE(job, entry);
    job->answer.error = outcome(job);
    if (job->answered)
        job->answered(job->context, &job->answer);
    found_results_clear(&job->answer.found);
    free(job->answer.result.text);
    found_run_clear(&job->answer.run);
    found_configuration_clear(&job->answer.configuration);
    kept_decay_release(job->answer.decay);
    free(job);
}

static size_t count_running(const struct questions *questions)
{
    size_t count = 0;
    const struct question_job *job;
    LIST_FOREACH(job, &questions->running, entry)
    count++;
    return count;
}

long questions_ask(struct questions *questions, const struct store_question *question, store_answered answered,
                   void *context)
{
    if (count_running(questions) >= MOST_QUESTIONS)
        return -EAGAIN;
    struct question_job *job = calloc(1, sizeof *job);
    if (!job)
        return -ENOMEM;
    job->read_job.read = read_answer;
    job->questions = questions;
    job->read_job.job.finished = question_finished;
    job->read_job.job.priority = JOB_REQUEST;
    job->question = *question;
    job->answer.question = &job->question;
    job->answered = answered;
    job->context = context;
    job->ticket = ++questions->last_ticket;
    LIST_INSERT_HEAD(&questions->running, job, entry);
    store_reader_submit(questions->reader, &job->read_job);
    return job->ticket;
}

void questions_cancel(struct questions *questions, long ticket)
{
    struct question_job *job;
    LIST_FOREACH(job, &questions->running, entry)
    {
        if (job->ticket == ticket)
            job->answered = NULL;
    }
}

void questions_clear(struct questions *questions)
{
    kept_decay_release(questions->recent);
    questions->recent = NULL;
}
