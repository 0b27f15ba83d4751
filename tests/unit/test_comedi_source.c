/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A Comedi card whose every input is known: what the source says of it must be that, sample by sample. */
#include "card_bench.h"
#include "identify/decay/record.h"
#include "run_suite.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

static struct card_bench bench;

static const char *const names[] = {"a", "b", "c", "d"};

/* --- motions --- */

/* All inputs see one motion: 5 V at 37 Hz, so steep that a microsecond shows in a 16 bit converter. */
static double fast_volts(unsigned channel, double at_s)
{
    (void)channel;
    return 4.9 * sin(2 * M_PI * 37 * at_s);
}

static const double fast_slope = 4.9 * 2 * M_PI * 37; /* V/s, at most */

/* Each input has its own level. */
static double level_volts(unsigned channel, double at_s)
{
    static const double levels[] = {-7.3, 0.61, 3.2, -0.02};
    (void)at_s;
    return levels[channel];
}

/* Beyond every range, both ways, and fast enough to be between codes elsewhere. */
static double too_many_volts(unsigned channel, double at_s)
{
    (void)channel;
    return 12 * sin(2 * M_PI * 3 * at_s);
}

/* An encoder of 200 edges a millimetre that goes 40 mm to and fro. */
static double swinging_edges(unsigned channel, double at_s)
{
    return (channel ? -1 : 1) * 200 * 20 * (1 - cos(2 * M_PI * 1.3 * at_s));
}

/* The same motion on a voltage of 0.1 V/mm. */
static double swinging_volts(unsigned channel, double at_s)
{
    (void)channel;
    return 0.1 * 20 * (1 - cos(2 * M_PI * 1.3 * at_s));
}

static double swinging_mm(double at_s)
{
    return 20 * (1 - cos(2 * M_PI * 1.3 * at_s));
}

static const double swinging_slope = 20 * 2 * M_PI * 1.3; /* mm/s, at most */

static double creeping_edges(unsigned channel, double at_s)
{
    (void)channel;
    return 800 * at_s;
}

/* --- judging --- */

/* The largest difference between a channel's samples and what the card saw at the times that it states. */
static double worst(const struct bench_channel *channel, double (*volts)(unsigned channel, double at_s),
                    unsigned number)
{
    double largest = 0;
    for (size_t i = 0; i < channel->count; i++)
        largest = fmax(largest, fabs(channel->value[i] - volts(number, channel->time_s[i])));
    return largest;
}

static void nothing_is_lost(double rate_hz)
{
    for (size_t c = 0; c < bench.settings.channel_count; c++) {
        ck_assert_uint_eq(bench.heard[c].missing, 0);
        /* Two beats of the reader and one of the driver may be under way. */
        ck_assert_double_ge((double)bench.heard[c].count, rate_hz * (bench.ended_s - 0.025));
        ck_assert_double_le((double)bench.heard[c].count, rate_hz * bench.ended_s + 1);
    }
    ck_assert_uint_eq(bench.fault_count, 0);
    ck_assert_uint_eq(bench.gap_count, 0);
    ck_assert_uint_eq(bench.opened, 1);
}

/* --- streams --- */

static const struct {
    const char *name;
    double asked_hz, accepted_hz;
    unsigned bits, channels;
    bool simultaneous, follows;
    size_t piece_bytes; /* odd: reads end within samples and scans */
    double convert_s;   /* expected */
} streams[] = {
    {"1 kHz", 1000, 1000, 16, 2, false, false, 0, 10e-6},
    {"10 kHz in odd pieces", 10000, 10000, 16, 3, false, false, 1021, 10e-6},
    {"50 kHz, no room for 10 µs a channel", 50000, 50000, 16, 4, false, false, 0, 5e-6},
    {"a period that is no multiple of the card's", 30000, 1e9 / 33350, 16, 2, false, false, 0, 10e-6},
    {"32 bit samples", 10000, 10000, 24, 2, false, false, 0, 10e-6},
    {"32 bit samples in odd pieces", 2000, 2000, 24, 3, false, false, 7, 10e-6},
    {"simultaneous", 10000, 10000, 16, 3, true, false, 333, 0},
    {"no timer for scans", 10000, 10000, 16, 4, false, true, 0, 25e-6},
};

