/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "client/wrapped.h"

#include "client/text_width.h"

#include <string.h>

static const char indent[] = "  ";

/* Bytes of the first line of the text: up to the last space that fits, or the first one when none does. */
static size_t first_line(const char *text, size_t width)
{
    size_t fitting = text_fit(text, width), length = strlen(text);
    if (fitting >= length)
        return length;
    for (size_t end = fitting + 1; end-- > 1;)
        if (text[end] == ' ')
            return end;
    return strcspn(text, " ");
}

size_t wrapped_print(const char *text, size_t width, FILE *out)
{
    size_t lines = 0;
    do {
        size_t room = lines > 0 && width > sizeof indent ? width - (sizeof indent - 1) : width;
        size_t bytes = first_line(text, room);
        if (out)
            fprintf(out, "%s%.*s\n", lines > 0 ? indent : "", (int)bytes, text);
        text += bytes;
        text += strspn(text, " ");
        lines++;
    } while (*text);
    return lines;
}
