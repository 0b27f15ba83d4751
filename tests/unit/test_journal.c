/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the journal gets, and when the watchdog is fed; libsystemd's calls are caught on their way. */

#include <config.h>

#include "system/log.h"
#include "system/log_entry.h"
#include "system/log_ids.h"
#include "system/watchdog.h"

#include "run_suite.h"

#include <check.h>
#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static char journal[16][256]; /* the fields of the latest entry */
static int journal_fields;
static int journal_answer;
static unsigned fed;

int __wrap_sd_journal_sendv(const struct iovec *fields, int count);
int __wrap_sd_journal_sendv(const struct iovec *fields, int count)
{
    journal_fields = count;
    for (int i = 0; i < count && i < 16; i++)
        snprintf(journal[i], sizeof journal[i], "%.*s", (int)fields[i].iov_len, (const char *)fields[i].iov_base);
    return journal_answer;
}

void __wrap_systemd_notify(const char *state);
void __wrap_systemd_notify(const char *state)
{
    ck_assert_str_eq(state, "WATCHDOG=1");
    fed++;
}

double __wrap_systemd_watchdog_s(void);
double __wrap_systemd_watchdog_s(void)
{
    return 0.03;
}

#if HAVE_SYSTEMD
static bool has_field(const char *field)
{
    for (int i = 0; i < journal_fields; i++)
        if (strcmp(journal[i], field) == 0)
            return true;
    return false;
}
#endif