START_TEST(every_sample_is_where_the_card_took_it)
{
    card_bench_init(&bench);
    bench.settings.sample_rate_hz = streams[_i].asked_hz;
    bench.card.analog_bits = streams[_i].bits;
    bench.card.simultaneous = streams[_i].simultaneous;
    bench.card.times_conversions_only = streams[_i].follows;
    bench.card.piece_bytes = streams[_i].piece_bytes;
    bench.card.volts = fast_volts;
    for (unsigned c = 0; c < streams[_i].channels; c++)
        card_bench_add(&bench, names[c], COMEDI_VOLTAGE)->channel = c;
    card_bench_run(&bench, 1.5);
    nothing_is_lost(streams[_i].accepted_hz);
    ck_assert_double_eq_tol(bench.description.sample_rate_hz, streams[_i].accepted_hz, 1e-6);
    double step = 20 / (pow(2, streams[_i].bits) - 1);
    for (unsigned c = 0; c < streams[_i].channels; c++) {
        const struct bench_channel *channel = &bench.heard[c];
        ck_assert_double_eq_tol(channel->time_s[0], c * streams[_i].convert_s, 1e-9);
        ck_assert_msg(worst(channel, fast_volts, c) <= 0.5 * step + fast_slope * 2e-9, "%s, channel %u: off by %g V",
                      streams[_i].name, c, worst(channel, fast_volts, c));
        ck_assert_double_eq_tol(bench.described_channels[c].resolution, step, 1e-12);
    }
    card_bench_clear(&bench);
}
END_TEST

START_TEST(each_channel_has_its_own_range_reference_and_calibration)
{
    static const double ranges[][2] = {{0, 0}, {-1, 1}, {-4, 4}, {-0.2, 0.2}};
    static const unsigned expected[] = {0, 2, 1, 2};
    static const double spans[] = {20, 2, 10, 2};
    card_bench_init(&bench);
    bench.card.volts = level_volts;
    for (unsigned c = 0; c < 4; c++) {
        struct comedi_channel_settings *channel = card_bench_add(&bench, names[c], COMEDI_VOLTAGE);
        channel->channel = 3 - c;
        memcpy(channel->range_v, ranges[3 - c], sizeof channel->range_v);
        channel->reference = c % 2 ? COMEDI_DIFFERENTIAL : COMEDI_GROUND;
        channel->calibration = (struct calibration){.coefficients = {c, 2.0 + c}, .terms = 2};
    }
    card_bench_run(&bench, 0.5);
    for (unsigned c = 0; c < 4; c++) {
        unsigned number = 3 - c, spec = bench.card.chanlist[c];
        ck_assert_uint_eq(CR_CHAN(spec), number);
        ck_assert_uint_eq(CR_RANGE(spec), expected[number]);
        ck_assert_uint_eq(CR_AREF(spec), c % 2 ? AREF_DIFF : AREF_GROUND);
        double step = spans[number] / 65535 * (2.0 + c), truth = c + (2.0 + c) * level_volts(number, 0);
        ck_assert_double_eq_tol(bench.heard[c].value[100], truth, 0.5 * step + 1e-12);
        ck_assert_double_eq_tol(bench.described_channels[c].resolution, step, 1e-12);
        ck_assert_uint_eq(bench.heard[c].flags[100], 0);
    }
    card_bench_clear(&bench);
}
END_TEST

