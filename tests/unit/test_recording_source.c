/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recording as a source: the scans of a good file, one fault of a bad one, never both. */
#include "acquire/recording_source.h"
#include "run_suite.h"

#include <event2/event.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* What a listener heard. */
struct heard {
    struct event_base *base;
    struct source *source;
    uint64_t scans;
    int blocks, faults, ends;
    bool uniform;
    double period_s, first_s, last_s;
    double sum[4]; /* of each channel's values */
    size_t channels;
    char fault[1024];
    int pause_after; /* block after which the source is paused; 0: never */
    bool resumes;    /* 0.4 s later */
};

static void resume_later(evutil_socket_t fd, short what, void *context)
{
    struct heard *heard = context;
    (void)fd;
    (void)what;
    ck_assert_int_eq(heard->blocks, heard->pause_after);
    source_resume(heard->source);
}

static void hear_scans(void *context, const struct scan_block *block)
{
    struct heard *heard = context;
    ck_assert_uint_eq(block->first_index, heard->scans);
    ck_assert_uint_ge(block->scan_count, 1);
    ck_assert_uint_le(block->scan_count, 4096);
    size_t last = block->scan_count - 1;
    double first_s = block->time_s ? block->time_s[0] : block->origin_s + (double)block->first_index * block->period_s;
    if (heard->blocks == 0)
        heard->first_s = first_s;
    heard->last_s =
        block->time_s ? block->time_s[last] : block->origin_s + (double)(block->first_index + last) * block->period_s;
    heard->uniform = block->time_s == NULL;
    heard->period_s = block->period_s;
    heard->channels = block->channel_count;
    for (size_t c = 0; c < block->channel_count && c < 4; c++)
        for (size_t i = 0; i < block->scan_count; i++)
            heard->sum[c] += block->channels[c].displacement[i];
    heard->scans += block->scan_count;
    heard->blocks++;
    if (heard->blocks != heard->pause_after)
        return;
    source_pause(heard->source);
    const struct timeval wait = {.tv_usec = 400000};
    if (heard->resumes)
        event_base_once(heard->base, -1, EV_TIMEOUT, resume_later, heard, &wait);
}

static void hear_fault(void *context, const struct source_fault *fault)
{
    struct heard *heard = context;
    heard->faults++;
    ck_assert(fault->final);
    snprintf(heard->fault, sizeof heard->fault, "%s: %s", fault->code, fault->sentence);
}

static void hear_end(void *context)
{
    struct heard *heard = context;
    heard->ends++;
    event_base_loopbreak(heard->base);
}

static void write_text(char path[32], const char *text)
{
    strcpy(path, "/tmp/fricid-source-XXXXXX");
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
}

/* Rows 0 … rows-1 at 1 kHz: i and -2 i. */
static char *ramp(int rows)
{
    char *text = malloc((size_t)rows * 40 + 64), *at = text;
    ck_assert_ptr_nonnull(text);
    at += sprintf(at, "time_s,up_mm,down_V\n");
    for (int i = 0; i < rows; i++)
        at += sprintf(at, "%.3f,%d,%d\n", 10 + i * 0.001, i, -2 * i);
    return text;
}

static void open_text(struct heard *heard, const char *text, struct recording_source_settings *settings)
{
    char path[32];
    struct complaint complaint = {""};
    const struct source_listener listener = {
        .scans = hear_scans, .fault = hear_fault, .end = hear_end, .context = heard};
    *heard = (struct heard){.base = event_base_new(), .pause_after = heard->pause_after, .resumes = heard->resumes};
    write_text(path, text);
    settings->path = path;
    int error = recording_source_create(heard->base, settings, &listener, &heard->source, &complaint);
    ck_assert_msg(error == 0, "%s", complaint.text);
    ck_assert_int_eq(source_start(heard->source), 0);
    /* The reader holds the file open. */
    unlink(path);
}

static void close_source(struct heard *heard)
{
    source_destroy(heard->source);
    event_base_free(heard->base);
}

static struct heard play(const char *text, struct recording_source_settings settings)
{
    struct heard heard = {0};
    open_text(&heard, text, &settings);
    event_base_dispatch(heard.base);
    close_source(&heard);
    return heard;
}

