/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_LOOP_MARK_H
#define FRICID_SEGMENT_LOOP_MARK_H

#include "identify/loop/loop_run.h"
#include "motion/zigzag.h"
#include "segment/loop_scans.h"

#include <stdint.h>

/* A reversal, about which the displacement stays within `level` for a while. */
struct loop_mark {
    uint64_t sample;          /* the extreme one */
    double value;             /* its displacement */
    uint64_t before;          /* about the middle of the half cycle before it */
    uint64_t arrived, middle; /* of the time that it stays there */
    double centre_s, width_s, level;
};

/* It tells where a reversal was, by when its level was passed before and behind it: its extreme sample is that of the
 * largest noise. The nearer the level is, the less does it matter that the ways there and back are unlike. */
struct loop_mark loop_mark_of(const struct loop_scans *scans, double least, struct extreme at, uint64_t now,
                              uint64_t reversal_before);

/* It tells how much longer the displacement stays at a reversal than a sine of that stroke and period would. */
double loop_mark_rest(const struct loop_mark *mark, double stroke, double period_s);

/* A rest before a loop, or behind it, is no part of the loop. So a mark at which the loop begins is moved to where the
 * displacement left the rest, at the scan `now`, and one at which it ends to where the displacement arrived: as wide as
 * those of a sine like the latest loop. */
void loop_mark_leaves(struct loop_mark *mark, const struct loop_figures *latest, uint64_t now);
void loop_mark_arrives(struct loop_mark *mark, const struct loop_figures *latest);

#endif