/* Comedi's own file of a card that is calibrated in software: a volt of the 10 V range is no straight line. */
static void write_calibration(char *path)
{
    static const char text[] = "{ driver_name => \"ni_pcimio\", board_name => \"made up\", calibrations => [ { "
                               "subdevice => 0, channels => [], "
                               "ranges => [0], arefs => [], softcal_to_phys => { expansion_origin => 32768.0, "
                               "coefficients => [0.012, 3.1e-4, 2.0e-11,], }, }, ] }\n";
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, text, sizeof text - 1), sizeof text - 1);
    close(fd);
}

static double volts_of_file(double code)
{
    double x = code - 32768;
    return 0.012 + 3.1e-4 * x + 2.0e-11 * x * x;
}

START_TEST(a_soft_calibration_is_used_where_there_is_one)
{
    char path[] = "/tmp/fricid-calibration-XXXXXX";
    write_calibration(path);
    card_bench_init(&bench);
    bench.card.volts = level_volts;
    bench.card.calibration_file = path;
    card_bench_add(&bench, "a", COMEDI_VOLTAGE);
    struct comedi_channel_settings *narrow = card_bench_add(&bench, "b", COMEDI_VOLTAGE);
    narrow->channel = 1;
    narrow->range_v[0] = -1;
    narrow->range_v[1] = 1;
    card_bench_run(&bench, 0.5);
    unlink(path);
    double code = rint((level_volts(0, 0) + 10) / 20 * 65535);
    ck_assert_double_eq_tol(bench.heard[0].value[10], volts_of_file(code), 1e-12);
    /* The file says nothing of the second range: the range itself does. */
    ck_assert_double_eq_tol(bench.heard[1].value[10], level_volts(1, 0), 0.5 * 2 / 65535 + 1e-12);
    card_bench_clear(&bench);
    card_bench_init(&bench);
    bench.card.volts = level_volts;
    bench.card.calibration_file = path; /* gone */
    card_bench_add(&bench, "a", COMEDI_VOLTAGE);
    card_bench_run(&bench, 0.5);
    ck_assert_double_eq_tol(bench.heard[0].value[10], level_volts(0, 0), 0.5 * 20 / 65535 + 1e-12);
    card_bench_clear(&bench);
}
END_TEST

/* 16 and 24 bit, hard and soft calibration, streamed and polled: the last code of either end is no measurement. */
START_TEST(codes_at_the_ends_of_the_range_are_clipped)
{
    char path[] = "/tmp/fricid-calibration-XXXXXX";
    card_bench_init(&bench);
    bench.card.volts = too_many_volts;
    bench.card.analog_bits = _i & 1 ? 24 : 16;
    if (_i & 2) {
        write_calibration(path);
        bench.card.calibration_file = path;
    }
    struct comedi_channel_settings *channel = card_bench_add(&bench, "a", COMEDI_VOLTAGE);
    channel->polled = (_i & 4) != 0;
    channel->calibration = (struct calibration){.coefficients = {0, -3}, .terms = 2};
    card_bench_run(&bench, 2);
    if (_i & 2)
        unlink(path);
    size_t high = 0, low = 0;
    double half_step = 10 / (pow(2, bench.card.analog_bits) - 1);
    for (size_t i = 0; i < bench.heard[0].count; i++) {
        double volts = too_many_volts(0, bench.heard[0].time_s[i]);
        ck_assert(isfinite(bench.heard[0].value[i]));
        if (fabs(fabs(volts) - 10) < 2 * half_step + 12 * 2 * M_PI * 3 * 4e-4 * (_i & 4 ? 1 : 0))
            continue;
        ck_assert_uint_eq(bench.heard[0].flags[i], fabs(volts) > 10 ? SAMPLE_CLIPPED : 0);
        high += volts > 10;
        low += volts < -10;
    }
    ck_assert_uint_gt(high, 100);
    ck_assert_uint_gt(low, 100);
    card_bench_clear(&bench);
}
END_TEST

