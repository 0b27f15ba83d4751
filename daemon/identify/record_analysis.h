/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_RECORD_ANALYSIS_H
#define FRICID_IDENTIFY_RECORD_ANALYSIS_H

#include "identify/decay/physical.h"
#include "identify/decay/rest_tail.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a trace measures, by the names that appear in JSON. */
#define QUANTITY_DISPLACEMENT "displacement"
#define QUANTITY_HEIGHT "height"
#define QUANTITY_VELOCITY "velocity"
#define QUANTITY_ACCELERATION "acceleration"
#define QUANTITY_TIME "time"
#define QUANTITY_ANGLE "angle"
#define QUANTITY_FORCE "force"
#define QUANTITY_TORQUE "torque"
#define QUANTITY_NORMAL_FORCE "normal_force"

/* What one channel gave of a record, or one column of a table. Borrows all that it points to; what is not known is 0,
 * NAN or NULL. */
struct record_trace {
    const char *channel, *quantity, *unit;
    const double *values; /* count of them, each `stride` behind the one before */
    const double *time_s; /* count strictly increasing time stamps, s, likewise; NULL: sample i was taken at
                             start_s + i * period_s */
    const uint8_t *flags; /* count sets of enum sample_flag, likewise; NULL: no sample is flagged */
    size_t count, stride;
    double start_s, period_s; /* on the source's own clock; with time stamps their mean spacing */
    double delay_s;           /* after the start of a scan; it is in the times already */
    double resolution, noise; /* smallest step; standard deviation of the measuring noise */
};

static inline double record_value(const struct record_trace *trace, size_t i)
{
    return trace->values[i * trace->stride];
}

/* What came behind a record. The last three are of loops, of which the next one is not alike. */
enum record_end {
    RECORD_JUST_ENDS,
    RECORD_NEXT_MOTION,
    RECORD_GAP,
    RECORD_REST,
    RECORD_OTHER_STROKE,
    RECORD_OTHER_PERIOD,
    RECORD_OTHER_MEAN_FORCE
};

/* What the finder of a record saw of it beside its samples. */
struct record_seen {
    double begins_s; /* a free decay's first extremum, a ring-down's blow; NAN: not known */
    struct rest_observation rest;
    enum record_end ended;
    const char *read_as; /* how its file was read, and what of that was left out; NULL: nobody says */
};

/* One or several traces, each with a time base of its own. */
struct record {
    const struct record_trace *traces;
    size_t count;
    const struct record_seen *seen; /* NULL: nothing */
};

struct earlier_releases;

struct identify_settings {
    struct physical_settings physical;
    const atomic_bool *cancel; /* may be NULL */
    bool ladder;               /* the ladder of models too, which takes longer than all else */
    const struct earlier_releases
        *earlier;      /* of the channel, which say more of terms that a ladder does not see; NULL */
    bool more_follows; /* a second answer will be made: a kind in two steps leaves to it what takes longest */
    bool *stopped; /* set where cancel came behind an answer that stands: all but the ladder, or a law; may be NULL */
};

/* What a kind of record has: fills in the struct that its findings stand in, whatever the verdict, and returns that.
 * left_for: why no sample is looked at; VERDICT_OK: they are. Several threads may call it at once. */
typedef enum verdict record_analysis(const struct record *record, enum verdict left_for,
                                     const struct identify_settings *settings, void *findings);

#endif
