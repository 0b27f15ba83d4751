/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How a figure is rounded: the uncertainty gets two digits, and the value as many decimals (GUM 7.2.6). Everything
 * else here are the cases where that is not enough. */

#include "client/figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where an uncertainty is not in so many digits, no more than these are told: the numerics have few more. */
enum { CERTAIN_DIGITS = 10 };

/* The decimal exponent of the first digit after rounding to `digits` significant digits: 9.97 with two is 1.0e+01. */
static int rounded_exponent(double value, int digits)
{
    char text[40];
    snprintf(text, sizeof text, "%.*e", digits - 1, value);
    return atoi(strchr(text, 'e') + 1);
}

/* Numbers of this size are written without a power of ten. */
static bool reads_well(double magnitude)
{
    return magnitude == 0 || (magnitude >= 1e-4 && magnitude < 1e7);
}

static bool is_zero(const char *digits)
{
    return digits[strspn(digits, "0.")] == '\0';
}

/* A number with so many decimals; negative ones round to tens, hundreds, … Never "-0.00": a sign that rounding has
 * left without a digit says nothing. */
static struct phrase fixed(double value, int decimals, const struct glyphs *glyphs)
{
    if (decimals < 0) {
        double step = pow(10, -decimals);
        value = round(value / step) * step;
    }
    struct phrase digits = phrase_format("%.*f", decimals > 0 ? decimals : 0, fabs(value));
    return phrase_format("%s%s", value < 0 && !is_zero(digits.text) ? glyphs->minus : "", digits.text);
}

static struct phrase power_of_ten(int exponent, const struct glyphs *glyphs)
{
    static const char *const raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    if (exponent == 0)
        return phrase_format("%s", "");
    if (glyphs->ascii)
        return phrase_format("e%d", exponent);
    struct phrase power = phrase_format("×10%s", exponent < 0 ? "⁻" : "");
    struct phrase digits = phrase_format("%d", abs(exponent));
    for (const char *digit = digits.text; *digit; digit++)
        power = phrase_format("%s%s", power.text, raised[*digit - '0']);
    return power;
}

static struct phrase with_unit(struct phrase number, const char *unit)
{
    if (!unit || !*unit || strcmp(unit, "1") == 0)
        return number;
    return phrase_format("%s %s", number.text, unit);
}

/* How a value and its uncertainty are written: both divided by 10^exponent, with so many decimals. */
struct rounding {
    int exponent, decimals;
    bool hidden; /* the uncertainty is below the last digit that means anything */
};

static struct rounding rounding_for(double value, double uncertainty)
{
    struct rounding rounding = {0};
    /* The larger of the two decides the power of ten, so that an estimate far below its uncertainty stays readable. */
    double larger = fmax(fabs(value), uncertainty);
    int first = larger > 0 ? rounded_exponent(larger, CERTAIN_DIGITS) : 0;
    rounding.decimals = uncertainty > 0 ? 1 - rounded_exponent(uncertainty, 2) : CERTAIN_DIGITS - 1 - first;
    if (uncertainty <= 0 || first + rounding.decimals >= CERTAIN_DIGITS) {
        rounding.hidden = true;
        rounding.decimals = CERTAIN_DIGITS - 1 - first;
    }
    /* 41230(412) would be three digits of uncertainty and 41230(410) a wrong third: 4.123(41) times 10^4 is neither. */
    if (rounding.decimals < 0 || !reads_well(larger)) {
        rounding.exponent = first;
        rounding.decimals += first;
    }
    return rounding;
}

/* Division by a power of ten that may itself be beyond the range of a double. */
static double scaled(double value, int exponent)
{
    return value / pow(10, exponent / 2) / pow(10, exponent - exponent / 2);
}

static struct phrase digits_of(double value, struct rounding rounding, const struct glyphs *glyphs)
{
    return fixed(scaled(value, rounding.exponent), rounding.decimals, glyphs);
}

/* Two numbers of one rounding. Brackets only before a power of ten, which must hold for both. */
static struct phrase two_digits_of(double one, const char *between, double other, struct rounding rounding,
                                   const struct glyphs *glyphs)
{
    const bool bracket = rounding.exponent != 0;
    return phrase_format("%s%s %s %s%s%s", bracket ? "(" : "", digits_of(one, rounding, glyphs).text, between,
                         digits_of(other, rounding, glyphs).text, bracket ? ")" : "",
                         power_of_ten(rounding.exponent, glyphs).text);
}

