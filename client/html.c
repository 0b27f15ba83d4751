/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "client/html.h"

#include "proto/base64.h"

#include <stdlib.h>

void html_text(const char *text, FILE *page)
{
    for (const char *at = text; *at; at++) {
        if (*at == '&')
            fputs("&amp;", page);
        else if (*at == '<')
            fputs("&lt;", page);
        else if (*at == '>')
            fputs("&gt;", page);
        else if (*at == '"')
            fputs("&quot;", page);
        else
            fputc(*at, page);
    }
}

/* As RFC 2397 has it. */
bool html_png(const char *png, size_t length, const char *instead, FILE *page)
{
    char *text = malloc(base64_length(length) + 1);
    if (!text)
        return false;
    base64_encode(png, length, text);
    fputs("<p><img alt=\"", page);
    html_text(instead, page);
    fprintf(page, "\" src=\"data:image/png;base64,%s\"></p>\n", text);
    free(text);
    return true;
}
