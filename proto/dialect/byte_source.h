/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_BYTE_SOURCE_H
#define FRICID_PROTO_BYTE_SOURCE_H

#include "proto/complaint.h"

#include <stddef.h>

/* Bytes one after the other, of a file or of what turns the bytes of another source into others. A source that reads
 * from another one owns it. */
struct byte_source {
    const struct byte_source_methods *methods;
};

/* How each kind of them does it. */
struct byte_source_methods {
    /* How many bytes came, at most `room`, 0 at the end; or a negative errno and a complaint that names no file. */
    long (*read)(struct byte_source *source, char *bytes, size_t room, struct complaint *complaint);
    /* Back to the first byte. 0, or a negative errno and a complaint. */
    int (*rewind)(struct byte_source *source, struct complaint *complaint);
    void (*close)(struct byte_source *source);
};

static inline long byte_source_read(struct byte_source *source, char *bytes, size_t room, struct complaint *complaint)
{
    return source->methods->read(source, bytes, room, complaint);
}

static inline int byte_source_rewind(struct byte_source *source, struct complaint *complaint)
{
    return source->methods->rewind(source, complaint);
}

/* The bytes of a file, whose descriptor it takes over in any case. NULL when memory is short. */
struct byte_source *byte_source_of_file(int descriptor);

/* Reads until `room` is full or the bytes end. How many, or a negative errno and a complaint. */
long byte_source_fill(struct byte_source *source, char *bytes, size_t room, struct complaint *complaint);

/* Goes back to the first byte and from there on to `place`. 0, or a negative errno and a complaint. */
int byte_source_return(struct byte_source *source, size_t place, struct complaint *complaint);

/* Fills a buffer with the first bytes and goes back. As byte_source_fill(). */
long byte_source_peek(struct byte_source *source, char *bytes, size_t room, struct complaint *complaint);

void byte_source_close(struct byte_source *source); /* NULL is fine */

#endif
