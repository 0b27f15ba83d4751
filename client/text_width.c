/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How wide text is on a terminal: some characters take two columns, some none. */

#include <config.h>

#include "client/text_width.h"

#include "proto/utf8.h"

#include <string.h>
#include <wchar.h>

/* Bytes of a colour that the text begins with (screen.h); 0: with none. */
static size_t colour(const char *text)
{
    const size_t numbers = strncmp(text, "\033[", 2) == 0 ? 2 + strspn(text + 2, "0123456789;") : 0;
    return numbers > 0 && text[numbers] == 'm' ? numbers + 1 : 0;
}

/* Bytes of the first character, 0 at the end; what is not UTF-8 is a byte and a column each. */
static size_t next_character(const char *text, size_t *columns)
{
    uint32_t character;
    const size_t painted = colour(text);
    if (painted > 0) {
        *columns = 0;
        return painted;
    }
    size_t bytes = utf8_take(text, &character);
    /* wcwidth() knows no width for characters newer than the C library. */
    int width = bytes > 0 ? wcwidth((wchar_t)character) : 1;
    *columns = width < 0 ? 1 : (size_t)width;
    return bytes == 0 && *text ? 1 : bytes;
}

size_t text_width(const char *text)
{
    size_t width = 0, columns;
    for (size_t bytes; (bytes = next_character(text, &columns)) > 0; text += bytes)
        width += columns;
    return width;
}

size_t text_fit(const char *text, size_t columns)
{
    size_t width = 0, fitting = 0, taken;
    for (size_t bytes; (bytes = next_character(text + fitting, &taken)) > 0; fitting += bytes) {
        width += taken;
        if (width > columns)
            break;
    }
    return fitting;
}
