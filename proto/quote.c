/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What each reader of text would obey, and how it is kept from it. */

#include <config.h>

#include "proto/quote.h"

#include "proto/plain_text.h"
#include "proto/utf8.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Reads a character; what is none is one byte of U+FFFF, which is none either. Returns its bytes, 0 at the end. */
static size_t take(const char *text, uint32_t *character)
{
    size_t bytes = utf8_take(text, character);
    if (bytes > 0 || *text == '\0')
        return bytes;
    *character = 0xFFFF;
    return 1;
}

/* Writes plain text in which some ASCII characters are spelled otherwise: `spelled` has them, `spellings` how. */
static void put_spelled(FILE *stream, const char *text, const char *spelled, const char *const *spellings)
{
    uint32_t character;
    for (size_t bytes; (bytes = take(text, &character)) > 0; text += bytes) {
        const char *place = character < 0x80 ? strchr(spelled, (int)character) : NULL;
        if (place)
            fputs(spellings[place - spelled], stream);
        else if (plain_character(character))
            fwrite(text, 1, bytes, stream);
        else
            fputs("\xEF\xBF\xBD", stream); /* U+FFFD, which Unicode has for this */
    }
}

/* Within single quotes gnuplot obeys nothing, but two of them behind each other do not always stand for one: none
 * remains. A backquote would run a command within double quotes, and does not remain either. Into an SVG picture
 * gnuplot writes "]]>" as it is, which is no XML. */
void quote_gnuplot(FILE *script, const char *text)
{
    static const char *const spellings[] = {"\u2019", "\u2018", "\u203A", " ", " "};
    putc('\'', script);
    put_spelled(script, text, "'`>\n\t", spellings);
    putc('\'', script);
}

/* Text format 0.0.4: these three are escaped, everything else is taken as it is. */
void quote_label(FILE *metrics, const char *text)
{
    static const char *const spellings[] = {"\\\\", "\\\"", "\\n"};
    putc('"', metrics);
    put_spelled(metrics, text, "\\\"\n", spellings);
    putc('"', metrics);
}

/* libconfig, "String Values". */
void quote_setting(FILE *configuration, const char *text)
{
    static const char *const spellings[] = {"\\\\", "\\\"", "\\n", "\\t"};
    putc('"', configuration);
    put_spelled(configuration, text, "\\\"\n\t", spellings);
    putc('"', configuration);
}

/* Above U+FFFF a character has two escapes (RFC 8259 section 7). */
static void put_escape(FILE *stream, uint32_t character)
{
    if (character > 0xFFFF)
        fprintf(stream, "\\u%04X\\u%04X", 0xD800 + ((character - 0x10000) >> 10), 0xDC00 + (character & 0x3FF));
    else
        fprintf(stream, "\\u%04X", character);
}

/* Outside of its strings JSON has only ASCII, and nothing there needs an escape. */
int quote_json(FILE *stream, const json_t *value, size_t flags)
{
    char *text = json_dumps(value, JSON_COMPACT | flags);
    if (!text)
        return -ENOMEM;
    const char *from = text, *here = text;
    uint32_t character;
    for (size_t bytes; (bytes = take(here, &character)) > 0; here += bytes) {
        if (plain_character(character))
            continue;
        fwrite(from, 1, (size_t)(here - from), stream);
        put_escape(stream, character);
        from = here + bytes;
    }
    fwrite(from, 1, (size_t)(here - from), stream);
    free(text);
    return 0;
}

/* A spreadsheet computes what begins with one of four characters, also behind blanks. */
void quote_column(char *word, size_t size, const char *text)
{
    utf8_copy(word, size, text);
    plain_line(word);
    for (char *c = word; *c; c++)
        if (strchr(",;\"\t_", *c))
            *c = '-';
    char *first = word + strspn(word, " ");
    if (*first && strchr("=+-@", *first))
        *first = '~';
}

static bool is_letter_or_digit(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

static bool consists_of(const char *text, const char *others)
{
    for (; *text; text++)
        if (!is_letter_or_digit(*text) && !strchr(others, *text))
            return false;
    return true;
}

/* Quotes that would be spelled in ASCII later must not end the quoted text then. */
char *quote_shell(const char *text)
{
    static const char *const spellings[] = {"'\\''", " ", " "};
    char *word = NULL;
    size_t size = 0;
    bool ascii = strstr(text, "\u2018") || strstr(text, "\u2019");
    char *plain = plain_text(text, ascii);
    FILE *out = plain ? open_memstream(&word, &size) : NULL;
    if (out && *plain && consists_of(plain, "_@%+=:,./-"))
        fputs(plain, out);
    else if (out) {
        putc('\'', out);
        put_spelled(out, plain, "'\n\t", spellings);
        putc('\'', out);
    }
    free(plain);
    if (!out || fclose(out) == 0)
        return word;
    free(word);
    return NULL;
}

char *quote_file_name(const char *text)
{
    char *name = strndup(*text ? text : "_", QUOTE_FILE_NAME);
    for (char *c = name; c && *c; c++)
        if (!is_letter_or_digit(*c) && !strchr("._-", *c))
            *c = '-';
    if (name && (*name == '.' || *name == '-'))
        *name = '_';
    return name;
}

/* A space that is not ASCII does not part words, but looks as if it did. */
static bool looks_blank(uint32_t character)
{
    return character == 0xA0 || character == 0x1680 || (character >= 0x2000 && character <= 0x200F) ||
           character == 0x202F || character == 0x205F || character == 0x3000;
}

bool quote_is_word(const char *text)
{
    uint32_t character;
    if (*text == '\0' || strchr("-+.,/", *text))
        return false;
    for (size_t bytes; (bytes = take(text, &character)) > 0; text += bytes) {
        bool fine = character < 0x80 ? is_letter_or_digit(*text) || strchr("_-+.,/", *text)
                                     : plain_character(character) && !looks_blank(character);
        if (!fine)
            return false;
    }
    return true;
}
