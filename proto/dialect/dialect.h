/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_DIALECT_H
#define FRICID_PROTO_DIALECT_H

#include "proto/complaint.h"
#include "proto/dialect/byte_source.h"
#include "proto/recording_parts.h"

#include <stdbool.h>
#include <stdint.h>

/* Files of any program as the text of a recording: commas, points, UTF-8, a header with names and units. */

/* How a file was read. */
struct dialect {
    double rate_hz;     /* what the file says of its rate beside the rows, whose first column then counts nothing; 0:
                           nothing */
    bool points_sure;   /* no point in the rows can group thousands */
    bool seconds;       /* the first column is a time in seconds, whatever its name */
    int64_t zero_at_ns; /* time of day when the time of the rows is 0, ns since 1970; INT64_MIN: not known */
    char first_time[FIRST_TIME_BYTES]; /* the number in the first cell of the first row, as recordings have it; empty:
                                          there is none, or it is not known */
    char said[168]; /* for people: "UTF-16LE, semicolon, decimal comma"; empty: it is written as recordings are */
};

/* The text of a file, whose descriptor it takes over in any case: as it is, or translated line by line. NULL with an
 * errno and a complaint that does not name the file: -EBADMSG when it can be read in no way, or in several. */
struct byte_source *dialect_open(int descriptor, const struct recording_manner *manner, struct dialect *dialect,
                                 int *error, struct complaint *complaint);

/* Only unpacked, and in UTF-8 with newlines: its lines stay as they are. */
struct byte_source *dialect_open_text(int descriptor, struct dialect *dialect, int *error, struct complaint *complaint);

#endif
