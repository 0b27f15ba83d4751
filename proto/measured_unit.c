/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Units in one spelling, taken apart from the end: what they are divided by, their symbol, and its prefix. */

#include "proto/measured_unit.h"

#include "proto/time_unit.h"

#include <stdio.h>
#include <string.h>

enum { SPELLING_BYTES = 32 };

/* One sign in several spellings, the longest first. */
struct sign {
    const char *written, *plain;
};

static const struct sign signs[] = {
    {"\xc2\xb5", "u"},
    {"\xce\xbc", "u"},
    {"\xc2\xb2", "2"},
    {"\xc2\xb0", "deg"},
    {"**2", "2"},
    {"^2", "2"},
    {" ", ""},
    {"_per_s", "/s"},
    {"_s", "/s"},
    /* Cyrillic: deg, rad, micro, second behind a slash, and centi, kilo, metre or milli, newton, volt, gram. */
    {"\xd0\xb3\xd1\x80\xd0\xb0\xd0\xb4", "deg"},
    {"\xd1\x80\xd0\xb0\xd0\xb4", "rad"},
    {"\xd0\xbc\xd0\xba", "u"},
    {"/\xd1\x81", "/s"},
    {"\xd1\x81", "c"},
    {"\xd0\xba", "k"},
    {"\xd0\xbc", "m"},
    {"\xd0\x9d", "N"},
    {"\xd0\x92", "V"},
    {"\xd0\xb3", "g"},
    {NULL, NULL},
};

/* Symbols that take a prefix, and words that take none. Those that are more often something else than a unit, such as
 * "in" or "A" behind an underscore, are left out. */
static const char *const symbols[] = {"m", "g", "N", "V", "rad", "Pa", "Hz", "strain"};
static const char *const words[] = {"inch", "mil",    "deg",  "%",    "Volt", "Volts", "VOLT",
                                    "volt", "counts", "grad", "Grad", "gn",   "g0"};
static const char prefixes[] = "numckM";

/* Lengths that are known where they are divided by a time, as in "in/s". */
static const char *const divided[] = {"in", "inch", "ft", "mil"};

struct spelling {
    char text[SPELLING_BYTES];
    size_t length;
};

/* With each sign of a table as its plain one. False: it is longer than any unit. */
static bool spell(struct text_piece unit, const struct sign *table, struct spelling *spelling)
{
    const char *at = unit.text, *end = unit.text + unit.length;
    spelling->length = 0;
    while (at < end) {
        const char *plain = NULL;
        size_t taken = 1;
        for (const struct sign *sign = table; !plain && sign->written; sign++) {
            taken = strlen(sign->written);
            if ((size_t)(end - at) >= taken && memcmp(at, sign->written, taken) == 0)
                plain = sign->plain;
        }
        const size_t length = plain ? strlen(plain) : 1;
        if (spelling->length + length >= SPELLING_BYTES)
            return false;
        memcpy(spelling->text + spelling->length, plain ? plain : at, length);
        spelling->length += length;
        at += plain ? taken : 1;
    }
    spelling->text[spelling->length] = '\0';
    return spelling->length > 0;
}

static bool ends(const struct spelling *spelling, const char *ending)
{
    const size_t length = strlen(ending);
    return spelling->length > length && strcmp(spelling->text + spelling->length - length, ending) == 0;
}

/* "m/s2" becomes "m". Whether there was such an ending. */
static bool take_off_times(struct spelling *spelling)
{
    static const char *const endings[] = {"/s2", "/s"};
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        if (ends(spelling, endings[i])) {
            spelling->length -= strlen(endings[i]);
            spelling->text[spelling->length] = '\0';
            return true;
        }
    return false;
}

static bool is_one_of(const char *text, const char *const *table, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(text, table[i]) == 0)
            return true;
    return false;
}

/* One of these symbols, which take a prefix. */
static bool is_symbol(const struct spelling *spelling, const char *const *table, size_t count)
{
    const bool prefixed = spelling->length > 1 && strchr(prefixes, spelling->text[0]);
    return is_one_of(spelling->text, table, count) || (prefixed && is_one_of(spelling->text + 1, table, count));
}

