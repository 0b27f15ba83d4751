/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "client/figures.h"

#include "run_suite.h"

#include <math.h>

struct short_case {
    double value, se;
    const char *unit, *text;
};

/* Rounded by hand after GUM 7.2.2: two digits of uncertainty, the value to the same place. */
static const struct short_case short_cases[] = {
    {5.520451, 0.000012, "Hz", "5.520451(12) Hz"},  {5.520449, 0.00012, "Hz", "5.52045(12) Hz"},
    {0.017703, 0.000052, NULL, "0.017703(52)"},     {0.017703, 0.000052, "1", "0.017703(52)"},
    {-0.012345, 0.00012, "mm", "−0.01235(12) mm"},  {1230.3, 40.1, "N/m", "1230(40) N/m"},
    {1230.34, 4.01, "N/m", "1230.3(40) N/m"},       {2310, 99.4, "N/m", "2310(99) N/m"},
    {2310, 99.6, "N/m", "2.31(10)×10³ N/m"},        {41230, 412, "N/m", "4.123(41)×10⁴ N/m"},
    {0.0000123, 0.0000012, "m", "1.23(12)×10⁻⁵ m"}, {1.0, 0.0996, "s", "1.00(10) s"},
    {0.999999, 0.0012, "s", "1.0000(12) s"},        {0.0004, 0.05, "mm", "0.000(50) mm"},
    {-0.0004, 0.05, "mm", "0.000(50) mm"},          {0, 0.0012, "mm", "0.0000(12) mm"},
    {1e-300, 1.2e-302, "m", "1.000(12)×10⁻³⁰⁰ m"},  {1e300, 1.2e298, "m", "1.000(12)×10³⁰⁰ m"},
};

START_TEST(value_is_rounded_by_its_uncertainty)
{
    const struct short_case *expected = &short_cases[_i];
    struct figure figure = {.value = expected->value, .se = expected->se};
    ck_assert_str_eq(figure_short(&figure, expected->unit, glyphs_for(false)).text, expected->text);
}
END_TEST

START_TEST(uncertainty_never_has_more_than_two_digits)
{
    for (double se = 1.03e-12; se < 1e12; se *= 1.37) {
        struct figure figure = {.value = 12345.678, .se = se};
        struct phrase phrase = figure_short(&figure, NULL, glyphs_for(true));
        const char *open = strchr(phrase.text, '(');
        ck_assert_ptr_nonnull(open);
        ck_assert_uint_eq(strcspn(open, ")"), 3);
    }
}
END_TEST

/* What the two numbers stand for comes back within half a unit of the uncertainty's second digit. */
START_TEST(text_stands_for_the_numbers)
{
    for (double se = 1.7e-9; se < 1e9; se *= 2.3) {
        double value = 876.54321 * se;
        struct figure figure = {.value = value, .se = se};
        struct phrase phrase = figure_short(&figure, NULL, glyphs_for(true));
        char *open = strchr(phrase.text, '(');
        char *power = strchr(phrase.text, ')') + 1;
        double scale = *power == 'e' ? pow(10, atof(power + 1)) : 1;
        char *point = strchr(phrase.text, '.');
        double last = point ? pow(10, -(double)(open - point - 1)) : 1;
        ck_assert_double_le(fabs(atof(phrase.text) * scale - value), 0.0501 * se);
        ck_assert_double_le(fabs(atof(open + 1) * last * scale - se), 0.0501 * se);
    }
}
END_TEST

START_TEST(at_the_bound_only_a_limit_is_shown)
{
    struct figure figure = {.value = 0, .se = NAN, .low = 0, .high = 0.00117, .at_bound = true};
    ck_assert_str_eq(figure_short(&figure, "mm", glyphs_for(false)).text, "0 (< 0.0012, 95 %) mm");
    figure.high = 0.0012;
    ck_assert_str_eq(figure_short(&figure, NULL, glyphs_for(false)).text, "0 (< 0.0012, 95 %)");
    figure.high = 0.00996;
    ck_assert_str_eq(figure_short(&figure, NULL, glyphs_for(false)).text, "0 (< 0.010, 95 %)");
    figure.high = 0.001201;
    ck_assert_str_eq(figure_short(&figure, NULL, glyphs_for(false)).text, "0 (< 0.0013, 95 %)");
    figure.high = 5e-324; /* the smallest double of all */
    ck_assert_ptr_nonnull(strstr(figure_short(&figure, NULL, glyphs_for(false)).text, "95 %"));
    figure.high = NAN;
    ck_assert_str_eq(figure_short(&figure, "mm", glyphs_for(false)).text, "0 (at its bound) mm");
}
END_TEST

