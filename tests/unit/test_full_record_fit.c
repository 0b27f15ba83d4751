/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The full-record fit against exact decays, published tables and the Cramér-Rao bound. */
#include "closed_form_decay.h"
#include "identify/decay/fitting.h"
#include "identify/decay/full_record_fit.h"
#include "run_suite.h"

#include <string.h>

static const struct full_record_options both = {.model = DAMPING_VISCOUS_COULOMB};

static struct full_record_fit fit_of(const struct decay_record *record)
{
    struct full_record_fit fit;
    full_record_fit(record, &both, &fit);
    return fit;
}

/* A record of so many half cycles with so many samples a cycle of omega_d, the first of them `lead` periods before t0.
 */
static struct sampling sampling_of(const struct true_decay *truth, double half_cycles, double per_cycle, double lead)
{
    double period_s = 2.0 * M_PI / true_omega_d(truth) / per_cycle;
    return (struct sampling){.start_s = truth->t0 - lead * period_s,
                             .period_s = period_s,
                             .count = (size_t)(half_cycles * per_cycle / 2.0 + lead) + 1};
}

static double error_of(double value, double truth, double unit)
{
    return fabs(value - truth) / (truth != 0.0 ? fabs(truth) : unit);
}

static void check_exact(const struct full_record_fit *fit, const struct true_decay *truth)
{
    ck_assert_str_eq(verdict_name(fit->verdict), "ok");
    double unit = fabs(truth->x0);
    ck_assert_double_le(error_of(fit->estimate[FIT_OMEGA_N].value, truth->omega_n, 1.0), 1e-9);
    ck_assert_double_le(error_of(fit->f_n_hz.value, truth->omega_n / (2.0 * M_PI), 1.0), 1e-9);
    ck_assert_double_le(error_of(fit->estimate[FIT_ZETA].value, truth->zeta, 1.0), 1e-9);
    ck_assert_double_le(error_of(fit->estimate[FIT_X_K].value, truth->x_k, unit), 1e-9);
    ck_assert_double_le(error_of(fit->estimate[FIT_X0].value, truth->x0, unit), 1e-9);
    ck_assert_double_le(error_of(fit->estimate[FIT_BIAS].value, truth->bias, unit), 1e-9);
    ck_assert_double_le(fabs(fit->estimate[FIT_T0].value - truth->t0) * truth->omega_n, 1e-9 * (1.0 + fabs(truth->t0)));
    ck_assert(isfinite(fit->estimate[FIT_OMEGA_N].se) && isfinite(fit->estimate[FIT_X0].se) &&
              isfinite(fit->estimate[FIT_BIAS].se) && isfinite(fit->estimate[FIT_T0].se));
}

static void check_exact_record(const struct true_decay *truth, double per_cycle, double lead)
{
    size_t half_cycles = true_half_cycles(truth, 40);
    if (half_cycles < 3)
        return;
    double *y;
    struct sampling sampling = sampling_of(truth, (double)half_cycles, per_cycle, lead);
    struct decay_record record = measured_record(truth, &sampling, NULL, &y);
    struct full_record_fit fit = fit_of(&record);
    check_exact(&fit, truth);
    free(y);
}

START_TEST(exact_decays_come_back)
{
    static const double zetas[] = {0.0, 1e-3, 0.02, 0.1, 0.25}, x_ks[] = {0.0, 1e-3, 0.02, 0.1};
    static const double per_cycles[] = {20.0, 200.0}, leads[] = {0.0, 0.4, 7.3};
    for (size_t z = 0; z < 5; z++)
        for (size_t k = 0; k < 4; k++)
            for (size_t n = 0; n < 2; n++)
                for (size_t l = 0; l < 3; l++) {
                    double side = (z + k + n) % 2 ? -1.0 : 1.0;
                    struct true_decay truth = {31.0, zetas[z], x_ks[k], 0.0, side, 0.7 * (double)k, 0.25};
                    check_exact_record(&truth, per_cycles[n], leads[l]);
                }
}
END_TEST

/* Records are written with a limited number of digits. Between rounding of the eighth digit and of the last one the sum
 * of squares is itself rounded more coarsely than the last steps change it. */
