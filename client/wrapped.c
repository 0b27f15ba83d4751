/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "client/wrapped.h"

#include "client/text_width.h"

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

size_t wrapped_print(const char *text, size_t width, FILE *out)
{
    const size_t blanks = strspn(text, " ") + INDENT;
    /* In a very narrow terminal there is no room for it. */
    const size_t indent = blanks < width / 2 ? blanks : 0;
    size_t lines = 0;
    do {
        const size_t before = lines > 0 ? indent : 0, bytes = first_line(text, width - before);
        if (out)
            fprintf(out, "%*s%.*s\n", (int)before, "", (int)bytes, text);
        text += bytes;
        text += strspn(text, " ");
        lines++;
    } while (*text);
    return lines;
}
