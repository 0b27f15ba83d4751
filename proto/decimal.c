/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Numbers in recordings, read to the same double as by strtod(), but faster, and never by the locale. Nearly all of
 * them take one exact operation; the rest are left to the library. */

#include "config.h"

#include "proto/decimal.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    MAX_DIGITS = 19,             /* any 19 digits fit into 64 bits */
    MAX_EXACT_POWER = 22,        /* the largest power of ten that a double holds exactly */
    MAX_EXACT_WIDE_POWER = 27,   /* the same for a mantissa of 64 bits */
    MAX_WRITTEN_EXPONENT = 9999, /* larger ones are clamped: zero or too large in any case */
};

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
    static const double powers[MAX_EXACT_POWER + 1] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                       1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                                       1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (written->mantissa > UINT64_C(1) << DBL_MANT_DIG || abs(written->exponent) > MAX_EXACT_POWER)
        return false;
    double mantissa = (double)written->mantissa;
    *value = written->exponent < 0 ? mantissa / powers[-written->exponent] : mantissa * powers[written->exponent];
    return true;
}

#if LDBL_MANT_DIG == 64
/* The same in 64 bits, which holds every number of 19 digits; the second rounding to a double is right unless the
 * first one ended on the very middle between two doubles. */
static bool convert_wide(const struct written *written, double *value)
{
    static const long double powers[MAX_EXACT_WIDE_POWER + 1] = {
        1e0L,  1e1L,  1e2L,  1e3L,  1e4L,  1e5L,  1e6L,  1e7L,  1e8L,  1e9L,  1e10L, 1e11L, 1e12L, 1e13L,
        1e14L, 1e15L, 1e16L, 1e17L, 1e18L, 1e19L, 1e20L, 1e21L, 1e22L, 1e23L, 1e24L, 1e25L, 1e26L, 1e27L};
    enum { SPARE_BITS = LDBL_MANT_DIG - DBL_MANT_DIG };
    if (abs(written->exponent) > MAX_EXACT_WIDE_POWER)
        return false;
    long double mantissa = (long double)written->mantissa;
    long double wide =
        written->exponent < 0 ? mantissa / powers[-written->exponent] : mantissa * powers[written->exponent];
    /* The low 64 bits of the x87 format are its mantissa. */
    uint64_t bits;
    memcpy(&bits, &wide, sizeof bits);
    if ((bits & ((1u << SPARE_BITS) - 1)) == 1u << (SPARE_BITS - 1))
        return false;
    *value = (double)wide;
    return true;
}
#else
static bool convert_wide(const struct written *written, double *value)
{
    (void)written;
    (void)value;
    return false;
}
#endif

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
    if (written.fits && (convert_exactly(&written, &decimal->value) || convert_wide(&written, &decimal->value))) {
        if (written.negative)
            decimal->value = -decimal->value;
        return DECIMAL_OK;
    }
    /* Long numbers, large exponents, and the very middles: rare, and the library has the last word on them. */
    decimal->value = strtod_l(text, NULL, c_locale);
    return isfinite(decimal->value) ? DECIMAL_OK : DECIMAL_TOO_LARGE;
}
