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
    struct kept_result *waiting[JOINT_RUNS_WAITING]; /* owned, the latest last */
    size_t count;
};

/* Takes a result over, in the place of an earlier one of its decay. most_bytes: what all that wait may occupy; the
 * oldest give way to the latest. */
void joint_runs_add(struct joint_runs *runs, struct kept_result *result, size_t most_bytes);

/* The results of a run, where there are two channels or more and something in them is new: the caller's from now on,
 * JOINT_CHANNELS_MOST at most. 0: there is nothing to do. */
size_t joint_runs_take(struct joint_runs *runs, uint64_t run, struct kept_result *results[JOINT_CHANNELS_MOST]);

void joint_runs_clear(struct joint_runs *runs);

#endif
