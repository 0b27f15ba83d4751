/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PIPELINE_BACKLOG_H
#define FRICID_PIPELINE_BACKLOG_H

#include "pipeline/store_reader.h"
#include "store/read_decay.h"

#include <stdbool.h>
#include <stdint.h>

/* Goes through the decays in the store that wait for a result, or for its ladder, one at a time: after a crash, and
 * when more came in than could be taken. */
struct backlog {
    struct store_reader *reader; /* NULL: nothing to go through */
    find_waiting *find;          /* what they wait for */
    unsigned revision;           /* that those have which wait; 0: no result yet */
    uint64_t after;              /* the decay that was looked at last */
    bool tried;                  /* the others are done: now those that a daemon before this one did not survive */
    bool running;                /* one is being read, or is on its way */
    bool wanted;                 /* there may be some */
    bool again;                  /* some of them behind the one that was looked at last */
    /* In the event loop: the next decay, borrowed; together: as of a waiting_decay. The pass goes on with
     * backlog_next(). */
    void (*found)(struct backlog *backlog, struct kept_decay *decay, unsigned together);
    /* One that cannot be read: error as of store_get_decay(). The pass goes on by itself. */
    void (*unreadable)(void *context, uint64_t id, int error);
    /* There are no more, or none that can be read now. */
    void (*rested)(void *context);
    /* Whether a decay is on its way already. */
    bool (*on_its_way)(void *context, uint64_t id);
    void *context;
};

/* There may be decays that wait, also where the pass that is under way has been already. */
void backlog_want(struct backlog *backlog);

/* Begins with the oldest decay, of those that were not tried before, when a pass is wanted and none is under way. */
void backlog_start(struct backlog *backlog);

/* The one that was found has been dealt with. */
void backlog_next(struct backlog *backlog);

/* It cannot be now: the pass is over, and another one wanted. */
void backlog_put_off(struct backlog *backlog);

#endif
