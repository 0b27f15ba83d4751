/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The slow flow of a mode with a joint, against reference figures, differences and the exact motion. */
#include "identify/ring_down/deferred_correction.h"
#include "identify/ring_down/microslip_law.h"
#include "ring_down_bench.h"
#include "run_suite.h"

#include <errno.h>

/* The microslip law of a mode from an amplitude on, by the closed forms. */
static struct amplitude_law law_of(const struct modal_iwan *mode, double amplitude)
{
    const double omega_0 = bench_omega_0(mode), square = omega_0 * omega_0;
    const double loss = modal_iwan_dissipation(mode, amplitude, 0);
    return microslip_law(omega_0, mode->c, loss / (2 * M_PI * square * amplitude * amplitude), mode->chi);
}

START_TEST(rates_are_those_of_the_reference)
{
    static const double at[2] = {0.1, 0.8}, alpha[2] = {3.514917, 18.137625}, f_hz[2] = {119.834606, 114.414548};
    const struct modal_iwan mode = bench_mode(&bench_strong);
    for (int i = 0; i < 2; i++) {
        const struct amplitude_law law = law_of(&mode, at[i] * mode.phi_max);
        struct law_rates rates;
        ck_assert(law.rates(&law, 0, &rates));
        ck_assert_double_eq_tol(rates.alpha, alpha[i], 1e-6);
        ck_assert_double_eq_tol(rates.omega / (2 * M_PI), f_hz[i], 1e-6);
        /* The same amplitude on the way down from a larger one. */
        const struct amplitude_law larger = law_of(&mode, 0.95 * mode.phi_max);
        ck_assert(larger.rates(&larger, log(at[i] / 0.95), &rates));
        ck_assert_double_eq_tol(rates.alpha, alpha[i], 1e-6);
    }
    /* s of that mode at 0.8 phi_max. */
    const struct amplitude_law law = law_of(&mode, 0.8 * mode.phi_max);
    ck_assert_double_eq_tol(microslip_softening(&law), 0.105, 5e-4);
}
END_TEST

static void shift(struct amplitude_law *law, size_t parameter, double step)
{
    law->parameter[parameter] += step;
    law->prepare(law);
}

static double step_of(const struct amplitude_law *law, size_t parameter)
{
    return 1e-6 * fmax(fabs(law->parameter[parameter]), 1);
}

START_TEST(derivatives_of_the_rates_are_their_slopes)
{
    const struct modal_iwan mode = bench_mode(&bench_strong);
    const struct amplitude_law law = law_of(&mode, 0.8 * mode.phi_max);
    struct law_rates here, above, below;
    ck_assert(law.rates(&law, -0.7, &here));
    law.rates(&law, -0.7 + 1e-6, &above);
    law.rates(&law, -0.7 - 1e-6, &below);
    ck_assert_double_eq_tol(here.alpha_x, (above.alpha - below.alpha) / 2e-6, 1e-6);
    ck_assert_double_eq_tol(here.omega_x, (above.omega - below.omega) / 2e-6, 1e-6);
    for (size_t p = 0; p < law.parameters; p++) {
        struct amplitude_law more = law, less = law;
        const double step = step_of(&law, p);
        shift(&more, p, step);
        shift(&less, p, -step);
        more.rates(&more, -0.7, &above);
        less.rates(&less, -0.7, &below);
        ck_assert_double_eq_tol(here.alpha_p[p], (above.alpha - below.alpha) / (2 * step), 1e-6);
        ck_assert_double_eq_tol(here.omega_p[p], (above.omega - below.omega) / (2 * step), 1e-6);
    }
}
END_TEST

