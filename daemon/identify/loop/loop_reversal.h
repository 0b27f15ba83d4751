/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LOOP_REVERSAL_H
#define FRICID_IDENTIFY_LOOP_REVERSAL_H

#include "identify/loop/loop_signal.h"

#include <stdbool.h>

/* Where the displacement turns back. */
struct loop_reversal {
    bool upper;
    size_t sample;               /* the extreme one */
    size_t arrived, left;        /* the first and the last sample at which it is as good as there */
    double time_s, displacement; /* of the crest through its samples */
    double se;                   /* standard uncertainty of that displacement */
    size_t first, last;          /* samples of that crest; both 0: it leaves more than noise does */
    double rest_s;               /* how long it rests; 0: it turns back at once */
    bool pause;                  /* it rests for longer than it moves */
    bool corner;                 /* it turns back at once, from one straight line to another */
    double evidence;             /* for that: logarithm of the likelihood ratio to a smooth crest, by its own samples */
};

/* Samples further apart than this share of a cycle leave a gap: what the signal did in it nobody knows. */
#define LOOP_GAP_SHARE 0.1

/* A displacement is at rest within this share of its swing. */
#define LOOP_REST_SHARE 0.01

struct loop_reversals {
    struct loop_reversal *reversal; /* owned: loop_reversals_clear() */
    size_t count, capacity;
};

/* Those of a signal in order, lower and upper ones by turns; a swing counts that is larger than the noise, and than a
 * tenth of the swing before it. The beginning and the end of the signal count where it rests there. 0 or -ENOMEM. */
int loop_reversals_of(const struct loop_signal *signal, struct loop_reversals *reversals);

/* Those of one loop, whose extreme samples are known: lower, upper and lower, each after the other. 0 or -ENOMEM. */
int loop_reversals_at(const struct loop_signal *signal, const size_t extreme[3], struct loop_reversals *reversals);
void loop_reversals_clear(struct loop_reversals *reversals);

#endif
