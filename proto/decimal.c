/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Numbers in recordings, read to the same double as by strtod(), but faster, and never by the locale. Nearly all of
 * them take one exact operation; the rest are left to the library. */

#include "config.h"

#include "proto/decimal.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    MAX_DIGITS = 19,             /* any 19 digits fit into 64 bits */
    MAX_EXACT_POWER = 22,        /* the largest power of ten that a double holds exactly */
    MAX_WRITTEN_EXPONENT = 9999, /* larger ones are clamped: zero or too large in any case */
};

static const double powers_of_ten[MAX_EXACT_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                          1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                          1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/* What is written: mantissa * 10^exponent, exact when `fits`. */
struct written {
    uint64_t mantissa;
    int exponent;
    bool negative, fits;
};

/* Not isdigit(), which asks the locale. */
static bool is_digit(char c)
{
    return (unsigned)(c - '0') < 10;
}

/* Takes a run of digits into the mantissa, which may overflow; returns what follows. */
static const char *take_digits(const char *at, uint64_t *mantissa)
{
    uint64_t value = *mantissa;
    for (; is_digit(*at); at++)
        value = 10 * value + (uint64_t)(*at - '0');
    *mantissa = value;
    return at;
}

/* Digits between two places, without leading zeros and a point. */
static long significant_digits(const char *first, const char *end)
{
    while (first < end && (*first == '0' || *first == '.'))
        first++;
    return end - first - (memchr(first, '.', (size_t)(end - first)) ? 1 : 0);
}

/* An "e" without digits behind it does not belong to the number: it is left for the caller to stumble over. */
static const char *take_exponent(const char *at, int *exponent)
{
    const char *sign = at + 1;
    const char *digit = sign + (*sign == '+' || *sign == '-');
    if (!is_digit(*digit))
        return at;
    int value = 0;
    for (; is_digit(*digit); digit++)
        if (value < MAX_WRITTEN_EXPONENT)
            value = 10 * value + (*digit - '0');
    *exponent = *sign == '-' ? -value : value;
    return digit;
}

/* NULL when there is no digit at all. */
static const char *take_number(const char *text, struct written *written)
{
    written->negative = *text == '-';
    const char *first = text + (*text == '-' || *text == '+');
    const char *at = take_digits(first, &written->mantissa);
    long digits = at - first, decimals = 0;
    if (*at == '.') {
        const char *point = at;
        at = take_digits(point + 1, &written->mantissa);
        decimals = at - point - 1;
    }
    if (digits + decimals == 0)
        return NULL;
    /* Leading zeros do no harm to the mantissa; only a number with more digits than fit pays for the second look. */
    written->fits = digits + decimals <= MAX_DIGITS || significant_digits(first, at) <= MAX_DIGITS;
    int exponent = 0;
    if (*at == 'e' || *at == 'E')
        at = take_exponent(at, &exponent);
    written->exponent = exponent - (int)(decimals < MAX_WRITTEN_EXPONENT ? decimals : MAX_WRITTEN_EXPONENT);
    return at;
}

/* Clinger 1990, "How to read floating point numbers accurately": when mantissa and power of ten are both exact, one
 * operation rounds once, and that is the right result. */
static bool convert_exactly(const struct written *written, double *value)
{
    if (written->mantissa > UINT64_C(1) << DBL_MANT_DIG || abs(written->exponent) > MAX_EXACT_POWER)
        return false;
    double mantissa = (double)written->mantissa;
    *value = written->exponent < 0 ? mantissa / powers_of_ten[-written->exponent]
                                   : mantissa * powers_of_ten[written->exponent];
    return true;
}

/* Decimals of more than 53 bits, as programs write that keep every digit of a double: what the quotient of the leading
 * bits leaves is divided too. That second part is off by two roundings at most; where so little decides how the sum
 * is rounded, the library is asked (Ziv 1991). */
static bool convert_long(const struct written *written, double *value)
{
    if (written->exponent >= 0 || written->exponent < -MAX_EXACT_POWER)
        return false;
    double power = powers_of_ten[-written->exponent], leading = (double)written->mantissa;
    double trailing = (double)(int64_t)(written->mantissa - (uint64_t)leading), quotient = leading / power;
    double rest = (fma(-quotient, power, leading) + trailing) / power;
    *value = quotient + rest;
    return quotient + rest * (1 - 4 * DBL_EPSILON) == quotient + rest * (1 + 4 * DBL_EPSILON);
}

/* NaN and infinity are numbers to strtod(), and to programs that wrote a row without a measurement. */
static enum decimal_result not_a_number(const char *text)
{
    const char *word = text + (*text == '-' || *text == '+');
    if (strncasecmp(word, "nan", 3) == 0 || strncasecmp(word, "inf", 3) == 0)
        return DECIMAL_NOT_FINITE;
    return DECIMAL_NOT_A_NUMBER;
}

enum decimal_result decimal_read(const char *text, locale_t c_locale, struct decimal *decimal)
{
    struct written written = {0};
    decimal->next = take_number(text, &written);
    if (!decimal->next) {
        decimal->next = text;
        return not_a_number(text);
    }
    decimal->last_place = written.exponent;
    decimal->negative = written.negative;
    decimal->complete = written.fits;
    decimal->digits = written.mantissa;
    if (written.fits && (convert_exactly(&written, &decimal->value) || convert_long(&written, &decimal->value))) {
        if (written.negative)
            decimal->value = -decimal->value;
        return DECIMAL_OK;
    }
    /* Longer numbers and large exponents: rare, and the library has the last word on them. */
    decimal->value = strtod_l(text, NULL, c_locale);
    return isfinite(decimal->value) ? DECIMAL_OK : DECIMAL_TOO_LARGE;
}

/* Fifteen digits are enough for what has few decimals; seventeen for everything. */
int decimal_write(char *text, size_t size, double value)
{
    int length = snprintf(text, size, "%.15g", value);
    return strtod(text, NULL) == value ? length : snprintf(text, size, "%.17g", value);
}