/* Derivatives of the logarithm of the signal, to the share that is left out of those of an acceleration. */
START_TEST(derivatives_along_the_flow_are_its_slopes)
{
    const struct modal_iwan mode = bench_mode(&bench_strong);
    const struct amplitude_law law = law_of(&mode, 0.8 * mode.phi_max);
    struct slow_flow *flow = slow_flow_create();
    for (enum sensed sensed = SENSED_DISPLACEMENT; sensed <= SENSED_ACCELERATION; sensed++)
        for (size_t p = 0; p < law.parameters; p++) {
            struct amplitude_law more = law, less = law;
            double complex derivative[LAW_PARAMETERS];
            size_t hint = 0;
            const double step = step_of(&law, p);
            shift(&more, p, step);
            shift(&less, p, -step);
            ck_assert(slow_flow_follow(flow, &more, sensed, 1));
            double complex slope = slow_flow_at(flow, 0.61, &hint, NULL);
            ck_assert(slow_flow_follow(flow, &less, sensed, 1));
            slope = (slope - slow_flow_at(flow, 0.61, &hint, NULL)) / (2 * step);
            ck_assert(slow_flow_follow(flow, &law, sensed, 1));
            slow_flow_at(flow, 0.61, &hint, derivative);
            ck_assert_double_le(cabs(derivative[p] - slope), 1e-5 * cabs(slope));
        }
    slow_flow_free(flow);
}
END_TEST

/* With the exponents that it has, the law whose exponents are free is the same; with others its derivatives are its
 * slopes. */
START_TEST(free_exponents_contain_the_law)
{
    const struct modal_iwan mode = bench_mode(&bench_strong);
    const struct amplitude_law law = law_of(&mode, 0.8 * mode.phi_max), like = free_law(&law);
    struct law_rates here, there, above, below;
    for (double x = -4; x <= 0; x += 0.5) {
        ck_assert(law.rates(&law, x, &here) && like.rates(&like, x, &there));
        ck_assert_double_eq_tol(here.omega / there.omega, 1, 1e-12);
        ck_assert_double_eq_tol(here.alpha / there.alpha, 1, 1e-12);
    }
    static const double exponents[3] = {0.6, 0.03, 1e-9};
    for (int i = 0; i < 3; i++) {
        struct amplitude_law other = like;
        other.parameter[FREE_STIFFNESS_EXPONENT] = exponents[i];
        ck_assert(other.rates(&other, -0.7, &here));
        ck_assert(other.rates(&other, -0.7 + 1e-6, &above) && other.rates(&other, -0.7 - 1e-6, &below));
        ck_assert_double_eq_tol(here.alpha_x, (above.alpha - below.alpha) / 2e-6, 1e-6);
        ck_assert_double_eq_tol(here.omega_x, (above.omega - below.omega) / 2e-6, 1e-5);
        for (size_t p = 0; p < other.parameters; p++) {
            struct amplitude_law more = other, less = other;
            const double step = 1e-6 * fmax(fabs(other.parameter[p]), 1);
            shift(&more, p, step);
            shift(&less, p, -step);
            ck_assert(more.rates(&more, -0.7, &above) && less.rates(&less, -0.7, &below));
            ck_assert_double_eq_tol(here.alpha_p[p], (above.alpha - below.alpha) / (2 * step), 1e-5);
            ck_assert_double_eq_tol(here.omega_p[p], (above.omega - below.omega) / (2 * step), 1e-5);
        }
    }
}
END_TEST

/* A long record goes on where amplitudes are nothing: the motion stays nothing, and finite. */
START_TEST(a_long_record_ends_in_nothing)
{
    const struct amplitude_law law = linear_law(500, 200);
    struct slow_flow *flow = slow_flow_create();
    double complex derivative[LAW_PARAMETERS];
    size_t hint = 0;
    ck_assert(slow_flow_follow(flow, &law, SENSED_DISPLACEMENT, 5));
    for (double time_s = 0.3; time_s < 5; time_s += 0.1) {
        const double complex at = slow_flow_at(flow, time_s, &hint, derivative);
        ck_assert_double_eq_tol(creal(at), -100 * time_s, 1e-6);
        ck_assert_double_eq_tol(cimag(at), sqrt(500 * 500 - 100 * 100) * time_s, 1e-6);
        ck_assert_double_eq_tol(creal(derivative[MICROSLIP_C]), -0.5 * time_s, 1e-6);
    }
    slow_flow_free(flow);
}
END_TEST

