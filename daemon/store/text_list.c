/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Coefficients as text. The programs never leave the C locale's decimal point. */

#include "store/text_list.h"

#include <stdio.h>
#include <stdlib.h>

void text_list_write(char text[TEXT_LIST_SIZE], const double *values, size_t count)
{
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < count && i < TEXT_LIST_MOST; i++)
        length += (size_t)snprintf(text + length, TEXT_LIST_SIZE - length, "%s%.17g", i > 0 ? "," : "", values[i]);
}

size_t text_list_read(const char *text, double *values, size_t most)
{
    size_t count = 0;
    while (*text && count < most) {
        char *end;
        values[count] = strtod(text, &end);
        if (end == text)
            break;
        count++;
        text = *end == ',' ? end + 1 : end;
    }
    return count;
}
