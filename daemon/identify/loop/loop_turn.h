/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LOOP_TURN_H
#define FRICID_IDENTIFY_LOOP_TURN_H

#include <stdbool.h>
#include <stddef.h>

/* Samples further apart than this share of a cycle leave a gap: what the signal did in it nobody knows. */
#define LOOP_GAP_SHARE 0.1

/* A vertex is looked for among samples that are away from it by no more than this share of the swing. */
#define LOOP_VERTEX_SHARE 0.1

/* A drive turns back alike from one reversal to the next: so many on either side tell together, what the noise hides at
 * each, which shape its turn has. */
enum { LOOP_ALIKE = 20 };

/* What a reversal is measured by. */
struct loop_half_cycle {
    double swing;   /* to the reversals beside it, in the mean */
    double cycle_s; /* from the reversal before to the next */
    double samples; /* of a usual half cycle */
};

/* Where the displacement turns back. */
struct loop_reversal {
    bool upper;
    size_t sample;               /* the extreme one */
    struct loop_half_cycle half; /* as extreme samples tell it */
    double reach_s;              /* samples so near its extreme one tell where it is */
    size_t arrived, left;        /* the first and the last sample at which it is as good as there */
    double time_s, displacement; /* of the crest through its samples */
    double se;                   /* standard uncertainty of that displacement */
    size_t first, last;          /* samples of that crest; both 0: it leaves more than noise does */
    double rest_s;               /* how long it rests; 0: it turns back at once */
    size_t blur;                 /* of a rest: within so many samples it is known where it arrives and leaves */
    bool pause;                  /* it rests for longer than it moves */
    bool corner;                 /* it turns back at once, from one straight line to another */
    double cut, cut_u;           /* of a corner: so much is cut off at all of the record, and u of that */
    double apart_s;              /* and samples that are farther from it tell its lines; 0: it is not cut off */
    double beside;               /* so much farther up it is by a narrower window */
    double evidence;       /* for a corner: logarithm of the likelihood ratio to a smooth crest, by its own samples */
    bool level;            /* it stays between two straight lines, for too short a time to be seen to rest */
    double level_evidence; /* for that: likewise, to the better one of crest and corner */
};

struct loop_reversals {
    struct loop_reversal *reversal; /* owned: loop_reversals_clear() */
    size_t count, capacity;
};

/* Where it turns back, by a curve through samples. */
struct loop_vertex {
    double time_s, displacement;
    double variance; /* of that displacement, over that of the noise */
    double squares;  /* sum of those of what the curve leaves */
};

#endif
