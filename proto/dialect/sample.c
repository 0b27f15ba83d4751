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

void sample_take(struct sample *sample, const char *text, size_t length, bool whole)
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
