/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Units in one spelling, taken apart from the end: what they are divided by, their symbol, and its prefix. */

#include "proto/measured_unit.h"

#include <string.h>

enum { SPELLING_BYTES = 32 };

/* One sign in several spellings, the longest first. */
static const struct {
    const char *written, *plain;
} signs[] = {
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
};

/* Symbols that take a prefix, and words that take none. Those that are more often something else than a unit, such as
 * "in" or "A" behind an underscore, are left out. */
static const char *const symbols[] = {"m", "g", "N", "V", "rad", "Pa", "Hz", "strain"};
static const char *const words[] = {"inch", "mil",    "deg",  "%",    "Volt", "Volts", "VOLT",
                                    "volt", "counts", "grad", "Grad", "gn",   "g0"};
static const char prefixes[] = "numckM";

struct spelling {
    char text[SPELLING_BYTES];
    size_t length;
};

/* False: it is longer than any unit. */
static bool spell(struct text_piece unit, struct spelling *spelling)
{
    const char *at = unit.text, *end = unit.text + unit.length;
    spelling->length = 0;
    while (at < end) {
        const char *plain = NULL;
        size_t taken = 1;
        for (size_t i = 0; !plain && i < sizeof signs / sizeof signs[0]; i++) {
            taken = strlen(signs[i].written);
            if ((size_t)(end - at) >= taken && memcmp(at, signs[i].written, taken) == 0)
                plain = signs[i].plain;
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

bool measured_unit_is_known(struct text_piece unit)
{
    struct spelling spelling;
    if (!spell(unit, &spelling))
        return false;
    take_off_times(&spelling);
    return is_one_of(spelling.text, words, sizeof words / sizeof words[0]) ||
           is_symbol(&spelling, symbols, sizeof symbols / sizeof symbols[0]);
}

bool measured_unit_is_rate(struct text_piece unit)
{
    static const char *const moving[] = {"m", "rad", "deg"};
    struct spelling spelling;
    return spell(unit, &spelling) && take_off_times(&spelling) &&
           is_symbol(&spelling, moving, sizeof moving / sizeof moving[0]);
}

bool measured_units_agree(struct text_piece one, struct text_piece other)
{
    struct spelling spellings[2];
    return spell(one, &spellings[0]) && spell(other, &spellings[1]) && spellings[0].length == spellings[1].length &&
           memcmp(spellings[0].text, spellings[1].text, spellings[0].length) == 0;
}
