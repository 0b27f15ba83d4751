/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quantiles of Fisher's F, against printed ones and against the probability that they stand for. */
#include "identify/common/fisher_quantile.h"
#include "run_suite.h"

#include <gsl/gsl_cdf.h>

START_TEST(printed_quantiles)
{
    ck_assert_double_eq_tol(fisher_quantile(0.05, 1, 10), 4.965, 5e-4);
    ck_assert_double_eq_tol(fisher_quantile(0.05, 4, 20), 2.866, 5e-4);
    ck_assert_double_eq_tol(fisher_quantile(0.01, 5, 60), 3.339, 5e-4);
    ck_assert_double_eq_tol(fisher_quantile(0.95, 10, 1), 1 / 4.965, 5e-4);
}
END_TEST

/* Of the lengths of bursts and of what is beside them, and of rare ones. */
START_TEST(the_probability_is_met)
{
    for (int over = 2; over <= 200; over += 1 + over / 8)
        for (int under = 40; under < 4000; under += 1 + under / 8)
            for (double probability = 0.3; probability > 1e-12; probability *= 0.0625) {
                const double ratio = fisher_quantile(probability, over, under);
                ck_assert_double_eq_tol(gsl_cdf_fdist_Q(ratio, over, under) / probability, 1, 1e-6);
            }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fisher_quantile");
    TCase *tests = tcase_create("fisher_quantile");
    suite_add_tcase(suite, tests);
    tcase_add_test(tests, printed_quantiles);
    tcase_add_test(tests, the_probability_is_met);
    return run_suite(suite);
}
