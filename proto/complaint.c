/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The sentence that goes with an error code; cut, if need be, where a character ends. */

#include "proto/complaint.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The first byte of a UTF-8 character says how many belong to it; the others begin with the bits 10. */
static void drop_cut_character(char *text)
{
    size_t length = strlen(text);
    size_t start = length;
    while (start > 0 && ((unsigned char)text[start - 1] & 0xC0) == 0x80)
        start--;
    if (start == 0)
        return;
    unsigned char lead = (unsigned char)text[start - 1];
    size_t wanted = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
    if (length - (start - 1) < wanted)
        text[start - 1] = '\0';
}

void complaint_set(struct complaint *complaint, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(complaint->text, sizeof complaint->text, format, arguments);
    va_end(arguments);
    if (length < 0)
        complaint->text[0] = '\0';
    else if ((size_t)length >= sizeof complaint->text)
        drop_cut_character(complaint->text);
}