/* Ten seconds if the driver allows it, else what it allows; and the user is told which. */
START_TEST(the_kernel_holds_ten_seconds_or_what_it_may)
{
    static const struct {
        double rate_hz;
        unsigned most_bytes;
        const char *told;
    } cases[] = {{100000, 1 << 26, "the kernel holds 10 s"}, {100000, 1 << 21, "the kernel holds 5.24 s"}};
    card_bench_init(&bench);
    bench.settings.sample_rate_hz = cases[_i].rate_hz;
    bench.card.most_buffer_bytes = cases[_i].most_bytes;
    for (unsigned c = 0; c < 2; c++)
        card_bench_add(&bench, names[c], COMEDI_VOLTAGE)->channel = c;
    card_bench_run(&bench, 0.2);
    ck_assert_msg(strstr(bench.described, cases[_i].told) != NULL, "%s", bench.described);
    card_bench_clear(&bench);
}
END_TEST

/* --- encoders --- */

static const struct {
    const char *name;
    unsigned multiply, bits, initial;
    bool streams, reversed, index;
} encoders[] = {
    {"X4", 4, 24, 0, false, false, false},
    {"X2", 2, 24, 0, false, false, false},
    {"X1", 1, 24, 0, false, false, false},
    {"24 bit, wraps around at once", 4, 24, 16777213, false, false, true},
    {"32 bit, wraps around at once", 4, 32, 4294967290U, false, false, false},
    {"24 bit, below zero at once", 4, 24, 1, false, true, false},
    {"32 bit, reversed", 4, 32, 0, false, true, true},
    {"streamed X4", 4, 32, 4294967290U, true, false, false},
    {"streamed X1, 24 bit, reversed", 1, 24, 16777215, true, true, false},
};

/* What the card was told, in National Instruments' words. */
static void counter_was_set_up(unsigned multiply, bool index, unsigned initial)
{
    static const unsigned bits[] = {[1] = NI_GPCT_COUNTING_MODE_QUADRATURE_X1_BITS,
                                    [2] = NI_GPCT_COUNTING_MODE_QUADRATURE_X2_BITS,
                                    [4] = NI_GPCT_COUNTING_MODE_QUADRATURE_X4_BITS};
    unsigned mode = bench.card.counter_mode;
    ck_assert_uint_eq(mode & NI_GPCT_COUNTING_MODE_MASK, bits[multiply]);
    ck_assert_uint_eq((mode & NI_GPCT_INDEX_ENABLE_BIT) != 0, index);
    /* The index loads what stands in the load registers, which are channels 1 and 2 of these counters. */
    for (unsigned channel = 0; channel < 3; channel++)
        ck_assert_uint_eq(bench.card.loaded[channel], initial);
    ck_assert_uint_eq(bench.card.resets, 1);
    ck_assert(bench.card.armed);
}

START_TEST(an_encoder_is_counted_to_the_last_edge)
{
    card_bench_init(&bench);
    bench.card.counter_bits = encoders[_i].bits;
    bench.card.counters_stream = encoders[_i].streams;
    bench.card.edges = swinging_edges;
    bench.settings.sample_rate_hz = 5000;
    bench.settings.poll_rate_hz = 2000;
    struct comedi_channel_settings *encoder = card_bench_add(&bench, "encoder", COMEDI_ENCODER);
    encoder->counts_per_unit = 50 * encoders[_i].multiply;
    encoder->multiply = encoders[_i].multiply;
    encoder->initial_count = encoders[_i].initial;
    encoder->reversed = encoders[_i].reversed;
    encoder->index = encoders[_i].index;
    encoder->input_a = 8;
    encoder->input_b = 10;
    encoder->input_z = 9;
    card_bench_run(&bench, 3);
    counter_was_set_up(encoders[_i].multiply, encoders[_i].index, encoders[_i].initial);
    ck_assert_uint_eq(bench.card.terminal[0], NI_GPCT_PFI_OTHER_SELECT(8));
    ck_assert_uint_eq(bench.card.terminal[1], NI_GPCT_PFI_OTHER_SELECT(10));
    ck_assert_uint_eq(bench.card.terminal[2], NI_GPCT_PFI_OTHER_SELECT(9));
    const struct bench_channel *heard = &bench.heard[0];
    ck_assert_uint_eq(heard->stamped, !encoders[_i].streams);
    ck_assert_double_ge((double)heard->count, (encoders[_i].streams ? 5000 : 1600) * 2.97);
    ck_assert_uint_eq(heard->missing, 0);
    double sign = encoders[_i].reversed ? -1 : 1, count = 1 / encoder->counts_per_unit;
    for (size_t i = 0; i < heard->count; i++) {
        /* A count is reached when its edge is passed: the truth lies within one above it. */
        double above = swinging_mm(heard->time_s[i]) - sign * heard->value[i];
        ck_assert_msg(above > -1e-6 && above < count + 1e-6, "%s: off by %g mm at %g s", encoders[_i].name, above,
                      heard->time_s[i]);
    }
    card_bench_clear(&bench);
}
END_TEST

