/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_RING_DOWN_CUTTER_H
#define FRICID_SEGMENT_RING_DOWN_CUTTER_H

#include "segment/decay.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Cuts ring-downs out of what the sensors of a structure say that a hammer hits, each from before its blow on. Blows
 * are found by the rule that records as a whole are searched by, in whichever sensor shows one first. */

struct ring_down_cutter_settings {
    size_t sensors;   /* 1 or more */
    size_t most_rows; /* of a record; as few as a blow needs are raised to that */
    double period_s;
    bool stamped; /* records have the times of their scans, else they are uniform */
};

struct ring_down_cut_listener {
    /* A record whose rows have a figure of each sensor, and time stamps likewise. It was released at the blow, which is
     * its first extremum. Ownership passes to the callee. */
    void (*ring_down)(void *context, struct decay *ring_down);
    void (*given_up)(void *context); /* memory is short for the one that runs */
    void *context;
};

struct ring_down_cutter;

/* NULL when memory is short, or the period is none. */
struct ring_down_cutter *ring_down_cutter_create(const struct ring_down_cutter_settings *settings,
                                                 const struct ring_down_cut_listener *listener);
void ring_down_cutter_destroy(struct ring_down_cutter *cutter); /* NULL is fine */

/* A scan: a finite figure and a set of enum sample_flag of each sensor. */
void ring_down_cutter_feed(struct ring_down_cutter *cutter, const double *values, const uint8_t *flags, double time_s);

/* Nothing that comes now belongs to what was before; a ring-down that runs ends for this reason. */
void ring_down_cutter_break(struct ring_down_cutter *cutter, enum decay_end reason);

/* It tells whether a ring-down runs. */
bool ring_down_cutter_runs(const struct ring_down_cutter *cutter);

#endif