START_TEST(rounded_decays_converge)
{
    for (int digits = 7; digits <= 15; digits++)
        for (size_t n = 0; n < 12; n++) {
            double step = pow(10.0, -digits), side = n % 2 ? -1.0 : 1.0;
            struct true_decay truth = {31.0 + (double)n, 0.0177 * (double)(n % 3), 0.005, 0.0, side, 0.3, 0.25};
            struct sampling sampling = sampling_of(&truth, (double)true_half_cycles(&truth, 40), 40.0, 0.4);
            double *y;
            struct decay_record record = measured_record(&truth, &sampling, NULL, &y);
            for (size_t i = 0; i < record.count; i++)
                y[i] = round(y[i] / step) * step;
            struct full_record_fit fit = fit_of(&record);
            ck_assert_str_eq(verdict_name(fit.verdict), "ok");
            ck_assert_int_lt((int)fit.iterations, 40);
            ck_assert_double_le(fabs(fit.estimate[FIT_ZETA].value - truth.zeta), 2.0 * step + 1e-11);
            ck_assert_double_le(fabs(fit.estimate[FIT_X_K].value - truth.x_k), 2.0 * step + 1e-11);
            free(y);
        }
}
END_TEST

START_TEST(exact_decays_come_back_from_time_stamps)
{
    struct true_decay truth = {31.0, 0.02, 0.01, 0.0, 1.0, -0.3, 0.0};
    double y[900], stamps[900], time = 0.0;
    for (size_t i = 0; i < 900; i++) {
        stamps[i] = time;
        y[i] = true_displacement(&truth, time);
        time += 1e-3 * (1.0 + 0.4 * sin(1.7 * (double)i)); /* software-timed polling */
    }
    struct decay_record record = {
        .displacement = y, .time_s = stamps, .count = 900, .first_extremum_s = NAN, .period_s = 1e-3};
    struct full_record_fit fit = fit_of(&record);
    check_exact(&fit, &truth);
}
END_TEST

/* Stamps of 1e9 s are known to 1.2e-7 s only: where they are uniform the index is the time. */
START_TEST(stamps_near_1e9_s_are_uniform)
{
    static const double periods[] = {1e-3, 0.884e-3, 1.0 / 259.6, 1.0 / 4096.0, 0.1};
    for (size_t p = 0; p < sizeof periods / sizeof *periods; p++) {
        struct true_decay truth = {0.05 / periods[p], 0.02, 0.01, 0.0, 1.0, 0.1, 0.0};
        double y[1000], stamps[1000];
        for (size_t i = 0; i < 1000; i++) {
            y[i] = true_displacement(&truth, (double)i * periods[p]);
            stamps[i] = 1e9 + (double)i * periods[p];
        }
        struct decay_record record = {.displacement = y,
                                      .time_s = stamps,
                                      .count = 1000,
                                      .start_s = 1e9,
                                      .period_s = periods[p],
                                      .first_extremum_s = NAN};
        struct full_record_fit fit = fit_of(&record);
        truth.t0 = 1e9;
        check_exact(&fit, &truth);
        record.time_s = NULL;
        fit = fit_of(&record);
        check_exact(&fit, &truth);
    }
}
END_TEST

/* Keeping the sample half a period before the extremum would give zeta = 0.019968460, x_k = 0.050009332. */
START_TEST(only_samples_from_the_first_extremum_on_enter)
{
    struct true_decay truth = {2.0 * M_PI, 0.02, 0.05, 0.0, 1.0, 0.0, 0.0};
    double *y;
    struct sampling sampling = sampling_of(&truth, 10.0, 20.0, 0.5);
    sampling.count = 101;
    struct decay_record record = measured_record(&truth, &sampling, NULL, &y);
    struct full_record_fit fit = fit_of(&record);
    ck_assert_double_eq_tol(fit.estimate[FIT_ZETA].value, 0.02, 1e-11);
    ck_assert_double_eq_tol(fit.estimate[FIT_X_K].value, 0.05, 1e-11);
    ck_assert_uint_eq(fit.range.first, 1);
    record.first_extremum_s = 0.07 / true_omega_d(&truth);
    fit = fit_of(&record);
    ck_assert_double_eq_tol(fit.estimate[FIT_ZETA].value, 0.02, 1e-11);
    ck_assert_uint_eq(fit.range.first, 1);
    free(y);
}
END_TEST

