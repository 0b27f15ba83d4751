/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A rig with a source that the test drives: what becomes of gaps, ends, pauses and faults. */
#include "acquire/simulated_rig.h"
#include "closed_form_decay.h"
#include "report/kinds/kind_work.h"
#include "rig/rig.h"
#include "run_suite.h"
#include "system/clock_anchor.h"

#include <errno.h>
#include <event2/event.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

static const double period_s = 1e-3;
static const struct true_decay truth = {.omega_n = 34.7, .zeta = 0.0177, .x_k = 0.18, .x_s = 0.2, .x0 = 12};

/* Scans of one throw: the mass rests, is held, is let go, decays and rests. */
enum { REST = 1500, HELD = 800, FREE = 3500, THROW = REST + HELD + FREE, RELEASED = REST + HELD };

/* --- the source --- */

struct driven_source {
    struct source source; /* first: a source is this */
    struct source_listener listener;
    struct source_description description;
    uint64_t next_index;
    double origin_s;
    bool stamped;
    size_t block; /* scans */
    int pauses, resumes;
};

static const struct source_channel driven_channel = {.name = "lvdt", .unit = "mm", .resolution = 1e-3};

/* The source of the rig under test, as the wrapped constructor finds and leaves it. */
static struct driven_source driven;
static bool cannot_open;

static const struct source_description *driven_describe(const struct source *source)
{
    (void)source;
    return &driven.description;
}

static int driven_start(struct source *source)
{
    (void)source;
    return 0;
}

static void driven_pause(struct source *source)
{
    (void)source;
    driven.pauses++;
}

static void driven_resume(struct source *source)
{
    (void)source;
    driven.resumes++;
}

static void driven_destroy(struct source *source)
{
    (void)source;
}

static const struct source_methods driven_methods = {.describe = driven_describe,
                                                     .start = driven_start,
                                                     .pause = driven_pause,
                                                     .resume = driven_resume,
                                                     .destroy = driven_destroy};

int __wrap_simulated_rig_create(struct event_base *base, const struct simulated_rig_settings *settings,
                                const struct source_listener *listener, struct source **source,
                                struct complaint *complaint);

int __wrap_simulated_rig_create(struct event_base *base, const struct simulated_rig_settings *settings,
                                const struct source_listener *listener, struct source **source,
                                struct complaint *complaint)
{
    (void)base;
    (void)settings;
    driven.source.methods = &driven_methods;
    driven.listener = *listener;
    *source = cannot_open ? NULL : &driven.source;
    if (cannot_open)
        complaint_set(complaint, "the card is not there: is the cable in?");
    return cannot_open ? -ENODEV : 0;
}

/* --- memory that runs short --- */

/* Allocations that still succeed; negative: all do. The threads look, too. */
static atomic_int allocations_left = -1;

void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);

void *__wrap_calloc(size_t count, size_t size)
{
    if (allocations_left == 0)
        return NULL;
    if (allocations_left > 0)
        allocations_left--;
    return __real_calloc(count, size);
}

/* --- the stream --- */

static double displacement_at(uint64_t scan)
{
    if (scan < REST)
        return 0;
    double y = scan < RELEASED ? truth.x0 : true_displacement(&truth, (double)(scan - RELEASED) * period_s);
    return round(y * 1e3) / 1e3;
}

/* Scans [from, to) of the throw come next in the stream. */
static void drive(uint64_t from, uint64_t to)
{
    while (from < to) {
        double displacement[THROW], time_s[THROW];
        const struct channel_samples samples = {.displacement = displacement};
        size_t count = to - from < driven.block ? (size_t)(to - from) : driven.block;
        for (size_t i = 0; i < count; i++) {
            displacement[i] = displacement_at(from + i);
            time_s[i] = driven.origin_s + (double)(driven.next_index + i) * period_s;
        }
        const struct scan_block block = {.first_index = driven.next_index,
                                         .scan_count = count,
                                         .origin_s = driven.origin_s,
                                         .period_s = period_s,
                                         .time_s = driven.stamped ? time_s : NULL,
                                         .channel_count = 1,
                                         .channels = &samples};
        driven.next_index += count;
        from += count;
        driven.listener.scans(driven.listener.context, &block);
    }
}

