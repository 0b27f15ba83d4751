/* SPDX-License-Identifier: GPL-3.0-or-later */

/* All mistakes of a file at once, in the order of its lines: a user should not have to run the check once a mistake. */

#include <config.h>

#include "settings/config_complaints.h"

#include "proto/plain_text.h"

#include <stdlib.h>
#include <string.h>

struct config_complaint {
    unsigned line; /* of the expanded text */
    const char *sentence;
};

/* Outgrown lists stay in the arena; as each is twice the one before, they never outweigh the last. */
static bool make_room(struct config_complaints *complaints)
{
    if (complaints->count < complaints->capacity)
        return true;
    size_t capacity = complaints->capacity ? 2 * complaints->capacity : 16;
    struct config_complaint *list = config_arena_array(complaints->arena, capacity, sizeof *list);
    if (!list)
        return false;
    if (complaints->count > 0)
        memcpy(list, complaints->list, complaints->count * sizeof *list);
    complaints->list = list;
    complaints->capacity = capacity;
    return true;
}

void config_complaints_add(struct config_complaints *complaints, unsigned line, const char *format, va_list arguments)
{
    char *sentence = NULL;
    int length = vasprintf(&sentence, format, arguments);
    if (length < 0) {
        complaints->arena->exhausted = true;
        return;
    }
    const char *kept = config_arena_text(complaints->arena, sentence, (size_t)length);
    free(sentence);
    if (kept && make_room(complaints))
        complaints->list[complaints->count++] = (struct config_complaint){line, kept};
}

/* Reading goes from outer groups to inner ones; people go through their file from the top. */
static int by_line(const void *left, const void *right)
{
    const struct config_complaint *a = left, *b = right;
    return (a->line > b->line) - (a->line < b->line);
}

void config_complaints_write(struct config_complaints *complaints, const struct config_text *text, FILE *stream)
{
    if (complaints->count > 1)
        qsort(complaints->list, complaints->count, sizeof *complaints->list, by_line);
    for (size_t i = 0; i < complaints->count; ++i) {
        struct config_place place = config_text_place(text, complaints->list[i].line);
        plain_print(stream, "%s:%u: %s", place.file, place.line, complaints->list[i].sentence);
    }
}
