/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frequency and damping over the amplitude, where the law of a joint holds and where it does not. */
#include "backbone_reading.h"
#include "identify/ring_down/smooth_law.h"
#include "ring_down_bench.h"
#include "run_suite.h"

static double samples[BENCH_SAMPLES];

START_TEST(derivatives_of_the_smooth_law_are_its_slopes)
{
    const struct amplitude_law joint = microslip_law(750, 1.5, 0.01, -0.2);
    struct smooth_basis basis;
    struct amplitude_law law = smooth_law(&joint, 3, &basis);
    struct law_rates here, above, below, plain;
    ck_assert_uint_eq(law.parameters, MICROSLIP_PARAMETERS + 2 * basis.functions);
    ck_assert_uint_ge(basis.functions, 8);
    ck_assert(joint.rates(&joint, -0.9, &plain) && law.rates(&law, -0.9, &here));
    ck_assert_double_eq_tol(here.alpha, plain.alpha, 1e-12);
    ck_assert_double_eq_tol(here.omega, plain.omega, 1e-12);
    for (size_t p = 0; p < law.parameters; p++)
        law.parameter[p] = 0.01 * sin(3.0 * (double)p);
    for (double x = -4.5; x <= 0; x += 0.9) {
        ck_assert(law.rates(&law, x, &here));
        law.rates(&law, x + 1e-5, &above);
        law.rates(&law, x - 1e-5, &below);
        ck_assert_double_eq_tol(here.alpha_x, (above.alpha - below.alpha) / 2e-5, 1e-4);
        ck_assert_double_eq_tol(here.omega_x, (above.omega - below.omega) / 2e-5, 1e-4);
        for (size_t p = 0; p < law.parameters; p++) {
            const double kept = law.parameter[p];
            law.parameter[p] = kept + 1e-5;
            law.rates(&law, x, &above);
            law.parameter[p] = kept - 1e-5;
            law.rates(&law, x, &below);
            law.parameter[p] = kept;
            ck_assert_double_eq_tol(here.alpha_p[p], (above.alpha - below.alpha) / 2e-5, 1e-5);
            ck_assert_double_eq_tol(here.omega_p[p], (above.omega - below.omega) / 2e-5, 1e-5);
        }
    }
}
END_TEST

/* Between two points by ln amplitude, the loss by its logarithm; beyond the ends nothing moves. */
START_TEST(between_its_points_a_curve_is_even)
{
    static const struct backbone_point curve[3] = {{.amplitude = 4, .omega = 10, .se_zeta = 3, .dissipation = 16},
                                                   {.amplitude = 2, .omega = 20, .se_zeta = 2, .dissipation = 4},
                                                   {.amplitude = 1, .omega = 40, .se_zeta = 2, .dissipation = 1}};
    static const double amplitude[] = {8, 4, 3, 2, 1, 0.5};
    for (size_t i = 0; i < sizeof amplitude / sizeof amplitude[0]; i++) {
        const double a = fmin(fmax(amplitude[i], 1), 4), octaves = log2(4 / a);
        const struct backbone_point at = backbone_curve_at(curve, 3, amplitude[i]);
        ck_assert_double_eq_tol(at.omega, octaves < 1 ? 10 + 10 * octaves : 20 * octaves, 1e-12);
        ck_assert_double_eq_tol(at.se_zeta, octaves < 1 ? 3 - octaves : 2, 1e-12);
        ck_assert_double_eq_tol(at.dissipation, a * a, 1e-12);
    }
    ck_assert_double_eq(backbone_curve_at(curve, 1, 1).omega, 10);
}
END_TEST

/* The process has unit variance and the correlation e^(-1/2) at the distance 1, inside the amplitudes that are shown.
 */
START_TEST(deviations_are_a_process_of_length_one)
{
    const struct amplitude_law joint = microslip_law(750, 1.5, 0.01, -0.2);
    struct smooth_basis basis;
    smooth_law(&joint, 3, &basis);
    for (double x = -2.5; x < -0.5; x += 0.3) {
        double variance = 0, covariance = 0;
        for (size_t j = 0; j < basis.functions; j++) {
            const double place = x - basis.middle + basis.half_length,
                         value = basis.size[j] * sin(basis.frequency[j] * place);
            variance += value * value;
            covariance += value * basis.size[j] * sin(basis.frequency[j] * (place + 1));
        }
        ck_assert_double_eq_tol(variance, 1, 0.02);
        ck_assert_double_eq_tol(covariance, exp(-0.5), 0.02);
    }
}
END_TEST

