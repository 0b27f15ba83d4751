/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The simulated rig as a source: what its sensors see, in virtual and in real time, again and again the same. */
#include "acquire/simulated_rig.h"
#include "run_suite.h"

#include <event2/event.h>
#include <math.h>
#include <string.h>
#include <time.h>

enum { MAX_SCANS = 200000 };

/* What a listener heard. */
struct heard {
    struct event_base *base;
    struct source *source;
    uint64_t scans;
    int blocks, ends;
    int pause_every; /* blocks after which the source is paused for a moment; 0: never */
    double delay_s[2];
    float *displacement[2]; /* MAX_SCANS each */
    uint8_t *flags[2];
};

static void resume_later(evutil_socket_t fd, short what, void *context)
{
    struct heard *heard = context;
    (void)fd;
    (void)what;
    source_resume(heard->source);
}

static void hear_scans(void *context, const struct scan_block *block)
{
    struct heard *heard = context;
    ck_assert_uint_eq(block->first_index, heard->scans);
    ck_assert_uint_le(block->scan_count, 4096);
    ck_assert_ptr_null(block->time_s);
    for (size_t c = 0; c < block->channel_count && c < 2; c++) {
        heard->delay_s[c] = block->channels[c].delay_s;
        for (size_t i = 0; i < block->scan_count && heard->scans + i < MAX_SCANS; i++) {
            heard->displacement[c][heard->scans + i] = (float)block->channels[c].displacement[i];
            heard->flags[c][heard->scans + i] = block->channels[c].flags[i];
        }
    }
    heard->scans += block->scan_count;
    heard->blocks++;
    if (heard->pause_every > 0 && heard->blocks % heard->pause_every == 0) {
        const struct timeval wait = {.tv_usec = 2000};
        source_pause(heard->source);
        event_base_once(heard->base, -1, EV_TIMEOUT, resume_later, heard, &wait);
    }
}

static void hear_end(void *context)
{
    ((struct heard *)context)->ends++;
}

static void forget(struct heard *heard)
{
    for (size_t c = 0; c < 2; c++) {
        free(heard->displacement[c]);
        free(heard->flags[c]);
    }
}

/* Runs a rig to its end. */
static void run(const struct simulated_rig_settings *settings, struct heard *heard)
{
    const struct source_listener listener = {.scans = hear_scans, .end = hear_end, .context = heard};
    struct complaint complaint = {""};
    heard->base = event_base_new();
    for (size_t c = 0; c < 2; c++) {
        heard->displacement[c] = calloc(MAX_SCANS, sizeof(float));
        heard->flags[c] = calloc(MAX_SCANS, 1);
        ck_assert(heard->displacement[c] && heard->flags[c]);
    }
    int error = simulated_rig_create(heard->base, settings, &listener, &heard->source, &complaint);
    ck_assert_msg(error == 0, "%s", complaint.text);
    ck_assert_int_eq(source_start(heard->source), 0);
    event_base_dispatch(heard->base);
    ck_assert_int_eq(heard->ends, 1);
    source_destroy(heard->source);
    event_base_free(heard->base);
}

/* The default rig on a virtual clock with an LVDT and an encoder; the caller keeps `channels`. */
static struct simulated_rig_settings rig(struct simulated_channel_settings channels[2], double duration_s)
{
    struct simulated_rig_settings settings = simulated_rig_default_settings();
    channels[0] = simulated_channel_default_settings(SIMULATED_LVDT);
    channels[1] = simulated_channel_default_settings(SIMULATED_ENCODER);
    settings.channels = channels;
    settings.channel_count = 2;
    settings.real_time = false;
    settings.duration_s = duration_s;
    return settings;
}

static float largest(const float *values, size_t from, size_t to)
{
    float found = 0;
    for (size_t i = from; i < to; i++)
        found = fmaxf(found, fabsf(values[i]));
    return found;
}

START_TEST(both_sensors_see_the_same_motion)
{
    struct simulated_channel_settings channels[2];
    struct simulated_rig_settings settings = rig(channels, 40);
    struct heard heard = {0};
    run(&settings, &heard);
    ck_assert_uint_eq(heard.scans, 80000);
    /* 5 standard deviations of the noise, a step and a count; 10 µs of motion at 0.5 m/s */
    for (size_t i = 0; i < heard.scans; i++)
        ck_assert_float_eq_tol(heard.displacement[0][i], heard.displacement[1][i], 0.08F);
    ck_assert_float_ge(largest(heard.displacement[1], 0, heard.scans), 8);
    ck_assert_float_le(largest(heard.displacement[1], 0, heard.scans), 16);
    ck_assert_double_eq(heard.delay_s[0], 0);
    ck_assert_double_eq(heard.delay_s[1], 1e-5);
    forget(&heard);
}
END_TEST

