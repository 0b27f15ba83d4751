/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decays that wait in the store: none is forgotten, whenever it was left there. */
#include "pipeline/backlog.h"
#include "run_suite.h"

#include "store/read_decay.h"

#include <errno.h>
#include <string.h>

/* The reader is played by the test: it keeps the question until the test answers it. */
static struct read_job *question;

void __wrap_store_reader_submit(struct store_reader *reader, struct read_job *read_job);
static find_waiting find;
int __wrap_read_decay(struct database *database, uint64_t id, struct kept_decay **kept, unsigned *revision);

void __wrap_store_reader_submit(struct store_reader *reader, struct read_job *read_job)
{
    (void)reader;
    ck_assert_ptr_null(question);
    question = read_job;
}

static struct {
    uint64_t waiting; /* the only decay that waits; 0: there is none */
    uint64_t looks;   /* nobody looks further at once than to this one */
    unsigned revision;
    int read_error;
    int found, unreadable, rested;
} store;

static int find(struct database *database, bool tried, uint64_t after, struct waiting_decay *found)
{
    (void)database;
    *found = (struct waiting_decay){.waits = true};
    if (!tried && store.looks > after)
        *found = (struct waiting_decay){.id = store.looks};
    else if (!tried && store.waiting > after)
        found->id = store.waiting;
    return 0;
}

static struct kept_decay *kept_decay; /* that is read */

int __wrap_read_decay(struct database *database, uint64_t id, struct kept_decay **kept, unsigned *revision)
{
    (void)database;
    (void)id;
    *revision = store.revision;
    *kept = store.read_error ? NULL : kept_decay_reference(kept_decay);
    return store.read_error;
}

static void on_found(struct backlog *backlog, struct kept_decay *decay, unsigned together)
{
    (void)together;
    (void)backlog;
    ck_assert_ptr_eq(decay, kept_decay);
    store.found++;
}

static void on_unreadable(void *context, uint64_t id, int error)
{
    (void)context;
    ck_assert_uint_eq(id, store.waiting);
    ck_assert_int_eq(error, store.read_error);
    store.unreadable++;
}

static void on_rested(void *context)
{
    (void)context;
    store.rested++;
}

static bool on_its_way(void *context, uint64_t id)
{
    (void)context;
    (void)id;
    return false;
}

static struct backlog backlog;

static void set_up(void)
{
    static double displacement[] = {1, 0.5, -0.5, 0.2};
    const struct physical_settings physical = physical_default_settings();
    const struct decay_origin_names names = {
        .rig = "bearing", .channel = "lvdt", .source_kind = "simulated", .device = "d", .config_id = "", .unit = "mm"};
    struct decay_origin origin = decay_origin_make(&names, &physical, 1000);
    question = NULL;
    memset(&store, 0, sizeof store);
    kept_decay = kept_decay_create(&origin, decay_from_whole(displacement, NULL, NULL, 4, 0, 1e-3, 1e-3));
    ck_assert_ptr_nonnull(kept_decay);
    backlog = (struct backlog){.reader = (struct store_reader *)&store,
                               .find = find,
                               .found = on_found,
                               .unreadable = on_unreadable,
                               .rested = on_rested,
                               .on_its_way = on_its_way};
}

static void tear_down(void)
{
    ck_assert_ptr_null(question);
    kept_decay_release(kept_decay);
}

/* The reader's thread reads, and the event loop hears of it some time later. */
static void read_question(void)
{
    ck_assert_ptr_nonnull(question);
    question->error = question->read(question, NULL);
    question->job.ran = true;
}

static void finish_question(void)
{
    struct read_job *finished = question;
    question = NULL;
    finished->job.finished(&finished->job);
}

static void answer(void)
{
    read_question();
    finish_question();
}

START_TEST(nothing_is_asked_unless_it_is_wanted)
{
    backlog_start(&backlog);
    ck_assert_ptr_null(question);
}
END_TEST

START_TEST(goes_through_all_and_rests)
{
    store.waiting = 7;
    backlog_want(&backlog);
    backlog_start(&backlog);
    answer();
    ck_assert_int_eq(store.found, 1);
    backlog_next(&backlog);
    answer();
    ck_assert_int_eq(store.rested, 1);
    ck_assert(!backlog.wanted && !backlog.running);
}
END_TEST

/* The texts of many results are looked through in parts, and others read between them. */
START_TEST(a_long_way_to_the_next_is_gone_in_steps)
{
    store.looks = 5;
    store.waiting = 7;
    backlog_want(&backlog);
    backlog_start(&backlog);
    answer();
    ck_assert_int_eq(store.found + store.unreadable, 0);
    answer();
    ck_assert_int_eq(store.found, 1);
    backlog_next(&backlog);
    answer();
    ck_assert_int_eq(store.rested, 1);
}
END_TEST

/* It was found to wait, and had its answer when it was read. */
START_TEST(what_has_its_answer_does_not_get_another)
{
    store.waiting = 7;
    store.revision = 1;
    backlog_want(&backlog);
    backlog_start(&backlog);
    answer();
    answer();
    ck_assert_int_eq(store.found + store.unreadable, 0);
    ck_assert_int_eq(store.rested, 1);
}
END_TEST

/* The answer to the last question was "none" before the decay was there. */
START_TEST(what_is_left_while_the_last_answer_comes_is_not_forgotten)
{
    backlog_want(&backlog);
    backlog_start(&backlog);
    read_question();
    store.waiting = 8;
    backlog_want(&backlog);
    backlog_start(&backlog);
    finish_question();
    ck_assert_int_eq(store.found, 0);
    backlog_start(&backlog); /* as the pipeline does every second */
    answer();
    ck_assert_int_eq(store.found, 1);
    store.waiting = 0;
    backlog_next(&backlog);
    answer();
    ck_assert(!backlog.wanted && !backlog.running);
}
END_TEST

START_TEST(one_that_cannot_be_read_does_not_stop_the_others)
{
    store.waiting = 9;
    store.read_error = -EUCLEAN;
    backlog_want(&backlog);
    backlog_start(&backlog);
    answer();
    ck_assert_int_eq(store.unreadable, 1);
    answer();
    ck_assert_int_eq(store.rested, 1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("backlog");
    TCase *tests = tcase_create("backlog");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, nothing_is_asked_unless_it_is_wanted);
    tcase_add_test(tests, goes_through_all_and_rests);
    tcase_add_test(tests, a_long_way_to_the_next_is_gone_in_steps);
    tcase_add_test(tests, what_has_its_answer_does_not_get_another);
    tcase_add_test(tests, what_is_left_while_the_last_answer_comes_is_not_forgotten);
    tcase_add_test(tests, one_that_cannot_be_read_does_not_stop_the_others);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
