/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The microslip law from the samples of a ring-down, without a starting value. */
#include "identify/ring_down/law_curve.h"
#include "identify/ring_down/mode_laws.h"
#include "ring_down_bench.h"
#include "run_suite.h"

static double samples[BENCH_SAMPLES];

static struct mode_record bench_record(const struct modal_iwan *mode)
{
    const double f_0_hz = bench_omega_0(mode) / (2 * M_PI);
    return (struct mode_record){.sensed = SENSED_ACCELERATION,
                                .samples = samples,
                                .count = BENCH_SAMPLES,
                                .rate_hz = BENCH_RATE_HZ,
                                .centre_hz = f_0_hz - 0.7,
                                .stop_hz = 40,
                                .alone = true};
}

static void simulate(const struct modal_iwan *mode, double later_s, double noise, gsl_rng *random)
{
    for (int i = 0; i < BENCH_SAMPLES; i++)
        samples[i] = noise > 0 ? gsl_ran_gaussian(random, noise) : 0;
    bench_add(mode, later_s, samples);
}

static const struct modal_iwan *const modes[2] = {&bench_mild, &bench_strong};

START_TEST(a_record_without_noise_gives_the_truth_back)
{
    for (int i = 0; i < 4; i++) {
        const struct modal_iwan mode = bench_mode(modes[i % 2]);
        const struct mode_record record = bench_record(&mode);
        struct law_fit fit;
        simulate(&mode, 0.0031 * (i / 2), 0, NULL);
        law_fit(&record, NULL, &fit);
        ck_assert_str_eq(verdict_name(fit.verdict), "ok");
        ck_assert_double_eq_tol(fit.law.parameter[MICROSLIP_OMEGA_0] / bench_omega_0(&mode), 1, 1e-6);
        ck_assert_double_eq_tol(fit.law.parameter[MICROSLIP_C] / mode.c, 1, 1e-6);
        ck_assert_double_eq_tol(fit.law.parameter[MICROSLIP_CHI], mode.chi, 1e-6);
    }
}
END_TEST

/* In a filtered band the law is the same; its first cycles are the filter's. */
START_TEST(the_band_alone_gives_the_same_law)
{
    const struct modal_iwan mode = bench_mode(&bench_mild);
    struct mode_record record = bench_record(&mode);
    struct law_fit fit;
    record.alone = false;
    simulate(&mode, 0, 0, NULL);
    law_fit(&record, NULL, &fit);
    ck_assert_str_eq(verdict_name(fit.verdict), "ok");
    ck_assert_double_eq_tol(fit.law.parameter[MICROSLIP_OMEGA_0] / bench_omega_0(&mode), 1, 1e-6);
    ck_assert_double_eq_tol(fit.law.parameter[MICROSLIP_C] / mode.c, 1, 2e-3);
    ck_assert_double_eq_tol(fit.law.parameter[MICROSLIP_CHI], mode.chi, 2e-3);
}
END_TEST

/* Bounds by others, at noise of 1 % of the first acceleration: of omega_0, c and chi. */
START_TEST(standard_errors_are_the_bounds_of_the_reference)
{
    static const double bound[2][3] = {{0.0143, 0.0047, 0.0066}, {0.0316, 0.028, 0.0026}};
    static const enum microslip_parameter of[3] = {MICROSLIP_OMEGA_0, MICROSLIP_C, MICROSLIP_CHI};
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (int i = 0; i < 2; i++) {
        const struct modal_iwan mode = bench_mode(modes[i]);
        const struct mode_record record = bench_record(&mode);
        struct law_fit fit;
        simulate(&mode, 0, 0.01 * bench_first(&mode), random);
        law_fit(&record, NULL, &fit);
        ck_assert_str_eq(verdict_name(fit.verdict), "ok");
        for (int k = 0; k < 3; k++)
            ck_assert_double_eq_tol(sqrt(fit.covariance[of[k]][of[k]]) / bound[i][k], 1, 0.15);
    }
    gsl_rng_free(random);
}
END_TEST

