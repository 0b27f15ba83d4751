/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_COLUMN_LABEL_H
#define FRICID_PROTO_COLUMN_LABEL_H

#include "proto/text_piece.h"

#include <stdbool.h>

/* What the header of a file calls a column: its name and its unit, in every spelling that is usual. */

struct column_label {
    struct text_piece name, unit; /* a unit of length 0: none is written */
    bool bracketed;               /* the unit stands in brackets, so that it is one */
};

/* Takes a field apart that fricidctl wrote: "lvdt_mm" alone, and everything else is the name. */
struct column_label column_label_read_ours(struct text_piece field);

/* Takes the field of any program apart: "lvdt_mm", "lvdt (mm)", "lvdt [mm]", "lvdt / mm", "lvdt/mm", "lvdt in mm", and
 * of a time also "Time ms", "timeMs" and "time.ms". What is left of a name is never empty. */
struct column_label column_label_read(struct text_piece field);

/* What a label says of a column that may be the time. */
enum label_of_time {
    LABEL_OF_SOMETHING_ELSE,
    LABEL_OF_SECONDS_ALONE, /* "s", which may be a path: where it stands first it is a time */
    LABEL_OF_TIME_WITHOUT_UNIT,
    LABEL_OF_TIME_IN_STRANGE_UNIT, /* "Time (d)" */
    LABEL_OF_TIME_IN_TWO_UNITS,    /* "time_ms (s)" */
    LABEL_OF_TIME,
};

struct column_time {
    enum label_of_time kind;
    double unit_s; /* seconds that a unit of the column has, of a LABEL_OF_TIME and of LABEL_OF_SECONDS_ALONE */
    bool assumed;  /* nothing tells that these are seconds, but that a time mostly is in seconds */
};

struct column_time column_label_time(const struct column_label *label);

/* Whether the label names a time, in whatever unit. */
bool column_label_is_time(const struct column_label *label);

/* Whether a column only counts the rows: "index", "Sample no.". */
bool column_label_counts_rows(const struct column_label *label);

#endif
