/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_RING_DOWN_SENSORS_H
#define FRICID_IDENTIFY_RING_DOWN_SENSORS_H

#include "identify/ring_down/ring_down_findings.h"
#include "identify/ring_down/sensed_blows.h"
#include "identify/ring_down/stretch.h"

/* Which sensors of a record say something, and what they say of its blows. */

/* All is borrowed; names are those of the findings. */
struct ring_down_sensors {
    const struct stretch *stretch[PASS_SENSORS]; /* the strongest first, by which blows are told */
    const char *name[PASS_SENSORS];
    size_t sensors, count; /* count: samples that each of them has */
};

/* Of `count` stretches in the order of ring_down->name those that say something of their own, and as long as any does;
 * the others are named there as dead sensors. VERDICT_OK, VERDICT_NO_OSCILLATION (there is none) or VERDICT_NO_MEMORY.
 */
enum verdict ring_down_sensors_of(const struct stretch *stretches, size_t count, struct ring_down *ring_down,
                                  struct ring_down_sensors *of);

/* The blows, as sensed_blows_find() gives them, by the strongest sensor that shows one, which then comes first; found:
 * how many. */
enum verdict ring_down_sensors_find(struct ring_down_sensors *of, const struct record_seen *seen,
                                    struct blow blows[BLOWS_MOST], size_t *found);

/* Of the ring-down of samples->count samples from `start` on: gives samples those sensors that move in it, or the
 * strongest where none does, and the same as raw and levels, which may be changed; others are named as dead sensors. */
void ring_down_sensors_behind(const struct ring_down_sensors *of, size_t start, struct ring_down_samples *samples,
                              double *raw[PASS_SENSORS], double *levels[PASS_SENSORS], struct ring_down *ring_down);

#endif
