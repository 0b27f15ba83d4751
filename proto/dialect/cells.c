/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Cells and numbers of other programs. Pieces point into the line. */

#include "proto/dialect/cells.h"

#include <string.h>
#include <strings.h>

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static bool is_digit(char c)
{
    return (unsigned)(c - '0') < 10;
}

/* Behind the quotes of a cell that begins with one, or its beginning. */
static const char *skip_quotes(const char *at, const char *end)
{
    const char *begin = at;
    while (at < end && is_blank(*at))
        at++;
    if (at == end || *at != '"')
        return begin;
    const char *closing = memchr(at + 1, '"', (size_t)(end - at - 1));
    return closing ? closing + 1 : begin;
}

static const char *find_blank(const char *at, const char *end)
{
    while (at < end && !is_blank(*at))
        at++;
    return at < end ? at : NULL;
}

static struct text_piece unquote(struct text_piece piece)
{
    if (piece.length >= 2 && piece.text[0] == '"' && piece.text[piece.length - 1] == '"')
        piece = text_piece_trim((struct text_piece){piece.text + 1, piece.length - 2});
    return piece;
}

bool cell_next(char delimiter, struct text_piece *rest, struct text_piece *cell)
{
    if (!rest->text)
        return false;
    if (delimiter == ' ')
        *rest = text_piece_trim(*rest);
    const char *end = rest->text + rest->length, *from = skip_quotes(rest->text, end);
    const char *mark = delimiter == ' ' ? find_blank(from, end) : memchr(from, delimiter, (size_t)(end - from));
    const size_t length = (size_t)((mark ? mark : end) - rest->text);
    *cell = unquote(text_piece_trim((struct text_piece){rest->text, length}));
    *rest = mark ? (struct text_piece){mark + 1, rest->length - length - 1} : (struct text_piece){NULL, 0};
    return true;
}

size_t cells_split(char delimiter, struct text_piece line, struct text_piece *cells, size_t most)
{
    struct text_piece cell;
    size_t count = 0;
    while (cell_next(delimiter, &line, &cell)) {
        if (count < most)
            cells[count] = cell;
        count++;
    }
    return count;
}

/* --- numbers --- */

static bool is_word_for_a_number(struct text_piece cell)
{
    static const char *const words[] = {"nan", "inf", "infinity"};
    if (cell.length > 0 && (cell.text[0] == '-' || cell.text[0] == '+'))
        cell = (struct text_piece){cell.text + 1, cell.length - 1};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (cell.length == strlen(words[i]) && strncasecmp(cell.text, words[i], cell.length) == 0)
            return true;
    return false;
}

/* A number on its way from one notation to the other. */
struct reading {
    const char *at, *end;
    char *to;       /* NULL: nowhere */
    size_t written; /* bytes there */
};

static void put(struct reading *reading, char c)
{
    if (reading->to)
        reading->to[reading->written] = c;
    reading->written++;
}

static size_t take_digits(struct reading *reading)
{
    const char *first = reading->at;
    for (; reading->at < reading->end && is_digit(*reading->at); reading->at++)
        put(reading, *reading->at);
    return (size_t)(reading->at - first);
}

/* Also the minus of typesetters, U+2212, which some programs write. */
static void take_sign(struct reading *reading)
{
    static const char minus[] = "\xe2\x88\x92";
    const size_t length = sizeof minus - 1;
    if (reading->at < reading->end && (*reading->at == '-' || *reading->at == '+')) {
        put(reading, *reading->at++);
    } else if ((size_t)(reading->end - reading->at) > length && memcmp(reading->at, minus, length) == 0) {
        put(reading, '-');
        reading->at += length;
    }
}

/* What nothing else can be within a number: blanks, also those that do not break a line, wide and narrow, and
 * apostrophes. A blank between two numbers delimits cells, and is none within one. */
static size_t sure_mark_at(const struct reading *reading)
{
    static const char *const marks[] = {" ", "\xc2\xa0", "\xe2\x80\xaf", "'", "\xe2\x80\x99"};
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        const size_t length = strlen(marks[i]);
        if ((size_t)(reading->end - reading->at) > length && memcmp(reading->at, marks[i], length) == 0)
            return length;
    }
    return 0;
}

/* Groups of three behind one to three digits that do not begin with a zero. How many groups there are; -1: something
 * else. *sure: their mark is no decimal one. */
static int take_groups(struct reading *reading, const char *digits, size_t count, char mark, bool *sure)
{
    int groups = 0;
    for (;; groups++) {
        const size_t sure_mark = sure_mark_at(reading);
        const bool grouped = sure_mark > 0 || (reading->at < reading->end && *reading->at == mark);
        if (!grouped)
            return groups;
        *sure = *sure || sure_mark > 0;
        reading->at += sure_mark > 0 ? sure_mark : 1;
        if (take_digits(reading) != 3 || count > 3 || count == 0 || *digits == '0')
            return -1;
    }
}

/* Behind decimals also that of Fortran's double precision, 0.125D+01; without them 1D2 may be hexadecimal. */
static bool take_exponent(struct reading *reading, bool decimals)
{
    if (reading->at == reading->end || !strchr(decimals ? "eEdD" : "eE", *reading->at))
        return true;
    reading->at++;
    put(reading, 'e');
    take_sign(reading);
    return take_digits(reading) > 0;
}

enum number_shape cell_number(struct text_piece cell, char decimal, char text[CELL_NUMBER_BYTES], size_t *length)
{
    struct reading reading = {.at = cell.text, .end = cell.text + cell.length, .to = text};
    size_t decimals = 0;
    bool has_mark = false, sure = false;
    if (cell.length == 0 || cell.length >= CELL_NUMBER_BYTES)
        return NO_NUMBER;
    take_sign(&reading);
    const char *first = reading.at;
    const size_t digits = take_digits(&reading);
    const int groups = take_groups(&reading, first, digits, decimal == '.' ? ',' : '.', &sure);
    if (reading.at < reading.end && *reading.at == decimal) {
        has_mark = true;
        reading.at++;
        put(&reading, '.');
        decimals = take_digits(&reading);
    }
    const bool exponent = reading.at < reading.end;
    if (groups < 0 || digits + decimals == 0 || !take_exponent(&reading, decimals > 0) || reading.at != reading.end)
        return is_word_for_a_number(cell) ? WORD_FOR_A_NUMBER : NO_NUMBER;
    /* 0, is no number: elsewhere it is one with a comma behind it. */
    if (has_mark && decimal == ',' && (decimals == 0 || digits == 0))
        return NO_NUMBER;
    *length = reading.written;
    if (groups > 0)
        return has_mark || groups > 1 || sure ? GROUPED_NUMBER : UNSURE_GROUP;
    if (!has_mark)
        return WHOLE_NUMBER;
    const bool like_a_group = decimals == 3 && digits >= 1 && digits <= 3 && *first != '0';
    return like_a_group && !exponent ? UNSURE_DECIMAL : DECIMAL_NUMBER;
}
