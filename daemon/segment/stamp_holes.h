/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_STAMP_HOLES_H
#define FRICID_SEGMENT_STAMP_HOLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Finds the places where samples with time stamps of their own are missing: a distance far beyond what the pace of the
 * latest ones allows. A stamp that does not come after the one before is a hole as well: nothing can be said of what
 * lies between. */
struct stamp_holes {
    bool leaps;       /* a distance that is too long is a hole; else its source tells of those */
    double latest_s;  /* the stamp before; NAN: none yet */
    double longest_s; /* the longest distance, older ones fading away; 0: none yet */
};

void stamp_holes_init(struct stamp_holes *holes, bool leaps);

/* Forgets the pace: the next stamp is the first. */
void stamp_holes_restart(struct stamp_holes *holes);

/* Takes in stamps up to the next hole and returns how many. 0 when the hole lies before the first: *lost is then about
 * how many samples it swallowed (0: not known), and the pace is forgotten. */
size_t stamp_holes_run(struct stamp_holes *holes, const double *time_s, size_t count, uint64_t *lost);

#endif
