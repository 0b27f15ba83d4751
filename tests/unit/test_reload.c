/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a change of configuration rests on: when two rigs are the same, what stays known of earlier configurations, what
 * is said; and how often a channel tells of dropped candidates. */

#include "configurations.h"
#include "reload.h"
#include "reload_report.h"
#include "rig/drop_reports.h"
#include "run_suite.h"

#include <check.h>
#include <event2/event.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A configuration of this text; NULL when it is refused. */
static struct configuration *loaded(const char *text)
{
    char path[] = "/tmp/fricid-test-XXXXXX";
    int descriptor = mkstemp(path);
    ck_assert_int_ge(descriptor, 0);
    ck_assert_int_eq(write(descriptor, text, strlen(text)), (ssize_t)strlen(text));
    close(descriptor);
    struct configuration *configuration = configuration_load(path, stderr);
    unlink(path);
    return configuration;
}

/* A file with one simulated rig: before it, in it, and in its channel. */
static struct configuration *with_rig(const char *top, const char *in_rig, const char *in_source,
                                      const char *in_channel)
{
    char text[1024];
    snprintf(text, sizeof text,
             "%s rigs = ( { name = \"a\"; %s source = { kind = \"simulated\"; %s };"
             " channels = ( { name = \"c\"; sensor = \"lvdt\"; %s } ); } );",
             top, in_rig, in_source, in_channel);
    struct configuration *configuration = loaded(text);
    ck_assert_ptr_nonnull(configuration);
    return configuration;
}

static const struct {
    const char *a[4], *b[4];
    bool same;
} pairs[] = {
    {{"", "", "", ""}, {"# comment\n", "/* another */", "\n", ""}, true},
    {{"", "", "zeta = 0.02; f_k_n = 1.0;", ""}, {"", "", "f_k_n = 1; zeta = 2e-2;", ""}, true},
    {{"", "", "zeta = 0.02;", ""}, {"", "", "zeta = 0.0200001;", ""}, false},
    {{"", "", "", ""}, {"", "", "seed = 7;", ""}, false},
    {{"", "", "real_time = true;", ""}, {"", "", "real_time = false;", ""}, false},
    {{"", "", "", "calibration = [0.0, 2.0];"}, {"", "", "", "calibration = [0, 2];"}, true},
    {{"", "", "", "calibration = [0.0, 2.0];"}, {"", "", "", "calibration = [0.0, 2.5];"}, false},
    /* what is inherited, and where it is overridden */
    {{"", "", "", ""}, {"segment = { min_half_cycles = 7; };", "", "", ""}, false},
    {{"segment = { min_half_cycles = 7; };", "", "", ""}, {"", "segment = { min_half_cycles = 7; };", "", ""}, true},
    {{"segment = { min_half_cycles = 7; };", "", "", ""}, {"", "", "", "segment = { min_half_cycles = 7; };"}, true},
    {{"segment = { min_half_cycles = 7; };", "segment = { min_half_cycles = 9; };", "", ""},
     {"", "segment = { min_half_cycles = 9; };", "", ""},
     true},
    {{"", "", "", "segment = { min_half_cycles = 9; };"},
     {"segment = { min_half_cycles = 7; max_duration_s = 9.0; };", "", "", "segment = { min_half_cycles = 9; };"},
     false},
    {{"physical = { mass_kg = 2.0; };", "", "", ""}, {"", "physical = { mass_kg = 2.0; };", "", ""}, true},
    {{"physical = { mass_kg = 2.0; };", "", "", ""}, {"physical = { mass_kg = 2.1; };", "", "", ""}, false},
    /* what concerns the daemon is no matter of the rig */
    {{"", "", "", ""}, {"service = { job_deadline_s = 5.0; };", "", "", ""}, true},
};

/* A disk that does not answer while it is closed: the linker puts this before the real one. */
static atomic_bool disk_hangs;
static sem_t reading, disk_answers, read_at_last;

