/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_RECORDING_MARKS_H
#define FRICID_PROTO_RECORDING_MARKS_H

#include "proto/recording_header.h"
#include "proto/recording_lines.h"
#include "proto/recording_parts.h"

/* What a recording says beside its rows: comment lines that begin with "#fricid {" hold a JSON object. The first one,
 * before the header, is the declaration: where the recording comes from, and its clock. Those between the rows are
 * about the rows behind them: where the stream is broken, which samples are clipped. Other programs see comments. */

/* What is known of the row that comes next. */
struct recording_marks {
    struct recording_declaration declaration;
    struct recording_run run;                 /* of the rows that come next */
    bool begins;                              /* the next row begins it */
    bool placed;                              /* run.first_index was told, or follows from the rows before */
    uint64_t rows;                            /* of the run so far */
    uint64_t clipped[RECORDING_MAX_CHANNELS]; /* so many samples of the channel from here on */
};

/* Whether a line is one of these. */
bool recording_is_mark(const char *line, size_t length);

/* Reads such a line, which was taken last; header->channel_count is 0 before the header. 0, or -EBADMSG and a
 * complaint. */
int recording_marks_read(struct recording_marks *marks, const struct recording_lines *lines, const char *line,
                         size_t length, const struct recording_header *header, struct complaint *complaint);

/* Gives columns the names and units that their channels have: a header cannot hold every one of them. */
void recording_marks_name_columns(const struct recording_marks *marks, struct recording_header *header);

/* Before the first row, also after a rewind: what the declaration says stays. */
void recording_marks_restart(struct recording_marks *marks);

/* Where a row belongs that carries this time stamp: it begins a run, it continues one, or its stamp does not fit the
 * declared clock. Nothing changes yet. */
enum recording_place { RECORDING_CONTINUES, RECORDING_BEGINS, RECORDING_MISPLACED };
enum recording_place recording_marks_place(const struct recording_marks *marks, double time_s);

/* Takes the row in. flags may be NULL. */
void recording_marks_take(struct recording_marks *marks, double time_s, size_t channels, uint8_t *const *flags,
                          size_t row);

#endif
