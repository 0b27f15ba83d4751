/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_DECIMAL_H
#define FRICID_PROTO_DECIMAL_H

#include <locale.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Decimal numbers in text, whatever the locale: a point, never a comma. */

enum decimal_result {
    DECIMAL_OK,
    DECIMAL_NOT_A_NUMBER, /* no decimal number begins here */
    DECIMAL_NOT_FINITE,   /* "nan" or "inf" */
    DECIMAL_TOO_LARGE,    /* beyond the range of a double */
};

struct decimal {
    double value;            /* the double next to what is written, as strtod() gives it */
    int last_place;          /* power of ten of the last digit as written: -3 for 1.500 */
    bool negative, complete; /* complete: the digits fit, and say without rounding what is written */
    uint64_t digits;         /* the number is so many units of its last place */
    const char *next;        /* the first character behind the number; where reading stopped when there is none */
};

/* Reads one number: an optional sign, digits with at most one point, an optional exponent. The text must end in
 * something that no number contains (a newline, say). c_locale: newlocale(LC_ALL_MASK, "C", 0). */
enum decimal_result decimal_read(const char *text, locale_t c_locale, struct decimal *decimal);

/* Writes a number with digits enough that reading it gives the same one. The length, at most 24 characters. */
int decimal_write(char *text, size_t size, double value);

#endif
