/* SPDX-License-Identifier: GPL-3.0-or-later */

/* JSON into memory. That memory was short once is remembered: a text with a hole in it is none. */

#include "proto/json_text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { SMALLEST_CAPACITY = 256 };

struct text {
    char *bytes;
    size_t length, capacity;
    bool failed;
};

/* Room for so many bytes more, and for two behind them. */
static bool make_room(struct text *text, size_t more)
{
    size_t wanted = text->length + more + 2, capacity = text->capacity ? text->capacity : SMALLEST_CAPACITY;
    if (wanted <= text->capacity)
        return true;
    while (capacity < wanted)
        capacity *= 2;
    char *bytes = realloc(text->bytes, capacity);
    if (!bytes)
        return false;
    text->bytes = bytes;
    text->capacity = capacity;
    return true;
}

static int append(const char *bytes, size_t count, void *context)
{
    struct text *text = context;
    text->failed = text->failed || !make_room(text, count);
    if (text->failed)
        return -1;
    memcpy(text->bytes + text->length, bytes, count);
    text->length += count;
    return 0;
}

char *json_text(const json_t *value, size_t *length)
{
    struct text text = {0};
    if (length)
        *length = 0;
    if (!value || json_dump_callback(value, append, &text, JSON_COMPACT | JSON_ENCODE_ANY) != 0 || text.failed) {
        free(text.bytes);
        return NULL;
    }
    text.bytes[text.length] = '\0';
    if (length)
        *length = text.length;
    return text.bytes;
}
