/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The sentence that goes with an error code. Paths, names and what other programs say stand in it: it is made plain
 * here, once, whoever shows it. */

#include "proto/complaint.h"

#include "proto/plain_text.h"
#include "proto/utf8.h"

#include <stdarg.h>
#include <stdio.h>

void complaint_set(struct complaint *complaint, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(complaint->text, sizeof complaint->text, format, arguments);
    va_end(arguments);
    if (length < 0)
        complaint->text[0] = '\0';
    else if ((size_t)length >= sizeof complaint->text)
        utf8_trim(complaint->text);
    plain_line(complaint->text);
}
