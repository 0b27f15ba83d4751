/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a ring-down in microslip says of its joint, and between which bounds the rest must be. */
#include "identify/ring_down/microslip_figures.h"
#include "identify/ring_down/mode_laws.h"
#include "ring_down_bench.h"
#include "run_suite.h"

static double samples[BENCH_SAMPLES];

/* A joint held at 0.8 phi_max, and its law, as it would be without noise. */
static struct law_fit exact_fit(const struct modal_iwan *mode, double amplitude)
{
    const double omega_0 = bench_omega_0(mode), square = omega_0 * omega_0;
    const double zeta_j = modal_iwan_dissipation(mode, amplitude, 0) / (2 * M_PI * square * amplitude * amplitude);
    return (struct law_fit){.law = microslip_law(omega_0, mode->c, zeta_j, mode->chi), .amplitude = -amplitude};
}

static bool holds(const struct between *between, double truth)
{
    return truth >= between->lower * (1 - 1e-9) && truth <= between->upper * (1 + 1e-9);
}

START_TEST(the_joint_lies_within_the_bounds)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (int i = 0; i < 500; i++) {
        struct modal_iwan mode = {.k_t = pow(10, 3 + 3 * gsl_rng_uniform(random)),
                                  .k_inf = pow(10, 6 * gsl_rng_uniform(random)),
                                  .f_s = gsl_rng_uniform_pos(random),
                                  .chi = -0.9 + 1.5 * gsl_rng_uniform(random),
                                  .beta = 3 * gsl_rng_uniform(random),
                                  .c = 1};
        ck_assert(modal_iwan_complete(&mode));
        const struct law_fit fit = exact_fit(&mode, mode.phi_max * gsl_rng_uniform_pos(random));
        const struct microslip_figures figures = microslip_figures_of(&fit);
        ck_assert_double_eq_tol(figures.r.value / mode.r, 1, 1e-9);
        ck_assert(holds(&figures.phi_max, mode.phi_max));
        ck_assert(holds(&figures.k_t, mode.k_t));
        ck_assert(holds(&figures.k_inf, mode.k_inf));
        ck_assert(holds(&figures.f_s, mode.f_s));
    }
    gsl_rng_free(random);
}
END_TEST

/* Joints that are as weak, or as strong, as the bounds allow. */
START_TEST(the_bounds_are_reached)
{
    struct modal_iwan mode = {.k_t = 1e5, .f_s = 2, .chi = -0.2};
    ck_assert(modal_iwan_complete(&mode));
    struct law_fit fit = exact_fit(&mode, 0.3 * mode.phi_max);
    const struct microslip_figures strong = microslip_figures_of(&fit);
    ck_assert_double_eq_tol(strong.k_t.upper / mode.k_t, 1, 1e-9);
    ck_assert_double_eq_tol(strong.f_s.upper / mode.f_s, 1, 1e-9);
    mode.k_inf = 4e5;
    fit = exact_fit(&mode, mode.phi_max);
    const struct microslip_figures weak = microslip_figures_of(&fit);
    ck_assert_double_eq_tol(weak.k_t.lower / mode.k_t, 1, 1e-9);
    ck_assert_double_eq_tol(weak.k_inf.upper / mode.k_inf, 1, 1e-9);
    ck_assert_double_eq_tol(weak.f_s.lower / mode.f_s, 1, 1e-9);
    ck_assert_double_eq_tol(weak.phi_max.lower / mode.phi_max, 1, 1e-9);
}
END_TEST

/* Over records with noise, R scatters as its standard error says. */
START_TEST(the_density_is_as_sure_as_stated)
{
    enum { RECORDS = 24 };
    const struct modal_iwan mode = bench_mode(&bench_mild);
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    double squares = 0;
    for (int record = 0; record < RECORDS; record++) {
        struct law_fit fit;
        for (int i = 0; i < BENCH_SAMPLES; i++)
            samples[i] = gsl_ran_gaussian(random, 0.01 * bench_first(&mode));
        bench_add(&mode, 0.001, samples);
        law_fit(&(struct mode_record){.sensed = SENSED_ACCELERATION,
                                      .samples = samples,
                                      .count = BENCH_SAMPLES,
                                      .rate_hz = BENCH_RATE_HZ,
                                      .centre_hz = bench_omega_0(&mode) / (2 * M_PI),
                                      .stop_hz = 40,
                                      .alone = true},
                NULL, &fit);
        const struct microslip_figures figures = microslip_figures_of(&fit);
        const double error = log(figures.r.value / mode.r) / (figures.r.se / figures.r.value);
        squares += error * error / RECORDS;
        ck_assert_double_eq_tol(figures.chi.high - figures.chi.low, 2 * 1.959964 * figures.chi.se, 1e-6);
    }
    /* 24 records: the ratio scatters by 14 %. */
    ck_assert_double_ge(sqrt(squares), 0.6);
    ck_assert_double_le(sqrt(squares), 1.4);
    gsl_rng_free(random);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("figures of microslip");
    TCase *tests = tcase_create("figures of microslip");
    suite_add_tcase(suite, tests);
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, the_joint_lies_within_the_bounds);
    tcase_add_test(tests, the_bounds_are_reached);
    tcase_add_test(tests, the_density_is_as_sure_as_stated);
    return run_suite(suite);
}