/* multiply = 0: nothing is set up, and where the counter stands is zero. */
START_TEST(a_counter_may_be_taken_as_it_is)
{
    card_bench_init(&bench);
    bench.card.edges = creeping_edges;
    bench.card.knows_no_quadrature = true;
    bench.card.loaded[0] = 4711;
    struct comedi_channel_settings *encoder = card_bench_add(&bench, "encoder", COMEDI_ENCODER);
    encoder->multiply = 0;
    encoder->counts_per_unit = 200;
    card_bench_run(&bench, 1);
    ck_assert_uint_eq(bench.card.resets, 0);
    ck_assert_uint_eq(bench.fault_count, 0);
    /* It counts single pulses, 200 a second. */
    ck_assert_double_eq_tol(bench.heard[0].value[bench.heard[0].count - 1], 1, 0.02);
    card_bench_clear(&bench);
    card_bench_init(&bench);
    bench.card.knows_no_quadrature = true;
    card_bench_add(&bench, "encoder", COMEDI_ENCODER);
    card_bench_run(&bench, 1);
    ck_assert_ptr_nonnull(card_bench_fault(&bench, "wrong_subdevice"));
    ck_assert_ptr_nonnull(strstr(bench.faults[0].sentence, "multiply = 0"));
    card_bench_clear(&bench);
}
END_TEST

/* The streamed voltage and the polled counter see one motion. The card's clock is 60 ppm slow, and its times are those
 * of both: what an encoder's reading says fits its stamp as well as is stated. */
START_TEST(a_polled_encoder_is_on_the_clock_of_the_stream)
{
    card_bench_init(&bench);
    bench.card.volts = swinging_volts;
    bench.card.edges = swinging_edges;
    bench.card.clock_ppm = 60;
    card_bench_add(&bench, "lvdt", COMEDI_VOLTAGE)->calibration =
        (struct calibration){.coefficients = {0, 10}, .terms = 2};
    card_bench_add(&bench, "encoder", COMEDI_ENCODER)->counts_per_unit = 200;
    card_bench_run(&bench, 90);
    const struct bench_channel *lvdt = &bench.heard[0], *encoder = &bench.heard[1];
    ck_assert(!lvdt->stamped && encoder->stamped);
    ck_assert_uint_eq(lvdt->missing + encoder->missing, 0);
    ck_assert_double_gt(encoder->time_error_s, 0);
    ck_assert_double_lt(encoder->time_error_s, 5e-3);
    double before = -1, largest = 0;
    for (size_t i = 0; i < encoder->count; i++) {
        double true_s = encoder->time_s[i] * (1 + 60e-6);
        double off = fabs(swinging_mm(true_s) - encoder->value[i] - 0.5 / 200) - 0.5 / 200;
        largest = fmax(largest, off);
        ck_assert_double_gt(encoder->time_s[i], before);
        before = encoder->time_s[i];
    }
    ck_assert_msg(largest <= swinging_slope * encoder->time_error_s, "off by %g mm, %g s stated", largest,
                  encoder->time_error_s);
    /* The card believes that its clock is right: what it says was measured against the computer's. */
    ck_assert_double_eq_tol(bench.description.clock.rate_error, -60e-6, 4 * bench.description.clock.rate_error_se);
    ck_assert_double_lt(bench.description.clock.rate_error_se, 10e-6);
    card_bench_clear(&bench);
}
END_TEST

