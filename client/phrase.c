/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Short texts by value: a cell of a table needs no memory and no owner. */

#include "client/phrase.h"

#include "proto/utf8.h"

#include <stdarg.h>
#include <stdio.h>

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
        utf8_trim(phrase.text);
    return phrase;
}