struct configuration *__real_configuration_load(const char *path, FILE *complaints);
struct configuration *__wrap_configuration_load(const char *path, FILE *complaints);

struct configuration *__wrap_configuration_load(const char *path, FILE *complaints)
{
    bool hangs = atomic_load(&disk_hangs);
    if (hangs) {
        sem_post(&reading);
        sem_wait(&disk_answers);
    }
    struct configuration *configuration = __real_configuration_load(path, complaints);
    if (hangs)
        sem_post(&read_at_last);
    return configuration;
}

static void never(void *context, struct configuration *configuration)
{
    (void)context;
    configuration_destroy(configuration);
    ck_abort_msg("the loop has ended: nobody is to be told");
}

static void never_refused(void *context, const char *complaints)
{
    (void)context;
    ck_abort_msg("%s", complaints);
}

START_TEST(a_disk_that_hangs_does_not_hold_up_the_end)
{
    const struct reload_listener listener = {.loaded = never, .refused = never_refused};
    struct event_base *base = event_base_new();
    struct reload *reload = reload_create(base, "/dev/null", &listener);
    ck_assert_ptr_nonnull(reload);
    sem_init(&reading, 0, 0);
    sem_init(&disk_answers, 0, 0);
    sem_init(&read_at_last, 0, 0);
    atomic_store(&disk_hangs, true);
    reload_request(reload);
    sem_wait(&reading);
    reload_destroy(reload);
    event_base_free(base);
    /* Had the thread been waited for, this would never be reached. It ends by itself, and frees what it has read. */
    sem_post(&disk_answers);
    sem_wait(&read_at_last);
    const struct timespec a_while = {.tv_nsec = 200000000};
    nanosleep(&a_while, NULL);
    atomic_store(&disk_hangs, false);
}
END_TEST

START_TEST(a_rig_is_what_is_written)
{
    struct configuration *a = with_rig(pairs[_i].a[0], pairs[_i].a[1], pairs[_i].a[2], pairs[_i].a[3]);
    struct configuration *b = with_rig(pairs[_i].b[0], pairs[_i].b[1], pairs[_i].b[2], pairs[_i].b[3]);
    ck_assert_int_eq(strcmp(a->rigs[0].written, b->rigs[0].written) == 0, pairs[_i].same);
    configuration_destroy(a);
    configuration_destroy(b);
}
END_TEST

START_TEST(keys_that_wait_are_named)
{
    struct configuration *a = loaded("service = { socket = \"/run/a\"; };");
    struct configuration *b = loaded("service = { socket = \"/run/b\"; socket_mode = \"0600\"; job_deadline_s = 5.0;"
                                     " queue_max_bytes = 2000000; results_held = 1000; };");
    struct reload_report report = {0};
    char sentence[RELOAD_SENTENCE];
    reload_report_keys(&report, a, b);
    ck_assert_str_eq(report.waiting.text, "service.socket, service.socket_mode");
    reload_report_sentence(&report, b->id, sentence, sizeof sentence);
    ck_assert_ptr_nonnull(strstr(sentence, b->id));
    ck_assert_ptr_nonnull(strstr(sentence, "rigs: none; these keys keep their old values"));
    configuration_destroy(a);
    configuration_destroy(b);
}
END_TEST

