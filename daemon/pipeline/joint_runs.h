/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_JOINT_RUNS_H
#define FRICID_JOINT_RUNS_H

#include "store/kept.h"

#include <stddef.h>
#include <stdint.h>

/* The latest results that have their ladder, until those of the other channels of their run have theirs. Owned by the
 * event loop's thread. */

/* So many wait at most, the oldest give way: the channels of a run are done soon after each other. */
enum { JOINT_RUNS_WAITING = 32 };

struct joint_runs {
    struct kept_result *waiting[JOINT_RUNS_WAITING + 1]; /* owned, the latest last */
    size_t count;
};

/* Who has the lower rank comes first; of those that have the same, the decay that was stored first. */
typedef size_t joint_rank(void *context, const struct decay_origin *origin);

/* Takes a result over, in the place of one of its decay whose revision is not higher; else it is released. Ask
 * joint_runs_give_way() behind it. */
void joint_runs_add(struct joint_runs *runs, struct kept_result *result);

/* The oldest result, the caller's from now on, where too many wait or they occupy more than most_bytes; NULL: all may
 * stay. */
struct kept_result *joint_runs_give_way(struct joint_runs *runs, size_t most_bytes);

/* How many results of the run wait. */
size_t joint_runs_count(const struct joint_runs *runs, uint64_t run);

/* Whether the result of this decay waits to be fitted together with others. */
bool joint_runs_awaits_others(const struct joint_runs *runs, uint64_t id);

/* Whether a result of the run waits that was not fitted together with others yet. */
bool joint_runs_has_new_release(const struct joint_runs *runs, uint64_t run);

/* The results of a run in the order of their ranks, where there are two channels or more and one of them is neither
 * fitted together with others nor one that was, before it was identified anew: the caller's from now on. Of more than
 * JOINT_CHANNELS_MOST the last ones are released, and no later one takes their place. 0: there is nothing to do. */
size_t joint_runs_take(struct joint_runs *runs, uint64_t run, joint_rank *rank, void *context,
                       struct kept_result *results[JOINT_CHANNELS_MOST]);

void joint_runs_clear(struct joint_runs *runs);

#endif
