/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What may reach people. Names from a file or another program could move the cursor, turn the reading direction or
 * break a table. */

#include <config.h>

#include "proto/plain_text.h"

#include "proto/utf8.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Unicode's control characters, marks of the reading direction, separators of lines, and characters that exist but show
 * nothing, or that are none (the last two of every plane are looked at apart). */
static const struct {
    uint32_t from, to;
} unseen[] = {
    {0x0000, 0x001F}, {0x007F, 0x009F}, {0x061C, 0x061C}, {0x200B, 0x200B}, {0x200E, 0x200F},   {0x2028, 0x202E},
    {0x2060, 0x206F}, {0xFDD0, 0xFDEF}, {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB}, {0xE0000, 0xE007F},
};

bool plain_character(uint32_t character)
{
    for (size_t i = 0; i < sizeof unseen / sizeof unseen[0]; i++)
        if (character >= unseen[i].from && character <= unseen[i].to)
            return false;
    return (character & 0xFFFE) != 0xFFFE;
}

/* Line and paragraph separators too: everything stays on one line. */
static bool is_space(uint32_t character)
{
    return character == '\n' || character == '\t' || character == 0x2028 || character == 0x2029;
}

struct spelling {
    uint32_t character;
    const char *ascii;
};

/* What fricid itself writes, and what text programs make of plain quotes and dashes. */
const char *plain_spelling(uint32_t character)
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

/* What stands in place of a character; NULL: it may stand as it is. */
static const char *replacement(uint32_t character, bool ascii)
{
    if (is_space(character))
        return " ";
    if (!plain_character(character))
        return "?";
    return ascii && character >= 0x80 ? plain_spelling(character) : NULL;
}

/* Character by character, for a byte of a broken one must not swallow the next. Returns the bytes that were read. */
static size_t next(const char *text, bool ascii, const char **instead)
{
    uint32_t character;
    size_t bytes = utf8_take(text, &character);
    *instead = bytes > 0 ? replacement(character, ascii) : "?";
    return bytes > 0 ? bytes : 1;
}

char *plain_text(const char *text, bool ascii)
{
    char *plain = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&plain, &size);
    if (!out)
        return NULL;
    while (*text) {
        const char *instead;
        size_t bytes = next(text, ascii, &instead);
        fwrite(instead ? instead : text, 1, instead ? strlen(instead) : bytes, out);
        text += bytes;
    }
    if (fclose(out) != 0) {
        free(plain);
        return NULL;
    }
    return plain;
}

/* Without ASCII every replacement is one byte. */
void plain_line(char *text)
{
    char *end = text;
    while (*text) {
        const char *instead;
        size_t bytes = next(text, false, &instead);
        if (instead)
            *end++ = *instead;
        else
            for (size_t i = 0; i < bytes; i++)
                *end++ = text[i];
        text += bytes;
    }
    *end = '\0';
}

/* When memory is short there is still a sentence, and it says so. */
void plain_print(FILE *stream, const char *format, ...)
{
    va_list arguments;
    char *sentence = NULL;
    va_start(arguments, format);
    int length = vasprintf(&sentence, format, arguments);
    va_end(arguments);
    char *plain = length < 0 ? NULL : plain_text(sentence, false);
    fprintf(stream, "%s\n", plain ? plain : "not enough memory");
    free(plain);
    if (length >= 0)
        free(sentence);
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

/* A key that is plain already, as all of fricid's own are, stays where it is. */
static int plain_key(json_t *object, const char *key, json_t *member, bool ascii)
{
    char *plain = plain_text(key, ascii);
    int status = plain ? 0 : -ENOMEM;
    if (plain && strcmp(plain, key) != 0)
        status = json_object_set(object, plain, member) == 0 && json_object_del(object, key) == 0 ? 0 : -ENOMEM;
    free(plain);
    return status;
}

static int plain_object(json_t *object, bool ascii)
{
    int status = 0;
    const char *key;
    void *following;
    json_t *member;
    json_object_foreach_safe (object, following, key, member) {
        status = status ? status : plain_tree(member, ascii);
        status = status ? status : plain_key(object, key, member, ascii);
    }
    return status;
}

/* On failure some strings may be changed already: the caller throws the tree away. */
int plain_tree(json_t *value, bool ascii)
{
    int status = 0;
    size_t i;
    json_t *member;
    if (json_is_string(value))
        return plain_string(value, ascii);
    if (json_is_object(value))
        return plain_object(value, ascii);
    json_array_foreach (value, i, member)
        status = status ? status : plain_tree(member, ascii);
    return status;
}
