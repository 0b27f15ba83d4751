/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_STORE_READ_DECAY_H
#define FRICID_STORE_READ_DECAY_H

#include "store/database.h"
#include "store/kept.h"

/* Reads a decay with its samples and its origin; the caller's, with one reference. -ENOENT: there is no such decay,
 * -ENODATA: its samples were lost, -EUCLEAN: they are not what was stored. */
int read_decay(struct database *database, uint64_t id, struct kept_decay **kept, unsigned *revision);

/* Whether there is such a decay. */
int has_decay(struct database *database, uint64_t id, bool *there);

/* The next decay that waits, or how far was looked for it: nobody reads for long at once. */
struct waiting_decay {
    uint64_t id; /* 0: there is none behind `after` */
    bool waits;
    unsigned together; /* with so many of its run, itself among them; 0: with none */
};

/* The first decay behind `after` that waits for something, of those that no daemon has tried to identify and did not
 * survive, or of those that one has. */
typedef int find_waiting(struct database *database, bool tried, uint64_t after, struct waiting_decay *found);

find_waiting next_without_result;

/* One whose only result is of this program, and says that its ladder is pending. */
find_waiting next_without_ladder;

/* One whose latest result, of this program, has its ladder, as those of other channels of its run do, and none of them
 * was fitted with others yet: that comes as their third revision. */
find_waiting next_without_joint;

#endif
