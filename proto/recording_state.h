/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_RECORDING_STATE_H
#define FRICID_PROTO_RECORDING_STATE_H

#include "proto/calibration.h"
#include "proto/decimal.h"
#include "proto/recording_epoch.h"
#include "proto/recording_header.h"
#include "proto/recording_holes.h"
#include "proto/recording_lines.h"
#include "proto/recording_marks.h"
#include "proto/recording_numbers.h"
#include "proto/recording_thousands.h"

#include <locale.h>
#include <math.h>

/* A recording that is being read, for the files that read it, and how a value of a row is read. */

/* When a row was taken. */
struct recording_stamp {
    double written; /* as the file has it, in its unit */
    double time_s;
    int place;  /* power of ten of its last decimal place as written */
    bool exact; /* as recording_epoch_since() says; true where there is no epoch */
};

struct recording_reader {
    struct recording_lines lines;
    struct recording_header header;
    struct recording_marks marks;
    struct calibration calibrations[RECORDING_MAX_CHANNELS]; /* of each channel; terms 0: none */
    struct recording_numbers numbers;                        /* instead of lines, where it has a file */
    struct recording_run run; /* of the rows read last, which end behind its row run_end */
    uint64_t run_end;
    char read_as[320]; /* see recording_read_as() */
    locale_t c_locale;
    size_t first_row; /* where it begins in the file */
    size_t first_row_line;
    bool points_told; /* what a point is was said, or the file is ours */
    bool since_1970;  /* its stamps count from there */
    bool rounded;     /* a stamp has lost digits */
    struct recording_epoch epoch;
    struct recording_thousands thousands;
    uint64_t rows;               /* read so far */
    double first_s;              /* of the first row */
    struct recording_stamp last; /* of the row read last; -INFINITY: none */
    int time_place;              /* power of ten of the last decimal place of all stamps; INT_MAX: none */
    int error;                   /* of a bad row that good rows went before, told at the next call */
    struct complaint complaint;
    bool holes;                          /* they are read as NaN */
    bool in_hole;                        /* the row that is read has some, or is refused */
    size_t hole[RECORDING_MAX_CHANNELS]; /* the line of the first one of a channel; 0: none */
};

/* Not isblank(), which asks the locale. */
static inline bool recording_is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static inline const char *recording_skip_blanks(const char *at)
{
    while (recording_is_blank(*at))
        at++;
    return at;
}

/* Reads one value and what separates it from the next; NULL when it is not as it should be. */
static inline const char *recording_read_value(const struct recording_reader *reader, const char *at,
                                               struct decimal *decimal)
{
    at = recording_skip_blanks(at);
    if (decimal_read(at, reader->c_locale, decimal) != DECIMAL_OK || fabs(decimal->value) > RECORDING_LARGEST_VALUE) {
        at = reader->in_hole ? recording_hole_read(at, decimal) : NULL;
        return at ? recording_skip_blanks(at) : NULL;
    }
    return recording_skip_blanks(decimal->next);
}

/* Where the channels of a row begin; NULL when its time is none, or does not fit behind the row before. What a rate
 * stands for may stand still: coarse stamps do. */
static inline const char *recording_read_time(const struct recording_reader *reader, const char *line,
                                              struct recording_stamp *stamp)
{
    const struct recording_header *header = &reader->header;
    struct decimal decimal = {.last_place = 0};
    const char *at = header->leads ? recording_read_value(reader, line, &decimal) : line;
    stamp->written = decimal.value;
    stamp->place = decimal.last_place;
    stamp->exact = true;
    if (header->rate_hz > 0) {
        stamp->time_s = (double)reader->rows / header->rate_hz;
        return stamp->written >= reader->last.written ? at : NULL;
    }
    stamp->time_s = reader->epoch.far ? recording_epoch_since(&reader->epoch, &decimal, &stamp->exact)
                                      : decimal.value * header->unit_s;
    if (header->mean_rate)
        return stamp->time_s >= reader->last.time_s ? at : NULL;
    return stamp->time_s > reader->last.time_s ? at : NULL;
}

#endif
