/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ring-downs of few cycles, or cut before the motion fell far. */
#include "run_suite.h"
#include "struck_record.h"

/* Cut before it fell by a fifth, a mode has omega and zeta, and nothing else. */
START_TEST(a_record_that_is_cut_early)
{
    const struct struck_joint slow = {.omega_0 = 754, .c = 0.3, .chi = -0.3, .r = 1e5};
    hit(&slow);
    add_noise(0.001, 11);
    const struct record_trace trace = trace_of(samples, (size_t)((BLOW_S + 1) * RATE_HZ), "m/s2");
    const struct ring_down found = look_at(&trace);
    ck_assert_str_eq(verdict_name(found.verdict), "ok");
    ck_assert(!found.fell_to_tenth);
    ck_assert_int_eq(found.mode[0].model, MODE_LINEAR);
    ck_assert(!found.mode[0].iwan.there);
    ck_assert_ptr_nonnull(strstr(found.mode[0].reason[REASON_LAW], "by a fifth"));
    const struct estimate *omega_0 = &found.mode[0].omega_0, *zeta_0 = &found.mode[0].zeta_0;
    ck_assert_double_eq_tol(omega_0->value / slow.omega_0, 1, 1e-3);
    /* They are what the backbone says of the least amplitude, and no surer than that. */
    ck_assert_uint_gt(found.mode[0].points, 0);
    const struct backbone_point *least = &found.mode[0].backbone[found.mode[0].points - 1];
    ck_assert(omega_0->value == least->omega && zeta_0->value == least->zeta);
    ck_assert(omega_0->se >= least->se_omega && zeta_0->se >= least->se_zeta);
}
END_TEST

/* Also where it hardly fell: what falls beyond its errors decays. */
START_TEST(a_record_in_which_hardly_anything_fell)
{
    const struct struck_joint slow = {.omega_0 = 503, .c = 0.5, .chi = 0, .r = 0};
    hit(&slow);
    add_noise(0.001, 11);
    const struct record_trace trace = trace_of(samples, (size_t)((BLOW_S + 0.31) * RATE_HZ), "m/s2");
    const struct ring_down found = look_at(&trace);
    ck_assert_str_eq(verdict_name(found.verdict), "ok");
    ck_assert_uint_eq(found.mode_count, 1);
    ck_assert_int_eq(found.mode[0].model, MODE_LINEAR);
    expect_near(&found.mode[0].omega_0, slow.omega_0);
    expect_near(&found.mode[0].zeta_0, slow.c / (2 * slow.omega_0));
}
END_TEST

/* Beside another mode a filter leaves fewer cycles of it than the first residual is of: there is none behind them. */
START_TEST(a_short_record_of_two_modes)
{
    const struct struck_joint slow = {.omega_0 = 2 * M_PI * 40, .c = 1.5, .chi = 0, .r = 0};
    const struct struck_joint fast = {.omega_0 = 2 * M_PI * 300, .c = 15, .chi = 0, .r = 0};
    hit(&slow);
    struck_joint_add(fast, BLOW_S, 0.002, 40, RATE_HZ, SAMPLES, clean);
    add_noise(0.002, 13);
    const struct record_trace trace = trace_of(samples, (size_t)((BLOW_S + 0.01 + 23 / 40.0) * RATE_HZ), "m/s2");
    const struct ring_down found = look_at(&trace);
    ck_assert_str_eq(verdict_name(found.verdict), "ok");
    ck_assert_uint_eq(found.mode_count, 2);
    expect_near(&found.mode[0].omega_0, slow.omega_0);
    expect_near(&found.mode[1].omega_0, fast.omega_0);
    ck_assert_double_lt(found.mode[0].residual_first, 0.05);
    ck_assert(isnan(found.mode[0].residual_after) && found.mode[1].residual_after < 0.05);
}
END_TEST

/* Cut after so many cycles, a motion that began and ended within the filter's reach. */
START_TEST(a_short_record)
{
    static const int cycles[3] = {24, 40, 60};
    hit(&bolted);
    add_noise(0.001, 13);
    const double duration_s = cycles[_i] * 2 * M_PI / bolted.omega_0;
    const struct record_trace trace = trace_of(samples, (size_t)((BLOW_S + 0.01 + duration_s) * RATE_HZ), "m/s2");
    const struct ring_down found = look_at(&trace);
    ck_assert_str_eq(verdict_name(found.verdict), "ok");
    const struct ring_down_mode *mode = &found.mode[0];
    ck_assert_double_eq_tol(mode->omega_0.value / bolted.omega_0, 1, 0.01);
    ck_assert_double_gt(mode->zeta_0.value, 0);
    ck_assert_ptr_nonnull(mode_model_name(mode->model));
}
END_TEST

/* 20 cycles, and four samples a cycle. */
START_TEST(motions_that_are_too_short_or_too_fast)
{
    hit(&bolted);
    add_noise(0.001, 14);
    const struct record_trace trace = trace_of(samples, (size_t)((BLOW_S + 0.12) * RATE_HZ), "m/s2");
    expect_verdict(&trace, "too_few_half_cycles");
    const struct struck_joint fast = {.omega_0 = 2 * M_PI * 700, .c = 3, .chi = 0, .r = 0};
    hit(&fast);
    add_noise(0.001, 15);
    const struct ring_down found = look();
    ck_assert_str_eq(verdict_name(found.verdict), "too_few_samples");
    /* So they are beside each other, also where each keeps the band of the other narrow. */
    const struct struck_joint beside = {.omega_0 = 2 * M_PI * 790, .c = 3, .chi = 0, .r = 0};
    struck_joint_add(beside, BLOW_S, 0.003, 80, RATE_HZ, SAMPLES, clean);
    add_noise(0.001, 16);
    const struct ring_down both = look();
    ck_assert_uint_eq(both.mode_count, 2);
    for (size_t r = 0; r < 2; r++)
        ck_assert_str_eq(verdict_name(both.mode[r].verdict), "too_few_samples");
}
END_TEST

