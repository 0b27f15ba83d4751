/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_EXTREMES_H
#define FRICID_SEGMENT_EXTREMES_H

#include <math.h>

/* fmin() and fmax() for numbers: without the care for NAN, which costs a call of a function each time. */
static inline double smaller(double a, double b)
{
    return a < b ? a : b;
}

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

/* larger(a, 0) of what noise makes positive as often as not: a branch would be guessed wrong. */
static inline double positive_part(double a)
{
    return 0.5 * (a + fabs(a));
}

#endif
