/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_FIGURES_H
#define FRICID_CLIENT_FIGURES_H

#include "client/phrase.h"
#include "client/screen.h"

#include <stdbool.h>

/* Numbers as people write them in a laboratory book: rounded by their uncertainty, which is given with two digits
 * (GUM 7.2.2), with a decimal point whatever the locale. */

/* An estimate as the protocol gives it. NAN: null, and then `reason` says why (NULL: no reason given). */
struct figure {
    double value, se;                         /* se: standard uncertainty */
    double low, high;                         /* 95 % interval */
    bool combined;                            /* these three are of a budget, not of the record's noise alone */
    double statistical_low, statistical_high; /* 95 % interval of that noise */
    bool at_bound;                            /* the value is its bound, `high` a one-sided 95 % limit */
    const char *reason;
};

/* In all of these `unit` is appended; "1", "" and NULL stand for no unit. What is not known is glyphs->missing. */

/* "5.52045(12) Hz": the digits in parentheses are the standard uncertainty in the last digits of the value.
 * At a bound "0 (< 0.0012, 95 %) mm". */
struct phrase figure_short(const struct figure *figure, const char *unit, const struct glyphs *glyphs);

/* The 95 % interval, "5.52021 … 5.52069 Hz", with the decimals of figure_short(). */
struct phrase figure_interval(const struct figure *figure, const char *unit, const struct glyphs *glyphs);

/* "0.0179 ± 0.0011 mm"; spread: a standard deviation or an error bound. */
struct phrase figure_plus_minus(double value, double spread, const char *unit, const struct glyphs *glyphs);

/* A number without uncertainty, with so many significant digits: "3.21 mm". */
struct phrase figure_rounded(double value, int digits, const char *unit, const struct glyphs *glyphs);

#endif
