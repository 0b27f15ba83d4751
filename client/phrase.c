/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Short texts by value: a cell of a table needs no memory and no owner. */

#include "client/phrase.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Drops the last character when it may be only a part of one. */
static void drop_last_multibyte(char *text)
{
    size_t length = strlen(text);
    while (length > 0 && ((unsigned char)text[length - 1] & 0xC0) == 0x80)
        length--;
    if (length > 0 && ((unsigned char)text[length - 1] & 0x80))
        length--;
    text[length] = '\0';
}

struct phrase phrase_format(const char *format, ...)
{
    struct phrase phrase;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(phrase.text, sizeof phrase.text, format, arguments);
    va_end(arguments);
    if (length < 0)
        phrase.text[0] = '\0';
    else if ((size_t)length >= sizeof phrase.text)
        drop_last_multibyte(phrase.text);
    return phrase;
}
