/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/decay/physical.h"
#include "run_suite.h"

#include <math.h>

/* LF 1998 §3: the linear bearing. */
static const struct estimate bearing_zeta = {0.0177, 0.0002, 0.0173, 0.0181, false, {0}};
static const struct estimate bearing_x_k = {0.413 / 2310 * 1000, 0.002, 0.1748, 0.1828, false, {0}}; /* mm */

static struct physical_settings bearing(void)
{
    struct physical_settings settings = physical_default_settings();
    settings.mass_kg = 1.92;
    settings.stiffness_n_per_m = 2310;
    settings.metres_per_unit = physical_metres_per_unit("mm");
    return settings;
}

START_TEST(cyrillic_units_are_lengths)
{
    ck_assert_double_eq(physical_metres_per_unit("мм"), 1e-3);
    ck_assert_double_eq(physical_metres_per_unit("мкм"), 1e-6);
    ck_assert_double_nan(physical_metres_per_unit("мс"));
}
END_TEST

START_TEST(the_published_bearing)
{
    const struct physical_settings settings = bearing();
    struct physical physical;
    ck_assert_int_eq(physical_from(&settings, &bearing_zeta, &bearing_x_k, &physical), VERDICT_OK);
    ck_assert_double_eq_tol(physical.f_k_n.value, 0.413, 1e-12);
    ck_assert_double_eq_tol(physical.mu.value, 0.022, 0.0005);
    ck_assert_double_eq_tol(physical.c_n_s_per_m.value, 2 * 0.0177 * sqrt(2310 * 1.92), 1e-12);
    ck_assert_double_eq_tol(physical.f_k_n.se, 0.00462, 1e-12);
    ck_assert_double_eq_tol(physical.f_k_n.low, 0.1748e-3 * 2310, 1e-12);
    ck_assert_double_eq_tol(physical.c_n_s_per_m.se / physical.c_n_s_per_m.value, 0.0002 / 0.0177, 1e-12);
}
END_TEST

START_TEST(each_quantity_needs_only_what_it_is_made_of)
{
    struct physical_settings settings = bearing();
    struct physical physical;
    settings.mass_kg = NAN;
    ck_assert_int_eq(physical_from(&settings, &bearing_zeta, &bearing_x_k, &physical), VERDICT_NOT_COMPUTED);
    ck_assert_double_eq_tol(physical.f_k_n.value, 0.413, 1e-12);
    ck_assert_double_nan(physical.mu.value);
    ck_assert_double_nan(physical.c_n_s_per_m.value);

    settings = bearing();
    settings.metres_per_unit = physical_metres_per_unit("V");
    ck_assert_int_eq(physical_from(&settings, &bearing_zeta, &bearing_x_k, &physical), VERDICT_NOT_COMPUTED);
    ck_assert_double_nan(physical.f_k_n.value);
    ck_assert_double_nan(physical.mu.se);
    ck_assert_double_eq_tol(physical.c_n_s_per_m.value, 2.357, 0.001);

    settings = physical_default_settings();
    ck_assert_int_eq(physical_from(&settings, &bearing_zeta, &bearing_x_k, &physical), VERDICT_NOT_COMPUTED);
    ck_assert_double_nan(physical.c_n_s_per_m.value);
    ck_assert_double_nan(physical.f_k_n.high);
}
END_TEST

START_TEST(impossible_settings_count_as_not_configured)
{
    const double impossible[] = {0, -1, INFINITY, NAN};
    for (size_t n = 0; n < sizeof impossible / sizeof impossible[0]; n++) {
        struct physical_settings settings = bearing();
        struct physical physical;
        settings.stiffness_n_per_m = impossible[n];
        ck_assert_int_eq(physical_from(&settings, &bearing_zeta, &bearing_x_k, &physical), VERDICT_NOT_COMPUTED);
        ck_assert_double_nan(physical.f_k_n.value);
        settings = bearing();
        settings.gravity_m_per_s2 = impossible[n];
        physical_from(&settings, &bearing_zeta, &bearing_x_k, &physical);
        ck_assert_double_nan(physical.mu.value);
        ck_assert_double_eq_tol(physical.f_k_n.value, 0.413, 1e-12);
    }
}
END_TEST

