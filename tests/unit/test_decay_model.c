/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The closed-form decay against exact extrema, the equation of motion, and its own differences. */
#include "identify/decay/damping_model.h"
#include "identify/decay/decay_model.h"
#include "run_suite.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static void check_extrema(const double *parameters, const double *expected, size_t count)
{
    double extrema[16];
    decay_extrema(parameters, 0.0, extrema, count);
    for (size_t j = 0; j < count; j++)
        ck_assert_double_eq_tol(extrema[j], expected[j], 6e-10);
}

/* Values computed from the recursion with 50 digits. */
START_TEST(extrema_are_exact)
{
    check_extrema((double[]){10.0, 0.02, 0.01, 1.0, 0.3, 0.0},
                  (double[]){1.0, -0.919698667, 0.844288524, -0.773471645, 0.706968253, -0.644515612}, 6);
    check_extrema((double[]){10.0, 0.0, 0.05, 1.0, 0.0, 0.0}, (double[]){1.0, -0.9, 0.8, -0.7, 0.6, -0.5}, 6);
    check_extrema((double[]){10.0, 0.1, 0.05, 1.0, 0.0, 0.0},
                  (double[]){1.0, -0.642785234, 0.382287217, -0.192319661, 0.053786273, 0.047238870}, 6);
    check_extrema((double[]){10.0, 0.1, 0.05, -1.0, 0.0, 0.0},
                  (double[]){-1.0, 0.642785234, -0.382287217, 0.192319661, -0.053786273, -0.047238870}, 6);
}
END_TEST

START_TEST(motion_rests_where_static_friction_holds_it)
{
    double extrema[64];
    /* Half cycles until the first |X_j| <= x_s, and the release itself. */
    ck_assert_uint_eq(decay_extrema((double[]){1.0, 0.02, 0.01, 1.0, 0.0, 0.0}, 0.01, extrema, 64), 23 + 1);
    ck_assert_uint_eq(decay_extrema((double[]){1.0, 0.0, 0.05, 1.0, 0.0, 0.0}, 0.0500000001, extrema, 64), 10 + 1);
    ck_assert_uint_eq(decay_extrema((double[]){1.0, 0.1, 0.05, 1.0, 0.0, 0.0}, 0.05, extrema, 64), 5 + 1);
}
END_TEST

/* x'' + 2 zeta omega_n x' + omega_n² (x + x_k sign x') = 0 by central differences. */
START_TEST(value_obeys_the_equation_of_motion)
{
    double omega_n = 7.0, zeta = 0.15, x_k = 0.03;
    double parameters[FIT_PARAMETERS] = {omega_n, zeta, x_k, -0.8, 0.2, 0.5};
    double half_period = decay_shape(parameters).half_period, h = 1e-4;
    for (int j = 0; j < 3; j++)
        for (double part = 0.1; part < 0.95; part += 0.2) {
            double t = 0.5 + (j + part) * half_period;
            double before = decay_value(parameters, t - h, NULL) - 0.2, now = decay_value(parameters, t, NULL) - 0.2;
            double after = decay_value(parameters, t + h, NULL) - 0.2;
            double velocity = (after - before) / (2.0 * h), acceleration = (after - 2.0 * now + before) / (h * h);
            double force = 2.0 * zeta * omega_n * velocity + omega_n * omega_n * (now + copysign(x_k, velocity));
            ck_assert_double_eq_tol(acceleration, -force, 1e-5 * omega_n * omega_n);
        }
}
END_TEST

static void check_derivatives(const double *parameters, double t)
{
    double derivatives[FIT_PARAMETERS];
    decay_value(parameters, t, derivatives);
    for (int p = 0; p < FIT_PARAMETERS; p++) {
        double above[FIT_PARAMETERS], below[FIT_PARAMETERS], h = 1e-6;
        for (int i = 0; i < FIT_PARAMETERS; i++)
            above[i] = below[i] = parameters[i];
        above[p] += h;
        below[p] -= h;
        double difference = (decay_value(above, t, NULL) - decay_value(below, t, NULL)) / (2.0 * h);
        ck_assert_double_eq_tol(derivatives[p], difference, 1e-7 * (1.0 + fabs(difference)));
    }
}

START_TEST(derivatives_are_those_of_the_value)
{
    const double sets[][FIT_PARAMETERS] = {
        {7.0, 0.15, 0.03, -0.8, 0.2, 0.5}, {31.0, 0.02, 0.01, 1.0, -3.0, 0.0}, {2.0, 0.5, 0.001, 2.0, 0.0, -0.3}};
    for (size_t set = 0; set < sizeof sets / sizeof *sets; set++)
        for (double t = 0.51; t < 3.0; t += 0.1)
            check_derivatives(sets[set], t);
}
END_TEST

START_TEST(value_and_slope_are_continuous_between_half_cycles)
{
    double parameters[FIT_PARAMETERS] = {7.0, 0.1, 0.02, 1.0, 0.0, 0.0}, h = 1e-7;
    double half_period = decay_shape(parameters).half_period, left[FIT_PARAMETERS], right[FIT_PARAMETERS];
    for (int j = 1; j < 4; j++) {
        double before = decay_value(parameters, j * half_period - h, left);
        double after = decay_value(parameters, j * half_period + h, right);
        ck_assert_double_eq_tol(before, after, 1e-11);
        for (int p = 0; p < FIT_PARAMETERS; p++)
            ck_assert_double_eq_tol(left[p], right[p], 3e-5);
    }
}
END_TEST

/* A program that shows a model takes its name apart into those of its terms. */
START_TEST(a_model_is_called_by_its_terms)
{
    for (enum damping_model model = DAMPING_VISCOUS; model < DAMPING_MODELS; model++) {
        char name[64] = "";
        for (enum fit_parameter p = 0; p < FIT_PARAMETERS; p++)
            if (decay_parameters[p].term && damping_model_has(model, p))
                snprintf(name + strlen(name), sizeof name - strlen(name), "%s%s", *name ? "+" : "",
                         decay_parameters[p].term);
        ck_assert_msg(strcasecmp(name, damping_model_name(model)) == 0, "%s", name);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("decay model");
    TCase *tests = tcase_create("model");
    suite_add_tcase(suite, tests);
    tcase_add_test(tests, extrema_are_exact);
    tcase_add_test(tests, motion_rests_where_static_friction_holds_it);
    tcase_add_test(tests, value_obeys_the_equation_of_motion);
    tcase_add_test(tests, derivatives_are_those_of_the_value);
    tcase_add_test(tests, value_and_slope_are_continuous_between_half_cycles);
    tcase_add_test(tests, a_model_is_called_by_its_terms);
    return run_suite(suite);
}
