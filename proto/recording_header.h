/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_RECORDING_HEADER_H
#define FRICID_PROTO_RECORDING_HEADER_H

#include "proto/recording_lines.h"
#include "proto/recording_parts.h"

/* What the first line that is neither empty nor a comment says about the columns. */
struct recording_header {
    size_t channel_count;
    struct recording_column columns[RECORDING_MAX_CHANNELS];
    size_t line; /* of the header; 0: none */
};

/* Whether a line is a header rather than a row of numbers. */
bool recording_is_header(const char *line, size_t length);

/* Reads the header, which is the line taken last. 0, or -EBADMSG and a complaint. */
int recording_read_header(const struct recording_lines *lines, const char *line, size_t length,
                          struct recording_header *header, struct complaint *complaint);

/* The columns of a recording whose first line is a row: time and one channel. */
int recording_assume_header(const struct recording_lines *lines, const char *line, size_t length,
                            struct recording_header *header, struct complaint *complaint);

/* What to say of a line whose values stand apart by something else than commas; NULL: nothing. */
const char *recording_wrong_separator(const char *line, size_t length);

#endif
