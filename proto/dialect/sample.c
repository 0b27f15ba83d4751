/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The first lines of a text. */

#include "proto/dialect/sample.h"

#include "proto/utf8.h"

#include <string.h>

/* Tabs at the end of a line delimit empty cells, so only returns and blanks are taken off. */
static struct text_piece without_end(struct text_piece line)
{
    while (line.length > 0 && strchr("\r ", line.text[line.length - 1]))
        line.length--;
    return line;
}

/* Whether a line ends within quotes: those that begin a cell. */
static bool ends_in_quotes(struct text_piece line)
{
    const char *at = line.text, *end = at + line.length;
    while (at < end) {
        if (*at == '"' && (at == line.text || strchr(",;\t", at[-1]))) {
            at = memchr(at + 1, '"', (size_t)(end - at - 1));
            if (!at)
                return true;
        }
        at++;
    }
    return false;
}

/* A cell in quotes may hold newlines, as "Time\n(s)" of a spreadsheet does: its lines become one, and empty ones behind
 * it. What is not closed so soon is no such cell. */
static void join_quoted(struct sample *sample, size_t first)
{
    enum { MOST_MORE = 8 };
    struct text_piece *lines = sample->lines, whole = lines[first];
    size_t last = first;
    while (ends_in_quotes(whole)) {
        if (++last == sample->count || last > first + MOST_MORE)
            return;
        whole.length = (size_t)(lines[last].text + lines[last].length - whole.text);
    }
    lines[first] = whole;
    for (size_t i = first + 1; i <= last; i++)
        lines[i].length = 0;
}

/* The lines up to the end of the text, or as many as there is room for. */
static void split(struct sample *sample, const char *text, size_t length, bool whole)
{
    const char *end = text + length, *at = text + utf8_mark(text, length);
    sample->count = 0;
    while (at < end && sample->count < SAMPLE_LINES) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        if (!newline && !whole)
            return;
        const char *line_end = newline ? newline : end;
        sample->lines[sample->count++] = without_end((struct text_piece){at, (size_t)(line_end - at)});
        at = line_end + 1;
    }
}

void sample_take(struct sample *sample, const char *text, size_t length, bool whole)
{
    split(sample, text, length, whole);
    for (size_t i = 0; i < sample->count; i++)
        join_quoted(sample, i);
}

bool line_is_empty(struct text_piece line, char delimiter)
{
    size_t at = 0;
    while (at < line.length && (strchr(" \t", line.text[at]) || line.text[at] == delimiter))
        at++;
    return at == line.length;
}

size_t comment_mark(struct text_piece line, char delimiter)
{
    size_t at = 0;
    while (at < line.length && strchr(" \t", line.text[at]))
        at++;
    if (at == line.length)
        return 0;
    if (line.text[at] == '#' || line.text[at] == '%' || (line.text[at] == ';' && delimiter != ';'))
        return at + 1;
    return line.length - at >= 2 && memcmp(line.text + at, "//", 2) == 0 ? at + 2 : 0;
}
