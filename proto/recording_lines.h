/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_RECORDING_LINES_H
#define FRICID_PROTO_RECORDING_LINES_H

#include "proto/complaint.h"
#include "proto/dialect/dialect.h"
#include "proto/dialect/number_file.h"

#include <stdbool.h>
#include <stddef.h>

/* The lines of a file, in memory that does not grow with the file or its lines. */

struct recording_lines {
    struct byte_source *source;  /* of the text; NULL: not open */
    struct number_file *numbers; /* not NULL: it is no text, and has no lines */
    struct dialect dialect;
    char name[256]; /* the path as complaints show it: clean UTF-8, a long one without its beginning */
    char *buffer;
    size_t begin, end; /* what the buffer holds and nobody has taken yet */
    size_t offset;     /* of buffer[end] in the text */
    size_t number;     /* of the line taken last, from 1; 0: none */
    size_t length;     /* of that line with its newline */
    bool at_end;
};

/* Opens a file, which is read as recordings are written, whatever its dialect. 0, or a negative errno and a complaint.
 * Close it in any case. */
int recording_lines_open(struct recording_lines *lines, const char *path, const struct recording_manner *manner,
                         struct complaint *complaint);

/* The next line, without "\n" or "\r\n" but with a newline behind it in memory; it lives until the next call. 1, 0 at
 * the end, or a negative errno and a complaint: -EBADMSG for a line beyond RECORDING_MAX_LINE. */
int recording_lines_next(struct recording_lines *lines, const char **line, size_t *length, struct complaint *complaint);

/* Gives the line taken last back: it is the next one again. */
void recording_lines_unread(struct recording_lines *lines);

/* Where the next line begins, and back to such a place. 0, or a negative errno and a complaint. */
size_t recording_lines_place(const struct recording_lines *lines);
int recording_lines_return(struct recording_lines *lines, size_t place, size_t number, struct complaint *complaint);

/* Sets "FILE:LINE: sentence", line 0 leaving the line away, and returns `error`. */
int recording_lines_complain(const struct recording_lines *lines, size_t line, int error, struct complaint *complaint,
                             const char *format, ...) __attribute__((format(printf, 5, 6)));

void recording_lines_close(struct recording_lines *lines);

/* Whether bytes are UTF-8 without control characters other than tabs. */
bool recording_is_clean_text(const char *text, size_t length);

#endif
