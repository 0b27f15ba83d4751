/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A result in full, as lines that fit the screen. */

#include "client/monitor/result_text.h"

#include "client/show.h"

#include <stdio.h>
#include <stdlib.h>

char *result_text(const json_t *result, const json_t *run, const struct glyphs *glyphs)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    const int status = show_result(result, NULL, run, true, glyphs, out);
    show_legend(true, glyphs, out);
    if (fclose(out) == 0 && status == 0)
        return text;
    free(text);
    return NULL;
}
