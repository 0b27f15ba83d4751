/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "client/wrapped.h"

#include "client/text_width.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Of the lines behind the first, beyond its own. */
enum { INDENT = 2 };

/* Bytes of the first line of the text: up to the last space that fits, or the first one when none does. Those that it
 * begins with do not count. */
static size_t first_line(const char *text, size_t width)
{
    const size_t fitting = text_fit(text, width), length = strlen(text), begin = strspn(text, " ");
    if (fitting >= length)
        return length;
    for (size_t end = fitting + 1; end-- > begin + 1;)
        if (text[end] == ' ')
            return end;
    return begin + strcspn(text + begin, " ");
}

/* The first line has `column` columns already, the others begin with `indent` blanks. */
static size_t print_lines(const char *text, size_t column, size_t indent, size_t width, FILE *out)
{
    size_t lines = 0;
    do {
        const size_t before = lines > 0 ? indent : column, left = width > before ? width - before : 0;
        const size_t bytes = first_line(text, left);
        if (out)
            fprintf(out, "%*s%.*s\n", lines > 0 ? (int)indent : 0, "", (int)bytes, text);
        text += bytes;
        text += strspn(text, " ");
        lines++;
    } while (*text);
    return lines;
}

size_t wrapped_print(const char *text, size_t width, FILE *out)
{
    const size_t blanks = strspn(text, " ") + INDENT;
    /* In a very narrow terminal there is no room for it. */
    return print_lines(text, 0, blanks < width / 2 ? blanks : 0, width, out);
}

size_t wrapped_behind(const char *text, size_t column, size_t width, FILE *out)
{
    return print_lines(text, column, column < width / 2 ? column : INDENT, width, out);
}

int wrapped_open(struct wrapped_sheet *sheet)
{
    *sheet = (struct wrapped_sheet){0};
    sheet->lines = open_memstream(&sheet->text, &sheet->size);
    return sheet->lines ? 0 : -ENOMEM;
}

int wrapped_close(struct wrapped_sheet *sheet, size_t width, FILE *out)
{
    const int status = fclose(sheet->lines) == 0 ? 0 : -ENOMEM;
    for (char *line = sheet->text, *end; status == 0 && (end = strchr(line, '\n')); line = end + 1) {
        *end = '\0';
        wrapped_print(line, width, out);
    }
    free(sheet->text);
    return status;
}
