/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What takes minutes: is the fit as accurate as the data allow everywhere in its grid, and does it ever get lost there?
 * The environment's GRID_SEED, GRID_CELLS and GRID_DECAYS ask for other seeds and lengths. */
#include "asked.h"
#include "decay_grid.h"
#include "run_suite.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>

/* 5000 records leave a ratio uncertain by 1 %. */
START_TEST(errors_are_at_the_bound_everywhere)
{
    const int cells = (int)asked("GRID_CELLS", 80);
    const size_t count = (size_t)cells * FIT_PARAMETERS;
    double *ratios = calloc(count, sizeof *ratios);
    ck_assert_ptr_nonnull(ratios);
    efficiencies(cells, 5000, asked("GRID_SEED", 20071998), ratios);
    gsl_sort(ratios, 1, count);
    double middle = gsl_stats_median_from_sorted_data(ratios, 1, count);
    printf("%zu ratios from %.3f to %.3f, median %.4f\n", count, ratios[0], ratios[count - 1], middle);
    ck_assert_double_ge(ratios[0], 0.95);
    ck_assert_double_le(ratios[count - 1], 1.05);
    ck_assert_double_eq_tol(middle, 1.0, 0.01);
    free(ratios);
}
END_TEST

START_TEST(no_decay_of_100000_is_lost)
{
    ck_assert_int_eq(count_lost((int)asked("GRID_DECAYS", 100000), asked("GRID_SEED", 20071998)), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("decay grid, long");
    TCase *tests = tcase_create("grid");
    suite_add_tcase(suite, tests);
    tcase_set_timeout(tests, 7200);
    tcase_add_test(tests, errors_are_at_the_bound_everywhere);
    tcase_add_test(tests, no_decay_of_100000_is_lost);
    return run_suite(suite);
}
