/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Lines of a file in one buffer of fixed size, each with a newline behind it, so that reading a number needs no
 * other end. */

#include "config.h"

#include "proto/recording_lines.h"

#include "proto/cause.h"
#include "proto/dialect/number_opening.h"
#include "proto/plain_text.h"
#include "proto/recording_parts.h"
#include "proto/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Room for a longest line and a good piece of the next; one byte more for a newline that the file's end lacks. */
enum { BUFFER_BYTES = 4 * RECORDING_MAX_LINE };

bool recording_is_clean_text(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (((unsigned char)text[i] < 0x20 && text[i] != '\t') || text[i] == 0x7F)
            return false;
    return is_utf8(text, length);
}

/* A complaint must stay readable, and valid as JSON, whatever the file is called. */
static void set_name(struct recording_lines *lines, const char *path)
{
    size_t length = strlen(path);
    size_t room = sizeof lines->name - 1;
    if (length > room) {
        snprintf(lines->name, sizeof lines->name, "...%s", path + length - (room - 3));
    } else {
        memcpy(lines->name, path, length + 1);
    }
    plain_line(lines->name);
}

int recording_lines_complain(const struct recording_lines *lines, size_t line, int error, struct complaint *complaint,
                             const char *format, ...)
{
    char sentence[sizeof complaint->text];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    if (line > 0)
        complaint_set(complaint, "%s:%zu: %s", lines->name, line, sentence);
    else
        complaint_set(complaint, "%s: %s", lines->name, sentence);
    return error;
}

static int cannot_read(const struct recording_lines *lines, int error, struct complaint *complaint)
{
    return recording_lines_complain(lines, 0, -error, complaint, "cannot be read: %s", cause_of(error));
}

/* Only a file can be checked whole before it is used. */
static int check_kind(const struct recording_lines *lines, int descriptor, struct complaint *complaint)
{
    struct stat status;
    if (fstat(descriptor, &status) != 0)
        return cannot_read(lines, errno, complaint);
    if (S_ISDIR(status.st_mode))
        return recording_lines_complain(lines, 0, -EISDIR, complaint, "is a folder; name a recording (CSV) in it");
    if (!S_ISREG(status.st_mode))
        return recording_lines_complain(lines, 0, -EINVAL, complaint,
                                        "is a pipe or a device; save the recording as a file first");
    return 0;
}

/* Fills the buffer behind what is still in it. Called when no whole line is left: what is there is the beginning of
 * the next. */
static int fill(struct recording_lines *lines, struct complaint *complaint)
{
    memmove(lines->buffer, lines->buffer + lines->begin, lines->end - lines->begin);
    lines->end -= lines->begin;
    lines->begin = 0;
    while (!lines->at_end && lines->end < BUFFER_BYTES) {
        struct complaint cause;
        const long count =
            byte_source_read(lines->source, lines->buffer + lines->end, BUFFER_BYTES - lines->end, &cause);
        if (count < 0)
            return recording_lines_complain(lines, 0, (int)count, complaint, "%s", cause.text);
        lines->at_end = count == 0;
        lines->end += (size_t)count;
        lines->offset += (size_t)count;
    }
    return 0;
}

/* The buffer is filled at once, because a byte order mark can only stand at the very beginning. */
int recording_lines_open(struct recording_lines *lines, const char *path, const struct recording_manner *manner,
                         struct complaint *complaint)
{
    *lines = (struct recording_lines){.dialect.zero_at_ns = INT64_MIN};
    set_name(lines, path);
    /* Without O_NONBLOCK a pipe that nobody writes to would hold us here. */
    const int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (descriptor < 0)
        return recording_lines_complain(lines, 0, -errno, complaint, "cannot be opened: %s", cause_of(errno));
    int error = check_kind(lines, descriptor, complaint);
    if (error) {
        close(descriptor);
        return error;
    }
    struct complaint cause;
    lines->numbers = number_file_open(descriptor, &error, &cause);
    if (lines->numbers)
        return 0;
    if (error)
        return recording_lines_complain(lines, 0, error, complaint, "%s", cause.text);
    lines->source = dialect_open(descriptor, manner, &lines->dialect, &error, &cause);
    if (!lines->source)
        return recording_lines_complain(lines, 0, error, complaint, "%s", cause.text);
    lines->buffer = malloc(BUFFER_BYTES + 1);
    if (!lines->buffer)
        return cannot_read(lines, ENOMEM, complaint);
    error = fill(lines, complaint);
    if (!error)
        lines->begin = utf8_mark(lines->buffer, lines->end);
    return error;
}

/* Told of the line that was not taken yet. */
static int too_long(const struct recording_lines *lines, struct complaint *complaint)
{
    return recording_lines_complain(lines, lines->number + 1, -EBADMSG, complaint,
                                    "the line is longer than %d bytes; is this a CSV recording?", RECORDING_MAX_LINE);
}

/* Brings the end of the next line into the buffer; NULL with *error 0 at the end of the file. */
static char *find_newline(struct recording_lines *lines, int *error, struct complaint *complaint)
{
    char *newline = memchr(lines->buffer + lines->begin, '\n', lines->end - lines->begin);
    *error = 0;
    if (newline)
        return newline;
    *error = fill(lines, complaint);
    if (*error || lines->end == 0)
        return NULL;
    newline = memchr(lines->buffer, '\n', lines->end);
    /* The last line may lack its newline: the buffer has a byte to spare for one. */
    if (!newline && lines->at_end) {
        newline = lines->buffer + lines->end;
        *newline = '\n';
    } else if (!newline) {
        *error = too_long(lines, complaint);
    }
    return newline;
}

int recording_lines_next(struct recording_lines *lines, const char **line, size_t *length, struct complaint *complaint)
{
    int error;
    const char *newline = find_newline(lines, &error, complaint);
    if (!newline)
        return error;
    *line = lines->buffer + lines->begin;
    *length = (size_t)(newline - *line);
    if (*length > RECORDING_MAX_LINE)
        return too_long(lines, complaint);
    size_t newline_bytes = newline < lines->buffer + lines->end;
    /* A newline that was only added in memory is not part of the file. */
    lines->length = *length + newline_bytes;
    lines->begin += lines->length;
    lines->number++;
    if (*length > 0 && (*line)[*length - 1] == '\r')
        --*length;
    return 1;
}

/* Once only, and before the buffer is filled again. */
void recording_lines_unread(struct recording_lines *lines)
{
    lines->begin -= lines->length;
    lines->number--;
}

/* What was read, less what nobody has taken. */
size_t recording_lines_place(const struct recording_lines *lines)
{
    return lines->offset - (lines->end - lines->begin);
}

int recording_lines_return(struct recording_lines *lines, size_t place, size_t number, struct complaint *complaint)
{
    struct complaint cause;
    const int error = byte_source_return(lines->source, place, &cause);
    if (error)
        return recording_lines_complain(lines, 0, error, complaint, "%s", cause.text);
    lines->offset = place;
    lines->begin = lines->end = 0;
    lines->number = number - 1;
    lines->at_end = false;
    return 0;
}

void recording_lines_close(struct recording_lines *lines)
{
    free(lines->buffer);
    byte_source_close(lines->source);
    number_file_close(lines->numbers);
}
