/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_COLUMN_LABEL_H
#define FRICID_PROTO_COLUMN_LABEL_H

#include <stdbool.h>
#include <stddef.h>

/* What the header of a file calls a column: its name and its unit, in every spelling that is usual. */

/* A piece of a line, without blanks around it. It points into the line. */
struct text_piece {
    const char *text;
    size_t length;
};

struct text_piece text_piece_trim(struct text_piece piece);

struct column_label {
    struct text_piece name, unit; /* a unit of length 0: none is written */
};

/* Takes a field apart that fricidctl wrote: "lvdt_mm" alone, and everything else is the name. */
struct column_label column_label_read_ours(struct text_piece field);

/* Takes the field of any program apart: "lvdt_mm", "lvdt (mm)", "lvdt [mm]", "lvdt / mm", "lvdt/mm", "lvdt in mm". What
 * is left of a name is never empty. */
struct column_label column_label_read(struct text_piece field);

/* What a label says of a column that may be the time. */
enum label_of_time {
    LABEL_OF_SOMETHING_ELSE,
    LABEL_OF_TIME_WITHOUT_UNIT,
    LABEL_OF_TIME_IN_TWO_UNITS, /* "time_ms (s)" */
    LABEL_OF_TIME,
};

/* *unit_s: seconds that a unit of the column has, of a LABEL_OF_TIME. */
enum label_of_time column_label_time(const struct column_label *label, double *unit_s);

/* Whether a column only counts the rows: "index", "Sample no.". */
bool column_label_counts_rows(const struct column_label *label);

#endif
