/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LOOP_SPEED_H
#define FRICID_IDENTIFY_LOOP_SPEED_H

#include "identify/loop/loop_signal.h"
#include "identify/loop/loop_turn.h"

/* A loop whose speed is asked: between its three reversals, which lie in these samples. */
struct loop_ride {
    const struct loop_signal *signal;
    const struct loop_reversal *reversal[3];
    size_t first, last;
    double half_stroke, period_s;
};

/* The integral of v^2 dt over the loop, and its standard error by the noise over it. */
struct loop_squares {
    double value, relative;
    double beside; /* by which share it is more with differences over twice as many samples, beyond a sine's; 0: rests
                      or corners are known */
};
struct loop_squares loop_squares_of(const struct loop_ride *ride);

#endif
