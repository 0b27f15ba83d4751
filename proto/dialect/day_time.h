/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_DAY_TIME_H
#define FRICID_PROTO_DAY_TIME_H

#include "proto/column_label.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A date, a time of the day, or both: 2024-05-17T12:00:00.125Z, 17.05.2024 12:00:00,125, 12:00:00.125,
 * 12:00:00 PM, and without marks 20240517T120000.125. */
struct day_time {
    bool has_date, has_time;
    bool short_clock;           /* minutes and seconds alone */
    bool zoned;                 /* it says where: seconds are then those of UTC */
    int64_t seconds;            /* whole ones since 1970, or since midnight where there is no date */
    struct text_piece fraction; /* the digits behind the seconds; length 0: none */
};

/* Reads a cell. False when it is none of these, or when nobody can know which of its numbers is the month. */
bool day_time_read(struct text_piece cell, struct day_time *found);

/* The moment that a date with its time is, ns since 1970, UTC: where no zone was told, this computer's. INT64_MIN:
 * there is no such moment. */
int64_t day_time_moment_ns(const struct day_time *found);

/* Whether a cell begins with a date that nobody can know, 05/06/2024: a date with strokes and its year at the end tells
 * the day only where that is above 12. */
bool day_time_is_ambiguous(struct text_piece cell);

#endif
