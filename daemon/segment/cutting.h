/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_CUTTING_H
#define FRICID_SEGMENT_CUTTING_H

#include "segment/candidate.h"
#include "segment/decay.h"
#include "segment/decay_finder.h"
#include "segment/sample_history.h"
#include "segment/segmenter.h"

/* What is known of a candidate that has ended. */
struct cutting {
    const struct candidate *candidate;
    const struct sample_history *history;
    const struct segment_settings *settings;
    const struct channel_noise *noise;
    struct finder_end *end;         /* why it ended; when less of it is free motion than was followed: new excitation */
    double rest_level, quiet_level; /* where the mass rested last, where nothing moved for long; NAN: not known */
    double rhythm;                  /* half period of the rig, positions; 0: not known */
    double from;                    /* position: what lies before is not of this motion */
    double kept;                    /* position: what lies before is a decay, or older */
    double dropped;                 /* position: what lies before was a candidate that failed */
};

/* Cuts the candidate's record out of the history; *last: its last extremum. Returns NULL and why when it does not
 * become a decay. */
struct decay *cut_decay(const struct cutting *cutting, size_t *last, enum drop_reason *reason);

/* Samples before this number will not be needed, as far as the candidate goes. */
uint64_t cutting_keep(const struct candidate *candidate, const struct sample_history *history,
                      const struct segment_settings *settings);

/* The first extremum from `first` on whose amplitude is below the window's upper edge; candidate->count when none. */
size_t first_within_window(const struct candidate *candidate, size_t first, double start_below);

#endif