/* A decay is undisturbed until it rests, and the rest lasts: 40 s hold eight pulls or more. */
START_TEST(the_hand_comes_and_goes)
{
    struct simulated_channel_settings channels[2];
    struct simulated_rig_settings settings = rig(channels, 40);
    struct heard heard = {0};
    run(&settings, &heard);
    int rests = 0;
    size_t still = 0;
    for (size_t i = 1; i < heard.scans; i++) {
        still = heard.displacement[1][i] == heard.displacement[1][i - 1] ? still + 1 : 0;
        if (still != 1600)
            continue;
        rests++;
        /* It rests where friction holds it. */
        ck_assert_float_le(fabsf(heard.displacement[1][i]), (float)(1000 * 0.47 / 2310 + 70.6 / 16000));
    }
    ck_assert_int_ge(rests, 8);
    ck_assert_int_le(rests, 11);
    forget(&heard);
}
END_TEST

START_TEST(the_same_seed_gives_the_same_stream)
{
    struct simulated_channel_settings channels[2];
    struct simulated_rig_settings settings = rig(channels, 12);
    settings.mechanics.kicks_per_hour = 1000;
    struct heard first = {0}, again = {.pause_every = 2}, other = {0};
    run(&settings, &first);
    run(&settings, &again);
    settings.seed++;
    run(&settings, &other);
    for (size_t c = 0; c < 2; c++) {
        ck_assert_mem_eq(first.displacement[c], again.displacement[c], first.scans * sizeof(float));
        ck_assert_mem_ne(first.displacement[c], other.displacement[c], first.scans * sizeof(float));
    }
    forget(&first);
    forget(&again);
    forget(&other);
}
END_TEST

/* The second channel is sampled half a period later: at twice the rate its samples are every other one of the first. */
START_TEST(a_multiplexer_samples_one_channel_after_the_other)
{
    struct simulated_channel_settings channels[2], fast_channels[2];
    struct simulated_rig_settings settings = rig(channels, 6), fast = rig(fast_channels, 6);
    channels[0].noise_mm = channels[0].step_mm = 0;
    channels[1] = fast_channels[0] = channels[0];
    settings.channel_delay_s = 0.5 / settings.sample_rate_hz;
    fast.sample_rate_hz = 2 * settings.sample_rate_hz;
    struct heard slow = {0}, reference = {0};
    run(&settings, &slow);
    run(&fast, &reference);
    ck_assert_double_eq(slow.delay_s[1], settings.channel_delay_s);
    for (size_t i = 0; i < slow.scans; i++) {
        ck_assert_float_eq_tol(slow.displacement[0][i], reference.displacement[0][2 * i], 1e-6F);
        ck_assert_float_eq_tol(slow.displacement[1][i], reference.displacement[0][2 * i + 1], 1e-6F);
    }
    forget(&slow);
    forget(&reference);
}
END_TEST

/* Without noise and steps the LVDT gives the displacement back through a curved calibration. */
START_TEST(a_curved_calibration_goes_there_and_back)
{
    struct simulated_channel_settings channels[2], straight[2];
    struct simulated_rig_settings settings = rig(channels, 6), reference = rig(straight, 6);
    channels[0].noise_mm = channels[0].step_mm = straight[0].noise_mm = straight[0].step_mm = 0;
    channels[0].calibration = (struct calibration){.coefficients = {0.5, -2.1, 0.01, 0.002}, .terms = 4};
    struct heard curved = {0}, line = {0};
    run(&settings, &curved);
    run(&reference, &line);
    for (size_t i = 0; i < curved.scans; i++)
        ck_assert_float_eq_tol(curved.displacement[0][i], line.displacement[0][i], 1e-5F);
    forget(&curved);
    forget(&line);
}
END_TEST

