/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_NOISE_FLOOR_H
#define FRICID_SEGMENT_NOISE_FLOOR_H

#include "segment/chunk.h"
#include "segment/tolerances.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* The noise is the median over so many chunks. */
enum { NOISE_CHUNKS = 48 };

/* The smallest difference of samples so far, and whether the others are whole multiples of it. */
struct step_seen {
    double smallest; /* between successive samples; INFINITY: none seen */
    double whole;    /* leaky counts of differences that are, and are not, whole steps */
    double broken;
};

/* The measuring noise of a channel, seen through fourth differences: they keep white noise and remove the motion (at 20
 * samples a cycle a swing of amplitude A leaves 0.001 A), so the mass need not be at rest. Knocks hardly
 * change the median over the latest chunks. Also the smallest step between samples: the ADC step or encoder count when
 * nobody told. */
struct noise_floor {
    float chunk_sd[NOISE_CHUNKS]; /* ring */
    size_t next, filled;
    double sd;               /* standard deviation; NAN: not known yet */
    struct step_seen ever;   /* since the beginning */
    struct step_seen lately; /* of the latest chunks: whatever was broken once, such as a limit that lies between two
                                steps, is forgotten when these know better */
    unsigned chunks;         /* that `lately` has seen */
    double largest_value;    /* |displacement| of late: scale of the rounding errors */
};

void noise_floor_init(struct noise_floor *noise);

/* Takes in a chunk that begins at `sample`; the one before it is readable. */
void noise_floor_take(struct noise_floor *noise, const struct chunk *chunk, const double *sample);

/* Differences of noise alone come to at most five whole ones to one that is broken, see noise_floor.c: forty are no
 * chance, once some forty have been counted. */
enum { WHOLE_TO_BROKEN_STEPS = 40 };

static inline bool step_seen_is_one(const struct step_seen *seen)
{
    return seen->whole > WHOLE_TO_BROKEN_STEPS * seen->broken;
}

/* The step of a quantised signal, displacement unit; 0 when the signal does not come in steps. */
static inline double noise_floor_step(const struct noise_floor *noise)
{
    const struct step_seen *seen = &noise->ever;
    /* A step within rounding of the values is none. */
    bool any = seen->smallest < INFINITY && seen->smallest >= ROUNDING_EPSILONS * DBL_EPSILON * noise->largest_value;
    return any && step_seen_is_one(seen) ? seen->smallest : 0;
}

#endif