/* RMSE by others at these shares of the first amplitude, with a band of 40 Hz: of zeta in %, of omega in ppm. */
static const double share[4] = {0.5, 0.2, 0.1, 0.05};
static const double most_zeta[2][4] = {{0.16, 0.25, 0.37, 0.78}, {2.0, 0.80, 0.67, 0.69}};
static const double most_omega[2][4] = {{4, 4, 8, 23}, {440, 84, 29, 39}};

/* Of ten records, an RMSE scatters by 22 %. */
START_TEST(errors_are_no_larger_than_by_others)
{
    enum { RECORDS = 10 };
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    int covered = 0, covered_loss = 0;
    double loss_squares = 0;
    for (int which = 0; which < 2; which++) {
        const struct modal_iwan mode = bench_mode(which == 0 ? &bench_mild : &bench_strong);
        double squares[4][2] = {{0}};
        for (int record = 0; record < RECORDS; record++) {
            struct backbone backbone;
            for (int i = 0; i < BENCH_SAMPLES; i++)
                samples[i] = gsl_ran_gaussian(random, 0.01 * bench_first(&mode));
            bench_add(&mode, 0, samples);
            read_backbone(&(struct mode_record){.sensed = SENSED_ACCELERATION,
                                                .samples = samples,
                                                .count = BENCH_SAMPLES,
                                                .rate_hz = BENCH_RATE_HZ,
                                                .centre_hz = bench_omega_0(&mode) / (2 * M_PI) - 0.5,
                                                .stop_hz = 40,
                                                .alone = true},
                          &backbone);
            for (int k = 0; k < 4; k++) {
                const double amplitude = share[k] * 0.8 * mode.phi_max;
                const struct backbone_point at = backbone_at(&backbone, amplitude);
                const double omega = sqrt(modal_iwan_fundamental(&mode, amplitude));
                const double loss = modal_iwan_dissipation(&mode, amplitude, omega);
                const double zeta = loss / (2 * M_PI * modal_iwan_tangent(&mode, amplitude) * amplitude * amplitude);
                squares[k][0] += pow(100 * (at.zeta / zeta - 1), 2) / RECORDS;
                squares[k][1] += pow(1e6 * (at.omega / omega - 1), 2) / RECORDS;
                covered += fabs(at.zeta - zeta) < 1.96 * at.se_zeta;
                covered += fabs(at.omega - omega) < 1.96 * at.se_omega;
                covered_loss += fabs(at.dissipation - loss) < 1.96 * at.se_dissipation;
                loss_squares += pow((at.dissipation - loss) / at.se_dissipation, 2) / (8 * RECORDS);
                ck_assert_double_eq_tol(at.se_stiffness / (2 * at.omega * at.se_omega), 1, 1e-3);
            }
        }
        for (int k = 0; k < 4; k++) {
            ck_assert_double_le(sqrt(squares[k][0]), 1.5 * most_zeta[which][k]);
            ck_assert_double_le(sqrt(squares[k][1]), 1.5 * most_omega[which][k]);
        }
    }
    /* 160 figures, 95 % of them if all were independent; those of a record are not. */
    ck_assert_int_ge(covered, 144);
    ck_assert_int_ge(covered_loss, 70);
    ck_assert_double_le(fabs(loss_squares - 1), 0.5);
    gsl_rng_free(random);
}
END_TEST