/* The segmenter's first extremum counts, also where the record holds half cycles before it. */
START_TEST(hint_says_where_the_record_starts)
{
    struct true_decay truth = {31.0, 0.02, 0.01, 0.0, 1.0, 0.2, 0.0};
    double *y, half_period = M_PI / true_omega_d(&truth);
    struct sampling sampling = sampling_of(&truth, 20.0, 100.0, 0.0);
    struct decay_record record = measured_record(&truth, &sampling, NULL, &y);
    record.first_extremum_s = 2.04 * half_period;
    struct full_record_fit fit = fit_of(&record);
    ck_assert_double_eq_tol(fit.estimate[FIT_T0].value, 2.0 * half_period, 1e-10);
    ck_assert_double_eq_tol(fit.estimate[FIT_X0].value, true_extremum(&truth, 2, NULL), 1e-10);
    free(y);
}
END_TEST

/* Friction that differs between directions fits as the mean friction and a shifted bias, without residual. */
START_TEST(unequal_friction_shifts_the_bias)
{
    double y[400], x = 1.0, theta = 0.0, forward = 0.03, backward = 0.01;
    bool falling = true;
    for (size_t i = 0; i < 400; i++, theta += M_PI / 50.0) {
        if (theta > M_PI - 1e-9) {
            theta = 0.0;
            x = 2.0 * (falling ? backward : -forward) - x;
            falling = !falling;
        }
        double centre = falling ? backward : -forward;
        y[i] = centre + (x - centre) * cos(theta);
    }
    struct decay_record record = {.displacement = y, .count = 400, .period_s = 0.01, .first_extremum_s = NAN};
    struct full_record_fit fit = fit_of(&record);
    ck_assert_double_eq_tol(fit.estimate[FIT_X_K].value, 0.02, 1e-10);
    ck_assert_double_eq_tol(fit.estimate[FIT_BIAS].value, -0.01, 1e-10);
    ck_assert_double_eq_tol(fit.estimate[FIT_X0].value, 1.01, 1e-10);
    ck_assert_double_le(fit.rms, 1e-12);
}
END_TEST

START_TEST(scale_shift_sign_and_epoch_do_not_matter)
{
    static const double scales[] = {1e-12, -1.0, 1e12};
    struct true_decay truth = {31.0, 0.03, 0.02, 0.0, 1.0, 0.2, 0.0};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    double *y, scaled[400];
    struct sampling sampling = {.period_s = 1e-3, .count = 400, .noise = 0.01};
    struct decay_record record = measured_record(&truth, &sampling, rng, &y);
    struct full_record_fit plain = fit_of(&record);
    record.displacement = scaled;
    record.start_s = 1e9;
    for (size_t s = 0; s < 3; s++) {
        for (size_t i = 0; i < 400; i++)
            scaled[i] = scales[s] * (y[i] + 1.0);
        struct full_record_fit fit = fit_of(&record);
        ck_assert_double_eq_tol(fit.estimate[FIT_ZETA].value, plain.estimate[FIT_ZETA].value, 1e-10);
        ck_assert_double_eq_tol(fit.estimate[FIT_OMEGA_N].value, plain.estimate[FIT_OMEGA_N].value, 1e-8);
        ck_assert_double_eq_tol(fit.estimate[FIT_X_K].value / fabs(scales[s]), plain.estimate[FIT_X_K].value, 1e-10);
        ck_assert_double_eq_tol(fit.estimate[FIT_X_K].se / fabs(scales[s]), plain.estimate[FIT_X_K].se, 1e-8);
        ck_assert_double_eq_tol(fit.estimate[FIT_X0].value / scales[s], plain.estimate[FIT_X0].value, 1e-10);
        ck_assert_double_eq_tol(fit.estimate[FIT_BIAS].value / scales[s], plain.estimate[FIT_BIAS].value + 1.0, 1e-10);
        ck_assert_double_eq_tol(fit.rms / fabs(scales[s]), plain.rms, 1e-10);
    }
    free(y);
    gsl_rng_free(rng);
}
END_TEST