/* Of the law as a curve, at a third of its nepers: squares of the errors of omega, zeta and loss over the standard
 * ones. */
static double curve_error(const struct law_fit *fit, const struct modal_iwan *mode)
{
    struct backbone_point points[BACKBONE_POINTS];
    ck_assert_uint_eq(law_curve(fit, points), BACKBONE_POINTS);
    const struct backbone_point *at = &points[BACKBONE_POINTS / 3];
    const double a = at->amplitude, omega = sqrt(modal_iwan_fundamental(mode, a));
    const double loss = modal_iwan_dissipation(mode, a, omega);
    const double zeta = loss / (2 * M_PI * modal_iwan_tangent(mode, a) * a * a);
    ck_assert_double_eq_tol(points[0].amplitude / cabs(fit->amplitude), exp(fit->first_x), 1e-9);
    ck_assert_double_le(fabs(at->dissipation - loss), 5 * at->se_dissipation);
    return pow((at->omega - omega) / at->se_omega, 2) + pow((at->zeta - zeta) / at->se_zeta, 2) +
           pow((at->dissipation - loss) / at->se_dissipation, 2);
}

/* Per cell of noise and mode: RMSE over the stated standard error, and how often 1.96 of these hold the truth, over
 * omega_0, c and chi. The three errors of a record go together: a cell's ratio scatters by 15 %, that of all by 6 %. */
START_TEST(errors_are_as_stated)
{
    enum { RECORDS = 16 };
    static const double noise[3] = {0.001, 0.01, 0.05};
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    double all = 0, curves = 0;
    int covered = 0, told = 0;
    for (int cell = 0; cell < 6; cell++) {
        const struct modal_iwan mode = bench_mode(modes[cell % 2]);
        const struct mode_record record = bench_record(&mode);
        const double truth[3] = {bench_omega_0(&mode), mode.c, mode.chi};
        double squares = 0;
        for (int i = 0; i < RECORDS; i++) {
            struct law_fit fit;
            simulate(&mode, gsl_rng_uniform(random) / 117, noise[cell / 2] * bench_first(&mode), random);
            law_fit(&record, NULL, &fit);
            ck_assert_str_eq(verdict_name(fit.verdict), "ok");
            ck_assert_double_eq_tol(fit.noise / (noise[cell / 2] * bench_first(&mode)), 1, 0.05);
            curves += curve_error(&fit, &mode) / (6 * RECORDS * 3);
            const double found[3] = {fit.law.parameter[MICROSLIP_OMEGA_0], fit.law.parameter[MICROSLIP_C],
                                     fit.law.parameter[MICROSLIP_CHI]};
            const enum microslip_parameter of[3] = {MICROSLIP_OMEGA_0, MICROSLIP_C, MICROSLIP_CHI};
            for (int k = 0; k < 3; k++) {
                const double error = (found[k] - truth[k]) / sqrt(fit.covariance[of[k]][of[k]]);
                squares += error * error / (3 * RECORDS);
                covered += fabs(error) < 1.96;
                told++;
            }
        }
        ck_assert_double_ge(sqrt(squares), 0.65);
        ck_assert_double_le(sqrt(squares), 1.5);
        all += squares / 6;
    }
    ck_assert_double_ge(sqrt(all), 0.9);
    ck_assert_double_le(sqrt(all), 1.15);
    ck_assert_double_ge((double)covered / told, 0.91);
    ck_assert_double_ge(sqrt(curves), 0.85);
    ck_assert_double_le(sqrt(curves), 1.15);
    gsl_rng_free(random);
}
END_TEST

