/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_RECORDING_NUMBERS_H
#define FRICID_PROTO_RECORDING_NUMBERS_H

#include "proto/recording_epoch.h"
#include "proto/recording_header.h"
#include "proto/recording_lines.h"

/* Recordings out of files of numbers (dialect/number_file.h): columns instead of lines. */

struct recording_numbers {
    struct number_file *file; /* that of the lines; NULL: the recording is text */
    size_t columns[RECORDING_MAX_CHANNELS + 1];
    size_t count;        /* of them, with the time where there is one */
    size_t rows;         /* of the file */
    size_t done;         /* rows that were read */
    double zero;         /* the time that is 0 s, in its unit, where the file does not count whole numbers to it */
    double last_s;       /* of the last of them; -INFINITY: none */
    double last_written; /* its time as the file has it, in its unit */
};

/* Chooses columns and makes the header of their labels, by the rules for text. What the file tells of a channel's
 * resolution goes into its facts. 0, or a negative errno and a complaint. */
int recording_numbers_begin(struct recording_numbers *numbers, const struct recording_lines *lines,
                            const struct recording_manner *manner, struct recording_header *header,
                            struct recording_declaration *declaration, struct complaint *complaint);

/* Writes the time of the first row as text has it; empty: it has none. 0, or a negative errno and a complaint. */
int recording_numbers_first_time(const struct recording_numbers *numbers, const struct recording_lines *lines,
                                 const struct recording_header *header, char text[FIRST_TIME_BYTES],
                                 struct complaint *complaint);

/* From now on that time, which is the epoch's first stamp, is 0 s. */
void recording_numbers_count_from(struct recording_numbers *numbers, const struct recording_epoch *epoch);

/* As recording_read(), without flags; gaps there are none. hole: by channel the row, from 1, of the first value that is
 * not finite, which is given as NaN; NULL: such values are refused. */
long recording_numbers_read(struct recording_numbers *numbers, const struct recording_lines *lines,
                            const struct recording_header *header, size_t rows, double *time_s,
                            double *const *displacement, size_t *hole, struct complaint *complaint);

/* As recording_stamp_unit(): 0 where the times are doubles. */
double recording_numbers_stamp_unit(const struct recording_numbers *numbers);

/* Back to the first row. */
void recording_numbers_restart(struct recording_numbers *numbers);

#endif