/* The two digits of the uncertainty: 12 for 0.00012. */
static struct phrase last_digits(double uncertainty, struct rounding rounding)
{
    if (rounding.hidden)
        return phrase_format("<1");
    double in_last = scaled(uncertainty, rounding.exponent) * pow(10, rounding.decimals);
    return phrase_format("%.0f", in_last);
}

/* A limit is rounded upwards, so that it still limits: two digits. */
static struct phrase upper_limit(double limit, const struct glyphs *glyphs)
{
    if (limit <= 0)
        return figure_rounded(limit, 2, NULL, glyphs);
    int first = rounded_exponent(limit, 2);
    /* 1e-9: a limit of exactly two digits is not raised because binary fractions cannot hold it. */
    double above = ceil(scaled(limit, first - 1) - 1e-9);
    return figure_rounded(scaled(above, 1 - first), 2, NULL, glyphs);
}

static struct phrase at_bound(const struct figure *figure, const struct glyphs *glyphs)
{
    struct phrase value = figure_rounded(figure->value, 2, NULL, glyphs);
    if (!isfinite(figure->high))
        return phrase_format("%s (at its bound)", value.text);
    return phrase_format("%s (< %s, 95 %%)", value.text, upper_limit(figure->high, glyphs).text);
}

struct phrase figure_short(const struct figure *figure, const char *unit, const struct glyphs *glyphs)
{
    if (!isfinite(figure->value))
        return phrase_format("%s", glyphs->missing);
    if (figure->at_bound)
        return with_unit(at_bound(figure, glyphs), unit);
    if (!isfinite(figure->se) || figure->se < 0) {
        struct phrase value = figure_rounded(figure->value, 4, NULL, glyphs);
        return with_unit(phrase_format("%s (uncertainty not known)", value.text), unit);
    }
    struct rounding rounding = rounding_for(figure->value, figure->se);
    struct phrase number =
        phrase_format("%s(%s)%s", digits_of(figure->value, rounding, glyphs).text,
                      last_digits(figure->se, rounding).text, power_of_ten(rounding.exponent, glyphs).text);
    return with_unit(number, unit);
}

struct phrase figure_interval(const struct figure *figure, const char *unit, const struct glyphs *glyphs)
{
    if (!isfinite(figure->low) || !isfinite(figure->high))
        return phrase_format("%s", glyphs->missing);
    /* Without a standard error: a 95 % interval is some four of them wide. */
    double quarter = (figure->high - figure->low) / 4;
    double uncertainty = isfinite(figure->se) && figure->se > 0 ? figure->se : quarter;
    double larger = fmax(fabs(figure->low), fabs(figure->high));
    struct rounding rounding = rounding_for(larger, fmax(uncertainty, 0));
    return with_unit(two_digits_of(figure->low, glyphs->to, figure->high, rounding, glyphs), unit);
}

struct phrase figure_plus_minus(double value, double spread, const char *unit, const struct glyphs *glyphs)
{
    if (!isfinite(value))
        return phrase_format("%s", glyphs->missing);
    if (!isfinite(spread) || spread <= 0)
        return figure_rounded(value, 3, unit, glyphs);
    struct rounding rounding = rounding_for(value, spread);
    if (rounding.hidden)
        return figure_rounded(value, CERTAIN_DIGITS, unit, glyphs);
    return with_unit(two_digits_of(value, glyphs->plus_minus, spread, rounding, glyphs), unit);
}

struct phrase figure_rounded(double value, int digits, const char *unit, const struct glyphs *glyphs)
{
    if (!isfinite(value))
        return phrase_format("%s", glyphs->missing);
    if (value == 0)
        return with_unit(phrase_format("0"), unit);
    struct rounding rounding = {0};
    int first = rounded_exponent(value, digits);
    rounding.exponent = reads_well(fabs(value)) ? 0 : first;
    rounding.decimals = digits - 1 - first + rounding.exponent;
    return with_unit(
        phrase_format("%s%s", digits_of(value, rounding, glyphs).text, power_of_ten(rounding.exponent, glyphs).text),
        unit);
}