START_TEST(flagged_samples_are_not_fitted)
{
    struct true_decay truth = {31.0, 0.02, 0.01, 0.0, 1.0, 0.2, 0.0};
    double *y;
    uint8_t flags[1000] = {0};
    struct sampling sampling = {.period_s = 1e-3, .count = 1000};
    struct decay_record record = measured_record(&truth, &sampling, NULL, &y);
    for (size_t i = 3; i < 1000; i += 17) {
        flags[i] = SAMPLE_SPIKE;
        y[i] = i % 2 ? NAN : 40.0;
    }
    for (size_t i = 195; i < 210; i++) {
        flags[i] = SAMPLE_CLIPPED;
        y[i] = 0.1;
    }
    record.flags = flags;
    struct full_record_fit fit = fit_of(&record);
    check_exact(&fit, &truth);
    ck_assert_uint_lt(fit.samples, 950);
    free(y);
}
END_TEST

/* x_s above x_k stops the mass early; the tail at rest, however long, is not fitted. */
START_TEST(rest_at_the_end_is_left_out)
{
    static const double x_ss[] = {0.0, 0.05, 0.12}, noises[] = {0.0, 0.003};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    for (size_t s = 0; s < 3; s++)
        for (size_t n = 0; n < 2; n++)
            for (size_t length = 1000; length < 20000; length *= 4) {
                struct true_decay truth = {31.0, 0.02, 0.03, x_ss[s], -1.0, 0.2, 0.0};
                double *y;
                struct sampling sampling = {.period_s = 2e-3, .count = length, .noise = noises[n]};
                struct decay_record record = measured_record(&truth, &sampling, rng, &y);
                struct full_record_fit fit = fit_of(&record);
                if (noises[n] == 0.0)
                    check_exact(&fit, &truth);
                ck_assert_uint_eq(fit.half_cycles, true_half_cycles(&truth, 100));
                ck_assert_double_le(fabs(fit.estimate[FIT_ZETA].value - 0.02), 5.0 * fit.estimate[FIT_ZETA].se + 1e-9);
                ck_assert_double_le(fabs(fit.estimate[FIT_X_K].value - 0.03), 5.0 * fit.estimate[FIT_X_K].se + 1e-9);
                free(y);
            }
    gsl_rng_free(rng);
}
END_TEST

/* A mass that was held and let go, all in one record: the hold is no part of the decay. */
START_TEST(hold_before_the_release_is_left_out)
{
    struct true_decay truth = {31.0, 0.02, 0.02, 0.0, 1.0, 0.2, 0.8};
    double y[3000];
    for (size_t i = 0; i < 3000; i++)
        y[i] = i < 800 ? 1.2 : true_displacement(&truth, 1e-3 * (double)i);
    struct decay_record record = {.displacement = y, .count = 3000, .period_s = 1e-3, .first_extremum_s = NAN};
    struct full_record_fit fit = fit_of(&record);
    check_exact(&fit, &truth);
}
END_TEST

START_TEST(one_half_cycle_is_underdetermined)
{
    struct true_decay truth = {31.0, 0.02, 0.02, 0.0, 1.0, 0.0, 0.0};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    for (int noisy = 0; noisy < 20; noisy++) {
        double *y;
        struct sampling sampling = sampling_of(&truth, 1.0, 200.0, 0.0);
        sampling.noise = noisy ? 0.001 * noisy : 0.0;
        struct decay_record record = measured_record(&truth, &sampling, rng, &y);
        struct full_record_fit fit = fit_of(&record);
        ck_assert_str_eq(verdict_name(fit.verdict), "underdetermined");
        ck_assert(isnan(fit.estimate[FIT_ZETA].value) && isnan(fit.estimate[FIT_X_K].value) &&
                  isnan(fit.estimate[FIT_ZETA].se));
        free(y);
    }
    gsl_rng_free(rng);
}
END_TEST