/* Damped so much that the noise has it within 20 cycles: fits do have figures, in any noise. */
START_TEST(a_mode_that_is_lost_within_few_cycles)
{
    static const double zeta[3] = {0.05, 0.067, 0.06}, omega_0[3] = {503, 337, 342}, noise[3] = {0.02, 0.0005, 0.005};
    const struct struck_joint damped = {.omega_0 = omega_0[_i], .c = 2 * zeta[_i] * omega_0[_i], .chi = 0, .r = 0};
    hit(&damped);
    add_noise(noise[_i], 21);
    const struct record_trace trace = trace_of(samples, (size_t)((BLOW_S + 0.9) * RATE_HZ), "m/s2");
    const struct ring_down found = look_at(&trace);
    ck_assert_str_eq(verdict_name(found.verdict), "too_few_half_cycles");
    ck_assert_uint_eq(found.mode_count, 1);
    ck_assert_ptr_nonnull(strstr(found.mode[0].reason[REASON_LAW], "within 20 cycles"));
    ck_assert(isnan(found.mode[0].omega_0.value) && isnan(found.zeta.value) && !found.mode[0].iwan.there);
}
END_TEST

/* As strong a damping where the noise leaves more cycles. */
START_TEST(a_mode_that_is_seen_for_enough_cycles)
{
    const struct struck_joint damped = {.omega_0 = 503, .c = 2 * 0.04 * 503, .chi = 0, .r = 0};
    hit(&damped);
    add_noise(0.0005, 22);
    const struct record_trace trace = trace_of(samples, (size_t)((BLOW_S + 0.9) * RATE_HZ), "m/s2");
    const struct ring_down found = look_at(&trace);
    ck_assert_str_eq(verdict_name(found.verdict), "ok");
    expect_near(&found.mode[0].omega_0, damped.omega_0);
    expect_near(&found.mode[0].zeta_0, 0.04);
}
END_TEST

/* Behind what the filter hides, ten cycles, the noise has it before many samples of the band tell how it began: that
 * leaves its damping known, calls for no joint, and makes no pair of it. One seed in seven does that. */
START_TEST(a_mode_that_the_filter_hides_for_half_its_cycles)
{
    static const double noise[3] = {0.001, 0.002, 0.003};
    static const unsigned long seeds[] = {31, 36, 45, 53};
    const struct struck_joint damped = {.omega_0 = 171, .c = 2 * 0.0355 * 171, .chi = 0, .r = 0};
    hit(&damped);
    for (size_t k = 0; k < sizeof seeds / sizeof seeds[0]; k++) {
        add_noise(noise[seeds[k] % 3], seeds[k]);
        const struct ring_down found = look();
        ck_assert_str_eq(verdict_name(found.verdict), "ok");
        ck_assert_uint_eq(found.mode_count, 1);
        ck_assert_str_eq(mode_model_name(found.mode[0].model), "linear");
        expect_near(&found.mode[0].omega_0, damped.omega_0);
        expect_near(&found.mode[0].zeta_0, 0.0355);
    }
}
END_TEST

/* A driven sine that is swept through a band passes there for a mode that rings behind the record's beginning. */
START_TEST(a_swept_sine)
{
    static const double from_hz[2] = {150, 20}, hz_a_second[2] = {-40, 80}, duration_s[2] = {3.3, 3.5};
    for (size_t i = 0; i < SAMPLES; i++) {
        const double time_s = (double)i / RATE_HZ;
        clean[i] = sin(2 * M_PI * time_s * (from_hz[_i] + 0.5 * hz_a_second[_i] * time_s));
    }
    add_noise(0.002, 23);
    const struct record_trace trace = trace_of(samples, (size_t)(duration_s[_i] * RATE_HZ), "m/s2");
    const struct ring_down found = look_at(&trace);
    ck_assert_str_ne(verdict_name(found.verdict), "ok");
    ck_assert(isnan(found.f_n_hz.value));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("short ring-downs");
    TCase *records = tcase_create("short records");
    tcase_set_timeout(records, 60);
    tcase_add_test(records, a_record_that_is_cut_early);
    tcase_add_test(records, a_record_in_which_hardly_anything_fell);
    tcase_add_test(records, a_short_record_of_two_modes);
    tcase_add_loop_test(records, a_short_record, 0, 3);
    tcase_add_test(records, motions_that_are_too_short_or_too_fast);
    tcase_add_loop_test(records, a_mode_that_is_lost_within_few_cycles, 0, 3);
    tcase_add_test(records, a_mode_that_is_seen_for_enough_cycles);
    tcase_add_test(records, a_mode_that_the_filter_hides_for_half_its_cycles);
    tcase_add_loop_test(records, a_swept_sine, 0, 2);
    suite_add_tcase(suite, records);
    return run_suite(suite);
}
