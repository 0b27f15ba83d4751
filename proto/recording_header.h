/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_RECORDING_HEADER_H
#define FRICID_PROTO_RECORDING_HEADER_H

#include "proto/recording_lines.h"
#include "proto/recording_parts.h"

#include <stdint.h>

/* What the first line that is neither empty nor a comment says about the columns. */
struct recording_header {
    size_t channel_count;
    struct recording_column columns[RECORDING_MAX_CHANNELS];
    char first[64];     /* name of the first column, as far as it fits; empty: there is no header */
    size_t line;        /* of the header; 0: none */
    bool ours;          /* fricidctl wrote it */
    bool leads;         /* a column stands before the channels, which is the time or, with a rate, may only tell it */
    bool assumed;       /* that column is called a time and tells no unit: it is taken for seconds */
    double unit_s;      /* seconds that a unit of that column has */
    bool configured;    /* as struct recording_timing says */
    bool mean_rate;     /* as struct recording_timing says */
    uint64_t respelled; /* bit c: the unit of channel c was written in another way than it has now */
    char written[32];   /* how that of the first of them was */
    const char *gravity[RECORDING_MAX_CHANNELS]; /* the unit "g", or the like, of a channel that is in m/s2 now; NULL */
    const char *doubt[RECORDING_MAX_CHANNELS];   /* as label_doubt() says of a channel, or NULL */
    double rate_hz;                              /* above 0: the rows come evenly, whatever that column holds */
};

/* Whether a line is a header rather than a row of numbers. */
bool recording_is_header(const char *line, size_t length);

/* Reads the header, which is the line taken last; `ours`: of a recording that declares itself. 0, or -EBADMSG and a
 * complaint: a first column that is not known to be a time, in which unit, is refused with what can be said of it. */
int recording_read_header(const struct recording_lines *lines, const char *line, size_t length,
                          const struct recording_timing *timing, bool ours, struct recording_header *header,
                          struct complaint *complaint);

/* The columns of a recording whose first line is a row: time and one channel; with a rate the time may be left out.
 * 0, or -EBADMSG and a complaint, also where neither the unit of the time nor a rate is said. */
int recording_assume_header(const struct recording_lines *lines, const char *line, size_t length,
                            const struct recording_timing *timing, struct recording_header *header,
                            struct complaint *complaint);

/* Why the first column of a row does not fit behind that of the row before; `stands`: it is the same. */
struct complaint recording_explain_order(const struct recording_header *header, bool stands);

/* A recording that fricidctl wrote tells its times itself. 0, or -EINVAL and a complaint when others are said. */
int recording_check_timing(const struct recording_lines *lines, const struct recording_timing *timing,
                           struct complaint *complaint);

#endif