/* alpha = a + b A and omega = omega_0 + k alpha: a mode that stiffens, which no joint does, in closed form. */
START_TEST(what_is_no_joint_is_followed_too)
{
    const double a = 3, b = 5, omega_0 = 600, k = 0.8, first = 1, noise = 1e-3;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (int i = 0; i < BENCH_SAMPLES; i++) {
        const double time_s = i / BENCH_RATE_HZ, amplitude = a / ((b + a / first) * exp(a * time_s) - b);
        samples[i] = amplitude * cos(omega_0 * time_s - k * log(amplitude)) + gsl_ran_gaussian(random, noise);
    }
    const struct mode_record record = {.sensed = SENSED_DISPLACEMENT,
                                       .samples = samples,
                                       .count = BENCH_SAMPLES,
                                       .rate_hz = BENCH_RATE_HZ,
                                       .centre_hz = omega_0 / (2 * M_PI),
                                       .stop_hz = 40,
                                       .alone = true};
    struct mode_laws laws;
    struct backbone backbone;
    /* Whether a joint's law can be fitted at all is chance. */
    mode_laws_of(&record, NULL, &laws);
    mode_backbone(&record, laws.joint ? &laws.microslip : &laws.linear, NULL, &backbone);
    ck_assert_str_eq(verdict_name(backbone.verdict), "ok");
    /* The frequency alone gives the joint away. */
    ck_assert_double_ge(backbone.law_misfit + 100 * backbone.frequency_misfit, 0.01);
    ck_assert_double_eq_tol(backbone.residual / noise, 1, 0.05);
    for (double amplitude = 0.9; amplitude > 0.03; amplitude *= 0.6) {
        const struct backbone_point at = backbone_at(&backbone, amplitude);
        const double alpha = a + b * amplitude, omega = omega_0 + k * alpha;
        ck_assert_double_eq_tol(at.omega, omega, 4 * at.se_omega);
        ck_assert_double_eq_tol(at.zeta, alpha / omega, 4 * at.se_zeta);
        ck_assert_double_le(at.se_zeta, 0.02 * at.zeta);
    }
    gsl_rng_free(random);
}
END_TEST

/* D without a model of the joint is that of the joint, to what the slow flow is good for, and K omega squared. */
START_TEST(loss_and_stiffness_are_those_of_the_joint)
{
    const struct modal_iwan mode = bench_mode(&bench_strong);
    struct backbone backbone;
    for (int i = 0; i < BENCH_SAMPLES; i++)
        samples[i] = 0;
    bench_add(&mode, 0, samples);
    read_backbone(&(struct mode_record){.sensed = SENSED_ACCELERATION,
                                        .samples = samples,
                                        .count = BENCH_SAMPLES,
                                        .rate_hz = BENCH_RATE_HZ,
                                        .centre_hz = bench_omega_0(&mode) / (2 * M_PI),
                                        .stop_hz = 40,
                                        .alone = true},
                  &backbone);
    for (int k = 0; k < 3; k++) {
        const double amplitude = share[k] * 0.8 * mode.phi_max;
        const struct backbone_point at = backbone_at(&backbone, amplitude);
        const double omega = sqrt(modal_iwan_fundamental(&mode, amplitude));
        ck_assert_double_eq_tol(at.dissipation / modal_iwan_dissipation(&mode, amplitude, omega), 1, 3e-3);
        ck_assert_double_eq_tol(at.stiffness / (omega * omega), 1, 1e-4);
    }
}
END_TEST

/* Seventeen samples of a band are enough for a law and too few for deviations from it. */
START_TEST(too_few_samples_are_named)
{
    const struct modal_iwan mode = bench_mode(&bench_mild);
    const struct mode_record record = {.sensed = SENSED_ACCELERATION,
                                       .samples = samples,
                                       .count = 1000,
                                       .rate_hz = BENCH_RATE_HZ,
                                       .centre_hz = bench_omega_0(&mode) / (2 * M_PI),
                                       .stop_hz = 40,
                                       .alone = false};
    struct law_fit fit;
    struct backbone backbone;
    for (int i = 0; i < BENCH_SAMPLES; i++)
        samples[i] = 0;
    bench_add(&mode, 0, samples);
    law_fit(&record, NULL, &fit);
    ck_assert_str_eq(verdict_name(fit.verdict), "ok");
    mode_backbone(&record, &fit, NULL, &backbone);
    ck_assert_str_eq(verdict_name(backbone.verdict), "too_few_samples");
    ck_assert_uint_eq(backbone.count, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("backbone");
    TCase *tests = tcase_create("backbone");
    suite_add_tcase(suite, tests);
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, derivatives_of_the_smooth_law_are_its_slopes);
    tcase_add_test(tests, between_its_points_a_curve_is_even);
    tcase_add_test(tests, deviations_are_a_process_of_length_one);
    tcase_add_test(tests, errors_are_no_larger_than_by_others);
    tcase_add_test(tests, what_is_no_joint_is_followed_too);
    tcase_add_test(tests, loss_and_stiffness_are_those_of_the_joint);
    tcase_add_test(tests, too_few_samples_are_named);
    return run_suite(suite);
}
