/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Half-power damping against resonances that are known. */

#include "identify/response/half_power.h"

#include <check.h>
#include <complex.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>

enum { POINTS = 60 };
static const double f_0 = 80;

struct sweep {
    double frequency[POINTS], response[POINTS], force[POINTS];
};

/* Of a displacement, from `widths` below the resonance to as many above. */
static void place(struct sweep *sweep, double zeta, double widths)
{
    for (int i = 0; i < POINTS; i++) {
        sweep->frequency[i] = f_0 * (1 + widths * zeta * (2.0 * i / (POINTS - 1) - 1));
        sweep->force[i] = 1;
    }
}

static double gain_at(double frequency, double zeta)
{
    const double r = frequency / f_0;
    return 1 / hypot(1 - r * r, 2 * zeta * r);
}

static enum verdict look_as(const struct sweep *sweep, size_t count, bool with_force, const char *quantity,
                            struct half_power *found)
{
    const struct record_trace traces[] = {
        {.quantity = quantity, .values = sweep->response, .count = count, .stride = 1},
        {.values = sweep->frequency, .count = count, .stride = 1},
        {.values = sweep->force, .count = count, .stride = 1}};
    const struct record record = {traces, with_force ? 3 : 2, NULL};
    const struct identify_settings settings = {.physical = physical_default_settings(), .cancel = NULL};
    return analyse_response(&record, VERDICT_OK, &settings, found);
}

static enum verdict look(const struct sweep *sweep, size_t count, bool with_force, struct half_power *found)
{
    return look_as(sweep, count, with_force, "response", found);
}

/* f^2 where 1/gain^2 is twice its least: 1 - 2 zeta^2 -+ 2 zeta sqrt(1 - zeta^2). */
START_TEST(a_linear_resonance_is_exact)
{
    static const double dampings[] = {1e-4, 0.002, 0.05};
    const double zeta = dampings[_i], root = 2 * zeta * sqrt(1 - zeta * zeta), middle = 1 - 2 * zeta * zeta;
    const double f_1 = f_0 * sqrt(middle - root), f_2 = f_0 * sqrt(middle + root);
    struct sweep sweep;
    struct half_power found;
    place(&sweep, zeta, 4);
    for (int i = 0; i < POINTS; i++) {
        /* By halves with the response and with the force held. */
        sweep.response[i] = i % 2 ? 3 : 3 * gain_at(sweep.frequency[i], zeta);
        sweep.force[i] = sweep.response[i] / gain_at(sweep.frequency[i], zeta);
    }
    ck_assert_int_eq(look(&sweep, POINTS, true, &found), VERDICT_OK);
    ck_assert_double_eq_tol(found.f_1.value, f_1, 1e-9 * f_1);
    ck_assert_double_eq_tol(found.f_2.value, f_2, 1e-9 * f_2);
    ck_assert_double_eq_tol(found.zeta.value, (f_2 - f_1) / (f_1 + f_2), 1e-6 * zeta);
    ck_assert_double_eq_tol(found.f_n.value, f_0 * sqrt(1 - 2 * zeta * zeta), 1e-7 * f_0);
    ck_assert_double_eq_tol(found.f_n.value, f_0, 1.1 * found.f_n.se);
    ck_assert(!found.amplitude_dependent && isnan(found.second_peak));
}
END_TEST

/* Whatever is measured, the undamped frequency is that of the structure; only a response that nobody names has the
 * shift of its summit, zeta^2, in its uncertainty. */
START_TEST(the_undamped_frequency_is_told_from_each_quantity)
{
    static const char *const quantities[] = {"displacement", "velocity", "acceleration", "response"};
    static const double dampings[] = {0.01, 0.05, 0.1};
    for (size_t d = 0; d < sizeof dampings / sizeof dampings[0]; d++) {
        const double zeta = dampings[d], shift = zeta * zeta * f_0;
        struct sweep sweep;
        struct half_power found;
        place(&sweep, zeta, 4);
        for (int i = 0; i < POINTS; i++)
            sweep.response[i] = gain_at(sweep.frequency[i], zeta) * pow(sweep.frequency[i] / f_0, _i % 3);
        ck_assert_int_eq(look_as(&sweep, POINTS, false, quantities[_i], &found), VERDICT_OK);
        ck_assert_double_le(fabs(found.f_n.value - f_0), _i < 3 ? 0.1 * shift : 1.1 * found.f_n.se);
        if (_i < 3)
            ck_assert_double_lt(found.f_n.se, 0.1 * shift + 1e-4 * f_0);
    }
}
END_TEST

START_TEST(intervals_cover)
{
    enum { RECORDS = 400 };
    const double zeta = 0.003, noise = 0.01;
    struct sweep sweep;
    struct half_power found;
    double squares = 0, variance = 0, truth;
    int covered = 0, flagged = 0;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, 5);
    place(&sweep, zeta, 4);
    const double root = 2 * zeta * sqrt(1 - zeta * zeta), middle = 1 - 2 * zeta * zeta;
    truth = (sqrt(middle + root) - sqrt(middle - root)) / (sqrt(middle + root) + sqrt(middle - root));
    for (int r = 0; r < RECORDS; r++) {
        for (int i = 0; i < POINTS; i++)
            sweep.response[i] = gain_at(sweep.frequency[i], zeta) * (1 + gsl_ran_gaussian(rng, noise));
        ck_assert_int_eq(look(&sweep, POINTS, false, &found), VERDICT_OK);
        squares += pow(found.zeta.value - truth, 2) / RECORDS;
        variance += found.zeta.se * found.zeta.se / RECORDS;
        covered += found.zeta.low <= truth && truth <= found.zeta.high;
        flagged += found.amplitude_dependent;
    }
    gsl_rng_free(rng);
    ck_assert_double_lt(fabs(sqrt(squares / variance) - 1), 0.2);
    ck_assert_int_ge(covered, RECORDS * 90 / 100);
    ck_assert_int_le(flagged, RECORDS * 5 / 100);
}
END_TEST

