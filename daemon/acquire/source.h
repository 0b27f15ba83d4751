/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_ACQUIRE_SOURCE_H
#define FRICID_ACQUIRE_SOURCE_H

#include "acquire/code_scale.h"
#include "acquire/source_kinds.h"
#include "proto/calibration.h"
#include "segment/scan_block.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct event_base;

/* A hole in the channels' streams: scans [first_index, first_index + lost) were not delivered. */
struct source_gap {
    uint64_t first_index;
    uint64_t lost;      /* 0: not known how many; a jump of the index will tell */
    const char *reason; /* "overrun", "device_lost", … */
    const bool *struck; /* of each channel, whether it is struck; NULL: all are */
};

/* Something a user must hear of. The stream may go on after it (retry) or not (final). */
struct source_fault {
    const char *code;     /* short name for machines: "bad_row", "device_lost", … */
    const char *sentence; /* what is wrong, where, and what to do */
    bool final;
    bool repeated; /* the same as before, at another trial: no news */
    bool advice;   /* nothing is wrong yet, but somebody should know */
};

/* What a source tells, always from the event loop's thread. Any member may be NULL except scans. */
struct source_listener {
    void (*scans)(void *context, const struct scan_block *block);
    void (*gap)(void *context, const struct source_gap *gap);
    void (*fault)(void *context, const struct source_fault *fault);
    void (*end)(void *context);                             /* nothing more will come; called at most once */
    void (*described)(void *context, const char *sentence); /* a device works: the description is now what it says */
    void *context;
};

/* One channel as the source knows it. */
struct source_channel {
    const char *name;
    const char *unit;               /* displacement unit: "mm", "rad", "1" */
    double resolution;              /* smallest step, displacement unit; 0: not known */
    struct code_scale codes;        /* how the device's integers become displacement; terms 0: it delivers none */
    struct calibration calibration; /* from what the sensor gives to displacement; terms 0: none */
    const char *sensor_unit;        /* of what the sensor gives: "V", "counts"; NULL: the source does not say */
};

/* How well the source's clock is known. NAN: not measured. */
struct source_clock {
    double rate_error;    /* by how much it is too fast, relative to CLOCK_MONOTONIC */
    double rate_error_se; /* standard uncertainty of that */
    double time_error_s;  /* of time stamps against the samples of streams; 0: nothing is stamped */
};

/* What a source is; valid as long as the source. */
struct source_description {
    enum source_kind kind;
    const char *device;    /* "/dev/comedi0", a file name, "simulated rig" */
    double sample_rate_hz; /* scans a second that the device accepted; 0: time-stamped */
    const char *board; /* what the device is, with its driver and serial number where it tells them; NULL: not known */
    const char *driver;
    const char *serial;
    uint64_t first_index; /* of the first scan */
    bool may_pause;       /* recordings and virtual clocks wait when the queues are full; live sources cannot */
    bool wall_clock;      /* samples are taken now: the daemon may date them */
    bool dated;           /* the source dates them: */
    int64_t zero_at_ns;   /* CLOCK_REALTIME when its clock is 0, ns */
    const char *read_as;  /* how a file is read that is not written as recordings are; NULL: as such, or it is none */
    bool tells_gaps;      /* every gap is a jump of the index, also where samples carry time stamps */
    bool measures_clock;  /* `clock` holds something */
    bool declares_clock;  /* `clock` holds what a recording declares: 0 and NAN when it declares nothing */
    struct source_clock clock;
    size_t channel_count;
    const struct source_channel *channels;
};

struct source;

/* What every source can do. Sources embed `struct source` as their first member. */
struct source_methods {
    const struct source_description *(*describe)(const struct source *source);
    int (*start)(struct source *source); /* 0, or a negative errno after a fault was told */
    void (*pause)(struct source *source);
    void (*resume)(struct source *source);
    int (*zero)(struct source *source, size_t channel, double *position); /* NULL: channels cannot be zeroed */
    void (*destroy)(struct source *source);
};

struct source {
    const struct source_methods *methods;
};

const struct source_description *source_describe(const struct source *source);
int source_start(struct source *source);
void source_pause(struct source *source); /* may_pause sources deliver nothing until resumed; others ignore it */
void source_resume(struct source *source);

/* Makes the channel's present position its zero. 0 and where that was, displacement unit; -EAGAIN while nothing is
 * measured, -ENOTSUP where it makes no sense. The stream steps: no record may run across it. */
int source_zero(struct source *source, size_t channel, double *position);
void source_destroy(struct source *source); /* NULL is fine; nothing is told after it returns */

/* CLOCK_MONOTONIC now, s: what sources that keep to real time go by. */
double source_monotonic_s(void);

#endif