/* --- what the daemon around the rig hears --- */

enum { MAX_RESULTS = 8 };

static struct heard {
    int results, gaps, ends, faults, lost, progress;
    uint64_t gap_scans;
    enum decay_end ended_by[MAX_RESULTS];
    int64_t released_at_ns[MAX_RESULTS];
    char reason[32], source_kind[32];
} heard;

static struct event_base *base;
static struct pipeline *pipeline;
static struct recorder_pool recorders;
static struct rig *rig;

static void hear_event(void *context, const struct service_event *event)
{
    (void)context;
    ck_assert_str_eq(event->rig, "bearing");
    ck_assert_str_eq(event->source_kind, "simulated");
    ck_assert_uint_gt(strlen(event->sentence), 10);
    heard.gaps += strcmp(event->code, "gap") == 0;
    heard.gap_scans += strcmp(event->code, "gap") == 0 ? event->count : 0;
    heard.ends += strcmp(event->code, "source_ended") == 0;
    heard.faults += strcmp(event->code, "source_fault") == 0;
    snprintf(heard.reason, sizeof heard.reason, "%s", event->reason ? event->reason : "");
}

static void hear_progress(void *context, const struct rig *of, const struct channel_status *channel)
{
    (void)context;
    ck_assert_ptr_eq(of, rig);
    ck_assert_str_eq(channel->name, "lvdt");
    heard.progress++;
}

static void hear_result(void *context, struct kept_result *result)
{
    (void)context;
    ck_assert_int_lt(heard.results, MAX_RESULTS);
    heard.ended_by[heard.results] = result->of->decay->ended_by;
    heard.released_at_ns[heard.results] = result->of->origin.released_at_ns;
    heard.results++;
    snprintf(heard.source_kind, sizeof heard.source_kind, "%s", result->of->origin.source_kind);
    rig_note_result(rig, result);
}

static void hear_lost(void *context, const struct decay_origin *origin, const char *reason, const char *sentence)
{
    (void)context;
    (void)sentence;
    ck_assert_str_eq(origin->rig, "bearing");
    heard.lost++;
    snprintf(heard.reason, sizeof heard.reason, "%s", reason);
}

static void hear_drained(void *context)
{
    (void)context;
    rig_resume(rig);
}

static bool somebody_looks;
static struct service_signal shown; /* the latest */
static int shown_count;

static bool wants_signal(void *context)
{
    (void)context;
    return somebody_looks;
}

static void hear_signal(void *context, const struct service_signal *signal)
{
    (void)context;
    shown = *signal;
    shown_count++;
}

static const struct rig_configuration *configuration(void)
{
    static struct rig_configuration one;
    one = (struct rig_configuration){.name = "bearing",
                                     .kind = kind_work_named(""),
                                     .source_kind = SOURCE_SIMULATED,
                                     .physical = physical_default_settings(),
                                     .segment_defaults = segment_default_settings()};
    return &one;
}

/* A rig whose source is live, or waits when asked to. */
static void create(bool live, size_t queue_max_bytes)
{
    const struct pipeline_settings settings = {.queue_max_bytes = queue_max_bytes};
    const struct pipeline_listener pipeline_listener = {
        .published = hear_result, .lost = hear_lost, .drained = hear_drained};
    const struct rig_listener listener = {
        .event = hear_event, .progress = hear_progress, .wants_signal = wants_signal, .signal = hear_signal};
    driven.description = (struct source_description){.kind = SOURCE_SIMULATED,
                                                     .device = "driven by the test",
                                                     .sample_rate_hz = driven.stamped ? 0 : 1 / period_s,
                                                     .may_pause = !live,
                                                     .wall_clock = live,
                                                     .channel_count = 1,
                                                     .channels = &driven_channel};
    pipeline = pipeline_create(base, store_open_memory(), &settings, &pipeline_listener);
    ck_assert_ptr_nonnull(pipeline);
    recorder_pool_init(&recorders, &(struct recorder_settings){.last_s = 10, .memory_bytes = 1 << 20});
    rig = rig_create(base, configuration(), "0123456789abcdef", pipeline, &recorders, &listener);
    ck_assert_ptr_nonnull(rig);
    rig_start(rig);
}

