/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_ANALYSIS_H
#define FRICID_ANALYSIS_H

#include "identify/ladder/earlier_releases.h"
#include "segment/segmenter.h"
#include "service/memory_budget.h"
#include "store/kept.h"

#include <stdatomic.h>
#include <stddef.h>

/* How much of an identification is made: with the ladder of models, or a first answer that another follows. */
struct analysis_steps {
    bool ladder, more_follows;
    const struct earlier_releases *earlier; /* of the channel, for the ladder; NULL: none is known */
};

/* Identifies a decay; runs in any thread. cancel may be NULL. The result is the caller's; NULL when memory is short. */
struct kept_result *identify_kept_decay(struct kept_decay *kept, const struct analysis_steps *steps,
                                        const atomic_bool *cancel);

/* A result that says why there was no identification. NULL when memory is short. */
struct kept_result *leave_kept_decay(struct kept_decay *kept, enum verdict verdict);

/* A part of a recording without a gap. */
struct analysis_run {
    size_t first;         /* of its samples */
    uint64_t first_index; /* of its first scan; uniform scan i was taken at origin_s + i * period_s */
    double origin_s, period_s;
    bool broken;   /* a gap goes before it, whatever the index says */
    uint64_t lost; /* samples that are known to be missing there */
};

/* A whole recording of one channel, in memory, that is to be identified; borrows its arrays. */
struct analysis_input {
    const double *displacement;
    const double *time_s; /* NULL: uniform */
    const uint8_t *flags; /* count sets of enum sample_flag; NULL: none is flagged */
    size_t count;
    double start_s, period_s;
    size_t run_count; /* gapless parts that the samples consist of; 0: one, which begins at start_s */
    const struct analysis_run *runs;
    double resolution;                      /* displacement unit; 0: not known */
    bool dated;                             /* it is known when its time is 0: */
    int64_t zero_at_ns;                     /* CLOCK_REALTIME, ns */
    bool whole;                             /* one decay already cut */
    double amplitude_most;                  /* a whole one is used from here on, displacement unit; 0: from its begin */
    double amplitude_least;                 /* and down to here; 0: as far as it is seen */
    double ladders_s;                       /* decays get the ladder of models for so long, s; 0: none does */
    struct segment_settings segment;        /* used unless whole */
    const struct decay_origin *origin;      /* goes into every result */
    const struct earlier_releases *earlier; /* of the same rig and channel, in other records; NULL: none is known */
    const atomic_bool *cancel;              /* may be NULL */
    struct memory_charge *charge;           /* where the results are counted; NULL: nowhere */
};

/* What came of it; owns its references: analysis_clear(). */
struct analysis {
    struct kept_result **results;
    size_t count;
    size_t capacity;
    uint64_t drops[DROP_REASONS];
    size_t fed;                      /* so many samples were looked through */
    bool cut_short;                  /* a result lacks more than its ladder because it was cancelled */
    int error;                       /* that ended it; 0: none */
    double ladders_until_s;          /* on the monotonic clock */
    struct earlier_releases earlier; /* those of the input, and in the same record */
};

/* Segments and identifies with the same code that live channels go through. Runs in any thread. 0, or -ENOMEM,
 * -EDQUOT when the charge does not grant the memory, -ECANCELED; what was found until then is in *analysis either way.
 * Where only the last ladder was cancelled, 0: all else is there, and that ladder's verdict is VERDICT_CANCELLED.
 */
int analyse(const struct analysis_input *input, struct analysis *analysis);

void analysis_clear(struct analysis *analysis);

#endif
