/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A source behind the C library's streams. */

#include "config.h"

#include "proto/dialect/text_stream.h"

#include <errno.h>
#include <stdlib.h>

struct text_stream {
    struct byte_source *source;
    struct complaint *cause;
};

static ssize_t read_stream(void *cookie, char *bytes, size_t room)
{
    const struct text_stream *stream = cookie;
    const long got = byte_source_read(stream->source, bytes, room, stream->cause);
    if (got >= 0)
        return got;
    errno = (int)-got;
    return -1;
}

static int close_stream(void *cookie)
{
    struct text_stream *stream = cookie;
    byte_source_close(stream->source);
    free(stream);
    return 0;
}

FILE *text_stream_open(struct byte_source *source, struct complaint *cause)
{
    struct text_stream *stream = malloc(sizeof *stream);
    if (!stream) {
        byte_source_close(source);
        return NULL;
    }
    *stream = (struct text_stream){source, cause};
    FILE *file = fopencookie(stream, "r", (cookie_io_functions_t){.read = read_stream, .close = close_stream});
    if (!file)
        close_stream(stream);
    return file;
}
