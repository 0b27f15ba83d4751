/* SPDX-License-Identifier: GPL-3.0-or-later */

/* gzip's files by zlib, of which several may stand one behind the other. */

#include "config.h"

#include "proto/dialect/gunzip.h"

#include "proto/cause.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool gunzip_knows(const char *bytes, size_t count)
{
    return count >= 3 && memcmp(bytes, "\x1F\x8B\x08", 3) == 0;
}

#if HAVE_ZLIB

#include <zlib.h>

enum {
    PIECE_BYTES = 65536,
    GZIP_WINDOW = 15 + 16, /* zlib's way to ask for the largest window, and for gzip's header */
};

struct unpacker {
    struct byte_source source; /* first: a source is this */
    struct byte_source *from;
    z_stream stream;
    bool within; /* a packed file, which must end */
    unsigned char piece[PIECE_BYTES];
};

static int complain(const struct unpacker *unpacker, struct complaint *complaint)
{
    complaint_set(complaint, "cannot be unpacked: %s",
                  unpacker->stream.msg ? unpacker->stream.msg : "its end is missing, or it is damaged");
    return -EBADMSG;
}

/* More packed bytes. 1, 0 at their end, or a negative errno and a complaint. */
static int refill(struct unpacker *unpacker, struct complaint *complaint)
{
    if (unpacker->stream.avail_in > 0)
        return 1;
    const long count = byte_source_read(unpacker->from, (char *)unpacker->piece, PIECE_BYTES, complaint);
    if (count < 0)
        return (int)count;
    unpacker->stream.next_in = unpacker->piece;
    unpacker->stream.avail_in = (unsigned)count;
    return count > 0;
}

static long read_unpacked(struct byte_source *source, char *bytes, size_t room, struct complaint *complaint)
{
    struct unpacker *unpacker = (struct unpacker *)source;
    z_stream *stream = &unpacker->stream;
    const unsigned wanted = room < PIECE_BYTES ? (unsigned)room : PIECE_BYTES;
    stream->next_out = (unsigned char *)bytes;
    stream->avail_out = wanted;
    while (stream->avail_out == wanted) {
        const int more = refill(unpacker, complaint);
        if (more < 0)
            return more;
        if (more == 0)
            return unpacker->within ? complain(unpacker, complaint) : 0;
        const int result = inflate(stream, Z_NO_FLUSH);
        if (result != Z_OK && result != Z_STREAM_END)
            return complain(unpacker, complaint);
        unpacker->within = result == Z_OK;
        if (result == Z_STREAM_END && inflateReset(stream) != Z_OK)
            return complain(unpacker, complaint);
    }
    return (long)(wanted - stream->avail_out);
}

static int rewind_unpacked(struct byte_source *source, struct complaint *complaint)
{
    struct unpacker *unpacker = (struct unpacker *)source;
    unpacker->stream.avail_in = 0;
    unpacker->within = false;
    if (inflateReset(&unpacker->stream) != Z_OK)
        return complain(unpacker, complaint);
    return byte_source_rewind(unpacker->from, complaint);
}

static void close_unpacked(struct byte_source *source)
{
    struct unpacker *unpacker = (struct unpacker *)source;
    inflateEnd(&unpacker->stream);
    byte_source_close(unpacker->from);
    free(unpacker);
}

struct byte_source *gunzip_open(struct byte_source *source, int *error, struct complaint *complaint)
{
    static const struct byte_source_methods methods = {read_unpacked, rewind_unpacked, close_unpacked};
    struct unpacker *unpacker = calloc(1, sizeof *unpacker);
    if (!unpacker || inflateInit2(&unpacker->stream, GZIP_WINDOW) != Z_OK) {
        *error = -ENOMEM;
        complaint_set(complaint, "cannot be unpacked: %s", cause_of(*error));
        free(unpacker);
        byte_source_close(source);
        return NULL;
    }
    unpacker->source.methods = &methods;
    unpacker->from = source;
    return &unpacker->source;
}

#else

struct byte_source *gunzip_open(struct byte_source *source, int *error, struct complaint *complaint)
{
    complaint_set(complaint, "is packed by gzip, and fricid was built without zlib: unpack it with gunzip first");
    *error = -ENOTSUP;
    byte_source_close(source);
    return NULL;
}

#endif