/* A length or an angle. */
static bool is_moving(const struct spelling *spelling)
{
    static const char *const moving[] = {"m", "rad", "deg"};
    return is_symbol(spelling, moving, sizeof moving / sizeof moving[0]);
}

static bool is_plain(struct text_piece unit)
{
    struct spelling spelling;
    if (!spell(unit, signs, &spelling))
        return false;
    /* "_s" is a time, too: "in_s" is of seconds. */
    const bool is_quotient = take_off_times(&spelling) && memchr(unit.text, '/', unit.length);
    return (is_quotient && is_one_of(spelling.text, divided, sizeof divided / sizeof divided[0])) ||
           is_one_of(spelling.text, words, sizeof words / sizeof words[0]) ||
           is_symbol(&spelling, symbols, sizeof symbols / sizeof symbols[0]);
}

/* --- spellings of what has a plain one --- */

/* What has a sign of its own between, before or above the letters, so that "m \xc2\xb7 s^-2" becomes "ms-2". */
static const struct sign marks[] = {
    {"\xc2\xb5", "u"},
    {"\xce\xbc", "u"},
    {"\xc2\xb2", "2"},
    {"\xc2\xb9", "1"},
    {"\xe2\x81\xbb", "-"},
    {"\xe2\x88\x92", "-"} /* as a power, and as a minus sign */,
    {"\xc2\xb7", ""},
    {"\xe2\x8b\x85", ""} /* dots of a product */,
    {"\xc2\xb0", "deg"},
    {"**", ""},
    {"^", ""},
    {"*", ""},
    {".", ""},
    {" per ", "/"},
    {"_per_", "/"},
    {" ", ""},
    {"_", "/"},
    {NULL, NULL},
};

/* How "/s2" and "/s" may be written behind these marks, the longest first. "ms2" is no such: it is a square or a
 * product.
 */
static const struct sign rates[] = {
    {"/s/squared", "/s2"}, {"/second2", "/s2"}, {"/sec/sec", "/s2"}, {"/sec2", "/s2"}, {"/s/s", "/s2"},
    {"/s-2", "/s2"},       {"s-2", "/s2"},      {"pss", "/s2"},      {"ps2", "/s2"},   {"/s2", "/s2"},
    {"/second", "/s"},     {"/sec", "/s"},      {"/s-1", "/s"},      {"s-1", "/s"},    {"ps", "/s"},
    {"/s", "/s"},          {NULL, NULL},
};

/* Not "meter" and "micrometer", which instruments are called as well. */
static const struct sign spelled_out[] = {
    {"micron", "um"},      {"microns", "um"},     {"Micron", "um"},     {"Microns", "um"},     {"micrometre", "um"},
    {"micrometres", "um"}, {"micrometers", "um"}, {"millimeter", "mm"}, {"millimeters", "mm"}, {"Millimeter", "mm"},
    {"millimetre", "mm"},  {"millimetres", "mm"}, {"centimeter", "cm"}, {"centimeters", "cm"}, {"centimetre", "cm"},
    {"centimetres", "cm"}, {"meters", "m"},       {"Meters", "m"},      {"metre", "m"},        {"metres", "m"},
    {"inches", "in"},      {"Inches", "in"},      {"in", "in"},         {"mils", "mil"},       {"degree", "deg"},
    {"degrees", "deg"},    {"Degrees", "deg"},    {"radian", "rad"},    {"radians", "rad"},    {"Radians", "rad"},
    {"newton", "N"},       {"newtons", "N"},      {"Newton", "N"},      {"Newtons", "N"},      {NULL, NULL},
};

/* Those that are short for a length or an angle over a time. "fps" are frames more often than feet. */
static const struct sign short_rates[] = {{"ips", "in/s"}, {"dps", "deg/s"}, {"ips2", "in/s2"}, {NULL, NULL}};

/* NULL: it is none of the table. */
static const char *plain_of(const struct sign *table, const struct spelling *spelling)
{
    for (const struct sign *sign = table; sign->written; sign++)
        if (strcmp(spelling->text, sign->written) == 0)
            return sign->plain;
    return NULL;
}

