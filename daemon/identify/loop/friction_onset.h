/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_FRICTION_ONSET_H
#define FRICID_IDENTIFY_FRICTION_ONSET_H

#include <math.h>
#include <stdbool.h>

/* Where in a piece of the way an element of GMS begins to slip. Until there it is a spring, and holds its slip force at
 * the level of that place; from there on it comes nearer to the level. Along the piece the level changes evenly. All
 * stretches are in slip lengths, in the sense of the motion. */

/* The piece, on its way through which the element holds `before` at first. */
struct friction_loading {
    double before, step; /* step > 0 */
    double mean, end;    /* levels: of the piece's mean speed, and at its end, where before + step >= end */
    double time;         /* that it takes, times C/F_C */
};

struct friction_onset {
    double left;           /* share of the piece that is behind the place */
    double gains;          /* by how much more of the way the stretch rises than the level */
    double level;          /* to which it comes nearer: that of the mean of what is left */
    double approach, kept; /* what it keeps of what it lacks is exp(-approach) */
    double reached;        /* stretch at the end of the piece */
};

/* By how much the level rises along half of the piece, at the begin of which it is not below 0. */
static inline double friction_onset_rises(const struct friction_loading *piece)
{
    return fmin(piece->end - piece->mean, piece->end / 2);
}

/* Whether it holds its slip force from the first: where a record begins, it may hold more, as it slipped before. */
static inline bool friction_slips_from_first(const struct friction_loading *piece)
{
    return piece->before >= piece->end - 2 * friction_onset_rises(piece);
}

/* Of an element that does not. */
static inline struct friction_onset friction_onset_of(const struct friction_loading *piece)
{
    const double rises = friction_onset_rises(piece);
    struct friction_onset onset = {.gains = piece->step - 2 * rises};
    onset.left = (piece->before + piece->step - piece->end) / onset.gains;
    onset.level = piece->end - onset.left * rises;
    onset.approach = onset.left * piece->time / onset.level;
    onset.kept = exp(-onset.approach);
    onset.reached = onset.level - onset.left * rises * onset.kept;
    return onset;
}

#endif