/* A linear mode is a damped exponential, in every unit. */
START_TEST(a_linear_mode_is_an_exponential)
{
    const struct amplitude_law law = linear_law(500, 6);
    const double complex lambda = CMPLX(-3, sqrt(500 * 500 - 3 * 3));
    struct slow_flow *flow = slow_flow_create();
    for (enum sensed sensed = SENSED_DISPLACEMENT; sensed <= SENSED_ACCELERATION; sensed++) {
        size_t hint = 0;
        ck_assert(slow_flow_follow(flow, &law, sensed, 2));
        for (double time_s = 0; time_s < 2; time_s += 0.13) {
            const double complex ratio =
                cexp(slow_flow_at(flow, time_s, &hint, NULL)) / (cpow(lambda, (double)sensed) * cexp(lambda * time_s));
            ck_assert_double_le(cabs(ratio - 1), 1e-9);
        }
    }
    slow_flow_free(flow);
}
END_TEST

/* With a softening of 0.8 % the slow flow is off by parts in 1e5 of ln A and 1e-3 of a radian; what is left of the
 * acceleration also holds the harmonics that a slow flow does not have. */
START_TEST(the_slow_flow_is_close_to_the_motion)
{
    static double correction[BENCH_SAMPLES];
    static const struct modal_iwan *const modes[2] = {&bench_mild, &bench_strong};
    static const double bound[2] = {0.002, 0.03};
    for (int i = 0; i < 2; i++) {
        const struct modal_iwan mode = bench_mode(modes[i]);
        const double amplitude = 0.8 * mode.phi_max;
        const struct amplitude_law law = law_of(&mode, amplitude);
        ck_assert_int_eq(deferred_correction(&law, amplitude, SENSED_ACCELERATION, 0, 1 / BENCH_RATE_HZ, BENCH_SAMPLES,
                                             NULL, correction),
                         0);
        double most = 0;
        for (int k = 0; k < BENCH_SAMPLES; k++)
            most = fmax(most, fabs(correction[k]) / bench_first(&mode));
        ck_assert_double_le(most, bound[i]);
        ck_assert_double_ge(most, 1e-5);
    }
}
END_TEST

START_TEST(the_exact_motion_can_be_given_up)
{
    static double correction[BENCH_SAMPLES];
    const struct modal_iwan mode = bench_mode(&bench_mild);
    const double amplitude = 0.8 * mode.phi_max;
    const struct amplitude_law law = law_of(&mode, amplitude);
    const atomic_bool cancel = true;
    ck_assert_int_eq(deferred_correction(&law, amplitude, SENSED_ACCELERATION, 0, 1 / BENCH_RATE_HZ, BENCH_SAMPLES,
                                         &cancel, correction),
                     -ECANCELED);
}
END_TEST

/* Falls to nothing at once when it has lost a fifth. */
static bool breaking_rates(const struct amplitude_law *law, double x, struct law_rates *rates)
{
    (void)law;
    *rates = (struct law_rates){.alpha = x > -0.2 ? 1 : 1e20, .omega = 700};
    return true;
}

START_TEST(impossible_laws_are_refused)
{
    const struct amplitude_law heavy = microslip_law(700, 1, 0.9, -0.2), none = microslip_law(700, 1, 0.01, -1.5);
    const struct amplitude_law breaking = {.rates = breaking_rates};
    struct slow_flow *flow = slow_flow_create();
    double correction[4];
    ck_assert(!slow_flow_follow(flow, &heavy, SENSED_ACCELERATION, 1));
    ck_assert(!slow_flow_follow(flow, &none, SENSED_ACCELERATION, 1));
    ck_assert(!slow_flow_follow(flow, &breaking, SENSED_DISPLACEMENT, 10));
    ck_assert_int_lt(deferred_correction(&none, 1, SENSED_ACCELERATION, 0, 0.01, 4, NULL, correction), 0);
    slow_flow_free(flow);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("slow flow");
    TCase *tests = tcase_create("slow flow");
    suite_add_tcase(suite, tests);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, rates_are_those_of_the_reference);
    tcase_add_test(tests, derivatives_of_the_rates_are_their_slopes);
    tcase_add_test(tests, derivatives_along_the_flow_are_its_slopes);
    tcase_add_test(tests, free_exponents_contain_the_law);
    tcase_add_test(tests, a_long_record_ends_in_nothing);
    tcase_add_test(tests, a_linear_mode_is_an_exponential);
    tcase_add_test(tests, the_slow_flow_is_close_to_the_motion);
    tcase_add_test(tests, the_exact_motion_can_be_given_up);
    tcase_add_test(tests, impossible_laws_are_refused);
    return run_suite(suite);
}
