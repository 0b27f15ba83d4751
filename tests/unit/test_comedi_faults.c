/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whatever happens to a card, and whenever: it is said in words, the stream is broken off there, what is missing is
 * counted, and what comes afterwards is right again. */
#include "card_bench.h"
#include "run_suite.h"
#include "thinning.h"

#include <math.h>
#include <string.h>

static struct card_bench bench;

static const double mm_per_volt = 10, swing_mm = 20, swing_hz = 1.3;

static double swinging_mm(double at_s)
{
    return swing_mm * (1 - cos(2 * M_PI * swing_hz * at_s));
}

static double swinging_volts(unsigned channel, double at_s)
{
    (void)channel;
    return swinging_mm(at_s) / mm_per_volt;
}

static double swinging_edges(unsigned channel, double at_s)
{
    (void)channel;
    return 200 * swinging_mm(at_s);
}

/* An LVDT that streams at 2 kHz, and an encoder that is polled at 1 kHz. */
static void set_up(void)
{
    card_bench_init(&bench);
    bench.settings.sample_rate_hz = 2000;
    bench.card.volts = swinging_volts;
    bench.card.edges = swinging_edges;
    card_bench_add(&bench, "lvdt", COMEDI_VOLTAGE)->calibration =
        (struct calibration){.coefficients = {0, mm_per_volt}, .terms = 2};
    card_bench_add(&bench, "encoder", COMEDI_ENCODER)->counts_per_unit = 200;
}

static void happens(double at_s, enum fake_state state)
{
    bench.card.moments[bench.card.moment_count++] = (struct fake_moment){at_s, state};
}

/* From the first scan to the end, every scan was delivered or counted as missing. */
static void everything_is_counted(void)
{
    static const double rates[] = {2000, 1000};
    for (size_t c = 0; c < 2; c++) {
        const struct bench_channel *channel = &bench.heard[c];
        double passed_s = bench.ended_s - channel->time_s[0];
        double told_s = (double)(channel->count + channel->missing) / rates[c];
        /* The reader's beat, the driver's, and for each new start that of the clocks; a polled channel falls behind by
         * what its readings were late, which their stamps say. */
        double slack_s = 0.05 + 0.01 * (double)bench.opened + (c == 1 ? 0.1 * (double)channel->count / rates[c] : 0);
        ck_assert_msg(fabs(told_s - passed_s) < slack_s, "channel %zu: %g s of %g s are accounted for", c, told_s,
                      passed_s);
    }
}

/* Also behind a gap, time and motion belong together. The counter of a card that had no power starts at 0 again. */
static void samples_are_right(bool counter_is_new)
{
    const struct bench_channel *lvdt = &bench.heard[0], *encoder = &bench.heard[1];
    const double slope = 2 * M_PI * swing_hz * swing_mm, restart_s = 2e-3;
    for (size_t i = 0; i < lvdt->count; i++)
        ck_assert_double_eq_tol(lvdt->value[i], swinging_mm(lvdt->time_s[i]), slope * restart_s);
    for (size_t i = 0; !counter_is_new && i < encoder->count; i++)
        ck_assert_double_eq_tol(encoder->value[i], swinging_mm(encoder->time_s[i]),
                                0.005 + slope * (encoder->time_error_s + restart_s));
    for (size_t c = 0; c < 2; c++)
        for (size_t i = 1; i < bench.heard[c].count; i++)
            ck_assert_double_gt(bench.heard[c].time_s[i], bench.heard[c].time_s[i - 1]);
}

static void is_said(const char *code, const char *word)
{
    const struct bench_fault *fault = card_bench_fault(&bench, code);
    ck_assert_msg(fault != NULL, "no fault %s; the first is %s", code,
                  bench.fault_count > 0 ? bench.faults[0].sentence : "none");
    ck_assert_msg(strncmp(fault->sentence, "/dev/comedi0: ", 14) == 0, "%s", fault->sentence);
    ck_assert_msg(strstr(fault->sentence, word) != NULL, "%s", fault->sentence);
    ck_assert_msg(strstr(fault->sentence, "trying again in") != NULL, "%s", fault->sentence);
}

/* --- faults while the card runs --- */

