/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Headers that say more of their unit than one unit. Nobody can guess whether a factor was applied or is to be. */

#include "config.h"

#include "proto/label_doubt.h"

#include "proto/column_label.h"
#include "proto/measured_unit.h"
#include "proto/name_words.h"
#include "proto/time_unit.h"

#include <regex.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* How factors are written, as extended regular expressions; capitals are as good. A date has slashes on both sides of
 * its month. */
static const char *const factors[] = {
    "/ *10+([^0-9/.-]|$)",                          /* "LVDT/10 mm" */
    "(\\*|×) *[0-9]",                               /* "Time*1000 (s)" */
    "10 *\\^ *[-+]?[0-9]",                          /* "10^-3 x/m" */
    "10(⁻|⁺|⁰|¹|²|³|⁴|⁵|⁶|⁷|⁸|⁹)",                  /* "10⁻³ x/m" */
    "(^|[^a-z0-9_.])[0-9]+([.,][0-9]+)?e[-+][0-9]", /* "Time (s) 1e-3" */
    " (in|en|em) +[0-9]",                           /* "LVDT in 1/100 mm" */
    "[])}>] *(x|·) *[0-9]",                         /* "x (mm) x10" */
    "[a-z0-9] +x *[0-9.]+ *[])}>]$",                /* "x (mm x 10)" */
    "[[({<] *[-+][0-9]+ *[])}>]",                   /* "Time (s) [-3]" */
    "(scale|factor|faktor|skal)[^a-z]*[0-9]",       /* "Time [s], scale 0.001" */
    "(zehn|hundert|tausend|million)stel|zehntel",   /* "Zeit in Hundertstel s" */
    "(ten|hundred|thousand|million)th",             /* "time in thousandths" */
};

/* "x (0.01 mm)", "x (E-6 m)", "x (-mm)": a unit that begins with a number or a sign. */
static bool is_multiple(struct text_piece unit)
{
    size_t skipped = 0;
    while (skipped + 1 < unit.length &&
           (strchr("0123456789.,+- ", unit.text[skipped]) ||
            (strchr("eE", unit.text[skipped]) && strchr("+-0123456789", unit.text[skipped + 1]))))
        skipped++;
    if (skipped == 0)
        return false;
    const struct text_piece rest = {unit.text + skipped, unit.length - skipped};
    return measured_unit_is_known(rest) || time_unit_find(rest.text, rest.length) != NULL;
}

static bool matches(const char *text, const char *pattern)
{
    regex_t expression;
    if (regcomp(&expression, pattern, REG_EXTENDED | REG_ICASE | REG_NOSUB) != 0)
        return false;
    const bool found = regexec(&expression, text, 0, NULL, 0) == 0;
    regfree(&expression);
    return found;
}

static bool has_factor(struct text_piece field)
{
    char text[256];
    bool found = is_multiple(column_label_read(field).unit);
    snprintf(text, sizeof text, "%.*s", (int)field.length, field.text);
    for (size_t i = 0; i < sizeof factors / sizeof factors[0] && !found; i++)
        found = matches(text, factors[i]);
    return found;
}

static bool is_unit(struct text_piece piece, bool of_time)
{
    return of_time ? time_unit_find(piece.text, piece.length) != NULL : measured_unit_is_known(piece);
}

static bool agree(struct text_piece one, struct text_piece other, bool of_time)
{
    if (!of_time)
        return measured_units_agree(one, other);
    return time_unit_find(one.text, one.length)->seconds == time_unit_find(other.text, other.length)->seconds;
}

/* What a label is divided into: blanks, brackets, and the slash of "Time (s)/ms" that stands behind a bracket. */
static bool divides(const char *at, const char *field)
{
    return strchr(" \t[](){}<>", *at) || (*at == '/' && at > field && strchr(" \t])}>", at[-1]));
}

/* A unit counts where brackets tell that it is one, or behind such: "Motor N", "x m" have none. */
static bool has_two_units(struct text_piece field)
{
    const bool of_time = name_is_of_time(column_label_read(field).name);
    const char *const end = field.text + field.length;
    struct text_piece first = {NULL, 0};
    for (const char *at = field.text; at < end;) {
        const char *begin = at;
        while (at < end && !divides(at, field.text))
            at++;
        const struct text_piece piece = {begin, (size_t)(at - begin)};
        const bool opened = begin > field.text && strchr("[({<", begin[-1]);
        const bool counts = piece.length > 0 && (opened || (first.length > 0 && (of_time || piece.length > 1)));
        if (counts && is_unit(piece, of_time)) {
            if (first.length > 0 && !agree(first, piece, of_time))
                return true;
            first = piece;
        }
        at++;
    }
    return false;
}

const char *label_doubt(struct text_piece field)
{
    return has_factor(field) ? "has a factor in its name" : has_two_units(field) ? "has two units in its name" : NULL;
}
