/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Questions for samples, before and after the store's file was replaced. */
#include "pipeline/questions.h"
#include "run_suite.h"
#include "stored_decays.h"
#include "worker/mailbox.h"

#include <errno.h>
#include <event2/event.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SAMPLES = 600 };

/* The threads of a store, and the last answer. */
struct asker {
    struct event_base *base;
    struct mailbox *mailbox;
    struct store_writer *writer;
    struct store_reader *reader;
    struct questions questions;
    char directory[STORE_PATH], path[STORE_PATH + 16];
    bool done; /* what was asked or written last */
    int error;
    uint64_t first_index; /* of the decay in the answer: it tells which one it is */
};

static void asker_open(struct asker *asker)
{
    const struct store_writer_listener nobody = {.told = NULL};
    memset(asker, 0, sizeof *asker);
    store_directory_make(asker->directory);
    snprintf(asker->path, sizeof asker->path, "%s/fricid.db", asker->directory);
    asker->base = event_base_new();
    asker->mailbox = mailbox_create(asker->base);
    asker->writer = store_writer_create(store_opened(asker->directory), asker->mailbox, &nobody);
    asker->reader = store_reader_create(asker->path, asker->writer, asker->mailbox);
    ck_assert_ptr_nonnull(asker->reader);
    questions_init(&asker->questions, asker->reader);
}

static void asker_close(struct asker *asker)
{
    store_reader_destroy(asker->reader);
    store_writer_finish(asker->writer);
    mailbox_destroy(asker->mailbox);
    store_writer_destroy(asker->writer);
    questions_clear(&asker->questions);
    event_base_free(asker->base);
    store_directory_remove(asker->directory);
}

static void wait_until_done(struct asker *asker)
{
    const struct timespec nap = {.tv_nsec = 1000000};
    for (int turn = 0; turn < 60000 && !asker->done; turn++) {
        event_base_loop(asker->base, EVLOOP_NONBLOCK);
        nanosleep(&nap, NULL);
    }
    ck_assert(asker->done);
}

static void on_answer(void *context, const struct store_answer *answer)
{
    struct asker *asker = context;
    asker->done = true;
    asker->error = answer->error;
    asker->first_index = answer->decay ? answer->decay->decay->first_index : UINT64_MAX;
}

/* Which decay has this id now. */
static uint64_t ask_samples(struct asker *asker, uint64_t id)
{
    const struct store_question question = {.kind = QUESTION_SAMPLES, .id = id};
    asker->done = false;
    ck_assert_int_gt(questions_ask(&asker->questions, &question, on_answer, asker), 0);
    wait_until_done(asker);
    return asker->first_index;
}

/* A decay on its way to the writer, who may meet damage before it. */
struct putting {
    struct write_job write_job; /* first: such a job is this */
    struct asker *asker;
    struct kept_decay *decay;
    bool meets_damage;
};

static int put_decay(struct write_job *write_job, struct store *store)
{
    struct putting *putting = (struct putting *)write_job;
    bool damaged = putting->meets_damage;
    putting->meets_damage = false;
    return damaged ? -EUCLEAN : store_put_decay(store, putting->decay);
}

static struct worker *nothing_more(struct job *job)
{
    (void)job;
    return NULL;
}

static void put_finished(struct job *job)
{
    ((struct putting *)job)->asker->done = true;
}

static void put(struct asker *asker, unsigned number, bool meets_damage)
{
    struct putting putting = {.asker = asker, .decay = stored_decay(number, SAMPLES), .meets_damage = meets_damage};
    putting.write_job.write = put_decay;
    putting.write_job.job.run = nothing_more;
    putting.write_job.job.finished = put_finished;
    asker->done = false;
    store_writer_submit(asker->writer, &putting.write_job);
    wait_until_done(asker);
    ck_assert_int_eq(putting.write_job.error, 0);
    kept_decay_release(putting.decay);
}

/* Nothing of a file can be read any more but that it is a store. */
static void ruin(const char *path)
{
    static const char junk[4096];
    FILE *file = fopen(path, "r+");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fseek(file, 0, SEEK_END), 0);
    const long bytes = ftell(file);
    ck_assert_int_eq(fseek(file, sizeof junk, SEEK_SET), 0);
    for (long done = (long)sizeof junk; done < bytes; done += (long)sizeof junk)
        ck_assert_uint_eq(fwrite(junk, 1, sizeof junk, file), sizeof junk);
    ck_assert_int_eq(fclose(file), 0);
}

/* What a log holds stands in memory, too, and would be put back. */
static void fold_in_the_log(const char *path)
{
    sqlite3 *other = NULL;
    ck_assert_int_eq(sqlite3_open(path, &other), SQLITE_OK);
    ck_assert_int_eq(sqlite3_exec(other, "PRAGMA wal_checkpoint(TRUNCATE)", NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(other);
}

START_TEST(samples_are_those_of_the_decay_that_was_asked_for)
{
    struct asker asker;
    asker_open(&asker);
    put(&asker, 1, false);
    put(&asker, 2, false);
    const uint64_t first = ask_samples(&asker, 1);
    ck_assert_int_eq(asker.error, 0);
    ck_assert_uint_eq(ask_samples(&asker, 1), first);
    ck_assert_uint_ne(ask_samples(&asker, 2), first);
    ck_assert_uint_eq(ask_samples(&asker, 1), first);
    ask_samples(&asker, 3);
    ck_assert_int_eq(asker.error, -ENOENT);
    asker_close(&asker);
}
END_TEST

/* The ids of the new file begin with 1 as well. */
START_TEST(a_new_file_has_other_decays_under_the_same_ids)
{
    struct asker asker;
    asker_open(&asker);
    put(&asker, 1, false);
    const uint64_t before = ask_samples(&asker, 1);
    ck_assert_int_eq(asker.error, 0);
    fold_in_the_log(asker.path);
    ruin(asker.path);
    put(&asker, 7, true);
    ck_assert_uint_eq(store_writer_repairs(asker.writer), 1);
    const uint64_t now = ask_samples(&asker, 1);
    ck_assert_int_eq(asker.error, 0);
    ck_assert_uint_ne(now, before);
    asker_close(&asker);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("questions");
    TCase *samples = tcase_create("samples");
    tcase_set_timeout(samples, 120);
    tcase_add_test(samples, samples_are_those_of_the_decay_that_was_asked_for);
    tcase_add_test(samples, a_new_file_has_other_decays_under_the_same_ids);
    suite_add_tcase(made, samples);
    return made;
}

int main(void)
{
    return run_suite(suite());
}
