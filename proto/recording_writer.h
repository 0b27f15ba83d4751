/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_RECORDING_WRITER_H
#define FRICID_PROTO_RECORDING_WRITER_H

#include "proto/recording_parts.h"

#include <stdio.h>

/* Writes recordings that recording_open() reads back to the last bit; see recording_marks.h. Whether the file took it
 * all, ferror() tells in the end. */

/* The declaration, with a remark for people (one line; NULL: none), and the header. Returns 0, or -ENOMEM. */
int recording_write_head(FILE *file, const struct recording_declaration *declaration, const char *remark,
                         const struct recording_column *columns, size_t count);

/* The rows behind this belong to another run. `clock`: its clock is not the declared one, or not the one of the run
 * before. Returns 0, or -ENOMEM. */
int recording_write_run(FILE *file, const struct recording_run *run, bool clock, const struct recording_column *columns,
                        size_t count);

/* The next `samples` samples of a channel are clipped. Returns 0, or -ENOMEM. */
int recording_write_clipped(FILE *file, const char *channel, uint64_t samples);

/* A row: the time stamp and `count` values, all finite. */
void recording_write_row(FILE *file, double time_s, const double *values, size_t count);

#endif
