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
    uint64_t before;          /* the middle of the half cycle before it */
    uint64_t arrived, middle; /* of the time that it stays there */
    double centre_s, width_s, level;
};

/* Where a reversal was, by when its level was passed before and behind it: its extreme sample is that of the largest
 * noise. The nearer the level is, the less does it matter that the ways there and back are unlike. */
struct loop_mark loop_mark_of(const struct loop_scans *scans, double least, struct extreme at, uint64_t now,
                              uint64_t reversal_before);

/* How long it rests there, over what a sine of that stroke and period would stay. */
double loop_mark_rest(const struct loop_mark *mark, double stroke, double period_s);

/* How long it rested before is no part of a loop, nor how long it rests behind it: it is one since it left the rest at
 * that scan, and until it arrives at it, as a sine like the latest loop would have. */
void loop_mark_leaves(struct loop_mark *mark, const struct loop_figures *latest, uint64_t now);
void loop_mark_arrives(struct loop_mark *mark, const struct loop_figures *latest);

#endif