/* Where a hundred cycles in noise hardly tell chi, the way to the best law is longer than a fit's steps. */
START_TEST(a_hundred_cycles_in_noise_have_a_law)
{
    const struct modal_iwan mode = bench_mode(&bench_mild);
    struct mode_record record = bench_record(&mode);
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    record.count = (size_t)(100 * BENCH_RATE_HZ / record.centre_hz);
    for (int i = 0; i < 40; i++) {
        struct law_fit fit;
        simulate(&mode, gsl_rng_uniform(random) / 117, 0.1 * bench_first(&mode), random);
        law_fit(&record, NULL, &fit);
        ck_assert_str_eq(verdict_name(fit.verdict), "ok");
    }
    gsl_rng_free(random);
}
END_TEST

/* A weak joint whose chi may as well be near -1, where that way has no end: the law is what the fit has come to, and
 * its curve is right. */
START_TEST(a_joint_that_hardly_tells_chi_has_a_law)
{
    static const struct modal_iwan weak = {.f_s = 1, .k_t = 150, .chi = -0.7, .beta = 0, .k_inf = 1.762e5, .c = 2.35};
    const struct modal_iwan mode = bench_mode(&weak);
    struct mode_record record = bench_record(&mode);
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    record.alone = false;
    record.stop_hz = 16;
    for (int i = 0; i < 12; i++) {
        struct law_fit fit;
        simulate(&mode, gsl_rng_uniform(random) / 67, 0.01 * bench_first(&mode), random);
        law_fit(&record, NULL, &fit);
        ck_assert_str_eq(verdict_name(fit.verdict), "ok");
        ck_assert_double_le(curve_error(&fit, &mode), 25);
    }
    gsl_rng_free(random);
}
END_TEST

/* Scale, sign and unit of the record change units and nothing else. */
START_TEST(scale_and_sign_change_nothing_else)
{
    const struct modal_iwan mode = bench_mode(&bench_mild);
    const struct mode_record record = bench_record(&mode);
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    struct law_fit first, second;
    simulate(&mode, 0.001, 0.01 * bench_first(&mode), random);
    law_fit(&record, NULL, &first);
    for (int i = 0; i < BENCH_SAMPLES; i++)
        samples[i] *= -1e6;
    law_fit(&record, NULL, &second);
    for (size_t p = 0; p < MICROSLIP_PARAMETERS; p++)
        ck_assert_double_eq_tol(first.law.parameter[p], second.law.parameter[p], 1e-3 * sqrt(first.covariance[p][p]));
    ck_assert_double_eq_tol(creal(second.amplitude / first.amplitude) / -1e6, 1, 1e-4);
    gsl_rng_free(random);
}
END_TEST

START_TEST(what_does_not_ring_is_named)
{
    const struct modal_iwan mode = bench_mode(&bench_mild);
    struct mode_record record = bench_record(&mode);
    struct law_fit fit;
    for (int i = 0; i < BENCH_SAMPLES; i++)
        samples[i] = 0;
    law_fit(&record, NULL, &fit);
    ck_assert_str_eq(verdict_name(fit.verdict), "no_oscillation");
    record.count = 100;
    law_fit(&record, NULL, &fit);
    ck_assert_str_eq(verdict_name(fit.verdict), "too_few_samples");
    record.count = BENCH_SAMPLES;
    record.centre_hz = 1.1 * BENCH_RATE_HZ;
    law_fit(&record, NULL, &fit);
    ck_assert_str_eq(verdict_name(fit.verdict), "too_few_samples");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("law of a mode");
    TCase *tests = tcase_create("law of a mode");
    suite_add_tcase(suite, tests);
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, a_record_without_noise_gives_the_truth_back);
    tcase_add_test(tests, the_band_alone_gives_the_same_law);
    tcase_add_test(tests, standard_errors_are_the_bounds_of_the_reference);
    tcase_add_test(tests, errors_are_as_stated);
    tcase_add_test(tests, a_hundred_cycles_in_noise_have_a_law);
    tcase_add_test(tests, a_joint_that_hardly_tells_chi_has_a_law);
    tcase_add_test(tests, scale_and_sign_change_nothing_else);
    tcase_add_test(tests, what_does_not_ring_is_named);
    return run_suite(suite);
}
