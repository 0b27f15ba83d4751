/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "segment/loop_cut_end.h"

const char *loop_cut_end_name(enum loop_cut_end end)
{
    static const char *const names[LOOP_CUT_ENDS] = {
        [LOOP_CUT_STROKE] = "stroke",
        [LOOP_CUT_PERIOD] = "period",
        [LOOP_CUT_MEAN_FORCE] = "mean_force",
        [LOOP_CUT_REST] = "rest",
        [LOOP_CUT_GAP] = "gap",
        [LOOP_CUT_CLIPPED] = "clipped",
        [LOOP_CUT_MAX_LENGTH] = "max_length",
        [LOOP_CUT_RECONFIGURED] = "reconfigured",
        [LOOP_CUT_END_OF_SOURCE] = "end_of_source",
    };
    return names[end];
}

enum decay_end loop_cut_decay_end(enum loop_cut_end end)
{
    static const enum decay_end ends[LOOP_CUT_ENDS] = {
        [LOOP_CUT_STROKE] = DECAY_END_OTHER_STROKE,
        [LOOP_CUT_PERIOD] = DECAY_END_OTHER_PERIOD,
        [LOOP_CUT_MEAN_FORCE] = DECAY_END_OTHER_MEAN_FORCE,
        [LOOP_CUT_REST] = DECAY_END_REST,
        [LOOP_CUT_GAP] = DECAY_END_GAP,
        [LOOP_CUT_CLIPPED] = DECAY_END_CLIPPED,
        [LOOP_CUT_MAX_LENGTH] = DECAY_END_MAX_LENGTH,
        [LOOP_CUT_RECONFIGURED] = DECAY_END_RECONFIGURED,
        [LOOP_CUT_END_OF_SOURCE] = DECAY_END_END_OF_SOURCE,
    };
    return ends[end];
}

enum loop_cut_end loop_cut_end_of(enum loop_run_end end)
{
    return end == LOOP_RUN_PERIOD       ? LOOP_CUT_PERIOD
           : end == LOOP_RUN_MEAN_FORCE ? LOOP_CUT_MEAN_FORCE
           : end == LOOP_RUN_REST       ? LOOP_CUT_REST
                                        : LOOP_CUT_STROKE;
}