START_TEST(every_scan_arrives_once_and_in_order)
{
    enum { ROWS = 50001 };
    char *text = ramp(ROWS);
    struct heard heard = play(text, (struct recording_source_settings){0});
    ck_assert_uint_eq(heard.scans, ROWS);
    ck_assert_uint_eq(heard.channels, 2);
    ck_assert_double_eq(heard.sum[0], ROWS * (ROWS - 1.0) / 2);
    ck_assert_double_eq(heard.sum[1], -ROWS * (ROWS - 1.0));
    ck_assert(heard.uniform);
    ck_assert_double_eq_tol(heard.period_s, 0.001, 1e-15);
    ck_assert_double_eq(heard.first_s, 10);
    ck_assert_double_eq_tol(heard.last_s, 60, 1e-9);
    ck_assert_int_eq(heard.ends, 1);
    ck_assert_int_eq(heard.faults, 0);
    free(text);
}
END_TEST

START_TEST(channels_units_and_calibration_of_the_settings)
{
    const struct recording_channel_settings channels[] = {
        {.name = "down", .unit = "mm", .resolution = 0.5, .calibration = {.coefficients = {1, 0.5, 0.25}, .terms = 3}}};
    struct recording_source_settings settings = {.channel_count = 1, .channels = channels};
    struct heard heard = {0};
    open_text(&heard, "time_s,up_mm,down_V\n0,1,2\n1,3,-4\n2,5,6\n", &settings);
    const struct source_description *description = source_describe(heard.source);
    ck_assert_int_eq(description->kind, SOURCE_RECORDING);
    ck_assert(description->may_pause);
    ck_assert(!description->wall_clock);
    ck_assert_uint_eq(description->channel_count, 1);
    ck_assert_str_eq(description->channels[0].name, "down");
    ck_assert_str_eq(description->channels[0].unit, "mm");
    ck_assert_double_eq(description->channels[0].resolution, 0.5);
    event_base_dispatch(heard.base);
    ck_assert_double_eq(description->sample_rate_hz, 1);
    /* 1 + v/2 + v²/4 at 2, -4 and 6 */
    ck_assert_double_eq(heard.sum[0], 3 + 3 + 13);
    close_source(&heard);
}
END_TEST

START_TEST(units_come_from_the_header)
{
    struct recording_source_settings settings = {0};
    struct heard heard = {0};
    open_text(&heard, "time_s,up_mm,plain\n0,1,2\n1,3,4\n", &settings);
    const struct source_description *description = source_describe(heard.source);
    ck_assert_str_eq(description->channels[0].unit, "mm");
    ck_assert_str_eq(description->channels[1].name, "plain");
    ck_assert_str_eq(description->channels[1].unit, "1");
    close_source(&heard);
}
END_TEST

START_TEST(uneven_sampling_keeps_its_stamps)
{
    struct heard heard = play("t_s,x\n0,1\n0.1,2\n0.3,3\n0.35,4\n", (struct recording_source_settings){0});
    ck_assert(!heard.uniform);
    ck_assert_uint_eq(heard.scans, 4);
    ck_assert_double_eq(heard.last_s, 0.35);
}
END_TEST

/* The bad row stands behind many good ones: none of them may be delivered. */
START_TEST(a_bad_recording_gives_a_fault_and_no_scans)
{
    char *text = ramp(20000);
    strcpy(text + strlen(text) - 3, "x\n");
    struct heard heard = play(text, (struct recording_source_settings){0});
    ck_assert_int_eq(heard.faults, 1);
    ck_assert_int_eq(heard.ends, 1);
    ck_assert_uint_eq(heard.scans, 0);
    ck_assert_msg(strstr(heard.fault, "bad_row: /tmp/fricid-source-"), "%s", heard.fault);
    ck_assert_msg(strstr(heard.fault, ":20001: the value of down is not a number"), "%s", heard.fault);
    free(text);
    heard = play("t_s,x\n0,1\n", (struct recording_source_settings){0});
    ck_assert_msg(strstr(heard.fault, ":2: the file ends after one row"), "%s", heard.fault);
}
END_TEST

START_TEST(a_calibration_that_overflows_is_a_fault)
{
    const struct recording_channel_settings channels[] = {
        {.name = "x", .calibration = {.coefficients = {0, 1, 0, 0, 1}, .terms = 5}}};
    struct heard heard =
        play("t_s,x\n0,1\n1,1e90\n", (struct recording_source_settings){.channel_count = 1, .channels = channels});
    ck_assert_uint_eq(heard.scans, 0);
    ck_assert_msg(strstr(heard.fault, "calibration of x"), "%s", heard.fault);
    heard = play("t_s,x\n0,1\n1,1e40\n", (struct recording_source_settings){.channel_count = 1, .channels = channels});
    ck_assert_uint_eq(heard.scans, 0);
    ck_assert_msg(strstr(heard.fault, "too large a number at 1 s"), "%s", heard.fault);
}
END_TEST