/* Sixty-four rigs of long names: the sentence ends well. */
START_TEST(long_lists_are_cut)
{
    struct reload_report report = {0};
    char name[64], sentence[RELOAD_SENTENCE];
    memset(name, 'n', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    for (int i = 0; i < 64; i++)
        reload_report_rig(&report, RIG_ADDED, name);
    ck_assert_uint_eq(report.rigs[RIG_ADDED].count, 64);
    reload_report_sentence(&report, "0123456789abcdef", sentence, sizeof sentence);
    ck_assert_ptr_nonnull(strstr(sentence, "64 added (nnn"));
    ck_assert_ptr_nonnull(strstr(sentence, "n, …)"));
}
END_TEST

START_TEST(the_first_mistake_is_named)
{
    char sentence[RELOAD_SENTENCE];
    reload_refusal_sentence("a.conf:3: wrong\na.conf:4: also\na.conf:9: likewise\n", sentence, sizeof sentence);
    ck_assert_str_eq(sentence, "the new configuration is refused and the old one stays: a.conf:3: wrong (and 2 more)");
}
END_TEST

START_TEST(earlier_configurations_stay_known)
{
    struct configurations all;
    struct configuration *first = loaded("# 0\n");
    char ids[80][17], text[32];
    configurations_init(&all, first);
    for (int i = 1; i < 80; i++) {
        snprintf(text, sizeof text, "# %d\n", i);
        struct configuration *next = loaded(text);
        memcpy(ids[i], next->id, sizeof ids[i]);
        configurations_replace(&all, next);
    }
    ck_assert_ptr_eq(configurations_find(&all, first->id), first);
    for (int i = 1; i < 80; i++) {
        const struct configuration *found = configurations_find(&all, ids[i]);
        ck_assert_int_eq(found != NULL, i >= 79 - CONFIGURATIONS_HELD);
        snprintf(text, sizeof text, "# %d\n", i);
        if (found)
            ck_assert_str_eq(found->text, text);
    }
    ck_assert_ptr_null(configurations_find(&all, "no such id"));
    configurations_clear(&all);
    configuration_destroy(first);
}
END_TEST

/* Back and forth between two files: two are remembered, not two hundred. */
START_TEST(the_same_text_is_remembered_once)
{
    struct configurations all;
    struct configuration *first = loaded("# a\n");
    configurations_init(&all, first);
    for (int i = 0; i < 100; i++)
        configurations_replace(&all, loaded(i % 2 ? "# a\n" : "# b\n"));
    ck_assert_uint_le(all.earlier_count, 1);
    ck_assert_str_eq(all.running->text, "# a\n");
    configurations_clear(&all);
    configuration_destroy(first);
}
END_TEST

START_TEST(a_noisy_channel_tells_ten_times_a_minute)
{
    struct drop_reports reports = {0};
    unsigned told = 0, summaries = 0;
    uint64_t together = 0;
    for (int tenth = 0; tenth < 3000; tenth++) { /* five minutes, ten drops a second */
        double now_s = 1000 + 0.1 * tenth;
        told += drop_reports_take(&reports, tenth % 2 ? DROP_TOO_SHORT : DROP_CLIPPED, now_s);
        if (!drop_reports_due(&reports, now_s))
            continue;
        summaries++;
        for (int r = 0; r < DROP_REASONS; r++)
            together += drop_reports_held(&reports, (enum drop_reason)r);
        drop_reports_clear(&reports);
    }
    for (int r = 0; r < DROP_REASONS; r++)
        together += drop_reports_held(&reports, (enum drop_reason)r);
    ck_assert_uint_eq(told, 5 * DROP_REPORTS_A_MINUTE);
    ck_assert_uint_eq(summaries, 4);          /* after one minute, two, three and four */
    ck_assert_uint_eq(told + together, 3000); /* none is forgotten */
}
END_TEST

static Suite *make_suite(void)
{
    Suite *suite = suite_create("reload");
    TCase *tests = tcase_create("reload");
    tcase_add_test(tests, a_disk_that_hangs_does_not_hold_up_the_end);
    tcase_add_loop_test(tests, a_rig_is_what_is_written, 0, sizeof pairs / sizeof pairs[0]);
    tcase_add_test(tests, keys_that_wait_are_named);
    tcase_add_test(tests, long_lists_are_cut);
    tcase_add_test(tests, the_first_mistake_is_named);
    tcase_add_test(tests, earlier_configurations_stay_known);
    tcase_add_test(tests, the_same_text_is_remembered_once);
    tcase_add_test(tests, a_noisy_channel_tells_ten_times_a_minute);
    suite_add_tcase(suite, tests);
    return suite;
}

int main(void)
{
    return run_suite(make_suite());
}