/* Takes "ps2" and the like off a length or an angle; what stands for it, "" for none. */
static const char *take_off_rate(struct spelling *spelling)
{
    for (const struct sign *rate = rates; rate->written; rate++) {
        struct spelling base = *spelling;
        if (!ends(&base, rate->written))
            continue;
        base.length -= strlen(rate->written);
        base.text[base.length] = '\0';
        if (!is_moving(&base) && !plain_of(spelled_out, &base) &&
            !is_one_of(base.text, divided, sizeof divided / sizeof divided[0]))
            continue;
        *spelling = base;
        return rate->plain;
    }
    return "";
}

bool measured_unit_plain(struct text_piece unit, char *plain, size_t bytes)
{
    struct spelling spelling;
    if (is_plain(unit) || !spell(unit, marks, &spelling))
        return false;
    const char *whole = plain_of(short_rates, &spelling), *rate = whole ? "" : take_off_rate(&spelling);
    const char *symbol = whole ? whole : plain_of(spelled_out, &spelling);
    if (!*rate && !symbol)
        return false;
    const int length = snprintf(plain, bytes, "%s%s", symbol ? symbol : spelling.text, rate);
    return length < (int)bytes && !(strlen(plain) == unit.length && memcmp(plain, unit.text, unit.length) == 0);
}

/* --- questions --- */

bool measured_unit_is_known(struct text_piece unit)
{
    char plain[SPELLING_BYTES];
    return is_plain(unit) || measured_unit_plain(unit, plain, sizeof plain);
}

bool measured_unit_is_rate(struct text_piece unit)
{
    char text[SPELLING_BYTES];
    const bool is = measured_unit_plain(unit, text, sizeof text);
    struct spelling spelling;
    return spell(is ? (struct text_piece){text, strlen(text)} : unit, signs, &spelling) && take_off_times(&spelling) &&
           is_moving(&spelling);
}

/* What stands behind the last mark that divides, without its square; of length 0: there is none. */
static struct text_piece divisor_of(const struct spelling *spelling)
{
    const char *slash = strrchr(spelling->text, '/'), *underscore = strrchr(spelling->text, '_');
    const char *mark = slash && (!underscore || slash > underscore) ? slash : underscore;
    size_t length = mark ? strlen(mark + 1) : 0;
    length -= length > 1 && mark[length] == '2';
    return (struct text_piece){mark ? mark + 1 : spelling->text, length};
}

bool measured_unit_is_strange_rate(struct text_piece unit)
{
    static const struct sign per[] = {{" per ", "/"},    {"_per_", "/"}, {"^2", "2"},
                                      {"\xc2\xb2", "2"}, {" ", ""},      {NULL, NULL}};
    static const char *const short_for[] = {"kph", "kmh", "km/hr", "mph", "knot", "knots", "kts", "fpm", "ipm"};
    struct spelling spelling, base;
    if (!spell(unit, per, &spelling))
        return false;
    const struct text_piece divisor = divisor_of(&spelling);
    const struct time_unit *time = time_unit_find(divisor.text, divisor.length);
    const size_t before = (size_t)(divisor.text - spelling.text);
    const bool divides =
        time && time->seconds != 1 && before > 1 && spell((struct text_piece){spelling.text, before - 1}, signs, &base);
    return (divides && (is_moving(&base) || is_one_of(base.text, divided, sizeof divided / sizeof divided[0]))) ||
           is_one_of(spelling.text, short_for, sizeof short_for / sizeof short_for[0]);
}

bool measured_units_agree(struct text_piece one, struct text_piece other)
{
    char texts[2][SPELLING_BYTES];
    struct text_piece units[2] = {one, other};
    struct spelling spellings[2];
    for (size_t i = 0; i < 2; i++) {
        if (measured_unit_plain(units[i], texts[i], sizeof texts[i]))
            units[i] = (struct text_piece){texts[i], strlen(texts[i])};
        if (!spell(units[i], signs, &spellings[i]))
            return false;
    }
    return spellings[0].length == spellings[1].length &&
           memcmp(spellings[0].text, spellings[1].text, spellings[0].length) == 0;
}
