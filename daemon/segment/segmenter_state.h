/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_SEGMENTER_STATE_H
#define FRICID_SEGMENT_SEGMENTER_STATE_H

#include "segment/decay_finder.h"
#include "segment/sample_history.h"
#include "segment/segmenter.h"
#include "segment/signal_quality.h"
#include "segment/stamp_holes.h"

/* segmenter.c, which takes samples in, and segmenter_look.c, which looks at them, share this. */

struct segmenter {
    struct segment_settings settings;
    struct segment_listener listener;
    struct sample_history history;
    struct signal_quality signal_quality;
    struct decay_finder finder;
    struct stamp_holes holes;
    uint64_t analysed;       /* samples of this stretch whose noise and spikes are known */
    uint64_t expected_index; /* of the next sample */
    bool in_stretch;         /* false: the next sample begins a new one */
    bool gap_told;           /* segmenter_gap() was called since the last sample */
    double latest;           /* displacement */
    double looked_at;        /* displacement of the latest sample that was looked at */
    enum segment_phase told; /* the latest phase that the listener knows */
    double rest_level;       /* where the mass rested last; NAN: not known */
    double quiet_level;      /* where nothing moved for long; a long hold, maybe */
    uint64_t samples, lost_samples, gaps, decays;
    uint64_t drops[DROP_REASONS];
};

/* Looks at everything before number `ready`, step by step until the finder needs more samples; what it tells may
 * make a decay of a candidate, drop it or lose it. `last_chance`: no more samples will come in this stretch. */
void segmenter_look(struct segmenter *segmenter, uint64_t ready, bool last_chance);

/* The stretch ends before the candidate does. */
void segmenter_cut_off(struct segmenter *segmenter, enum decay_end reason);

/* Counts a candidate that became no decay, and tells. */
void segmenter_drop(struct segmenter *segmenter, enum drop_reason reason);

/* Idle, held or decaying: told when it changes. */
void segmenter_tell_phase(struct segmenter *segmenter);

#endif
