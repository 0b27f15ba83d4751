/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_FREE_DECAY_H
#define FRICID_IDENTIFY_FREE_DECAY_H

#include "identify/decay/rest_tail.h"
#include "identify/record_analysis.h"

/* What the segmenter saw of a free decay beside its samples. */
struct free_decay_seen {
    double first_extremum_s; /* NAN: not known */
    struct rest_observation rest;
};

/* Identifies the first trace: channels that saw one release are records of their own. Seen is a struct free_decay_seen,
 * found a struct identification. */
record_analysis analyse_free_decay;

#endif
