/* SPDX-License-Identifier: GPL-3.0-or-later */

/* This file tells whether the loop that follows a decay quickly may run, and which one suits the processor. */

#include "segment/quick_follow_loops.h"

#include "segment/candidate_chain.h"

enum quick_follow_event finder_follows_quickly(struct decay_finder *finder, const struct sample_history *history,
                                               uint64_t ready, struct half_cycle *half)
{
    const struct candidate *candidate = &finder->candidate;
    size_t count = candidate->count;
    if (!candidate->start_refined || candidate->still || finder->record_done ||
        candidate_half_cycles(candidate) < TABULATED_FROM)
        return QUICK_FOLLOW_STOPS;
    enum quick_follow_event event =
        quick_follow_loops_of(lanes_widest())->follow(finder, history, (double)(int64_t)(ready - 1), half);
    if (candidate->count > count)
        running_half_cycle_restart(&finder->running_half_cycle, candidate);
    return event;
}