START_TEST(an_estimate_at_its_bound_stays_there)
{
    const struct physical_settings settings = bearing();
    const struct estimate none = {0, NAN, 0, 0.01, true, {0}};
    struct physical physical;
    ck_assert_int_eq(physical_from(&settings, &bearing_zeta, &none, &physical), VERDICT_OK);
    ck_assert(physical.f_k_n.at_bound && physical.mu.at_bound && !physical.c_n_s_per_m.at_bound);
    ck_assert_double_eq(physical.f_k_n.value, 0);
    ck_assert_double_nan(physical.f_k_n.se);
    ck_assert_double_eq(physical.f_k_n.low, 0);
    ck_assert_double_eq_tol(physical.f_k_n.high, 0.0231, 1e-12);
}
END_TEST

START_TEST(missing_estimates_stay_missing)
{
    const struct physical_settings settings = bearing();
    const struct estimate missing = {NAN, NAN, NAN, NAN, false, {0}};
    struct physical physical;
    ck_assert_int_eq(physical_from(&settings, &missing, &bearing_x_k, &physical), VERDICT_NOT_COMPUTED);
    ck_assert_double_nan(physical.c_n_s_per_m.value);
    ck_assert_double_eq_tol(physical.mu.value, 0.0219, 0.0001);
}
END_TEST

/* A weight that is too large for a number must not read as no friction. */
START_TEST(a_weight_that_is_no_number_leaves_mu_unknown)
{
    const double extremes[] = {1e200, 1e-200};
    for (int k = 0; k < 2; k++) {
        struct physical_settings settings = bearing();
        struct physical physical;
        settings.mass_kg = settings.gravity_m_per_s2 = extremes[k];
        ck_assert_int_eq(physical_from(&settings, &bearing_zeta, &bearing_x_k, &physical), VERDICT_NOT_COMPUTED);
        ck_assert_double_nan(physical.mu.value);
        ck_assert_double_eq_tol(physical.f_k_n.value, 0.413, 1e-12);
    }
}
END_TEST

START_TEST(lengths_by_name)
{
    const struct {
        const char *name;
        double metres;
    } units[] = {{"m", 1},     {"cm", 1e-2},  {"mm", 1e-3},    {"um", 1e-6},     {"\u00b5m", 1e-6}, {"\u03bcm", 1e-6},
                 {"nm", 1e-9}, {"in", .0254}, {"inch", .0254}, {"mil", 2.54e-5}, {"ft", .3048}};
    for (size_t n = 0; n < sizeof units / sizeof units[0]; n++)
        ck_assert_double_eq(physical_metres_per_unit(units[n].name), units[n].metres);
    const char *others[] = {"V", "rad", "deg", "1", "", "MM", "Mm", "mm ", "metre"};
    for (size_t n = 0; n < sizeof others / sizeof others[0]; n++)
        ck_assert_double_nan(physical_metres_per_unit(others[n]));
    ck_assert_double_nan(physical_metres_per_unit(NULL));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("physical");
    TCase *tests = tcase_create("physical");
    tcase_add_test(tests, the_published_bearing);
    tcase_add_test(tests, cyrillic_units_are_lengths);
    tcase_add_test(tests, each_quantity_needs_only_what_it_is_made_of);
    tcase_add_test(tests, impossible_settings_count_as_not_configured);
    tcase_add_test(tests, an_estimate_at_its_bound_stays_there);
    tcase_add_test(tests, missing_estimates_stay_missing);
    tcase_add_test(tests, a_weight_that_is_no_number_leaves_mu_unknown);
    tcase_add_test(tests, lengths_by_name);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
