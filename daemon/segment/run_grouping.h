/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_RUN_GROUPING_H
#define FRICID_SEGMENT_RUN_GROUPING_H

#include "segment/decay.h"

#include <stddef.h>
#include <stdint.h>

/* A run is what a rig did once, such as one release: it has at most one decay of each channel. The channels of a rig
 * see one mass, which moves freely until it rests or is excited anew; so two decays that lie on each other on the clock
 * of their source are of one motion, however much sooner one sensor saw the mass at rest, or the other was overdriven.
 * An end is known to about a half cycle: what has less than that in common may be the end of one motion and the
 * beginning of the next. A delay of a channel is in the times of its samples already. */

/* So many decays are remembered: what comes when that many others have come since is of a run of its own. A channel
 * would have to find that many decays while another one still follows its own. */
enum { RUN_GROUPING_REMEMBERS = 64 };

/* The time in which a decay was seen, on the clock of its source. */
struct decay_span {
    double begin_s, end_s; /* the release, or the first sample where that was not seen; the last sample */
    double half_cycle_s;   /* 0: not known */
};

struct decay_span decay_span(const struct decay *decay);

/* All zero: nothing has come yet. A source that begins anew wants a new one. */
struct run_grouping {
    uint64_t runs;   /* so far */
    uint64_t decays; /* likewise; the latest of them stand below, each at its number modulo the size */
    struct {
        struct decay_span span;
        size_t channel;
        uint64_t run;
    } decay[RUN_GROUPING_REMEMBERS];
};

/* The number of the run that a decay belongs to, from 1: that of the decay of another channel with which it shares its
 * motion; where there are several, of the one that begins nearest; else a new one. Decays come in any order. */
uint64_t run_grouping_add(struct run_grouping *grouping, size_t channel, const struct decay_span *span);

#endif
