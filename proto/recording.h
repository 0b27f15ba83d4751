/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_RECORDING_H
#define FRICID_PROTO_RECORDING_H

#include "proto/complaint.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Recordings are CSV: optional `#` comment lines, a header, time in seconds first, then one column a channel. The
 * header's suffix names the unit (time_s,lvdt_mm,encoder_mm); a header without a unit means "1"; no header means time
 * and one channel. */

enum { RECORDING_MAX_CHANNELS = 64, RECORDING_MAX_LINE = 65536 };

struct recording_column {
    char name[64]; /* "lvdt" */
    char unit[32]; /* "mm" */
};

struct recording_reader;

/* Opens a recording and reads its header. Returns 0, or a negative errno and a complaint with file and line. */
int recording_open(const char *path, struct recording_reader **reader, struct complaint *complaint);

size_t recording_channel_count(const struct recording_reader *reader);
const struct recording_column *recording_columns(const struct recording_reader *reader);

/* Reads at most `rows` rows: time_s[row], and channel c at displacement[c][row]. Returns how many were read, 0 at the
 * end, or a negative errno and a complaint with file and line; good rows before a bad one are returned first. */
long recording_read(struct recording_reader *reader, size_t rows, double *time_s, double *const *displacement,
                    struct complaint *complaint);

void recording_close(struct recording_reader *reader); /* NULL is fine */

/* A whole recording in memory. */
struct recording {
    size_t channel_count;
    struct recording_column columns[RECORDING_MAX_CHANNELS];
    size_t count;
    double *time_s;        /* count stamps */
    double **displacement; /* channel_count arrays of count values */
    bool uniform;          /* see recording_is_uniform() */
    double start_s, period_s;
};

/* Reads and checks a whole file. At least two rows. 0, or a negative errno and a complaint. */
int recording_load(const char *path, struct recording *recording, struct complaint *complaint);

void recording_clear(struct recording *recording);

/* Whether count stamps are start + i * period within two units in their last place, so that the index may stand for the
 * time. stamp_unit: the last decimal place as written, s (0: not known, the doubles' own resolution counts); it never
 * excuses more than 1 % of a period. Sets the period (last - first)/(count - 1). */
bool recording_is_uniform(const double *time_s, size_t count, double stamp_unit, double *period_s);

#endif
