/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From what a sensor gives to displacement: polynomials, and counters that wrap around. */
#include "acquire/counter_unwrap.h"
#include "proto/calibration.h"
#include "run_suite.h"

#include <math.h>

START_TEST(polynomial_and_slope)
{
    const struct calibration cubic = {.coefficients = {1, -2, 0.5, 3}, .terms = 4};
    ck_assert_double_eq(calibration_apply(&cubic, 2), 1 - 4 + 2 + 24);
    ck_assert_double_eq(calibration_slope(&cubic, 2), -2 + 2 + 36);
    const struct calibration identity = calibration_identity();
    ck_assert_double_eq(calibration_apply(&identity, -7.25), -7.25);
    ck_assert_double_eq(calibration_slope(&identity, 3), 1);
    const struct calibration constant = {.coefficients = {4}, .terms = 1};
    ck_assert_double_eq(calibration_apply(&constant, 9), 4);
    ck_assert_double_eq(calibration_slope(&constant, 9), 0);
}
END_TEST

START_TEST(invertible_or_not)
{
    const struct calibration falling = {.coefficients = {1, -2}, .terms = 2};
    ck_assert(calibration_is_invertible(&falling, -20, 20));
    const struct calibration constant = {.coefficients = {4}, .terms = 1};
    ck_assert(!calibration_is_invertible(&constant, -1, 1));
    /* v - v³/3 turns at v = 1, where it is 2/3. */
    const struct calibration turning = {.coefficients = {0, 1, 0, -1.0 / 3}, .terms = 4};
    ck_assert(calibration_is_invertible(&turning, -0.6, 0.6));
    ck_assert(!calibration_is_invertible(&turning, -0.7, 0.7));
    const struct calibration not_finite = {.coefficients = {0, INFINITY}, .terms = 2};
    ck_assert(!calibration_is_invertible(&not_finite, -1, 1));
}
END_TEST

START_TEST(a_calibration_is_taken_back)
{
    const struct calibration line = {.coefficients = {-3.5, 0.5}, .terms = 2};
    ck_assert_double_eq_tol(calibration_sensor_value(&line, 0), 7, 1e-14);
    const struct calibration cubic = {.coefficients = {0.2, -1.5, 0.02, -0.003}, .terms = 4};
    for (double v = -9.7; v < 10; v += 0.37)
        ck_assert_double_eq_tol(calibration_sensor_value(&cubic, calibration_apply(&cubic, v)), v, 1e-11);
    const struct calibration constant = {.coefficients = {4}, .terms = 1};
    ck_assert(isnan(calibration_sensor_value(&constant, 5)));
    const struct calibration parabola = {.coefficients = {1, 0, 1}, .terms = 3};
    ck_assert(isnan(calibration_sensor_value(&parabola, 0.5)));
    ck_assert(isnan(calibration_sensor_value(&line, NAN)));
}
END_TEST

START_TEST(a_counter_is_followed_over_its_ends)
{
    for (unsigned bits = 4; bits <= 63; bits++) {
        uint64_t mask = (UINT64_C(1) << bits) - 1;
        struct counter_unwrap unwrap = counter_unwrap_start(bits, mask - 2);
        int64_t position = 0;
        const int moves[] = {0, 1, 5, -4, -5, 7, 7, 7, -7, -6, -7, -7};
        for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
            position += moves[i];
            uint64_t reading = (mask - 2 + (uint64_t)position) & mask;
            ck_assert_int_eq(counter_unwrap_next(&unwrap, reading), position);
        }
    }
}
END_TEST

START_TEST(many_turns_in_either_direction)
{
    struct counter_unwrap unwrap = counter_unwrap_start(8, 250);
    for (int64_t position = 0; position < 100000; position += 127)
        ck_assert_int_eq(counter_unwrap_next(&unwrap, (uint64_t)(250 + position) & 0xFF), position);
    unwrap = counter_unwrap_start(8, 250);
    for (int64_t position = 0; position > -100000; position -= 128)
        ck_assert_int_eq(counter_unwrap_next(&unwrap, (uint64_t)(250 + position) & 0xFF), position);
}
END_TEST

/* A card may give more bits than the counter has. */
START_TEST(bits_above_the_counter_are_ignored)
{
    struct counter_unwrap unwrap = counter_unwrap_start(16, 0xABCD0000);
    ck_assert_int_eq(counter_unwrap_next(&unwrap, 0x12340005), 5);
    ck_assert_int_eq(counter_unwrap_next(&unwrap, 0xFFFFFFFF), -1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("calibration");
    TCase *all = tcase_create("all");
    tcase_add_test(all, polynomial_and_slope);
    tcase_add_test(all, invertible_or_not);
    tcase_add_test(all, a_calibration_is_taken_back);
    tcase_add_test(all, a_counter_is_followed_over_its_ends);
    tcase_add_test(all, many_turns_in_either_direction);
    tcase_add_test(all, bits_above_the_counter_are_ignored);
    suite_add_tcase(suite, all);
    return run_suite(suite);
}
