/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_ENDED_CANDIDATE_H
#define FRICID_SEGMENT_ENDED_CANDIDATE_H

#include "segment/candidate.h"
#include "segment/decay_finder.h"
#include "segment/sample_history.h"
#include "segment/segment_settings.h"

/* All that is known of a candidate that has ended. */
struct ended_candidate {
    const struct candidate *candidate;
    const struct sample_history *history;
    const struct segment_settings *settings;
    const struct channel_noise *noise;
    struct finder_end *end;         /* why it ended; when less of it is free motion than was followed: new excitation */
    double rest_level, quiet_level; /* where the mass rested last, where nothing moved for long; NAN: not known */
    double rhythm;                  /* half period of the rig, positions; 0: not known */
    double from;                    /* position: what lies before is not of this motion */
    double decays_until;            /* position: what lies before is a decay, or older */
};

#endif
