/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Decimal numbers: the same double, to the last bit, that the C library reads, and nothing that is not a number. */
#include "proto/decimal.h"
#include "run_suite.h"

#include <math.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

static locale_t c_locale;

static void set_up(void)
{
    c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    ck_assert(c_locale != (locale_t)0);
}

static void tear_down(void)
{
    freelocale(c_locale);
}

/* splitmix64 (Steele, Lea, Flood 2014). */
static uint64_t next_random(uint64_t *state)
{
    uint64_t value = *state += UINT64_C(0x9E3779B97F4A7C15);
    value = (value ^ (value >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    value = (value ^ (value >> 27)) * UINT64_C(0x94D049BB133111EB);
    return value ^ (value >> 31);
}

/* What stands in the text before a comma is read as strtod() reads it, and whole; what strtod() finds infinite, because
 * rounding to few digits went beyond the largest double, is refused. */
static void check_same_as_library(const char *number)
{
    char text[512];
    struct decimal decimal;
    snprintf(text, sizeof text, "%s,7\n", number);
    double expected = strtod_l(number, NULL, c_locale);
    enum decimal_result result = decimal_read(text, c_locale, &decimal);
    if (!isfinite(expected)) {
        ck_assert_msg(result == DECIMAL_TOO_LARGE, "%s was not too large", number);
        return;
    }
    ck_assert_msg(result == DECIMAL_OK, "%s was refused", number);
    ck_assert_msg(memcmp(&decimal.value, &expected, sizeof expected) == 0, "%s gave %.17g, not %.17g", number,
                  decimal.value, expected);
    ck_assert_msg(*decimal.next == ',', "%s: reading stopped at \"%s\"", number, decimal.next);
}

/* Numbers as programs write them: any number of digits, any exponent, also what is exactly a double. */
START_TEST(random_numbers_are_the_librarys)
{
    enum { NUMBERS = 200000 };
    uint64_t seed = (uint64_t)time(NULL), state = seed;
    printf("seed %llu\n", (unsigned long long)seed);
    check_same_as_library("2e+308");
    for (int i = 0; i < NUMBERS; i++) {
        char number[64];
        uint64_t bits = next_random(&state), form = next_random(&state);
        double value;
        memcpy(&value, &bits, sizeof value);
        double moderate = (double)(int64_t)bits * 1e-12;
        int places = (int)(form >> 8) % 20;
        switch (form % 4) {
        case 0:
            snprintf(number, sizeof number, "%.*f", places, moderate);
            break;
        case 1:
            snprintf(number, sizeof number, "%.*e", places, isfinite(value) ? value : moderate);
            break;
        case 2:
            snprintf(number, sizeof number, "%.17g", isfinite(value) ? value : moderate);
            break;
        default:
            snprintf(number, sizeof number, "%lld.%05llu", (long long)(bits >> 40),
                     (unsigned long long)(bits % 100000));
            break;
        }
        check_same_as_library(number);
    }
}
END_TEST

/* Where two roundings go wrong that one does right, and the ends of the range. */
START_TEST(hard_numbers_are_the_librarys)
{
    static const char *const numbers[] = {
        "0",
        "-0",
        "0.000",
        "+1.5",
        ".5",
        "5.",
        "1e0",
        "1E+3",
        "9007199254740993",                         /* 2^53 + 1: the middle between two doubles */
        "9007199254740993.00000000000000000000001", /* just above it */
        "9223372036854775807",
        "18446744073709551615",
        "18446744073709551616",
        "1e22",
        "1e23",
        "8.5e-23",
        "123456789012345678e5",
        "2.2250738585072011e-308", /* the largest subnormal number, nearly */
        "4.9406564584124654e-324",
        "2.4703282292062327e-324", /* half of the smallest number */
        "1.7976931348623157e308",
        "1e-400",
        "0e99999",
        "0.00000000000000000000000000000000000000000000000001234567890123456789",
        "1000000000000000000000000000000000000000000000000000000e-54",
        "1763700000.123456",
    };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        check_same_as_library(numbers[i]);
}
END_TEST

START_TEST(last_place_is_as_written)
{
    static const struct {
        const char *text;
        int last_place;
    } cases[] = {{"12\n", 0}, {"1.500\n", -3}, {"1.5e3\n", 2}, {"15e-6\n", -6}, {"-0.25\n", -2}, {"7.\n", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct decimal decimal;
        ck_assert_int_eq(decimal_read(cases[i].text, c_locale, &decimal), DECIMAL_OK);
        ck_assert_int_eq(decimal.last_place, cases[i].last_place);
    }
}
END_TEST

START_TEST(what_is_no_number_is_refused)
{
    static const struct {
        const char *text;
        enum decimal_result result;
    } cases[] = {
        {"\n", DECIMAL_NOT_A_NUMBER},     {"abc\n", DECIMAL_NOT_A_NUMBER},     {"-\n", DECIMAL_NOT_A_NUMBER},
        {".\n", DECIMAL_NOT_A_NUMBER},    {"e5\n", DECIMAL_NOT_A_NUMBER},      {",5\n", DECIMAL_NOT_A_NUMBER},
        {"+-1\n", DECIMAL_NOT_A_NUMBER},  {"nan\n", DECIMAL_NOT_FINITE},       {"-NaN(1)\n", DECIMAL_NOT_FINITE},
        {"inf\n", DECIMAL_NOT_FINITE},    {"-Infinity\n", DECIMAL_NOT_FINITE}, {"1e309\n", DECIMAL_TOO_LARGE},
        {"-1e99999\n", DECIMAL_TOO_LARGE}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct decimal decimal;
        ck_assert_msg(decimal_read(cases[i].text, c_locale, &decimal) == cases[i].result, "%s", cases[i].text);
    }
}
END_TEST

/* What follows is left to the caller, who knows what may stand there: a comma is no decimal point anywhere. */
START_TEST(reading_stops_behind_the_number)
{
    static const char *const cases[][2] = {{"1,5\n", ",5\n"}, {"0x10\n", "x10\n"}, {"1e\n", "e\n"},
                                           {"1e+\n", "e+\n"}, {"1.2.3\n", ".3\n"}, {"3 mm\n", " mm\n"},
                                           {"1-2\n", "-2\n"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct decimal decimal;
        ck_assert_int_eq(decimal_read(cases[i][0], c_locale, &decimal), DECIMAL_OK);
        ck_assert_str_eq(decimal.next, cases[i][1]);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("decimal");
    TCase *tests = tcase_create("decimal");
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, random_numbers_are_the_librarys);
    tcase_add_test(tests, hard_numbers_are_the_librarys);
    tcase_add_test(tests, last_place_is_as_written);
    tcase_add_test(tests, what_is_no_number_is_refused);
    tcase_add_test(tests, reading_stops_behind_the_number);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
