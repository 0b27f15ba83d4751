/* SPDX-License-Identifier: GPL-3.0-or-later */

/* From a stream of bytes to lines, for both sides. It never holds more than one line and knows nothing of what is in
 * it. */

#include "proto/framing.h"

#include <stdlib.h>
#include <string.h>

enum { SMALLEST_CAPACITY = 1024 };

/* Doubling keeps the copying of a line that comes byte by byte in proportion to its length. */
static bool make_room(struct framing *framing, size_t wanted)
{
    if (wanted <= framing->capacity)
        return true;
    size_t capacity = framing->capacity ? framing->capacity : SMALLEST_CAPACITY;
    while (capacity < wanted)
        capacity *= 2;
    char *bytes = realloc(framing->bytes, capacity);
    if (!bytes)
        return false;
    framing->bytes = bytes;
    framing->capacity = capacity;
    return true;
}

/* Empties the buffer, and gives a large one back: a thousand idle clients must not hold a mebibyte each. */
static void empty(struct framing *framing)
{
    framing->length = 0;
    framing->handed_out = false;
    if (framing->capacity > 16 * SMALLEST_CAPACITY) {
        free(framing->bytes);
        framing->bytes = NULL;
        framing->capacity = 0;
    }
}

/* The limit is looked at before memory is asked for. */
static enum framing_result append(struct framing *framing, const char *bytes, size_t count)
{
    if (count > FRAMING_MAX_LINE - framing->length) {
        empty(framing);
        return FRAMING_TOO_LONG;
    }
    if (!make_room(framing, framing->length + count)) {
        empty(framing);
        return FRAMING_NO_MEMORY;
    }
    if (count > 0)
        memcpy(framing->bytes + framing->length, bytes, count);
    framing->length += count;
    return FRAMING_MORE;
}

/* Throws bytes away until the line that is too long has ended. */
static void discard(struct framing *framing, const char **bytes, size_t *count)
{
    const char *newline = memchr(*bytes, '\n', *count);
    size_t thrown = newline ? (size_t)(newline - *bytes) + 1 : *count;
    framing->discarding = !newline;
    *bytes += thrown;
    *count -= thrown;
}

/* A line that was handed out is emptied only now, because the caller has been reading it. */
enum framing_result framing_take(struct framing *framing, const char **bytes, size_t *count, const char **line,
                                 size_t *length)
{
    if (framing->handed_out)
        empty(framing);
    if (framing->discarding && *count > 0)
        discard(framing, bytes, count);
    if (*count == 0)
        return FRAMING_MORE;
    const char *newline = memchr(*bytes, '\n', *count);
    size_t taken = newline ? (size_t)(newline - *bytes) : *count;
    enum framing_result result = append(framing, *bytes, taken);
    *bytes += taken + (newline ? 1 : 0);
    *count -= taken + (newline ? 1 : 0);
    if (result != FRAMING_MORE) {
        framing->discarding = !newline;
        return result;
    }
    if (!newline)
        return FRAMING_MORE;
    framing->handed_out = true;
    *line = framing->length > 0 ? framing->bytes : "";
    *length = framing->length;
    return FRAMING_LINE;
}

/* A last line without its newline is what "printf | nc" sends. */
enum framing_result framing_finish(struct framing *framing, const char **line, size_t *length)
{
    if (framing->handed_out)
        empty(framing);
    if (framing->length == 0)
        return FRAMING_MORE;
    framing->handed_out = true;
    *line = framing->bytes;
    *length = framing->length;
    return FRAMING_LINE;
}

void framing_release(struct framing *framing)
{
    if (framing->handed_out)
        empty(framing);
}

void framing_give_up(struct framing *framing)
{
    empty(framing);
    framing->discarding = true;
}

void framing_clear(struct framing *framing)
{
    free(framing->bytes);
    memset(framing, 0, sizeof *framing);
}
