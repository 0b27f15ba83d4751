/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_SCAN_PACE_H
#define FRICID_SEGMENT_SCAN_PACE_H

#include "motion/sampling_pace.h"
#include "segment/loop_scans.h"

#include <stdbool.h>
#include <stddef.h>

/* Where scans of a contact with time stamps of their own are missing. A step that is far longer than the usual one is a
 * gap, but where sampling has become slower: the steps behind it tell, and for as long as they do not, scans wait. */
struct scan_pace {
    double latest_s;  /* of the latest scan that does not wait; NAN: none */
    double longest_s; /* step of a slower sampling; it fades away, and 0 is none */
    struct loop_scan waiting[SAMPLING_PACE_STEPS];
    size_t waits;
};

/* A scan that waits no more. */
struct paced_scan {
    struct loop_scan scan;
    bool behind_gap;
};

/* The next scan is the first. */
void scan_pace_begin(struct scan_pace *pace);

/* Takes a scan in, later than those before, and fills in which wait no more, in order. usual_s: the usual step. Returns
 * how many these are. */
size_t scan_pace_take(struct scan_pace *pace, const struct loop_scan *scan, double usual_s,
                      struct paced_scan due[SAMPLING_PACE_STEPS]);

/* No scan comes any more: likewise with all that wait, behind no gap as far as they tell. */
size_t scan_pace_end(struct scan_pace *pace, struct paced_scan due[SAMPLING_PACE_STEPS]);

#endif