static void run_until_idle(void)
{
    const struct timespec short_time = {.tv_nsec = 1000000};
    for (int turn = 0; turn < 60000 && !pipeline_idle(pipeline); turn++) {
        event_base_loop(base, EVLOOP_NONBLOCK);
        nanosleep(&short_time, NULL);
    }
    ck_assert(pipeline_idle(pipeline));
}

static void set_up(void)
{
    heard = (struct heard){0};
    driven = (struct driven_source){.block = 500};
    cannot_open = false;
    somebody_looks = false;
    shown_count = 0;
    base = event_base_new();
    ck_assert_ptr_nonnull(base);
}

static void tear_down(void)
{
    rig_destroy(rig);
    pipeline_destroy(pipeline);
    event_base_free(base);
}

/* --- ends of records --- */

START_TEST(throw_becomes_result)
{
    create(true, 1 << 20);
    ck_assert_int_eq(rig_status(rig).condition, RIG_STARTING);
    drive(0, THROW);
    run_until_idle();
    struct rig_status status = rig_status(rig);
    ck_assert_int_eq(status.condition, RIG_RUNNING);
    ck_assert_int_eq(heard.results, 1);
    ck_assert_int_eq(heard.ended_by[0], DECAY_END_REST);
    ck_assert_str_eq(heard.source_kind, "simulated");
    ck_assert_int_gt(heard.progress, 5);
    ck_assert_uint_eq(status.scans, THROW);
    ck_assert_uint_eq(status.channels[0].segment.decays, 1);
    ck_assert_uint_eq(status.channels[0].last_result_id, 1);
    ck_assert_int_eq(status.channels[0].last_verdict, VERDICT_OK);
}
END_TEST

/* _i: the source tells the gap; the index alone shows it; the source tells it, and the index how long it was. */
START_TEST(gap_ends_the_record)
{
    enum { LOST = 250 };
    create(true, 1 << 20);
    drive(0, RELEASED + 1500);
    if (_i != 1)
        driven.listener.gap(
            driven.listener.context,
            &(struct source_gap){.first_index = RELEASED + 1500, .lost = _i == 0 ? LOST : 0, .reason = "overrun"});
    run_until_idle();
    ck_assert_int_eq(heard.results, _i == 1 ? 0 : 1); /* the record does not wait for the stream to go on */
    driven.next_index += LOST;
    drive(RELEASED + 1500 + LOST, THROW);
    drive(0, THROW);
    run_until_idle();
    struct rig_status status = rig_status(rig);
    ck_assert_int_ge(heard.results, 2);
    ck_assert_int_eq(heard.ended_by[0], DECAY_END_GAP);
    ck_assert_int_eq(heard.ended_by[heard.results - 1], DECAY_END_REST);
    ck_assert_int_eq(heard.gaps, _i == 2 ? 2 : 1);
    ck_assert_uint_eq(heard.gap_scans, LOST);
    ck_assert_uint_eq(status.gaps, 1);
    ck_assert_uint_eq(status.lost_scans, LOST);
    ck_assert_uint_eq(status.channels[0].segment.gaps, 1);
    ck_assert_uint_eq(status.channels[0].segment.lost_samples, LOST);
    ck_assert_uint_eq(status.scans, 2 * THROW - LOST);
}
END_TEST

START_TEST(end_of_source_ends_the_record)
{
    create(false, 1 << 20);
    drive(0, RELEASED + 1500);
    driven.listener.end(driven.listener.context);
    run_until_idle();
    ck_assert_int_eq(heard.results, 1);
    ck_assert_int_eq(heard.ended_by[0], DECAY_END_END_OF_SOURCE);
    ck_assert_int_eq(heard.ends, 1);
    ck_assert_int_eq(rig_status(rig).condition, RIG_ENDED);
}
END_TEST

