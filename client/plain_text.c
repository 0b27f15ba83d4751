/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What may reach a terminal. Names from a file or another program could move the cursor, turn the reading direction
 * or break a table. */

#include <config.h>

#include "client/plain_text.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

/* Reads one character; returns its bytes, 0 at the end. What is not UTF-8 is one byte of U+FFFD. */
static size_t next_character(const char *text, wchar_t *character)
{
    mbstate_t state = {0};
    size_t bytes = mbrtowc(character, text, strnlen(text, MB_LEN_MAX), &state);
    if (*text == '\0')
        return 0;
    if (bytes == (size_t)-1 || bytes == (size_t)-2 || bytes == 0) {
        *character = 0xFFFD;
        return 1;
    }
    return bytes;
}

/* Marks that turn the reading direction can make text show something that it is not. */
static bool turns_direction(wchar_t character)
{
    return character == 0x200E || character == 0x200F || character == 0x061C ||
           (character >= 0x202A && character <= 0x202E) || (character >= 0x2066 && character <= 0x2069);
}

/* Line and paragraph separators too: everything stays on one line. */
static bool is_space(wchar_t character)
{
    return character == L'\n' || character == L'\t' || character == 0x2028 || character == 0x2029;
}

struct spelling {
    wchar_t character;
    const char *ascii;
};

/* What fricid itself writes, and what text programs make of plain quotes and dashes. */
static const char *spelled(wchar_t character)
{
    static const struct spelling spellings[] = {
        {0x00B0, "deg"}, {0x00B1, "+/-"},  {0x00B2, "2"},  {0x00B3, "3"},  {0x00B5, "u"},   {0x00B7, " "},
        {0x00D7, "x"},   {0x03B6, "zeta"}, {0x03BC, "u"},  {0x2011, "-"},  {0x2013, "-"},   {0x2014, "--"},
        {0x2018, "'"},   {0x2019, "'"},    {0x201C, "\""}, {0x201D, "\""}, {0x2026, "..."}, {0x2212, "-"},
    };
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++)
        if (spellings[i].character == character)
            return spellings[i].ascii;
    return "?";
}

static void write_plain(FILE *out, const char *text, size_t bytes, wchar_t character, bool ascii)
{
    if (is_space(character))
        fputc(' ', out);
    else if (character == 0xFFFD || !iswprint((wint_t)character) || turns_direction(character))
        fputc('?', out);
    else if (ascii && character >= 0x80)
        fputs(spelled(character), out);
    else
        fwrite(text, 1, bytes, out);
}

/* Character by character, for a byte of a broken one must not swallow the next. */
char *plain_text(const char *text, bool ascii)
{
    char *plain = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&plain, &size);
    if (!out)
        return NULL;
    wchar_t character;
    for (size_t bytes; (bytes = next_character(text, &character)) > 0; text += bytes)
        write_plain(out, text, bytes, character, ascii);
    if (fclose(out) != 0) {
        free(plain);
        return NULL;
    }
    return plain;
}

static int plain_string(json_t *string, bool ascii)
{
    char *plain = plain_text(json_string_value(string), ascii);
    if (!plain)
        return -ENOMEM;
    int status = json_string_set_nocheck(string, plain) == 0 ? 0 : -ENOMEM;
    free(plain);
    return status;
}

/* On failure some strings may be changed already: the caller throws the tree away. */
int plain_tree(json_t *value, bool ascii)
{
    int status = 0;
    size_t i;
    const char *key;
    json_t *member;
    if (json_is_string(value))
        return plain_string(value, ascii);
    if (json_is_array(value)) {
        json_array_foreach (value, i, member)
            status = status ? status : plain_tree(member, ascii);
    } else if (json_is_object(value)) {
        json_object_foreach (value, key, member)
            status = status ? status : plain_tree(member, ascii);
    }
    return status;
}

/* wcwidth() knows no width for characters newer than the C library. */
static size_t columns_of(wchar_t character)
{
    int columns = wcwidth(character);
    return columns < 0 ? 1 : (size_t)columns;
}

size_t text_width(const char *text)
{
    size_t width = 0;
    wchar_t character;
    for (size_t bytes; (bytes = next_character(text, &character)) > 0; text += bytes)
        width += columns_of(character);
    return width;
}

size_t text_fit(const char *text, size_t columns)
{
    size_t width = 0;
    size_t fitting = 0;
    wchar_t character;
    for (size_t bytes; (bytes = next_character(text + fitting, &character)) > 0; fitting += bytes) {
        width += columns_of(character);
        if (width > columns)
            break;
    }
    return fitting;
}
