/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LADDER_EXCERPT_H
#define FRICID_IDENTIFY_LADDER_EXCERPT_H

#include "identify/loop/loop_signal.h"

#include <stddef.h>

/* What of a record the ladder takes that is longer than it takes. */
struct ladder_excerpt {
    struct loop_signal signal;
    size_t every;    /* nth sample of the record is in it */
    size_t left_out; /* samples of the record behind its end */
    double *room;    /* owned */
};

/* Where a loop has far more samples than a model wants, every nth, and of these the first. A record that is not too
 * long is taken whole. 0 or -ENOMEM. */
int ladder_excerpt_make(const struct loop_signal *signal, size_t loops, struct ladder_excerpt *excerpt);
void ladder_excerpt_clear(struct ladder_excerpt *excerpt);

#endif