START_TEST(the_present_position_becomes_zero)
{
    card_bench_init(&bench);
    bench.card.volts = level_volts;
    card_bench_add(&bench, "lvdt", COMEDI_VOLTAGE)->channel = 2;
    bench.zero_at_s = 0.3;
    card_bench_run(&bench, 1);
    ck_assert_int_eq(bench.zero_error, 0);
    ck_assert_double_eq_tol(bench.zero_position, 3.2, 2e-4);
    ck_assert_double_eq_tol(bench.heard[0].value[0], 3.2, 2e-4);
    ck_assert_double_eq_tol(bench.heard[0].value[bench.heard[0].count - 1], 0, 1e-9);
    card_bench_clear(&bench);
}
END_TEST

/* A card that fails keeps its counts. One that was pulled out begins anew, and where the mass was meanwhile nobody
 * knows: the zero is where it is now, not where it would be if nothing had moved. */
START_TEST(an_encoder_keeps_its_zero_as_long_as_the_card_its_counts)
{
    const struct fake_moment moments[2][2] = {{{1, FAKE_FAILING}, {1.2, FAKE_WORKS}},
                                              {{1, FAKE_UNPLUGGED}, {1.2, FAKE_WORKS}}};
    card_bench_init(&bench);
    bench.card.counters_stream = bench.card.counts_anew = true;
    bench.card.edges = creeping_edges;
    card_bench_add(&bench, "encoder", COMEDI_ENCODER);
    memcpy(bench.card.moments, moments[_i], sizeof moments[_i]);
    bench.card.moment_count = 2;
    bench.zero_at_s = 0.5;
    card_bench_run(&bench, 3);
    ck_assert_int_eq(bench.zero_error, 0);
    ck_assert_uint_eq(bench.opened, 2);
    const struct bench_channel *heard = &bench.heard[0];
    double at_s = heard->time_s[heard->count - 1], value = heard->value[heard->count - 1];
    double began_s = _i == 0 ? bench.zero_position / creeping_edges(0, 1) : bench.opened_at_s[1];
    ck_assert_double_eq_tol(value, creeping_edges(0, at_s) - creeping_edges(0, began_s), 0.05 * creeping_edges(0, 1));
    card_bench_clear(&bench);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("comedi source");
    TCase *streaming = tcase_create("streams"), *counting = tcase_create("encoders");
    tcase_set_timeout(streaming, 120);
    tcase_set_timeout(counting, 120);
    tcase_add_loop_test(streaming, every_sample_is_where_the_card_took_it, 0, sizeof streams / sizeof *streams);
    tcase_add_test(streaming, each_channel_has_its_own_range_reference_and_calibration);
    tcase_add_test(streaming, a_soft_calibration_is_used_where_there_is_one);
    tcase_add_loop_test(streaming, codes_at_the_ends_of_the_range_are_clipped, 0, 8);
    tcase_add_loop_test(streaming, the_kernel_holds_ten_seconds_or_what_it_may, 0, 2);
    tcase_add_loop_test(counting, an_encoder_is_counted_to_the_last_edge, 0, sizeof encoders / sizeof *encoders);
    tcase_add_test(counting, a_counter_may_be_taken_as_it_is);
    tcase_add_test(counting, a_polled_encoder_is_on_the_clock_of_the_stream);
    tcase_add_test(counting, the_present_position_becomes_zero);
    suite_add_tcase(suite, streaming);
    tcase_add_loop_test(counting, an_encoder_keeps_its_zero_as_long_as_the_card_its_counts, 0, 2);
    suite_add_tcase(suite, counting);
    return run_suite(suite);
}
