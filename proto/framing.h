/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_FRAMING_H
#define FRICID_PROTO_FRAMING_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes in, lines out. No I/O: whoever reads the socket hands over what came, in pieces of any size, and gets one
 * complete line after the other. A zeroed struct is an empty framing; framing_clear() frees it. */

/* The longest line in bytes, without its newline. */
enum { FRAMING_MAX_LINE = 1 << 20 };

struct framing {
    char *bytes; /* the beginning of a line whose end has not come yet */
    size_t length, capacity;
    bool handed_out; /* `bytes` was given to the caller as a line: it is emptied at the next call */
    bool discarding; /* the rest of a line that is too long is thrown away */
};

enum framing_result {
    FRAMING_MORE,      /* all bytes are taken, the next line is not complete yet */
    FRAMING_LINE,      /* a line is complete */
    FRAMING_TOO_LONG,  /* a line passed FRAMING_MAX_LINE; told once, the line is thrown away up to its end */
    FRAMING_NO_MEMORY, /* the same because memory is short */
};

/* Takes bytes up to the end of the next line; moves *bytes and *count past what it took. Call it until it answers
 * FRAMING_MORE. A line lives until the next call, excludes its newline and is not terminated by a zero. */
enum framing_result framing_take(struct framing *framing, const char **bytes, size_t *count, const char **line,
                                 size_t *length);

/* No byte will follow: what stands without a newline is a line as well. FRAMING_LINE or FRAMING_MORE. */
enum framing_result framing_finish(struct framing *framing, const char **line, size_t *length);

/* The line that was handed out is done with: its memory is not needed until the next one comes. */
void framing_release(struct framing *framing);

/* Throws away the line that has begun, up to its end. */
void framing_give_up(struct framing *framing);

void framing_clear(struct framing *framing);

#endif
