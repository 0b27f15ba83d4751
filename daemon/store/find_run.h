/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_STORE_FIND_RUN_H
#define FRICID_STORE_FIND_RUN_H

#include "store/database.h"
#include "store/kept.h"

/* A decay of a run, without its samples. */
struct found_decay {
    uint64_t id;
    struct decay_origin origin;
    size_t samples, flagged; /* of the record, without the pre-trigger; that carry a flag */
    bool time_stamped, protected;
    double start_s, period_s;
    unsigned revision; /* of its latest result; 0: none yet */
    char verdict[32];  /* of that; empty: none yet */
};

/* What a rig did once, and all decays that saw it, by their ids. */
struct found_run {
    uint64_t id;
    char rig[64];
    int64_t started_at_ns;      /* CLOCK_REALTIME; INT64_MIN: not known */
    struct found_decay *decays; /* owned */
    size_t count;
};

/* Asked in the reader's thread. -ENOENT: there is no such run; others as read_decay(). Clear in any case. */
int find_run(struct database *database, uint64_t id, struct found_run *found);
void found_run_clear(struct found_run *found);

#endif