/* sigma = 0.1 %, 200 samples a cycle, zeta = x_k = 0.02: standard deviations of 7 % and 10 %. */
START_TEST(two_half_cycles_are_enough)
{
    struct true_decay truth = {31.0, 0.02, 0.02, 0.0, 1.0, 0.0, 0.0};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    double *y;
    struct sampling sampling = sampling_of(&truth, 2.0, 200.0, 0.0);
    sampling.noise = 0.001;
    struct decay_record record = measured_record(&truth, &sampling, rng, &y);
    struct full_record_fit fit = fit_of(&record);
    ck_assert_str_eq(verdict_name(fit.verdict), "ok");
    ck_assert_double_eq_tol(fit.estimate[FIT_ZETA].se / 0.02, 0.07, 0.02);
    ck_assert_double_eq_tol(fit.estimate[FIT_X_K].se / 0.02, 0.10, 0.03);
    free(y);
    gsl_rng_free(rng);
}
END_TEST

static const char *verdict_of(const double *y, const double *stamps, size_t count)
{
    struct decay_record record = {
        .displacement = y, .time_s = stamps, .count = count, .period_s = 1e-3, .first_extremum_s = NAN};
    struct full_record_fit fit = fit_of(&record);
    if (fit.verdict == VERDICT_OK)
        ck_assert(isfinite(fit.estimate[FIT_ZETA].value) && isfinite(fit.estimate[FIT_OMEGA_N].value) &&
                  isfinite(fit.estimate[FIT_X_K].value));
    return verdict_name(fit.verdict);
}

START_TEST(what_is_no_decay_gets_a_name)
{
    enum { N = 500 };
    double y[N], stamps[N];
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    for (size_t i = 0; i < N; i++) {
        y[i] = 3.0;
        stamps[i] = 1e-3 * (double)i;
    }
    ck_assert_str_eq(verdict_of(y, NULL, 0), "too_few_samples");
    ck_assert_str_eq(verdict_of(y, NULL, 6), "too_few_samples");
    ck_assert_str_eq(verdict_of(y, NULL, N), "no_oscillation");
    for (size_t i = 0; i < N; i++)
        y[i] = 0.01 * (double)i;
    ck_assert_str_eq(verdict_of(y, NULL, N), "no_oscillation");
    for (size_t i = 0; i < N; i++)
        y[i] = exp(-0.01 * (double)i);
    ck_assert_str_eq(verdict_of(y, NULL, N), "no_oscillation");
    for (size_t i = 0; i < N; i++)
        y[i] = i < 200 ? 0.0 : 1.0;
    ck_assert_str_eq(verdict_of(y, NULL, N), "no_oscillation");
    for (int repeat = 0; repeat < 50; repeat++) {
        for (size_t i = 0; i < N; i++)
            y[i] = gsl_ran_gaussian(rng, 1.0);
        ck_assert_str_eq(verdict_of(y, NULL, N), "no_oscillation");
    }
    for (size_t i = 0; i < N; i++)
        y[i] = exp(0.005 * (double)i) * cos(0.1 * (double)i);
    ck_assert_str_eq(verdict_of(y, NULL, N), "not_decaying");
    y[77] = NAN;
    ck_assert_str_eq(verdict_of(y, NULL, N), "not_finite");
    y[77] = INFINITY;
    ck_assert_str_eq(verdict_of(y, NULL, N), "not_finite");
    y[77] = 1.0;
    stamps[100] = stamps[99];
    ck_assert_str_eq(verdict_of(y, stamps, N), "time_not_increasing");
    stamps[100] = NAN;
    ck_assert_str_eq(verdict_of(y, stamps, N), "not_finite");
    gsl_rng_free(rng);
}
END_TEST

/* An undamped sine is a legitimate decay without damping. */
START_TEST(undamped_motion_has_no_damping)
{
    double y[1000];
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    for (int noisy = 0; noisy < 2; noisy++) {
        for (size_t i = 0; i < 1000; i++)
            y[i] = 0.5 + cos(0.1 * (double)i) + (noisy ? gsl_ran_gaussian(rng, 0.01) : 0.0);
        struct decay_record record = {.displacement = y, .count = 1000, .period_s = 1.0, .first_extremum_s = NAN};
        struct full_record_fit fit = fit_of(&record);
        ck_assert_str_eq(verdict_name(fit.verdict), "ok");
        ck_assert_double_le(fit.estimate[FIT_ZETA].value, noisy ? 1e-3 : 1e-12);
        ck_assert_double_le(fit.estimate[FIT_X_K].value, noisy ? 1e-3 : 1e-12);
        ck_assert_double_eq_tol(fit.estimate[FIT_OMEGA_N].value, 0.1, noisy ? 1e-5 : 1e-12);
    }
    gsl_rng_free(rng);
}
END_TEST

