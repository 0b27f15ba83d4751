/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_LAYOUT_H
#define FRICID_PROTO_LAYOUT_H

#include "proto/dialect/cells.h"
#include "proto/recording_parts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How the rows of a text file become those of a recording. */
struct layout {
    bool plain; /* they are such rows: nothing is translated */
    struct cell_form form;
    size_t cells;                            /* of a row */
    size_t used;                             /* of those, without the last ones that hold nothing */
    size_t kept[RECORDING_MAX_CHANNELS + 2]; /* which of them, from 0, in order */
    size_t kept_count;
    size_t first_line;  /* of the first row, from 1 */
    size_t header_line; /* where the header goes, before it; 0: there is none */
    char *header;       /* in the spelling of recordings; owned */
    bool day_times;     /* the first cell that is kept is a date, a time of the day, or both */
    bool date_apart;    /* a date stands in it, and the time in the next one */
    bool blank;         /* the first cell of a row is empty: what is not begins something else */
    bool groups;        /* thousands are grouped */
    bool decimal_told;  /* somebody said which the decimal mark is */
    bool seconds;       /* the first cell that is kept becomes a time in seconds, whatever its name */
    double rate_hz;     /* what the file says of its rate beside the rows; 0: nothing */
    int64_t zero_at_ns; /* time of day when the time of the rows is 0, ns since 1970; INT64_MIN: not known */
    char first_time[FIRST_TIME_BYTES]; /* the number in the first cell of the first row that is kept; empty: none */
    bool local;                        /* its zone is this computer's, for want of another */
    char said[136];                    /* for people: "semicolon, decimal comma" */
};

#endif
