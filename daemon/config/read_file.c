/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config/read_file.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int refuse_unless_file(int descriptor, struct complaint *complaint)
{
    struct stat status;
    if (fstat(descriptor, &status) != 0) {
        int error = errno;
        complaint_set(complaint, "cannot be read: %s", strerror(error));
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

/* Reads to the end of the file; returns the length, which is max_bytes + 1 when the file is too long. */
static ssize_t read_all(int descriptor, char *buffer, size_t max_bytes)
{
    size_t length = 0;
    while (length <= max_bytes) {
        ssize_t got = read(descriptor, buffer + length, max_bytes + 1 - length);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -errno;
        if (got == 0)
            break;
        length += (size_t)got;
    }
    return (ssize_t)length;
}

/* jansson knows what UTF-8 is; a line that it does not take could not be shown by the method `config` either. */
static bool is_utf8(const char *bytes, size_t length)
{
    json_t *string = json_stringn(bytes, length);
    bool valid = string != NULL;
    json_decref(string);
    return valid;
}

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
    char *buffer = config_arena_array(arena, max_bytes + 2, 1);
    if (!buffer) {
        complaint_set(complaint, "cannot be read: memory is short");
        return -ENOMEM;
    }
    ssize_t length = read_all(descriptor, buffer, max_bytes);
    if (length < 0) {
        complaint_set(complaint, "cannot be read: %s", strerror((int)-length));
        return (int)length;
    }
    if ((size_t)length > max_bytes) {
        complaint_set(complaint, "is longer than %zu bytes: is it really a configuration file?", max_bytes);
        return -EFBIG;
    }
    *content = buffer;
    return refuse_unless_text(buffer, (size_t)length, line, complaint);
}

int config_read_file(const char *path, size_t max_bytes, struct config_arena *arena, char **content, unsigned *line,
                     struct complaint *complaint)
{
    *line = 0;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (descriptor < 0) {
        int error = errno;
        complaint_set(complaint, "cannot be read: %s", strerror(error));
        return -error;
    }
    int error = read_descriptor(descriptor, max_bytes, arena, content, line, complaint);
    close(descriptor);
    return error;
}