static const struct {
    enum fake_state state;
    const char *code, *word;
    bool power;   /* counters are without */
    double heard; /* at the latest so long after it has happened, s */
} faults[] = {
    {FAKE_FAILING, "device_error", "kernel's log", false, 0.1},
    {FAKE_SILENT, "silent", "no data for", false, 1.2},
    {FAKE_UNPLUGGED, "device_lost", "is the cable in?", true, 0.1},
};

/* At the very start, before the first data, right behind them, and anywhere. */
static const double moments_s[] = {1e-4, 0.0105, 0.3, 1.2345, 4.999, 7.77};

enum { FAULTS = sizeof faults / sizeof *faults, MOMENTS = sizeof moments_s / sizeof *moments_s };

START_TEST(a_fault_at_any_time_is_told_and_overcome)
{
    if (is_left_out(_i))
        return;
    const double at_s = moments_s[_i % MOMENTS];
    const size_t f = (size_t)_i / MOMENTS;
    set_up();
    happens(at_s, faults[f].state);
    happens(at_s + 1.7, FAKE_WORKS);
    card_bench_run(&bench, 15);
    is_said(faults[f].code, faults[f].word);
    ck_assert_double_lt(card_bench_fault(&bench, faults[f].code)->at_s, at_s + faults[f].heard);
    /* What had been delivered is broken off; before that there is nothing to break. */
    if (at_s > 0.05)
        ck_assert_str_eq(bench.gaps[0], faults[f].code);
    ck_assert_uint_ge(bench.opened, 2);
    /* It works again as soon as the next trial comes. */
    ck_assert_double_lt(bench.opened_at_s[bench.opened - 1], at_s + 1.7 + 2.1);
    everything_is_counted();
    samples_are_right(faults[f].power);
    ck_assert_uint_eq(bench.card.resets, faults[f].power ? 2 : 1);
    card_bench_clear(&bench);
}
END_TEST

/* Twice in a row, the second time while it is being recovered from or right behind. */
START_TEST(a_fault_on_top_of_another)
{
    static const double second_s[] = {0.05, 0.26, 0.2601, 0.3, 1.0, 3.0};
    const struct {
        enum fake_state first, second;
        const char *codes[2];
    } pairs[] = {{FAKE_FAILING, FAKE_FAILING, {"device_error", "device_error"}},
                 {FAKE_FAILING, FAKE_UNPLUGGED, {"device_error", "no_device"}},
                 {FAKE_UNPLUGGED, FAKE_FORBIDDEN, {"device_lost", "no_permission"}}};
    for (size_t p = 0; p < 3; p++) {
        set_up();
        happens(3, pairs[p].first);
        happens(3.02, FAKE_WORKS);
        happens(3 + second_s[_i], pairs[p].second);
        happens(3 + second_s[_i] + 0.8, FAKE_WORKS);
        card_bench_run(&bench, 12);
        is_said(pairs[p].codes[0], "");
        everything_is_counted();
        samples_are_right(true);
        ck_assert_uint_ge(bench.heard[0].jumps, 1);
        ck_assert_double_lt(bench.opened_at_s[bench.opened - 1], 3 + second_s[_i] + 0.8 + 2.1);
        card_bench_clear(&bench);
    }
}
END_TEST

/* A card that fails every few seconds is at work again at once each time: only one that does not deliver is tried less
 * and less often. */
START_TEST(faults_that_come_again_and_again)
{
    static const double every_s[] = {3.5, 1.1};
    set_up();
    for (int i = 1; i <= 6; i++) {
        happens(i * every_s[_i], FAKE_FAILING);
        happens(i * every_s[_i] + 0.02, FAKE_WORKS);
    }
    card_bench_run(&bench, 60);
    ck_assert_uint_ge(bench.fault_count, _i ? 3 : 6);
    for (size_t i = 0; i < bench.fault_count; i++)
        ck_assert(!bench.faults[i].repeated);
    for (size_t i = 1; i < bench.opened && _i == 0; i++)
        ck_assert_double_eq_tol(bench.opened_at_s[i], (double)i * every_s[0] + 0.27, 0.03);
    everything_is_counted();
    samples_are_right(false);
    card_bench_clear(&bench);
}
END_TEST

