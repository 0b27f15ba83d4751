/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Two bytes of Chinese or Japanese are two letters of Latin or Cyrillic as well; which they are, only the places of the
 * usual characters tell. */

#include "proto/dialect/two_bytes.h"

struct range {
    unsigned char first, last;
};

/* Leading bytes are those of punctuation and of the usual characters alone; rare ones prove nothing. */
static const struct two_byte_form {
    const char *name;
    struct range leads[3], trails[2];
    struct range needed; /* one leading byte at least must be of these, where they are not 0 */
    struct range single; /* characters of one byte */
    struct range signs;  /* leading bytes that are signs of units in Latin-1 */
} forms[] = {
    /* Half of its kanji, all kana in one and in two bytes. */
    {.name = "CP932",
     .leads = {{0x81, 0x83}, {0x88, 0x97}},
     .trails = {{0x40, 0x7E}, {0x80, 0xFC}},
     .single = {0xA1, 0xDF}},
    {.name = "EUC-JP",
     .leads = {{0xA1, 0xA1}, {0xA4, 0xA5}, {0xB0, 0xCF}},
     .trails = {{0xA1, 0xFE}},
     .needed = {0xA4, 0xA5}},
    {.name = "GB18030", .leads = {{0xA1, 0xA1}, {0xA3, 0xA3}, {0xB0, 0xD7}}, .trails = {{0xA1, 0xFE}}},
    {.name = "BIG5",
     .leads = {{0xA1, 0xA1}, {0xA4, 0xC6}},
     .trails = {{0x40, 0x7E}, {0xA1, 0xFE}},
     .signs = {0xB0, 0xBF}},
    {.name = "EUC-KR", .leads = {{0xA1, 0xA1}, {0xB0, 0xC8}}, .trails = {{0xA1, 0xFE}}},
};

enum { FORMS = sizeof forms / sizeof forms[0] };

static bool is_in(unsigned char byte, const struct range *ranges, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (ranges[i].first > 0 && byte >= ranges[i].first && byte <= ranges[i].last)
            return true;
    return false;
}

/* Whether the character of these bytes proves anything. One whose second byte is a bracket or another mark may be a
 * letter of another language before that mark; and after a sign of Latin-1 a letter that ends a word may end a unit, as
 * in "[µm]". */
static bool proves(const struct two_byte_form *form, const unsigned char *text, size_t left)
{
    if (left < 2 || text[1] >= 0x80)
        return true;
    const bool ends_word = left < 3 || (text[2] < 0x80 && !is_ascii_letter(text[2]));
    return is_ascii_letter(text[1]) && !(ends_word && is_in(text[0], &form->signs, 1));
}

/* Whether all that is not ASCII are usual characters of a form, two that prove it in a row somewhere; letters of Latin
 * would have none but ASCII behind them. The last character may be cut. */
static bool fits(const struct two_byte_form *form, const unsigned char *text, size_t count)
{
    bool needed = form->needed.first == 0, in_a_row = false, beyond_ascii = false;
    size_t run = 0;
    for (size_t i = 0; i < count; i++) {
        if (text[i] < 0x80 || is_in(text[i], &form->single, 1)) {
            run = text[i] < 0x80 ? 0 : run;
            continue;
        }
        if (!is_in(text[i], form->leads, 3) || (i + 1 < count && !is_in(text[i + 1], form->trails, 2)))
            return false;
        needed = needed || is_in(text[i], &form->needed, 1);
        beyond_ascii = beyond_ascii || (i + 1 < count && text[i + 1] >= 0x80);
        run += proves(form, text + i, count - i);
        in_a_row = in_a_row || run > 1;
        i++;
    }
    return needed && in_a_row && beyond_ascii;
}

/* Cyrillic words have only letters of the upper quarter; there are no characters here that do. A degree sign before a
 * word of them is none of its letters. */
static bool has_lower_bytes(const unsigned char *text, size_t count)
{
    enum { degree = 0xB0 };
    size_t lower = 0, all = 0;
    for (size_t i = 0; i < count; i++) {
        all += text[i] >= 0x80;
        lower += text[i] >= 0x80 && text[i] < 0xC0 && !(text[i] == degree && i > 0 && text[i - 1] < 0x80);
    }
    return lower * 8 >= all && lower > 0;
}

struct two_bytes two_bytes_of(const char *text, size_t count)
{
    const unsigned char *bytes = (const unsigned char *)text;
    struct two_bytes found = {NULL, false};
    size_t fitting = 0;
    if (!has_lower_bytes(bytes, count))
        return found;
    for (size_t i = 0; i < FORMS; i++)
        if (fits(&forms[i], bytes, count)) {
            found.name = fitting == 0 ? forms[i].name : NULL;
            fitting++;
        }
    found.several = fitting > 1;
    return found;
}
