/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The bytes of a file, and what all sources of bytes have in common. */

#include "proto/dialect/byte_source.h"

#include "proto/cause.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

struct file_source {
    struct byte_source source; /* first: a source is this */
    int descriptor;
};

static int cannot_read(int error, struct complaint *complaint)
{
    complaint_set(complaint, "cannot be read: %s", cause_of(error));
    return -error;
}

static long read_file(struct byte_source *source, char *bytes, size_t room, struct complaint *complaint)
{
    ssize_t count;
    do
        count = read(((struct file_source *)source)->descriptor, bytes, room);
    while (count < 0 && errno == EINTR);
    return count < 0 ? cannot_read(errno, complaint) : (long)count;
}

static int rewind_file(struct byte_source *source, struct complaint *complaint)
{
    const off_t place = lseek(((struct file_source *)source)->descriptor, 0, SEEK_SET);
    return place < 0 ? cannot_read(errno, complaint) : 0;
}

static void close_file(struct byte_source *source)
{
    close(((struct file_source *)source)->descriptor);
    free(source);
}

struct byte_source *byte_source_of_file(int descriptor)
{
    static const struct byte_source_methods methods = {read_file, rewind_file, close_file};
    struct file_source *file = malloc(sizeof *file);
    if (!file) {
        close(descriptor);
        return NULL;
    }
    *file = (struct file_source){{&methods}, descriptor};
    return &file->source;
}

long byte_source_fill(struct byte_source *source, char *bytes, size_t room, struct complaint *complaint)
{
    size_t filled = 0;
    while (filled < room) {
        const long count = byte_source_read(source, bytes + filled, room - filled, complaint);
        if (count < 0)
            return count;
        if (count == 0)
            break;
        filled += (size_t)count;
    }
    return (long)filled;
}

int byte_source_return(struct byte_source *source, size_t place, struct complaint *complaint)
{
    char skipped[4096];
    const int error = byte_source_rewind(source, complaint);
    if (error)
        return error;
    for (long count; place > 0; place -= (size_t)count) {
        count = byte_source_fill(source, skipped, place < sizeof skipped ? place : sizeof skipped, complaint);
        if (count < 0)
            return (int)count;
        if (count == 0) /* the file became shorter: what is missing is told when it is read */
            break;
    }
    return 0;
}

long byte_source_peek(struct byte_source *source, char *bytes, size_t room, struct complaint *complaint)
{
    const long count = byte_source_fill(source, bytes, room, complaint);
    const int error = count < 0 ? (int)count : byte_source_rewind(source, complaint);
    return error ? error : count;
}

void byte_source_close(struct byte_source *source)
{
    if (source)
        source->methods->close(source);
}
