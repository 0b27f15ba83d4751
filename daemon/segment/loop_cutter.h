/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_LOOP_CUTTER_H
#define FRICID_SEGMENT_LOOP_CUTTER_H

#include "segment/loop_cut_end.h"
#include "segment/loop_scans.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Cuts loops and runs of them out of the displacement, force and, where it is measured, normal force of a contact that
 * is driven to and fro. A loop goes from a lower reversal to the next; loops that follow each other with like stroke,
 * period and mean force are a run. */

struct loop_cutter_settings {
    size_t columns;    /* 3: displacement or velocity, force, time; 4: with the normal force */
    size_t most_rows;  /* that are held; at least some thousands */
    double resolution; /* of the displacement; 0: not known */
    /* By how many scans each figure of a scan was true later than the scan: interpolation brings it back. */
    double force_late, normal_late;
};

/* The part that was cut, row after row of `columns` figures: displacement or velocity, force, time and normal force.
 * Owned by the callee. */
struct loop_cut {
    double *rows;
    size_t count;
    size_t reversals[3]; /* of a loop: the rows of its lower, upper and next lower reversal */
    size_t loops;        /* of a run */
    uint64_t number;     /* of a loop, or of the first of a run, since the cutter began; from 1 */
    double start_s;      /* its first lower reversal */
    enum loop_cut_end ended_by;
};

struct loop_cutter_listener {
    void (*loop)(void *context, struct loop_cut *loop); /* as soon as it closes, before its run ends; may be NULL */
    void (*run)(void *context, struct loop_cut *run);
    /* A loop did not close within most_rows, or memory is short: it is given up. */
    void (*given_up)(void *context, const char *reason);
    void *context;
};

struct loop_cutter;

/* NULL when memory is short. */
struct loop_cutter *loop_cutter_create(const struct loop_cutter_settings *settings,
                                       const struct loop_cutter_listener *listener);
void loop_cutter_destroy(struct loop_cutter *cutter); /* NULL is fine */

void loop_cutter_feed(struct loop_cutter *cutter, const struct loop_scan *scan);

/* Nothing that comes now belongs to what was before. */
void loop_cutter_break(struct loop_cutter *cutter, enum loop_cut_end reason);

/* A loop closed, and its run has not ended. */
bool loop_cutter_runs(const struct loop_cutter *cutter);

/* Loops found since it began. */
uint64_t loop_cutter_loops(const struct loop_cutter *cutter);

#endif