START_TEST(cancel_and_effort_are_obeyed)
{
    struct true_decay truth = {31.0, 0.02, 0.01, 0.0, 1.0, 0.2, 0.0};
    double *y;
    struct sampling sampling = {.period_s = 1e-3, .count = 1000};
    struct decay_record record = measured_record(&truth, &sampling, NULL, &y);
    atomic_bool cancel = true;
    struct full_record_options options = {.model = DAMPING_VISCOUS_COULOMB, .cancel = &cancel};
    struct full_record_fit fit;
    ck_assert_int_eq(full_record_fit(&record, &options, &fit), VERDICT_CANCELLED);
    ck_assert(isnan(fit.estimate[FIT_ZETA].value));
    cancel = false;
    options.max_iterations = 3;
    ck_assert_int_eq(full_record_fit(&record, &options, &fit), VERDICT_NOT_CONVERGED);
    ck_assert_int_le(fit.iterations, 4);
    options.max_iterations = 0;
    ck_assert_int_eq(full_record_fit(&record, &options, &fit), VERDICT_OK);
    ck_assert_int_le(fit.iterations, 30);
    free(y);
}
END_TEST

/* With zeta so near to 1 a half cycle leaves exp(-2000) of itself: no number is the extremum before. */
START_TEST(a_swing_of_which_nothing_is_left_had_none_before)
{
    double spent[FIT_PARAMETERS] = {[FIT_OMEGA_N] = 1.0, [FIT_ZETA] = 0.999999, [FIT_X0] = 1.0};
    ck_assert(!start_earlier(spent));
    ck_assert_double_eq(spent[FIT_X0], 1.0);
    ck_assert_double_eq(spent[FIT_T0], 0.0);
    double swings[FIT_PARAMETERS] = {[FIT_OMEGA_N] = 1.0, [FIT_ZETA] = 0.1, [FIT_X_K] = 0.01, [FIT_X0] = 1.0};
    ck_assert(start_earlier(swings));
    start_later(swings);
    ck_assert_double_eq_tol(swings[FIT_X0], 1.0, 1e-14);
    ck_assert_double_eq_tol(swings[FIT_T0], 0.0, 1e-14);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("full-record fit");
    TCase *exact = tcase_create("exact"), *honest = tcase_create("honest");
    suite_add_tcase(suite, exact);
    suite_add_tcase(suite, honest);
    tcase_set_timeout(exact, 60);
    tcase_set_timeout(honest, 60);
    tcase_add_test(exact, exact_decays_come_back);
    tcase_add_test(exact, rounded_decays_converge);
    tcase_add_test(exact, exact_decays_come_back_from_time_stamps);
    tcase_add_test(exact, stamps_near_1e9_s_are_uniform);
    tcase_add_test(exact, only_samples_from_the_first_extremum_on_enter);
    tcase_add_test(exact, hint_says_where_the_record_starts);
    tcase_add_test(exact, unequal_friction_shifts_the_bias);
    tcase_add_test(exact, scale_shift_sign_and_epoch_do_not_matter);
    tcase_add_test(exact, flagged_samples_are_not_fitted);
    tcase_add_test(exact, rest_at_the_end_is_left_out);
    tcase_add_test(exact, hold_before_the_release_is_left_out);
    tcase_add_test(honest, one_half_cycle_is_underdetermined);
    tcase_add_test(honest, two_half_cycles_are_enough);
    tcase_add_test(honest, what_is_no_decay_gets_a_name);
    tcase_add_test(honest, undamped_motion_has_no_damping);
    tcase_add_test(honest, cancel_and_effort_are_obeyed);
    tcase_add_test(honest, a_swing_of_which_nothing_is_left_had_none_before);
    return run_suite(suite);
}
