/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run_suite.h"
#include "worker/mailbox.h"
#include "worker/worker.h"

#include <event2/event.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A job that notes in which order it ran and ended. */
struct test_job {
    struct job job;
    struct test_log *log;
    struct worker *next;
    int number;
};

struct test_log {
    atomic_int ran[64];
    atomic_int ran_count;
    int finished_count, unrun_count;
    atomic_bool gate; /* jobs wait until it opens */
    pthread_t loop_thread;
};

static struct event_base *base;
static struct mailbox *mailbox;
static struct test_log log_of_test;

static void nap(void)
{
    const struct timespec short_time = {.tv_nsec = 1000000};
    nanosleep(&short_time, NULL);
}

static struct worker *run_and_note(struct job *job)
{
    struct test_job *test = (struct test_job *)job;
    while (!atomic_load(&test->log->gate) && !atomic_load(&job->cancel))
        nap();
    atomic_store(&test->log->ran[atomic_fetch_add(&test->log->ran_count, 1)], test->number);
    struct worker *next = test->next;
    test->next = NULL;
    return next;
}

static void count_finished(struct job *job)
{
    struct test_job *test = (struct test_job *)job;
    ck_assert(pthread_equal(pthread_self(), test->log->loop_thread));
    test->log->finished_count++;
    test->log->unrun_count += !job->ran;
    free(test);
}

static struct test_job *make_job(int number, enum job_priority priority)
{
    struct test_job *test = calloc(1, sizeof *test);
    ck_assert_ptr_nonnull(test);
    test->job.run = run_and_note;
    test->job.finished = count_finished;
    test->job.priority = priority;
    test->job.bytes = 1000;
    test->log = &log_of_test;
    test->number = number;
    return test;
}

static void set_up(void)
{
    memset(&log_of_test, 0, sizeof log_of_test);
    log_of_test.loop_thread = pthread_self();
    base = event_base_new();
    mailbox = mailbox_create(base);
    ck_assert_ptr_nonnull(mailbox);
}

static void tear_down(void)
{
    mailbox_destroy(mailbox);
    event_base_free(base);
}

static void loop_until_finished(int count)
{
    const struct timeval turn = {.tv_usec = 10000};
    for (int turns = 0; log_of_test.finished_count < count && turns < 500; turns++) {
        event_base_loopexit(base, &turn);
        event_base_dispatch(base);
    }
    ck_assert_int_eq(log_of_test.finished_count, count);
}

static void wait_until_running(struct worker *worker)
{
    struct worker_status status;
    do {
        nap();
        worker_status(worker, &status);
    } while (status.running_s <= 0);
}

static void finish_slowly(struct job *job)
{
    nap();
    count_finished(job);
}

static void count_glance(evutil_socket_t descriptor, short what, void *context)
{
    (void)descriptor;
    (void)what;
    int *glances = context;
    ++*glances;
}

START_TEST(the_loop_gets_its_turns_between_finished_jobs)
{
    int glances = 0;
    struct event *other = event_new(base, -1, EV_PERSIST, count_glance, &glances);
    const struct timeval at_once = {.tv_usec = 1};
    ck_assert_int_eq(event_add(other, &at_once), 0);
    for (int i = 0; i < 50; i++) {
        struct test_job *test = make_job(i, JOB_LIVE);
        test->job.finished = finish_slowly;
        mailbox_post(mailbox, &test->job);
    }
    while (log_of_test.finished_count < 50)
        ck_assert_int_eq(event_base_loop(base, EVLOOP_ONCE), 0);
    /* A turn ends with the first job that ends after two milliseconds, and each takes one at least; the event loop's
     * own clock has a grain of up to ten. In one turn there would be one glance, or two. */
    ck_assert_int_ge(glances, 50 / 10);
    event_free(other);
}
END_TEST

