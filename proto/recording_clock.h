/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_RECORDING_CLOCK_H
#define FRICID_PROTO_RECORDING_CLOCK_H

#include "proto/recording.h"
#include "proto/recording_batches.h"
#include "proto/recording_pace.h"

/* How the rows of a recording lie in time. It is decided here for all who read one, as a whole or chunk by chunk. A
 * recording that declares itself has the clock that it declares or, without one, the time stamps. In any other, stamps
 * that tick evenly are a clock, and stamps that do not are used as they are. */
struct recording_clock {
    bool uniform;             /* scan i of a run was taken at its origin_s + i * period_s, else at its time stamp */
    double start_s, period_s; /* first stamp; period of the clock, or the mean distance of the stamps */
    bool declared;            /* the stamps have no say in it */
    bool even;                /* it was said that rows come evenly, whatever their stamps */
    double uncertainty;       /* of the period then, relative */
    uint64_t rows;            /* taken in */
    double last_s;            /* stamp of the last of them */
    struct recording_batches batches;
    struct recording_pace pace;
};

/* Before the first row. even: as recording_is_even() tells. */
void recording_clock_begin(struct recording_clock *clock, const struct recording_declaration *declaration, bool even);

/* The first reading takes every row in: two at least, see recording_check_whole(). */
void recording_clock_take(struct recording_clock *clock, const double *time_s, size_t count);

/* After it: whether the stamps come in batches, as a program writes them that asks for samples now and then. Taken as
 * they are they would make a motion of their own. */
bool recording_clock_is_batched(const struct recording_clock *clock);

/* After it: whether the stamps must be looked at once more, all of them from the first. stamp_unit: as
 * recording_stamp_unit() tells then. */
bool recording_clock_looks_again(struct recording_clock *clock, double stamp_unit);

/* The second look. False when it is decided: what is left need not be shown. */
bool recording_clock_look(struct recording_clock *clock, const double *time_s, size_t count);

/* After the second look, or where there is none. */
void recording_clock_settle(struct recording_clock *clock);

/* A run as it was read, completed by its time base. */
struct recording_run recording_clock_place(const struct recording_clock *clock, const struct recording_run *run);

#endif