START_TEST(steps_noise_and_clipping)
{
    struct simulated_channel_settings channels[2];
    struct simulated_rig_settings settings = rig(channels, 20);
    channels[0].range_mm = 5;
    channels[0].step_mm = 0.05;
    channels[0].noise_mm = 0.1;
    struct heard heard = {0};
    run(&settings, &heard);
    double sum = 0, squares = 0;
    size_t clipped = 0;
    for (size_t i = 0; i < heard.scans; i++) {
        float value = heard.displacement[0][i];
        ck_assert_float_eq_tol(value, 0.05F * rintf(value / 0.05F), 1e-5F);
        ck_assert_uint_eq(heard.flags[0][i] & ~(unsigned)SAMPLE_CLIPPED, 0);
        ck_assert_uint_eq(heard.flags[1][i], 0);
        if (fabsf(value) >= 5 || fabsf(heard.displacement[1][i]) > 5.6F)
            ck_assert(fabsf(value) <= 5 + 1e-5F);
        if (fabsf(heard.displacement[1][i]) > 5.6F)
            ck_assert_uint_eq(heard.flags[0][i], SAMPLE_CLIPPED);
        if (fabsf(heard.displacement[1][i]) < 4.4F)
            ck_assert_uint_eq(heard.flags[0][i], 0);
        clipped += heard.flags[0][i];
        if (i < 2000) { /* at rest at 0 before the first pull */
            sum += value;
            squares += value * value;
        }
    }
    ck_assert_uint_gt(clipped, 1000);
    ck_assert_double_eq_tol(sum / 2000, 0, 0.01);
    ck_assert_double_eq_tol(sqrt(squares / 2000), sqrt(0.01 + 0.05 * 0.05 / 12), 0.008);
    forget(&heard);
}
END_TEST

/* The counter passes its wrap-around in either direction and the position does not show it. */
START_TEST(a_small_counter_makes_no_difference)
{
    struct simulated_channel_settings channels[2], small[2];
    struct simulated_rig_settings settings = rig(channels, 20), reference = rig(small, 20);
    small[1].counter_bits = 8;
    struct heard wide = {0}, narrow = {0};
    run(&settings, &wide);
    run(&reference, &narrow);
    ck_assert_mem_eq(wide.displacement[1], narrow.displacement[1], wide.scans * sizeof(float));
    forget(&wide);
    forget(&narrow);
}
END_TEST

START_TEST(drift_moves_the_zero)
{
    struct simulated_channel_settings channels[2];
    struct simulated_rig_settings settings = rig(channels, 20);
    settings.mechanics.drift_m_per_s = 1e-4;
    settings.hand.rest_s = 30;
    struct heard heard = {0};
    run(&settings, &heard);
    ck_assert_float_eq_tol(heard.displacement[1][heard.scans - 1], 2.0F, 0.01F);
    ck_assert_float_eq_tol(heard.displacement[0][heard.scans - 1], 2.0F, 0.08F);
    forget(&heard);
}
END_TEST

/* Nobody pulls: whatever moves the mass is a kick. */
START_TEST(kicks_come_at_their_rate)
{
    struct simulated_channel_settings channels[2];
    struct simulated_rig_settings settings = rig(channels, 900);
    settings.sample_rate_hz = 200;
    settings.mechanics.kicks_per_hour = 200;
    settings.hand.rest_s = 1000;
    struct heard heard = {0};
    run(&settings, &heard);
    int kicks = 0;
    size_t still = 100;
    for (size_t i = 1; i < heard.scans; i++) {
        bool moves = heard.displacement[1][i] != heard.displacement[1][i - 1];
        kicks += moves && still >= 100;
        still = moves ? 0 : still + 1;
    }
    /* 50 expected, some of them within the motion of another */
    ck_assert_int_ge(kicks, 25);
    ck_assert_int_le(kicks, 75);
    ck_assert_float_le(largest(heard.displacement[1], 0, heard.scans), 8);
    forget(&heard);
}
END_TEST

/* Every extra at once must come to rest as well, and give finite numbers. */
START_TEST(extras_together)
{
    struct simulated_channel_settings channels[2];
    struct simulated_rig_settings settings = rig(channels, 60);
    settings.mechanics.drag_per_m = 2;
    settings.mechanics.cubic_per_m2 = 200;
    settings.mechanics.presliding_distance_m = 5e-5;
    settings.mechanics.kicks_per_hour = 100;
    struct heard heard = {0};
    run(&settings, &heard);
    int rests = 0;
    size_t still = 0;
    for (size_t i = 1; i < heard.scans; i++) {
        ck_assert(isfinite(heard.displacement[0][i]));
        still = heard.displacement[1][i] == heard.displacement[1][i - 1] ? still + 1 : 0;
        rests += still == 1000;
    }
    ck_assert_int_ge(rests, 6);
    forget(&heard);
}
END_TEST