static void expect_refused(const char *path, const struct recording_channel_settings *channels, size_t count,
                           const char *words)
{
    struct complaint complaint = {""};
    struct heard heard = {0};
    const struct source_listener listener = {.scans = hear_scans, .context = &heard};
    struct source *source;
    struct event_base *base = event_base_new();
    const struct recording_source_settings settings = {.path = path, .channels = channels, .channel_count = count};
    ck_assert_int_lt(recording_source_create(base, &settings, &listener, &source, &complaint), 0);
    ck_assert_ptr_null(source);
    ck_assert_msg(strstr(complaint.text, words), "wanted \"%s\": %s", words, complaint.text);
    event_base_free(base);
}

START_TEST(what_cannot_be_opened_is_refused_at_once)
{
    expect_refused("/tmp", NULL, 0, "folder");
    expect_refused("/tmp/no/such/file", NULL, 0, "No such file");
    char path[32];
    write_text(path, "# first\ntime_s,up_mm,down_V\n0,1,2\n1,2,3\n");
    const struct recording_channel_settings channels[] = {
        {.name = "up", .calibration = calibration_identity()},
        {.name = "sideways", .calibration = calibration_identity()},
    };
    expect_refused(path, channels, 2, ":2: there is no column \"sideways\"; the recording has up, down");
    const struct recording_channel_settings twice[] = {channels[0], channels[0]};
    expect_refused(path, twice, 2, "two channels are called \"up\"");
    unlink(path);
}
END_TEST

START_TEST(a_paused_recording_waits)
{
    enum { ROWS = 30000 };
    char *text = ramp(ROWS);
    struct heard heard = {.pause_after = 2, .resumes = true};
    struct recording_source_settings settings = {0};
    open_text(&heard, text, &settings);
    event_base_dispatch(heard.base);
    ck_assert_uint_eq(heard.scans, ROWS);
    ck_assert_int_eq(heard.ends, 1);
    close_source(&heard);
    free(text);
}
END_TEST

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

START_TEST(recorded_speed_takes_as_long_as_the_recording)
{
    char *text = ramp(301);
    int blocks = 0;
    /* On a machine that stands still meanwhile they are few. */
    for (int attempt = 0; attempt < 10 && blocks <= 3; attempt++) {
        double began_s = now_s();
        struct heard heard = play(text, (struct recording_source_settings){.real_time = true});
        ck_assert_double_ge(now_s() - began_s, 0.3);
        ck_assert_uint_eq(heard.scans, 301);
        blocks = heard.blocks;
    }
    ck_assert_int_gt(blocks, 3);
    free(text);
}
END_TEST

/* At any moment: before the thread runs, while it checks, while it waits for room. */
START_TEST(destroyed_at_any_time)
{
    char *text = ramp(40000);
    for (int i = 0; i < 12; i++) {
        struct heard heard = {.pause_after = 1};
        struct recording_source_settings settings = {0};
        open_text(&heard, text, &settings);
        const struct timeval wait = {.tv_usec = i * 3000};
        event_base_loopexit(heard.base, &wait);
        if (i > 0)
            event_base_dispatch(heard.base);
        double began_s = now_s();
        close_source(&heard);
        ck_assert_double_lt(now_s() - began_s, 30); /* it waits for nobody; a machine may stand still for seconds */
    }
    free(text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("recording source");
    TCase *all = tcase_create("all");
    tcase_add_test(all, every_scan_arrives_once_and_in_order);
    tcase_add_test(all, channels_units_and_calibration_of_the_settings);
    tcase_add_test(all, units_come_from_the_header);
    tcase_add_test(all, uneven_sampling_keeps_its_stamps);
    tcase_add_test(all, a_bad_recording_gives_a_fault_and_no_scans);
    tcase_add_test(all, a_calibration_that_overflows_is_a_fault);
    tcase_add_test(all, what_cannot_be_opened_is_refused_at_once);
    tcase_add_test(all, a_paused_recording_waits);
    tcase_add_test(all, recorded_speed_takes_as_long_as_the_recording);
    tcase_add_test(all, destroyed_at_any_time);
    suite_add_tcase(suite, all);
    return run_suite(suite);
}
