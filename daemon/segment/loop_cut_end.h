/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_LOOP_CUT_END_H
#define FRICID_SEGMENT_LOOP_CUT_END_H

#include "identify/loop/loop_run.h"
#include "segment/decay.h"

/* A run has no further loop for one of these reasons. */
enum loop_cut_end {
    LOOP_CUT_STROKE,
    LOOP_CUT_PERIOD,
    LOOP_CUT_MEAN_FORCE,
    LOOP_CUT_REST, /* the displacement rests, or does so no more */
    LOOP_CUT_GAP,
    LOOP_CUT_CLIPPED,
    LOOP_CUT_MAX_LENGTH,
    LOOP_CUT_RECONFIGURED,
    LOOP_CUT_END_OF_SOURCE,
    LOOP_CUT_ENDS
};
const char *loop_cut_end_name(enum loop_cut_end end);     /* "stroke", … */
enum decay_end loop_cut_decay_end(enum loop_cut_end end); /* as its record has it */

/* It tells why a run ends whose next loop differs from its latest one. */
enum loop_cut_end loop_cut_end_of(enum loop_run_end end);

#endif
