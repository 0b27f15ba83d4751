/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One text file into memory, with a sentence for everything that may stand in a file's place. */

#include "settings/read_file.h"

#include "proto/cause.h"
#include "proto/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int refuse_unless_file(int descriptor, struct complaint *complaint)
{
    struct stat status;
    if (fstat(descriptor, &status) != 0) {
        int error = errno;
        complaint_set(complaint, "cannot be read: %s", cause_of(error));
        return -error;
    }
    if (S_ISDIR(status.st_mode)) {
        complaint_set(complaint, "is a folder, not a configuration file");
        return -EISDIR;
    }
    /* /dev/null is a fine empty configuration; a pipe could block for ever. */
    if (!S_ISREG(status.st_mode) && !S_ISCHR(status.st_mode)) {
        complaint_set(complaint, "is not a regular file: save the configuration in a file first");
        return -EINVAL;
    }
    return 0;
}

/* What was read so far; `bytes` has room for capacity bytes and a NUL. */
struct content {
    char *bytes;
    size_t length, capacity;
};

/* Smaller buffers stay in the arena; together they never outweigh the last. */
static int make_room(struct content *content, struct config_arena *arena)
{
    if (content->length < content->capacity)
        return 0;
    size_t capacity = content->capacity ? 2 * content->capacity : 8192;
    char *bytes = config_arena_array(arena, capacity + 1, 1);
    if (!bytes)
        return -ENOMEM;
    if (content->length > 0)
        memcpy(bytes, content->bytes, content->length);
    content->bytes = bytes;
    content->capacity = capacity;
    return 0;
}

/* Reads to the end of the file, or until there is more than max_bytes. */
static int read_all(int descriptor, size_t max_bytes, struct config_arena *arena, struct content *content)
{
    while (content->length <= max_bytes) {
        int error = make_room(content, arena);
        if (error)
            return error;
        ssize_t got = read(descriptor, content->bytes + content->length, content->capacity - content->length);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -errno;
        if (got == 0)
            break;
        content->length += (size_t)got;
    }
    return 0;
}

/* Looks at the text line by line to be able to say where it stops being text. */
static int refuse_unless_text(const char *bytes, size_t length, unsigned *line, struct complaint *complaint)
{
    const char *end = bytes + length;
    *line = 1;
    for (const char *start = bytes; start < end; ++*line) {
        const char *newline = memchr(start, '\n', (size_t)(end - start));
        const char *stop = newline ? newline : end;
        if (memchr(start, '\0', (size_t)(stop - start)) || !is_utf8(start, (size_t)(stop - start))) {
            complaint_set(complaint, "this is not UTF-8 text: is it really a configuration file?");
            return -EILSEQ;
        }
        start = newline ? newline + 1 : end;
    }
    *line = 0;
    return 0;
}

static int read_descriptor(int descriptor, size_t max_bytes, struct config_arena *arena, char **content, unsigned *line,
                           struct complaint *complaint)
{
    int error = refuse_unless_file(descriptor, complaint);
    if (error)
        return error;
    struct content read = {0};
    error = read_all(descriptor, max_bytes, arena, &read);
    if (error) {
        complaint_set(complaint, "cannot be read: %s", cause_of(error));
        return error;
    }
    if (read.length > max_bytes) {
        complaint_set(complaint, "is longer than %zu bytes: is it really a configuration file?", max_bytes);
        return -EFBIG;
    }
    *content = read.bytes;
    return refuse_unless_text(read.bytes, read.length, line, complaint);
}

/* O_NONBLOCK: opening a pipe without a writer would hold the daemon for ever. */
int text_file_read(const char *path, size_t max_bytes, struct config_arena *arena, char **content, unsigned *line,
                   struct complaint *complaint)
{
    *line = 0;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (descriptor < 0) {
        int error = errno;
        complaint_set(complaint, "cannot be read: %s", cause_of(error));
        return -error;
    }
    int error = read_descriptor(descriptor, max_bytes, arena, content, line, complaint);
    close(descriptor);
    return error;
}