/* No damping at all: the hand takes hold of the moving mass, and the source goes on. */
START_TEST(a_decay_without_end)
{
    struct simulated_channel_settings channels[2];
    struct simulated_rig_settings settings = rig(channels, 300);
    settings.sample_rate_hz = 500;
    settings.mechanics.zeta = settings.mechanics.f_k_n = settings.mechanics.f_s_n = 0;
    struct heard heard = {0};
    run(&settings, &heard);
    ck_assert_uint_eq(heard.scans, 150000);
    ck_assert_float_le(largest(heard.displacement[1], 0, heard.scans), 16);
    forget(&heard);
}
END_TEST

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

START_TEST(real_time_takes_its_time)
{
    struct simulated_channel_settings channels[2];
    struct simulated_rig_settings settings = rig(channels, 0.4);
    settings.real_time = true;
    int blocks = 0;
    /* On a machine that stands still meanwhile they are few. */
    for (int attempt = 0; attempt < 10 && blocks <= 5; attempt++) {
        struct heard heard = {.pause_every = 3}; /* which a live source ignores */
        double began_s = now_s();
        run(&settings, &heard);
        ck_assert_double_ge(now_s() - began_s, 0.4);
        ck_assert_uint_eq(heard.scans, 800);
        blocks = heard.blocks;
        forget(&heard);
    }
    ck_assert_int_gt(blocks, 5);
}
END_TEST

START_TEST(what_the_source_says_of_itself)
{
    struct simulated_channel_settings channels[2];
    struct simulated_rig_settings settings = rig(channels, 0);
    struct complaint complaint;
    struct heard heard = {.base = event_base_new()};
    const struct source_listener listener = {.scans = hear_scans, .context = &heard};
    ck_assert_int_eq(simulated_rig_create(heard.base, &settings, &listener, &heard.source, &complaint), 0);
    memset(channels, 0, sizeof channels); /* copied */
    const struct source_description *described = source_describe(heard.source);
    ck_assert_int_eq(described->kind, SOURCE_SIMULATED);
    ck_assert_str_eq(source_kind_name(described->kind), "simulated");
    ck_assert_double_eq(described->sample_rate_hz, 2000);
    ck_assert(described->may_pause && !described->wall_clock);
    ck_assert_str_eq(described->channels[0].name, "lvdt");
    ck_assert_str_eq(described->channels[1].unit, "mm");
    ck_assert_double_eq(described->channels[0].resolution, 0.01);
    ck_assert_double_eq_tol(described->channels[1].resolution, 70.6 / 16000, 1e-15);
    source_destroy(heard.source);
    event_base_free(heard.base);
}
END_TEST

START_TEST(what_should_be_found)
{
    struct simulated_rig_settings settings = simulated_rig_default_settings();
    struct simulated_truth truth = simulated_rig_truth(&settings.mechanics);
    ck_assert_double_eq_tol(truth.f_n_hz, 5.520463, 1e-6);
    ck_assert_double_eq(truth.zeta, 0.0177);
    ck_assert_double_eq_tol(truth.x_k_mm, 0.178788, 1e-6);
    ck_assert_double_gt(truth.x_s_mm, truth.x_k_mm);
}
END_TEST

/* --- settings that cannot be --- */

static void expect_refused(const struct simulated_rig_settings *settings, const char *key)
{
    struct complaint complaint = {""};
    ck_assert_msg(simulated_rig_check(settings, &complaint) < 0, "accepted: %s", key);
    ck_assert_msg(strstr(complaint.text, key), "wanted \"%s\": %s", key, complaint.text);
}

/* Sets a number of the default rig, or of its channels, to something impossible. */
#define REFUSE(member, value, key)                                                                                     \
    do {                                                                                                               \
        struct simulated_channel_settings channels[2];                                                                 \
        struct simulated_rig_settings settings = rig(channels, 1);                                                     \
        member = value;                                                                                                \
        expect_refused(&settings, key);                                                                                \
    } while (0)