/* A live source goes on after the rig was stopped; nobody listens any more. */
START_TEST(stop_ends_the_record_and_the_listening)
{
    create(true, 1 << 20);
    drive(0, RELEASED + 1500);
    rig_stop(rig, DECAY_END_RECONFIGURED);
    drive(RELEASED + 1500, THROW);
    drive(0, THROW);
    driven.listener.end(driven.listener.context);
    run_until_idle();
    ck_assert_int_eq(heard.results, 1);
    ck_assert_int_eq(heard.ended_by[0], DECAY_END_RECONFIGURED);
    ck_assert_int_eq(heard.ends, 0);
    ck_assert_int_eq(rig_status(rig).condition, RIG_ENDED);
    ck_assert_uint_eq(rig_status(rig).scans, RELEASED + 1500);
}
END_TEST

START_TEST(final_fault_ends_the_record)
{
    const struct source_fault passing = {.code = "late", .sentence = "the card was late once", .final = false};
    const struct source_fault final = {.code = "bad_row", .sentence = "x.csv:7: not a number", .final = true};
    create(false, 1 << 20);
    drive(0, RELEASED + 1500);
    driven.listener.fault(driven.listener.context, &passing);
    ck_assert_int_eq(rig_status(rig).condition, RIG_RUNNING);
    ck_assert_str_eq(rig_status(rig).problem, passing.sentence);
    drive(RELEASED + 1500, RELEASED + 1600);
    ck_assert_ptr_null(rig_status(rig).problem);
    driven.listener.fault(driven.listener.context, &final);
    driven.listener.end(driven.listener.context);
    run_until_idle();
    ck_assert_int_eq(heard.faults, 2);
    ck_assert_int_eq(heard.ends, 0);
    ck_assert_int_eq(heard.results, 1);
    ck_assert_int_eq(heard.ended_by[0], DECAY_END_END_OF_SOURCE);
    ck_assert_int_eq(rig_status(rig).condition, RIG_FAILED);
    ck_assert_str_eq(rig_status(rig).problem, final.sentence);
}
END_TEST

START_TEST(source_that_cannot_be_opened_shows)
{
    cannot_open = true;
    create(true, 1 << 20);
    ck_assert_int_eq(heard.faults, 1);
    ck_assert_int_eq(rig_status(rig).condition, RIG_FAILED);
    ck_assert_ptr_nonnull(strstr(rig_status(rig).problem, "cable"));
    rig_stop(rig, DECAY_END_END_OF_SOURCE);
}
END_TEST

START_TEST(memory_that_is_short_is_told)
{
    const struct rig_listener listener = {.event = hear_event, .progress = hear_progress};
    create(true, 1 << 20);
    int needed = 0;
    struct rig *another = NULL;
    while (!another) {
        allocations_left = needed++;
        another = rig_create(base, configuration(), "0123456789abcdef", pipeline, &recorders, &listener);
        allocations_left = -1;
    }
    ck_assert_int_gt(needed, 4); /* the rig, its channels, their statuses, a segmenter: each was refused once */
    ck_assert_ptr_nonnull(rig_status(another).channels);
    rig_destroy(another);
}
END_TEST

/* --- back-pressure --- */

START_TEST(live_source_drops_its_newest_decay)
{
    create(true, 1000);
    drive(0, THROW);
    run_until_idle();
    ck_assert_int_eq(heard.results, 0);
    ck_assert_int_eq(heard.lost, 1);
    ck_assert_str_eq(heard.reason, "queue_full");
    ck_assert_uint_eq(rig_status(rig).decays_lost, 1);
    ck_assert_int_eq(driven.pauses, 0);
}
END_TEST

START_TEST(source_that_waits_is_paused_and_goes_on)
{
    create(false, 1000);
    drive(0, THROW);
    ck_assert_int_eq(driven.pauses, 1);
    ck_assert_int_eq(rig_status(rig).condition, RIG_PAUSED);
    run_until_idle();
    ck_assert_int_eq(driven.resumes, 1);
    ck_assert_int_eq(rig_status(rig).condition, RIG_RUNNING);
    drive(0, THROW);
    run_until_idle();
    ck_assert_int_eq(driven.pauses, 2);
    ck_assert_int_eq(driven.resumes, 2);
    ck_assert_int_eq(heard.results, 2);
    ck_assert_int_eq(heard.lost, 0);
    ck_assert_uint_eq(rig_status(rig).decays_lost, 0);
}
END_TEST