/* With friction the amplitude A at constant force obeys F^2 = (k A (1 - r^2))^2 + (2 zeta k A r + rho F)^2. */
static double rubbed_at(double frequency, double zeta, double rho)
{
    const double r = frequency / f_0, a = (1 - r * r) * (1 - r * r) + 4 * zeta * zeta * r * r, b = 2 * zeta * r * rho;
    return (-b + sqrt(b * b + a * (1 - rho * rho))) / a;
}

/* zeta sqrt(2) sqrt(1 - (0.70711 + 0.29289 rho)^2)/(1 - rho) is read at constant force. */
START_TEST(friction_at_constant_force_is_flagged)
{
    static const struct {
        double rho, factor;
    } rows[] = {{0.3, 1.2256}, {0.5, 1.4736}};
    const double zeta = 0.002;
    struct sweep sweep;
    struct half_power found;
    place(&sweep, zeta, 6);
    for (int i = 0; i < POINTS; i++)
        sweep.response[i] = rubbed_at(sweep.frequency[i], zeta, rows[_i].rho);
    ck_assert_int_eq(look(&sweep, POINTS, false, &found), VERDICT_OK);
    ck_assert_double_eq_tol(found.zeta.value / zeta, rows[_i].factor, 2e-3 * rows[_i].factor);
    ck_assert(found.amplitude_dependent && !found.response_constant);
}
END_TEST

/* Two modes of one damping, with displacements of either sign: the peak is beside that of the first alone, within what
 * its uncertainty says. */
START_TEST(another_resonance_is_told)
{
    static const struct {
        double share, ratio; /* of the second mode's amplitude and frequency */
    } rows[] = {{0.9, 1.08}, {-0.7, 1.1}, {0.9, 0.9}, {0.5, 1.2}};
    const double zeta = 0.02, ratio = rows[_i].ratio;
    struct sweep sweep;
    struct half_power found;
    place(&sweep, zeta, 14);
    for (int i = 0; i < POINTS; i++) {
        const double r = sweep.frequency[i] / f_0, q = r / ratio;
        const double complex gain =
            1 / (1 - r * r + 2 * I * zeta * r) + rows[_i].share / (1 - q * q + 2 * I * zeta * q);
        sweep.response[i] = cabs(gain);
    }
    ck_assert_int_eq(look(&sweep, POINTS, false, &found), VERDICT_OK);
    ck_assert_double_eq_tol(found.second_peak / f_0, ratio, 0.02);
    ck_assert(!found.amplitude_dependent);
    ck_assert_double_eq_tol(found.zeta.value, zeta, 2 * found.zeta.combined.u);
    ck_assert_double_eq_tol(found.f_n.value, f_0, 2 * found.f_n.combined.u);
    ck_assert_double_lt(found.zeta.combined.u, 0.4 * zeta);
}
END_TEST

/* Two sweeps, or four, over the same frequencies are one response; what they leave open is less. */
START_TEST(frequencies_may_stand_several_times)
{
    static const int sweeps[] = {2, 4};
    const double zeta = 0.01;
    struct sweep sweep;
    struct half_power found;
    const int places = POINTS / sweeps[_i];
    for (int i = 0; i < POINTS; i++) {
        sweep.frequency[i] = f_0 * (1 + 4 * zeta * (2.0 * (i % places) / (places - 1) - 1));
        sweep.response[i] = gain_at(sweep.frequency[i], zeta) * (1 + 0.001 * (i / places % 2 == 0 ? 1 : -1));
    }
    ck_assert_int_eq(look(&sweep, POINTS, false, &found), VERDICT_OK);
    ck_assert_uint_eq(found.points, (unsigned)places);
    ck_assert_double_eq_tol(found.zeta.value, zeta, 0.01 * zeta);
}
END_TEST

START_TEST(what_has_no_width_is_named)
{
    struct sweep sweep;
    struct half_power found;
    place(&sweep, 0.01, 4);
    for (int i = 0; i < POINTS; i++)
        sweep.response[i] = gain_at(sweep.frequency[i], 0.01);
    ck_assert_int_eq(look(&sweep, POINTS / 3, false, &found), VERDICT_NO_PEAK);
    ck_assert_int_eq(look(&sweep, POINTS / 2 + 5, false, &found), VERDICT_NO_HALF_POWER);
    ck_assert_int_eq(look(&sweep, 5, false, &found), VERDICT_TOO_FEW_SAMPLES);
    sweep.force[7] = 0;
    ck_assert_int_eq(look(&sweep, POINTS, true, &found), VERDICT_NOT_POSITIVE);
    sweep.force[7] = NAN;
    ck_assert_int_eq(look(&sweep, POINTS, true, &found), VERDICT_NOT_FINITE);
    ck_assert(isnan(found.zeta.value));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("half_power");
    TCase *tests = tcase_create("half_power");
    tcase_add_loop_test(tests, a_linear_resonance_is_exact, 0, 3);
    tcase_add_loop_test(tests, the_undamped_frequency_is_told_from_each_quantity, 0, 4);
    tcase_add_test(tests, intervals_cover);
    tcase_add_loop_test(tests, friction_at_constant_force_is_flagged, 0, 2);
    tcase_add_loop_test(tests, another_resonance_is_told, 0, 4);
    tcase_add_loop_test(tests, frequencies_may_stand_several_times, 0, 2);
    tcase_add_test(tests, what_has_no_width_is_named);
    tcase_set_timeout(tests, 60); /* seconds of the clock: others use the processor, too */
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
