/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Two accelerometers on a Comedi card, as a configuration file has them: from their volts to the ring-down that is
 * published. */
#include "configuration_file.h"
#include "fake_comedi.h"
#include "identify/ring_down/ring_down.h"
#include "rig/rig.h"
#include "run_suite.h"

#include <event2/event.h>
#include <math.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

/* What is hit: a mode that both sensors see, of 0.2 V/(m/s2) and -0.1 V/(m/s2). */
static const double f_hz = 130, zeta = 0.004, first_m_per_s2 = 30, blow_s = 1.2, share = 0.6, end_s = 5;
/* The card has one converter, which takes the second sensor so much later. */
static const double later_s = 20e-6;

static const char text[] =
    "rigs = ( { name = \"beam\";"
    "  source = { kind = \"comedi\"; device = \"/dev/comedi0\"; sample_rate_hz = 4000.0; convert_us = 20.0; };"
    "  channels = ("
    "    { name = \"tip\"; input = \"voltage\"; channel = 0; role = \"accelerometer\"; unit = \"m/s2\";"
    "      calibration = [0.0, 5.0]; },"
    "    { name = \"root\"; input = \"voltage\"; channel = 2; role = \"accelerometer\"; unit = \"m/s2\";"
    "      calibration = [1.0, -10.0]; } ); } );";

/* What no converter is without, -1 to 1: of each moment its own, by the steps of a multiplicative hash. */
static double white(unsigned channel, double at_s)
{
    uint64_t bits = (uint64_t)llround(at_s * 1e9) * 4 + channel;
    for (int i = 0; i < 3; i++)
        bits = (bits ^ (bits >> 31)) * UINT64_C(0x9E3779B97F4A7C15);
    return (double)(bits >> 11) / 0x1p52 - 1;
}

static double struck_volts(unsigned channel, double at_s)
{
    const double omega = 2 * M_PI * f_hz, since_s = at_s - blow_s;
    const double motion =
        since_s > 0 ? first_m_per_s2 * exp(-zeta * omega * since_s) * cos(omega * sqrt(1 - zeta * zeta) * since_s) : 0;
    const double noise = 1e-3 * white(channel, at_s);
    return noise + (channel == 0 ? motion / 5 : (share * motion - 1) / -10);
}

static struct heard {
    size_t results, events;
    char kind[32], source[32], columns[256];
} heard;

static void hear_event(void *context, const struct service_event *event)
{
    (void)context;
    if (strcmp(event->code, "ring_down") != 0)
        return;
    heard.events++;
}

static void hear_progress(void *context, const struct rig *rig, const struct channel_status *channel)
{
    (void)context;
    (void)rig;
    (void)channel;
}

static bool wants_no_signal(void *context)
{
    (void)context;
    return false;
}

static void expect_mode(const struct ring_down_mode *mode)
{
    const double omega_0 = 2 * M_PI * f_hz;
    ck_assert_str_eq(verdict_name(mode->verdict), "ok");
    ck_assert_str_eq(mode->reference, "tip");
    ck_assert_double_le(fabs(mode->omega_0.value / omega_0 - 1), 1e-5);
    ck_assert_double_le(fabs(mode->zeta_0.value / zeta - 1), 0.005);
    ck_assert_uint_eq(mode->sensors, 2);
    ck_assert_str_eq(mode->shape[1].name, "root");
    /* The card samples its channels one after the other, which the shape does not show. */
    ck_assert_double_gt(share * sin(omega_0 * later_s), 0.009);
    ck_assert_double_eq_tol(mode->shape[1].re, share, 0.002);
    ck_assert_double_eq_tol(mode->shape[1].im, 0, 0.002);
    /* Displacements, in m: what is seen begins within a few cycles of the blow. */
    const double first = first_m_per_s2 / (omega_0 * omega_0);
    ck_assert_double_le(mode->amplitude_max, first);
    ck_assert_double_ge(mode->amplitude_max, 0.8 * first);
}

static void hear_result(void *context, struct kept_result *result)
{
    (void)context;
    const struct decay_origin *origin = &result->of->origin;
    const struct ring_down *found = result->found;
    ck_assert_uint_eq(result->found_bytes, sizeof *found);
    ck_assert_str_eq(verdict_name(found->verdict), "ok");
    ck_assert_double_eq_tol(found->blow_s - result->of->decay->released_s, 0, 0.002);
    ck_assert_uint_eq(found->mode_count, 1);
    expect_mode(&found->mode[0]);
    heard.results++;
    snprintf(heard.kind, sizeof heard.kind, "%s", origin->kind);
    snprintf(heard.source, sizeof heard.source, "%s", origin->source_kind);
    snprintf(heard.columns, sizeof heard.columns, "%s", origin->columns);
}

static void hear_lost(void *context, const struct decay_origin *origin, const char *reason, const char *sentence)
{
    (void)context;
    (void)origin;
    ck_abort_msg("%s: %s", reason, sentence);
}

static void hear_drained(void *context)
{
    (void)context;
}

/* Until the card's time is over, and all that it saw is identified. */
static void run(struct event_base *base, const struct pipeline *pipeline)
{
    const struct timespec short_time = {.tv_nsec = 1000000};
    while (!fake_comedi_has_ended()) {
        event_base_loop(base, EVLOOP_NONBLOCK);
        sched_yield();
    }
    for (int turn = 0; turn < 60000 && (turn < 100 || !pipeline_idle(pipeline)); turn++) {
        event_base_loop(base, EVLOOP_NONBLOCK);
        nanosleep(&short_time, NULL);
    }
    ck_assert(pipeline_idle(pipeline));
}

START_TEST(volts_become_a_ring_down)
{
    struct configuration_file file = configuration_file_write("fricid.conf", text);
    struct configuration *configuration = configuration_file_load(&file);
    ck_assert_msg(configuration, "%s", file.complaints);
    struct fake_card card = fake_comedi_card();
    card.volts = struck_volts;
    fake_comedi_plug(&card);
    fake_comedi_run_until(end_s);
    struct event_base *base = event_base_new();
    const struct pipeline_settings settings = {.queue_max_bytes = 1 << 24};
    const struct pipeline_listener of_results = {.published = hear_result, .lost = hear_lost, .drained = hear_drained};
    const struct rig_listener of_rig = {
        .event = hear_event, .progress = hear_progress, .wants_signal = wants_no_signal};
    struct pipeline *pipeline = pipeline_create(base, store_open_memory(), &settings, &of_results);
    struct recorder_pool recorders;
    recorder_pool_init(&recorders, &(struct recorder_settings){.last_s = 10, .memory_bytes = 1 << 20});
    struct rig *rig = rig_create(base, &configuration->rigs[0], configuration->id, pipeline, &recorders, &of_rig);
    rig_start(rig);
    run(base, pipeline);
    rig_stop(rig, DECAY_END_END_OF_SOURCE);
    run(base, pipeline);
    ck_assert_uint_eq(heard.events, 1);
    ck_assert_uint_ge(heard.results, 1);
    ck_assert_str_eq(heard.kind, "ring_down");
    ck_assert_str_eq(heard.source, "comedi");
    ck_assert_str_eq(heard.columns, "tip,root");
    rig_destroy(rig);
    pipeline_destroy(pipeline);
    event_base_free(base);
    configuration_destroy(configuration);
    configuration_file_remove(&file);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ring-downs on a Comedi card");
    TCase *tests = tcase_create("card");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, volts_become_a_ring_down);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