/* The thread gets no processor for longer than the kernel's buffer lasts. */
START_TEST(nobody_reads_for_too_long)
{
    set_up();
    bench.card.buffer_bytes = 1 << 12;
    bench.card.most_buffer_bytes = 1 << 15; /* 8.2 s of one channel at 2 kHz */
    bench.card.stall_s[0] = 4;
    bench.card.stall_s[1] = 10;
    card_bench_run(&bench, 20);
    is_said("overrun", "overloaded");
    /* What the kernel held is delivered before the gap. */
    const struct bench_channel *lvdt = &bench.heard[0];
    ck_assert_uint_eq(lvdt->jumps, 1);
    ck_assert_double_eq_tol((double)lvdt->missing, 2000 * (10 - 8.192), 2000 * 0.3);
    everything_is_counted();
    samples_are_right(false);
    card_bench_clear(&bench);
}
END_TEST

/* A shorter time, and nothing of the stream is lost; the encoder has one hole, which is counted. */
START_TEST(nobody_reads_for_a_while)
{
    set_up();
    bench.card.stall_s[0] = 4;
    bench.card.stall_s[1] = 6;
    card_bench_run(&bench, 15);
    ck_assert_uint_eq(bench.fault_count, 0);
    ck_assert_uint_eq(bench.heard[0].missing, 0);
    ck_assert_uint_eq(bench.heard[1].jumps, 1);
    ck_assert_double_eq_tol((double)bench.heard[1].missing, 6000, 20);
    everything_is_counted();
    samples_are_right(false);
    card_bench_clear(&bench);
}
END_TEST

/* The event loop takes no messages: the kernel's buffer holds the stream, and readings are counted as missing. */
START_TEST(the_event_loop_is_busy)
{
    set_up();
    bench.card.deaf_s[0] = 3;
    bench.card.deaf_s[1] = 8;
    card_bench_run(&bench, 12);
    ck_assert_uint_eq(bench.fault_count, 0);
    ck_assert_uint_eq(bench.heard[0].missing, 0);
    everything_is_counted();
    samples_are_right(false);
    card_bench_clear(&bench);
}
END_TEST

/* --- faults from the beginning --- */

static const struct {
    enum fake_state state;
    const char *code, *word;
} starts[] = {
    {FAKE_MISSING, "no_device", "is the card plugged in"},
    {FAKE_NO_DRIVER, "no_driver", "comedi_config"},
    {FAKE_FORBIDDEN, "no_permission", "in group iocard?"},
    {FAKE_BUSY, "busy", "another program uses it"},
    {FAKE_SILENT, "silent", "no data for"},
};

/* For five minutes: trials become rarer, the fault is news once, and nothing is counted as lost that never ran. */
START_TEST(a_card_that_does_not_work_at_the_start)
{
    set_up();
    happens(0, starts[_i].state);
    happens(300, FAKE_WORKS);
    card_bench_run(&bench, 340);
    is_said(starts[_i].code, starts[_i].word);
    ck_assert(!bench.faults[0].repeated);
    ck_assert_ptr_nonnull(strstr(bench.faults[0].sentence, "trying again in 0.25 s"));
    for (size_t i = 1; i < bench.fault_count; i++) {
        ck_assert_str_eq(bench.faults[i].code, starts[_i].code);
        /* A card that could be opened has worked, as far as anybody could know: that it fails again is news. */
        ck_assert_int_eq(bench.faults[i].repeated, starts[_i].state != FAKE_SILENT);
    }
    /* 0.25, 0.5, 1, 2, 4, 8, 16 s, and then every 30. */
    ck_assert_uint_ge(bench.fault_count, 15);
    ck_assert_uint_le(bench.fault_count, 17);
    ck_assert_double_lt(bench.opened_at_s[bench.opened - 1], 331);
    ck_assert_uint_eq(bench.heard[0].missing, 0);
    ck_assert_uint_gt(bench.heard[0].count, 9 * 2000);
    samples_are_right(false);
    card_bench_clear(&bench);
}
END_TEST