/* Runs something with standard error in a file that is the journal, or is not; returns what was written there. */
static char *standard_error_of(void (*run)(void), bool is_journal)
{
    static char text[4096];
    FILE *file = tmpfile();
    struct stat status;
    ck_assert(file && fstat(fileno(file), &status) == 0);
    char stream[64];
    snprintf(stream, sizeof stream, "%ju:%ju", (uintmax_t)status.st_dev,
             (uintmax_t)status.st_ino + (is_journal ? 0 : 1));
    setenv("JOURNAL_STREAM", stream, 1);
    int before = dup(STDERR_FILENO);
    dup2(fileno(file), STDERR_FILENO);
    run();
    dup2(before, STDERR_FILENO);
    close(before);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static void log_a_gap(void)
{
    struct log *log = log_start();
    ck_assert_ptr_nonnull(log);
    log_message(log, &(struct log_message){.level = LOG_LEVEL_WARNING,
                                           .code = "gap",
                                           .sentence = "7 scans\nwere not delivered",
                                           .rig = "bearing",
                                           .channel = "lvdt",
                                           .source_kind = "comedi",
                                           .reason = "overrun",
                                           .count = 7});
    log_stop(log);
}

#if HAVE_SYSTEMD
START_TEST(fields_for_the_journal)
{
    journal_answer = 0;
    ck_assert_str_eq(standard_error_of(log_a_gap, true), "");
    ck_assert_int_eq(journal_fields, 9);
    ck_assert(has_field("MESSAGE=gap: rig bearing, channel lvdt: 7 scans were not delivered"));
    ck_assert(has_field("PRIORITY=4"));
    ck_assert(has_field("FRICID_EVENT=gap"));
    ck_assert(has_field("FRICID_RIG=bearing"));
    ck_assert(has_field("FRICID_CHANNEL=lvdt"));
    ck_assert(has_field("FRICID_SOURCE=comedi"));
    ck_assert(has_field("FRICID_REASON=overrun"));
    ck_assert(has_field("FRICID_COUNT=7"));
    char id[64];
    snprintf(id, sizeof id, "MESSAGE_ID=%s", log_message_id("gap"));
    ck_assert(has_field(id));
}
END_TEST
#endif

START_TEST(a_line_when_the_journal_refuses)
{
    journal_answer = -1;
    ck_assert_str_eq(standard_error_of(log_a_gap, true),
                     "<4>gap: rig bearing, channel lvdt: 7 scans were not delivered\n");
}
END_TEST

START_TEST(a_plain_line_elsewhere)
{
    journal_fields = 0;
    ck_assert_str_eq(standard_error_of(log_a_gap, false),
                     "fricidd: gap: rig bearing, channel lvdt: 7 scans were not delivered\n");
    ck_assert_int_eq(journal_fields, 0);
}
END_TEST

/* The journal takes 32 hexadecimal digits; two kinds under one number could not be told apart. */
START_TEST(every_kind_has_its_number)
{
    static const char *const codes[] = {"gap",
                                        "decay_lost",
                                        "decay_dropped",
                                        "source_fault",
                                        "source_ended",
                                        "source_started",
                                        "source_advice",
                                        "zeroed",
                                        "job_overdue",
                                        "disk_slow",
                                        "store_fault",
                                        "store_recovered",
                                        "store_repaired",
                                        "store_set_aside",
                                        "store_upgraded",
                                        "store_in_memory",
                                        "decay_unreadable",
                                        "ladder_missing",
                                        "joint_missing",
                                        "decay_given_up",
                                        "store_notes_lost",
                                        "decays_removed",
                                        "already_kept",
                                        "retention_waits",
                                        "socket_lost",
                                        "socket_renewed",
                                        "clock_step",
                                        "reloaded",
                                        "reload_failed",
                                        "started",
                                        "stopping",
                                        "of a later version"};
    const size_t count = sizeof codes / sizeof codes[0];
    for (size_t i = 0; i < count; i++) {
        const char *id = log_message_id(codes[i]);
        ck_assert_uint_eq(strlen(id), 32);
        ck_assert_uint_eq(strspn(id, "0123456789abcdef"), 32);
        for (size_t j = 0; j < i; j++)
            ck_assert_str_ne(id, log_message_id(codes[j]));
    }
}
END_TEST

/* Standard error is a pipe that is full from the start. */
static void read_slowly(void)
{
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    dup2(ends[1], STDERR_FILENO);
    close(ends[1]);
    struct log *log = log_start();
    for (int i = 0; i < 20000; i++)
        log_line(log, LOG_LEVEL_INFO, "%0100d", i);
    log_stop(log); /* returns although nobody reads */
    close(ends[0]);
}

START_TEST(a_reader_that_does_not_read_holds_nobody_up)
{
    standard_error_of(read_slowly, false);
}
END_TEST

/* --- the watchdog --- */

static struct thread_status threads[2];

static size_t look(void *context, const struct thread_status **shown)
{
    (void)context;
    *shown = threads;
    return 2;
}

/* How often it is fed within a third of a second. */
static unsigned feedings(bool writer_healthy, bool identifier_healthy)
{
    threads[0] = (struct thread_status){.name = "writer", .healthy = writer_healthy};
    threads[1] = (struct thread_status){.name = "identifier", .healthy = identifier_healthy, .feeds_watchdog = true};
    struct event_base *base = event_base_new();
    struct watchdog *watchdog = watchdog_create(base, look, NULL);
    const struct timeval while_s = {.tv_usec = 300000};
    fed = 0;
    event_base_loopexit(base, &while_s);
    event_base_dispatch(base);
    struct watchdog_status status;
    watchdog_status(watchdog, &status);
    ck_assert_double_eq(status.interval_s, 0.03);
    if (fed > 0)
        ck_assert_double_lt(status.fed_ago_s, 0.3);
    watchdog_destroy(watchdog);
    event_base_free(base);
    return fed;
}

START_TEST(the_watchdog_is_fed_while_all_is_well)
{
    ck_assert_uint_ge(feedings(true, true), 5);
}
END_TEST

START_TEST(a_job_past_its_deadline_lets_the_watchdog_starve)
{
    ck_assert_uint_eq(feedings(true, false), 0);
}
END_TEST

START_TEST(a_disk_that_keeps_the_writer_waiting_does_not)
{
    ck_assert_uint_ge(feedings(false, true), 5);
}
END_TEST

static Suite *make_suite(void)
{
    Suite *suite = suite_create("journal and watchdog");
    TCase *tests = tcase_create("journal");
#if HAVE_SYSTEMD
    tcase_add_test(tests, fields_for_the_journal);
#endif
    tcase_add_test(tests, a_line_when_the_journal_refuses);
    tcase_add_test(tests, a_plain_line_elsewhere);
    tcase_add_test(tests, every_kind_has_its_number);
    tcase_add_test(tests, a_reader_that_does_not_read_holds_nobody_up);
    suite_add_tcase(suite, tests);
    TCase *dog = tcase_create("watchdog");
    tcase_add_test(dog, the_watchdog_is_fed_while_all_is_well);
    tcase_add_test(dog, a_job_past_its_deadline_lets_the_watchdog_starve);
    tcase_add_test(dog, a_disk_that_keeps_the_writer_waiting_does_not);
    suite_add_tcase(suite, dog);
    return suite;
}

int main(void)
{
    return run_suite(make_suite());
}
