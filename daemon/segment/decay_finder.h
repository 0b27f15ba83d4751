/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_DECAY_FINDER_H
#define FRICID_SEGMENT_DECAY_FINDER_H

#include "segment/finder_state.h"

enum finder_event {
    FINDER_WAITS,      /* for samples */
    FINDER_BEGINS,     /* follows a new candidate */
    FINDER_HALF_CYCLE, /* the candidate has half cycles more, and one of these is to be told */
    FINDER_ENDS,       /* the candidate has ended: see `end`; decay_finder_resume() before the next step */
    FINDER_NO_MEMORY,  /* the candidate is lost; likewise */
};

/* The end of a candidate has more to it than enum decay_end says. */
struct finder_end {
    enum decay_end by;
    bool irregular; /* its last half cycle came at the wrong time */
    bool grew;      /* its swings grew smoothly: nobody hit it, it was no decay in the first place */
    uint64_t ready; /* samples before this number may be looked at */
};

void decay_finder_init(struct decay_finder *finder, const struct finder_limits *limits);
void decay_finder_clear(struct decay_finder *finder);

/* Begins a new stretch of the stream. */
void decay_finder_restart(struct decay_finder *finder);

/* One step, looking at samples before number `ready` only. `last_chance`: no more will come in this stretch. */
enum finder_event decay_finder_step(struct decay_finder *finder, const struct sample_history *history,
                                    const struct channel_noise *noise, double hysteresis, uint64_t ready,
                                    bool last_chance, struct finder_end *end);

/* It tells whether a step would find too few new samples before number `ready` to follow its candidate; costs next to
 * nothing. */
static inline bool decay_finder_waits(const struct decay_finder *finder, const struct sample_history *history,
                                      uint64_t ready)
{
    const struct candidate *candidate = &finder->candidate;
    if (!finder->following)
        return false;
    double end = candidate_next_end(candidate), look_at = finder->running_half_cycle.look_at;
    double wanted = larger(look_at < end ? look_at : end, finder->judged_until);
    return sample_history_position(history, ready - 1) < wanted;
}

/* The stretch ends while a candidate is followed: it ends for this reason, unless it had stopped already. False when
 * memory is short. */
bool decay_finder_cut_off(struct decay_finder *finder, const struct sample_history *history, enum decay_end reason,
                          struct finder_end *end);

/* A candidate that has ended has one of these fates. */
enum candidate_fate {
    CANDIDATE_KEEPS_MOTION, /* its motion belongs to it for good */
    CANDIDATE_DROPPED,      /* a better candidate may have its motion */
    CANDIDATE_UNREPORTED,   /* likewise; it never looked like a decay */
};

/* Goes back to looking. While the motion of a candidate that keeps it goes on, swings up to `least_new_swing` are
 * not worth another candidate. */
void decay_finder_resume(struct decay_finder *finder, const struct sample_history *history, enum candidate_fate fate,
                         double least_new_swing);

#endif
