/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_SPIRAL_QUADS_H
#define FRICID_SEGMENT_SPIRAL_QUADS_H

/* Spirals at equal distances, four side by side: a part of files of loops. */

#include "segment/quads.h"
#include "segment/spiral.h"

#include <math.h>

/* The spirals at the first four angles, and *far, by which they turn from quad to quad. Returns what damping leaves of
 * a swing, e^(-beta pi), which the same series give beside them. */
static inline double spirals_begin(double first, double turn_by, double beta, quad *cosine, quad *sine,
                                   struct spiral *far)
{
    /* What damping leaves in a quarter of a half cycle, up to which the series hold, is taken to its fourth power
     * below. */
    const quad theta = {first, turn_by, M_PI_4, 0};
    quad x = beta * theta, xx = x * x, tt = theta * theta, t4 = tt * tt, t8 = t4 * t4;
    quad decay = SPIRAL_DECAY(x, xx, xx * xx);
    quad c = decay * SPIRAL_COSINE(tt, t4, t8), s = decay * SPIRAL_SINE(theta, tt, t4, t8);
    struct spiral here = {c[0], s[0]}, turn = {c[1], s[1]}, next = spiral_turned(here, turn);
    struct spiral twice = spiral_turned(turn, turn);
    struct spiral third = spiral_turned(here, twice), fourth = spiral_turned(next, twice);
    *far = spiral_turned(twice, twice);
    *cosine = (quad){here.cosine, next.cosine, third.cosine, fourth.cosine};
    *sine = (quad){here.sine, next.sine, third.sine, fourth.sine};
    double quarter = decay[2] * decay[2];
    return quarter * quarter;
}

/* It turns the spirals four angles further. */
static inline void spirals_turn(quad *cosine, quad *sine, struct spiral far)
{
    quad turned = *cosine * far.cosine - *sine * far.sine;
    *sine = *cosine * far.sine + *sine * far.cosine;
    *cosine = turned;
}

#endif
