/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_CANDIDATE_H
#define FRICID_SEGMENT_CANDIDATE_H

#include "segment/decay_law.h"
#include "segment/half_cycle.h"
#include "segment/sample_history.h"
#include "segment/shape.h"
#include "segment/turning_points.h"

#include <stdbool.h>
#include <stddef.h>

/* An extremum of a motion that may be a free decay. */
struct candidate_extremum {
    double position; /* of the sample axis, see sample_history.h */
    double level;    /* displacement there */
};

/* A motion that may be a free decay, followed half cycle by half cycle. Half cycle j goes from extremum j to j + 1. */
struct candidate {
    /* Owned: candidate_clear(). */
    struct candidate_extremum *extrema; /* count of them */
    double *swing;                      /* |displacement| between extremum j and j + 1; count - 1 of them */
    double *residual;                   /* rms about the shape of a free half cycle; likewise */
    size_t count, capacity;
    double half_period;  /* positions */
    double latest_shift; /* of the latest half cycle against its expected time, relative to the half period */
    double beta;         /* damping that the shape assumes */
    int direction;       /* of the next half cycle: +1 upwards */
    double noise;        /* rms of the latest residuals, displacement unit */
    double noise_least;  /* what the noise floor makes of it at least */
    double step;         /* ADC step or encoder count, displacement unit; 0: none */
    bool start_refined;  /* candidate_refine_start() was called */
    bool still;          /* nothing moved in the half period after the last extremum, and the next one is waited for */
    struct shape shape;  /* of its half cycles, once they are known well enough to be tabulated */
};

/* The half cycles that a candidate with an extremum has. */
static inline size_t candidate_half_cycles(const struct candidate *candidate)
{
    return candidate->count - 1;
}

/* The noise and the steps of a channel, as far as they are known. */
struct channel_noise {
    double sd, step; /* displacement unit */
};

enum candidate_event {
    CANDIDATE_WAITS,     /* for samples */
    CANDIDATE_GOES_ON,   /* one half cycle more */
    CANDIDATE_PAUSES,    /* it has stopped, and waits for what comes behind that */
    CANDIDATE_STOPPED,   /* nothing moves any more: rest or noise floor */
    CANDIDATE_DISTURBED, /* the next half cycle is not a free one */
    CANDIDATE_IRREGULAR, /* a free-looking half cycle at the wrong time */
    CANDIDATE_GREW,      /* a free-looking half cycle, but larger than the one before */
    CANDIDATE_CLIPPED,   /* the next half cycle is clipped */
    CANDIDATE_NO_MEMORY,
};

void candidate_init(struct candidate *candidate);
void candidate_clear(struct candidate *candidate);

struct rhythm;

/* It takes two turning points up as the first extrema of a candidate when the samples between them look like half a
 * cycle of free motion; they must be in sight. Extrema before position `from` belong to something else. -EDOM when they
 * do not look like one, or -ENOMEM. */
int candidate_begin(struct candidate *candidate, const struct sample_history *history,
                    const struct turning_point *turning, const struct channel_noise *noise, const struct rhythm *rhythm,
                    double from);

/* The position at which the half period ends that candidate_follow() looks at next. */
static inline double candidate_next_end(const struct candidate *candidate)
{
    return candidate->extrema[candidate->count - 1].position + (candidate->still ? 2 : 1) * candidate->half_period;
}

/* It tells whether the samples before number `ready` reach that far, or up to this part of a half period less. */
static inline bool candidate_has_next(const struct candidate *candidate, const struct sample_history *history,
                                      double less, uint64_t ready)
{
    double end = candidate_next_end(candidate) - less * candidate->half_period;
    return sample_history_position(history, ready - 1) >= end;
}

/* It judges that half period, which was measured and ends there, and takes in a free half cycle. The fit may be
 * repeated with a better half period. */
enum candidate_event candidate_follow(struct candidate *candidate, const struct sample_history *history, double end,
                                      struct half_cycle *half);

/* Half cycles after which the timing is known well enough to refine the start of a candidate. */
enum { CANDIDATE_TIMING_KNOWN = 8 };

/* Once the timing is known, or the candidate has ended: measures its first half cycles again, lets go of those that are
 * not free motion and takes in those before that are. -ENOMEM, or 0. */
int candidate_refine_start(struct candidate *candidate, const struct sample_history *history, double from);

/* It keeps some of the first half cycles and some of the latest of a candidate whose record was cut, while its motion
 * goes on without end. Between the two there is a leap in time. */
enum { CANDIDATE_LATEST_KEPT = 35 };
void candidate_thin_out(struct candidate *candidate);

/* The smallest swing that can be told from noise, displacement unit. */
double candidate_smallest_swing(const struct candidate *candidate);

/* It tells whether a candidate that stopped did so by friction, rather than sinking below the noise. */
bool candidate_came_to_rest(const struct candidate *candidate);

/* Lets go of what comes after this extremum. */
void candidate_forget_after(struct candidate *candidate, size_t last);

/* Lets go of the last half cycle if it fits less well than those before it, because what ended the candidate had
 * already begun. */
void candidate_trim(struct candidate *candidate);

#endif