START_TEST(urgent_jobs_first_then_in_order)
{
    struct worker *worker = worker_create("test", mailbox);
    worker_submit(worker, &make_job(0, JOB_AGAIN)->job);
    wait_until_running(worker);
    static const enum job_priority priorities[] = {JOB_PATIENT, JOB_REQUEST, JOB_LIVE,
                                                   JOB_PATIENT, JOB_REQUEST, JOB_LIVE};
    for (int i = 0; i < 6; i++)
        worker_submit(worker, &make_job(i + 1, priorities[i])->job);
    struct worker_status status;
    worker_status(worker, &status);
    ck_assert_uint_eq(status.queued_jobs, 6);
    ck_assert_uint_eq(status.queued_bytes, 7000);
    atomic_store(&log_of_test.gate, true);
    loop_until_finished(7);
    static const int expected[] = {0, 3, 6, 2, 5, 1, 4};
    for (int i = 0; i < 7; i++)
        ck_assert_int_eq(log_of_test.ran[i], expected[i]);
    worker_status(worker, &status);
    ck_assert_uint_eq(status.queued_bytes, 0);
    ck_assert_uint_eq(status.finished_jobs, 7);
    worker_destroy(worker);
}
END_TEST

START_TEST(a_job_goes_on_at_the_next_worker)
{
    struct worker *first = worker_create("first", mailbox), *second = worker_create("second", mailbox);
    atomic_store(&log_of_test.gate, true);
    struct test_job *job = make_job(1, JOB_LIVE);
    job->next = second;
    worker_submit(first, &job->job);
    loop_until_finished(1);
    ck_assert_int_eq(log_of_test.ran_count, 2);
    struct worker_status status;
    worker_status(second, &status);
    ck_assert_uint_eq(status.finished_jobs, 1);
    worker_destroy(first);
    worker_destroy(second);
}
END_TEST

START_TEST(stopping_loses_no_job)
{
    struct worker *worker = worker_create("test", mailbox);
    for (int i = 0; i < 20; i++)
        worker_submit(worker, &make_job(i, JOB_LIVE)->job);
    wait_until_running(worker);
    worker_stop(worker); /* cancels the one that waits at the gate */
    worker_submit(worker, &make_job(20, JOB_LIVE)->job);
    loop_until_finished(21);
    ck_assert_int_eq(log_of_test.unrun_count, 20);
    ck_assert_int_eq(log_of_test.ran_count, 1);
    worker_destroy(worker);
}
END_TEST

START_TEST(a_job_past_its_deadline_is_asked_to_stop_once)
{
    struct worker *worker = worker_create("test", mailbox);
    struct test_job *job = make_job(1, JOB_LIVE);
    job->job.deadline_s = 0.02;
    worker_submit(worker, &job->job);
    wait_until_running(worker);
    int asked = 0;
    for (int i = 0; i < 200; i++) {
        asked += worker_cancel_overdue(worker);
        nap();
    }
    ck_assert_int_eq(asked, 1);
    loop_until_finished(1);
    worker_destroy(worker);
}
END_TEST

static void take_a_while(void *context, struct job *const *jobs, size_t count)
{
    (void)context;
    (void)jobs;
    (void)count;
    for (int i = 0; i < 20; i++)
        nap();
}

/* What the jobs of a batch waited for together is not the time of each of them. */
START_TEST(a_thread_is_not_busy_for_longer_than_it_runs)
{
    struct timespec began, ended;
    struct worker_status status;
    clock_gettime(CLOCK_MONOTONIC, &began);
    atomic_store(&log_of_test.gate, true);
    struct worker *worker = worker_create_batching("test", mailbox, take_a_while, NULL);
    for (int i = 0; i < 20; i++)
        worker_submit(worker, &make_job(i, JOB_LIVE)->job);
    loop_until_finished(20);
    worker_status(worker, &status);
    clock_gettime(CLOCK_MONOTONIC, &ended);
    double elapsed_s = (double)(ended.tv_sec - began.tv_sec) + 1e-9 * (double)(ended.tv_nsec - began.tv_nsec);
    ck_assert_uint_eq(status.finished_jobs, 20);
    ck_assert_double_ge(status.busy_s, 0.02);
    ck_assert_double_le(status.busy_s, elapsed_s);
    worker_destroy(worker);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("worker");
    TCase *tests = tcase_create("worker");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_set_timeout(tests, 30);
    tcase_add_test(tests, urgent_jobs_first_then_in_order);
    tcase_add_test(tests, the_loop_gets_its_turns_between_finished_jobs);
    tcase_add_test(tests, a_job_goes_on_at_the_next_worker);
    tcase_add_test(tests, stopping_loses_no_job);
    tcase_add_test(tests, a_job_past_its_deadline_is_asked_to_stop_once);
    tcase_add_test(tests, a_thread_is_not_busy_for_longer_than_it_runs);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