START_TEST(impossible_rigs_are_refused_by_key)
{
    REFUSE(settings.mechanics.mass_kg, 0, "mass_kg is 0");
    REFUSE(settings.mechanics.mass_kg, NAN, "mass_kg is nan");
    REFUSE(settings.mechanics.stiffness_n_per_m, -1, "stiffness_n_per_m");
    REFUSE(settings.mechanics.zeta, 1, "zeta");
    REFUSE(settings.mechanics.zeta, -0.1, "zeta");
    REFUSE(settings.mechanics.f_k_n, INFINITY, "f_k_n");
    REFUSE(settings.mechanics.f_s_n, 0.1, "f_s_n is 0.1");
    REFUSE(settings.mechanics.drag_per_m, -1, "drag_per_m");
    REFUSE(settings.mechanics.cubic_per_m2, -2000, "cubic_per_m2");
    REFUSE(settings.mechanics.presliding_distance_m, -1, "presliding_distance_m");
    REFUSE(settings.mechanics.drift_m_per_s, NAN, "drift_m_per_s");
    REFUSE(settings.mechanics.kicks_per_hour, -1, "kicks_per_hour");
    REFUSE(settings.hand.pull_m, 0, "pull_m");
    REFUSE(settings.hand.pull_m, 0.0001, "pull_m is 0.0001");
    REFUSE(settings.sample_rate_hz, 20, "sample_rate_hz is 20");
    REFUSE(settings.mechanics.presliding_distance_m, 1e-12, "presliding_distance_m is 1e-12");
    REFUSE(settings.hand.pull_spread, 0.9, "pull_spread");
    REFUSE(settings.hand.pull_s, 0, "pull_s");
    REFUSE(settings.hand.hold_s, -1, "hold_s");
    REFUSE(settings.hand.rest_s, -1, "rest_s");
    REFUSE(settings.hand.tremor_m, -1, "tremor_m");
    REFUSE(settings.hand.release_velocity_m_per_s, -1, "release_velocity_m_per_s");
    REFUSE(settings.sample_rate_hz, 0, "sample_rate_hz");
    REFUSE(settings.duration_s, -1, "duration_s");
    REFUSE(settings.channel_delay_s, 0.001, "do not fit into a scan");
    REFUSE(settings.channel_count, 0, "0 channels");
}
END_TEST

START_TEST(impossible_channels_are_refused_by_key)
{
    REFUSE(channels[0].name, "", "no name");
    REFUSE(channels[0].noise_mm, -1, "lvdt: noise_mm");
    REFUSE(channels[0].step_mm, NAN, "lvdt: step_mm");
    REFUSE(channels[0].range_mm, 0, "lvdt: range_mm");
    REFUSE(channels[0].calibration.terms, 1, "calibration");
    REFUSE(channels[0].calibration.coefficients[1], 0, "calibration");
    REFUSE(channels[0].calibration.coefficients[0], INFINITY, "calibration");
    REFUSE(channels[1].counts_per_mm, 0, "encoder: counts_per_mm");
    REFUSE(channels[1].counter_bits, 2, "encoder: counter_bits");
    REFUSE(channels[1].counter_bits, 6, "wrap around twice");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("simulated rig");
    TCase *sensors = tcase_create("sensors");
    tcase_add_test(sensors, both_sensors_see_the_same_motion);
    tcase_add_test(sensors, a_multiplexer_samples_one_channel_after_the_other);
    tcase_add_test(sensors, a_curved_calibration_goes_there_and_back);
    tcase_add_test(sensors, steps_noise_and_clipping);
    tcase_add_test(sensors, a_small_counter_makes_no_difference);
    tcase_add_test(sensors, drift_moves_the_zero);
    suite_add_tcase(suite, sensors);
    TCase *life = tcase_create("life");
    tcase_add_test(life, the_hand_comes_and_goes);
    tcase_add_test(life, the_same_seed_gives_the_same_stream);
    tcase_add_test(life, kicks_come_at_their_rate);
    tcase_add_test(life, extras_together);
    tcase_add_test(life, a_decay_without_end);
    tcase_add_test(life, real_time_takes_its_time);
    suite_add_tcase(suite, life);
    TCase *settings = tcase_create("settings");
    tcase_add_test(settings, what_the_source_says_of_itself);
    tcase_add_test(settings, what_should_be_found);
    tcase_add_test(settings, impossible_rigs_are_refused_by_key);
    tcase_add_test(settings, impossible_channels_are_refused_by_key);
    suite_add_tcase(suite, settings);
    return run_suite(suite);
}
