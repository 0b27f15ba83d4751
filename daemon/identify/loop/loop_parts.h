/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LOOP_PARTS_H
#define FRICID_IDENTIFY_LOOP_PARTS_H

#include "identify/loop/loop_signal.h"

#include <stddef.h>

/* A signal with gaps is several runs of one contact: what happened in a gap nobody knows, so that each begins in a
 * state of its own, and the load cell may have been set to zero in between. */

/* More are not looked at. */
enum { LOOP_PARTS = 16 };

struct loop_part {
    size_t begin, end;     /* samples */
    size_t number;         /* of the parts that were cut, from 0 on */
    double noise_velocity; /* standard deviation of its velocities where these were smoothed, else 0 */
};

struct loop_parts {
    size_t count;
    struct loop_part part[LOOP_PARTS];
    size_t cut;      /* so many there were before those went of which no sample counts */
    size_t left_out; /* others: too short to tell a motion, or behind these */
};

/* Marks the first sample behind each gap by 1, all others by 0: signal->count of them. A gap is longer than
 * LOOP_GAP_SHARE of the usual cycle and than some usual steps, and no step of a slower sampling. 0 or -ENOMEM. */
int loop_gaps_of(const struct loop_signal *signal, unsigned char *behind_gap);

/* Those of a signal between gaps, without those that are too short to tell a motion. 0 or -ENOMEM. */
int loop_parts_of(const struct loop_signal *signal, struct loop_parts *parts);

/* That part as a signal. */
struct loop_signal loop_part_signal(const struct loop_signal *signal, const struct loop_part *part);

#endif
