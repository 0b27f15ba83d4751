/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_RECORDING_H
#define FRICID_PROTO_RECORDING_H

#include "proto/complaint.h"
#include "proto/recording_parts.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct recording_reader;

/* Opens a recording and reads its header. manner: what is said beside the file of how to read it; NULL: nothing.
 * Returns 0, or a negative errno and a complaint with file and line: -EBADMSG when the file is not such a recording,
 * another one when it cannot be read. */
int recording_open(const char *path, const struct recording_manner *manner, struct recording_reader **reader,
                   struct complaint *complaint);

size_t recording_channel_count(const struct recording_reader *reader);
const struct recording_column *recording_columns(const struct recording_reader *reader);

/* Where in a channel the first hole stands that was read so far, as struct recording has it. */
size_t recording_hole_of(const struct recording_reader *reader, size_t channel);
bool recording_is_in_rows(const struct recording_reader *reader);

/* How the file was read where it is not written as recordings are: "semicolon, decimal comma, time in ms"; else empty.
 */
const char *recording_read_as(const struct recording_reader *reader);

/* Whether it was said that rows come evenly at the mean rate of their stamps. */
bool recording_is_even(const struct recording_reader *reader);

/* The declaration, `given` or not. */
const struct recording_declaration *recording_declared(const struct recording_reader *reader);

/* What is declared of a channel; zeros when nothing is. */
struct recording_channel_facts recording_facts(const struct recording_declaration *declaration, const char *channel);

/* Reads at most `rows` rows: time_s[row] in seconds, whatever the file is in, channel c at displacement[c][row], its
 * flag (0 or RECORDING_CLIPPED) at flags[c][row] unless flags is NULL. All of them belong to one run: reading stops
 * before a gap. Returns how many were read, 0 at the end, or a negative errno and a complaint with file and line; good
 * rows before a bad one are returned first. */
long recording_read(struct recording_reader *reader, size_t rows, double *time_s, double *const *displacement,
                    uint8_t *const *flags, struct complaint *complaint);

/* The run of the rows that were read last; they end behind its row `end`. */
const struct recording_run *recording_run(const struct recording_reader *reader, uint64_t *end);

/* The last decimal place that the time stamps read so far were written with, s: 0.001 for 1.500. 0 before the first. */
double recording_stamp_unit(const struct recording_reader *reader);

/* Back to the first row of the same file. 0, or a negative errno and a complaint. */
int recording_rewind(struct recording_reader *reader, struct complaint *complaint);

/* Whether a recording that was read to its end has enough rows, two, so that there is a period, whether a time that
 * tells no unit can be in seconds, and whether its stamps can be used; batched: as recording_clock_is_batched() of
 * recording_clock.h tells. 0, or -EBADMSG and a complaint. */
int recording_check_whole(const struct recording_reader *reader, uint64_t rows, bool batched,
                          struct complaint *complaint);

/* Sets a complaint about the header: "FILE:LINE: sentence". Returns -EBADMSG. */
int recording_complain_of_header(const struct recording_reader *reader, struct complaint *complaint,
                                 const char *sentence);

void recording_close(struct recording_reader *reader); /* NULL is fine */

/* A whole recording in memory. */
struct recording {
    size_t channel_count;
    struct recording_column columns[RECORDING_MAX_CHANNELS];
    size_t count;
    double *time_s;           /* count stamps, of recording_is_even() those of its clock */
    double **displacement;    /* channel_count arrays of count values */
    uint8_t **flags;          /* channel_count arrays of count flags; NULL: none is marked */
    bool uniform;             /* see recording_clock.h: the runs' indices are the time, else time_s is */
    double start_s, period_s; /* first stamp; period, or mean distance of the stamps */
    struct recording_declaration declaration;
    char read_as[256]; /* as recording_read_as() says */
    size_t run_count;
    struct recording_run *runs;          /* in order, with their time base; a recording without a declaration is one */
    size_t *run_rows;                    /* the row that each of them begins with */
    size_t hole[RECORDING_MAX_CHANNELS]; /* where holes are read: the line of the first one in each channel, of a file
                                            of numbers its row, from 1; 0: there is none */
    bool in_rows;                        /* it is a file of numbers */
};

/* Reads and checks a whole file. manner: as recording_open() takes it. At least two rows. 0, or a negative errno and a
 * complaint. */
int recording_load(const char *path, const struct recording_manner *manner, struct recording *recording,
                   struct complaint *complaint);

void recording_clear(struct recording *recording);

/* Takes a channel out, as if the file did not have it. */
void recording_drop_channel(struct recording *recording, size_t channel);

/* By how much the index jumps where a run begins; the first one's begins with 0. */
uint64_t recording_jump(const struct recording *recording, size_t run);

#endif