/* Stopped while it is paused: it is not woken up again. */
START_TEST(stopped_rig_is_not_resumed)
{
    create(false, 1000);
    drive(0, THROW);
    ck_assert_int_eq(rig_status(rig).condition, RIG_PAUSED);
    rig_stop(rig, DECAY_END_END_OF_SOURCE);
    run_until_idle();
    ck_assert_int_eq(driven.resumes, 0);
    ck_assert_int_eq(heard.results, 1);
}
END_TEST

/* --- the time of day --- */

/* _i: the source's clock begins at 0 or counts seconds since 1970; samples are uniform or carry stamps. */
/* What was measured while nobody looked, or when somebody looked last, is no part of what is shown. */
START_TEST(signals_are_of_the_time_in_which_somebody_looks)
{
    const struct timespec longer_than_a_window = {.tv_nsec = 150000000};
    create(true, 1 << 24);
    for (int time = 1; time <= 2; time++) {
        drive(0, REST);
        nanosleep(&longer_than_a_window, NULL);
        double looked_from_s = clock_monotonic_s();
        somebody_looks = true;
        drive(0, 500);
        ck_assert_int_eq(shown_count, time - 1);
        nanosleep(&longer_than_a_window, NULL);
        drive(500, 1000);
        ck_assert_int_eq(shown_count, time);
        ck_assert_uint_eq(shown.samples, 1000);
        ck_assert_double_ge(shown.window_s, 0.1);
        ck_assert_double_le(shown.window_s, clock_monotonic_s() - looked_from_s);
        drive(0, 500); /* begins a window that nobody waits for */
        somebody_looks = false;
    }
}
END_TEST

START_TEST(release_of_a_live_decay_is_dated)
{
    driven.origin_s = _i % 2 == 0 ? 0 : 1763700000;
    driven.stamped = _i >= 2;
    driven.block = THROW; /* all at once: its last scan was taken when it comes */
    create(true, 1 << 20);
    const int64_t after_release_ns = (int64_t)(THROW - 1 - RELEASED) * 1000000;
    const int64_t tolerance_ns = 20000000; /* the release is not seen to the sample */
    int64_t earliest_ns = clock_realtime_ns() - after_release_ns - tolerance_ns;
    drive(0, THROW);
    int64_t latest_ns = clock_realtime_ns() - after_release_ns + tolerance_ns;
    run_until_idle();
    ck_assert_int_eq(heard.results, 1);
    ck_assert_int_ge(heard.released_at_ns[0], earliest_ns);
    ck_assert_int_le(heard.released_at_ns[0], latest_ns);
}
END_TEST

START_TEST(release_of_a_recorded_decay_is_not)
{
    create(false, 1 << 20);
    drive(0, THROW);
    run_until_idle();
    ck_assert_int_eq(heard.results, 1);
    ck_assert(heard.released_at_ns[0] == INT64_MIN);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("rig");
    TCase *tests = tcase_create("rig");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, throw_becomes_result);
    tcase_add_loop_test(tests, gap_ends_the_record, 0, 3);
    tcase_add_test(tests, end_of_source_ends_the_record);
    tcase_add_test(tests, stop_ends_the_record_and_the_listening);
    tcase_add_test(tests, final_fault_ends_the_record);
    tcase_add_test(tests, source_that_cannot_be_opened_shows);
    tcase_add_test(tests, memory_that_is_short_is_told);
    tcase_add_test(tests, live_source_drops_its_newest_decay);
    tcase_add_test(tests, source_that_waits_is_paused_and_goes_on);
    tcase_add_test(tests, stopped_rig_is_not_resumed);
    tcase_add_test(tests, signals_are_of_the_time_in_which_somebody_looks);
    tcase_add_loop_test(tests, release_of_a_live_decay_is_dated, 0, 4);
    tcase_add_test(tests, release_of_a_recorded_decay_is_not);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