/* What no waiting mends is said as well, and tried again all the same: the user may plug in another card. */
static const struct {
    const char *code, *word;
    enum comedi_input input;
    int subdevice;
    unsigned channel;
    double range_v, rate_hz;
    enum comedi_reference reference;
} refusals[] = {
    {"wrong_subdevice", "needs an analog input, and subdevice 2 is none", COMEDI_VOLTAGE, 2, 0, 0, 2000, 0},
    {"wrong_subdevice", "needs a counter, and subdevice 0 is none", COMEDI_ENCODER, 0, 0, 0, 2000, 0},
    {"wrong_subdevice", "subdevice 9 is none", COMEDI_VOLTAGE, 9, 0, 0, 2000, 0},
    {"no_such_channel", "is number 4, and subdevice 0 has 4", COMEDI_VOLTAGE, COMEDI_FIRST_SUBDEVICE, 4, 0, 2000, 0},
    {"no_range", "no range of the card holds -20 V to 20 V", COMEDI_VOLTAGE, COMEDI_FIRST_SUBDEVICE, 0, 20, 2000, 0},
    {"no_reference", "cannot measure against \"common\"", COMEDI_VOLTAGE, COMEDI_FIRST_SUBDEVICE, 0, 0, 2000,
     COMEDI_COMMON},
    {"impossible_rate", "1000000 scans/s; the nearest that it offers is 250000", COMEDI_VOLTAGE, COMEDI_FIRST_SUBDEVICE,
     0, 0, 1e6, 0},
};

START_TEST(what_the_card_cannot_do_is_refused)
{
    card_bench_init(&bench);
    bench.settings.sample_rate_hz = refusals[_i].rate_hz;
    struct comedi_channel_settings *channel = card_bench_add(&bench, "sensor", refusals[_i].input);
    channel->subdevice = refusals[_i].subdevice;
    channel->channel = refusals[_i].channel;
    channel->range_v[0] = -refusals[_i].range_v;
    channel->range_v[1] = refusals[_i].range_v;
    channel->reference = refusals[_i].reference;
    card_bench_run(&bench, 3);
    is_said(refusals[_i].code, refusals[_i].word);
    ck_assert_uint_eq(bench.opened, 0);
    ck_assert_uint_eq(bench.heard[0].count, 0);
    ck_assert_uint_eq(bench.gap_count, 0);
    card_bench_clear(&bench);
}
END_TEST

/* It works, and the user is advised. */
START_TEST(a_device_that_everybody_may_write_to)
{
    set_up();
    bench.card.mode = _i ? 0666 : 0660;
    card_bench_run(&bench, 1);
    ck_assert_uint_eq(bench.fault_count, _i ? 1 : 0);
    if (_i) {
        ck_assert(bench.faults[0].advice);
        ck_assert_str_eq(bench.faults[0].code, "device_world_writable");
        ck_assert_ptr_nonnull(strstr(bench.faults[0].sentence, "iocard"));
    }
    ck_assert_uint_gt(bench.heard[0].count, 1900);
    card_bench_clear(&bench);
}
END_TEST

int main(void)
{
    seed_of_run();
    Suite *suite = suite_create("comedi faults");
    TCase *running = tcase_create("while it runs"), *starting = tcase_create("at the start");
    tcase_set_timeout(running, 120);
    tcase_set_timeout(starting, 120);
    tcase_add_loop_test(running, a_fault_at_any_time_is_told_and_overcome, 0, FAULTS * MOMENTS);
    tcase_add_loop_test(running, a_fault_on_top_of_another, 0, 6);
    tcase_add_loop_test(running, faults_that_come_again_and_again, 0, 2);
    tcase_add_test(running, nobody_reads_for_too_long);
    tcase_add_test(running, nobody_reads_for_a_while);
    tcase_add_test(running, the_event_loop_is_busy);
    tcase_add_loop_test(starting, a_card_that_does_not_work_at_the_start, 0, sizeof starts / sizeof *starts);
    tcase_add_loop_test(starting, what_the_card_cannot_do_is_refused, 0, sizeof refusals / sizeof *refusals);
    tcase_add_loop_test(starting, a_device_that_everybody_may_write_to, 0, 2);
    suite_add_tcase(suite, running);
    suite_add_tcase(suite, starting);
    return run_suite(suite);
}
