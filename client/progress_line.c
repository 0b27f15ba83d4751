/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The line at the bottom of `watch`: which decays run now. It is written over in place, so it must never be wider
 * than the terminal. */

#include "client/progress_line.h"

#include "client/reply.h"
#include "client/text_width.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rig and channel together name what runs. */
static struct phrase place_of(const json_t *object)
{
    return phrase_format("%s %s", reply_text(object, "rig", ""), reply_text(object, "channel", ""));
}

static struct running *find(struct progress_line *line, const char *place)
{
    for (size_t i = 0; i < PROGRESS_CHANNELS; i++)
        if (strcmp(line->running[i].place.text, place) == 0)
            return &line->running[i];
    return NULL;
}

void progress_line_update(struct progress_line *line, const json_t *params, const struct phrase *words)
{
    struct phrase place = place_of(params);
    struct running *running = find(line, place.text);
    if (!running)
        running = find(line, "");
    if (!running)
        running = &line->running[0];
    *running = (struct running){.place = place, .words = *words};
}

void progress_line_end(struct progress_line *line, const json_t *object)
{
    struct running *running = find(line, place_of(object).text);
    if (running)
        *running = (struct running){0};
}

void progress_line_show(const struct progress_line *line, size_t columns)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return;
    for (size_t i = 0; i < PROGRESS_CHANNELS; i++)
        if (*line->running[i].place.text)
            fprintf(out, "%s%s", ftell(out) > 0 ? "  |  " : "", line->running[i].words.text);
    if (ftell(out) == 0)
        fputs("waiting for a decay (Ctrl-C ends)", out);
    /* The last column stays free: some terminals go to the next line when it is written. */
    if (fclose(out) == 0)
        printf("\r\033[K%.*s", (int)text_fit(text, columns - 1), text);
    free(text);
    fflush(stdout);
}

void progress_line_wipe(void)
{
    /* Back to the first column, then erase to the end of the line (ECMA-48). */
    fputs("\r\033[K", stdout);
}
