/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calibrations from points that lie on a known polynomial. */
#include "client/polynomial.h"
#include "run_suite.h"

#include <errno.h>
#include <math.h>

START_TEST(points_on_a_polynomial_give_it_back)
{
    static const double truth[] = {-0.3, 2.5, 0.01, -0.002};
    double volts[9], displacement[9], found[4], covariance[16], rms;
    for (int i = 0; i < 9; i++) {
        volts[i] = -4 + i;
        displacement[i] = polynomial_value(truth, 4, volts[i]);
    }
    ck_assert_int_eq(polynomial_fit(volts, displacement, 9, 4, found, covariance, &rms), 0);
    for (int i = 0; i < 4; i++)
        ck_assert_double_eq_tol(found[i], truth[i], 1e-12);
    ck_assert_double_lt(rms, 1e-12);
}
END_TEST

/* (0, 0), (1, 2), (2, 1): by hand y = 1/2 + x/2, residuals -1/2, 1, -1/2. */
START_TEST(a_straight_line_by_hand)
{
    static const double volts[] = {0, 1, 2}, displacement[] = {0, 2, 1};
    double found[2], covariance[4], rms;
    ck_assert_int_eq(polynomial_fit(volts, displacement, 3, 2, found, covariance, &rms), 0);
    ck_assert_double_eq_tol(found[0], 0.5, 1e-14);
    ck_assert_double_eq_tol(found[1], 0.5, 1e-14);
    ck_assert_double_eq_tol(rms, sqrt(0.5), 1e-14);
}
END_TEST

START_TEST(too_few_different_points_are_refused)
{
    static const double volts[] = {1, 1, 1}, displacement[] = {0, 2, 1};
    double found[2], covariance[4], rms;
    ck_assert_int_eq(polynomial_fit(volts, displacement, 3, 2, found, covariance, &rms), -EINVAL);
    ck_assert_int_eq(polynomial_fit(volts, displacement, 0, 1, found, covariance, &rms), -EINVAL);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("polynomial");
    TCase *fits = tcase_create("fits");
    tcase_add_test(fits, points_on_a_polynomial_give_it_back);
    tcase_add_test(fits, a_straight_line_by_hand);
    tcase_add_test(fits, too_few_different_points_are_refused);
    suite_add_tcase(suite, fits);
    return run_suite(suite);
}