START_TEST(what_is_not_known_is_not_a_number)
{
    struct figure figure = {.value = NAN, .se = 0.1, .low = NAN, .high = NAN};
    ck_assert_str_eq(figure_short(&figure, "mm", glyphs_for(false)).text, "—");
    ck_assert_str_eq(figure_interval(&figure, "mm", glyphs_for(false)).text, "—");
    ck_assert_str_eq(figure_rounded(INFINITY, 3, "mm", glyphs_for(true)).text, "--");
    ck_assert_str_eq(figure_plus_minus(NAN, 0.1, "mm", glyphs_for(true)).text, "--");
    figure = (struct figure){.value = 0.0177, .se = NAN};
    ck_assert_str_eq(figure_short(&figure, NULL, glyphs_for(true)).text, "0.01770 (uncertainty not known)");
}
END_TEST

/* No numerics have digits for such uncertainties: they are said to be below the last one shown. */
START_TEST(uncertainty_below_the_last_digit)
{
    struct figure figure = {.value = 5, .se = 1e-18};
    ck_assert_str_eq(figure_short(&figure, "Hz", glyphs_for(true)).text, "5.000000000(<1) Hz");
    figure.se = 0;
    ck_assert_str_eq(figure_short(&figure, "Hz", glyphs_for(true)).text, "5.000000000(<1) Hz");
}
END_TEST

START_TEST(interval_has_the_decimals_of_the_value)
{
    struct figure figure = {.value = 5.520451, .se = 0.000012, .low = 5.5204276, .high = 5.5204747};
    ck_assert_str_eq(figure_interval(&figure, "Hz", glyphs_for(true)).text, "5.520428 .. 5.520475 Hz");
    figure = (struct figure){.value = 3.8e-7, .se = 1.4e-7, .low = -1.5e-7, .high = 9.2e-7};
    ck_assert_str_eq(figure_interval(&figure, "mm", glyphs_for(true)).text, "(-1.5 .. 9.2)e-7 mm");
    figure = (struct figure){.value = 0, .se = NAN, .low = 0, .high = 0.0123, .at_bound = true};
    ck_assert_str_eq(figure_interval(&figure, "mm", glyphs_for(false)).text, "0.0000 … 0.0123 mm");
}
END_TEST

START_TEST(plus_minus)
{
    ck_assert_str_eq(figure_plus_minus(0.017853, 0.00112, NULL, glyphs_for(false)).text, "0.0179 ± 0.0011");
    ck_assert_str_eq(figure_plus_minus(41230, 412, "N", glyphs_for(true)).text, "(4.123 +/- 0.041)e4 N");
    ck_assert_str_eq(figure_plus_minus(0.017853, NAN, "mm", glyphs_for(true)).text, "0.0179 mm");
}
END_TEST

START_TEST(plain_numbers)
{
    ck_assert_str_eq(figure_rounded(3.2101, 3, "mm", glyphs_for(true)).text, "3.21 mm");
    ck_assert_str_eq(figure_rounded(-0.9432, 2, NULL, glyphs_for(false)).text, "−0.94");
    ck_assert_str_eq(figure_rounded(1234.5, 3, "mm", glyphs_for(true)).text, "1230 mm");
    ck_assert_str_eq(figure_rounded(0, 3, "mm", glyphs_for(true)).text, "0 mm");
    ck_assert_str_eq(figure_rounded(9.999, 3, "mm", glyphs_for(true)).text, "10.0 mm");
    ck_assert_str_eq(figure_rounded(1.5e-7, 2, "m", glyphs_for(true)).text, "1.5e-7 m");
}
END_TEST

START_TEST(a_long_unit_is_cut_between_characters)
{
    char unit[400];
    memset(unit, 'x', sizeof unit);
    for (size_t i = 0; i + 2 < sizeof unit; i += 2)
        memcpy(unit + i, "μ", 2);
    unit[sizeof unit - 2] = '\0';
    for (int digits = 1; digits < 4; digits++) {
        struct phrase phrase = figure_rounded(1.25, digits, unit, glyphs_for(true));
        size_t length = strlen(phrase.text);
        ck_assert_uint_ge(length, sizeof phrase.text - 4);
        ck_assert_int_eq((unsigned char)phrase.text[length - 1], 0xBC); /* the second byte of μ */
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("figures");
    TCase *figures = tcase_create("figures");
    tcase_add_loop_test(figures, value_is_rounded_by_its_uncertainty, 0, sizeof short_cases / sizeof short_cases[0]);
    tcase_add_test(figures, uncertainty_never_has_more_than_two_digits);
    tcase_add_test(figures, text_stands_for_the_numbers);
    tcase_add_test(figures, at_the_bound_only_a_limit_is_shown);
    tcase_add_test(figures, what_is_not_known_is_not_a_number);
    tcase_add_test(figures, uncertainty_below_the_last_digit);
    tcase_add_test(figures, interval_has_the_decimals_of_the_value);
    tcase_add_test(figures, plus_minus);
    tcase_add_test(figures, plain_numbers);
    tcase_add_test(figures, a_long_unit_is_cut_between_characters);
    suite_add_tcase(suite, figures);
    return run_suite(suite);
}
