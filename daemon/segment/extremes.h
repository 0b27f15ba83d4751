/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_EXTREMES_H
#define FRICID_SEGMENT_EXTREMES_H

/* fmin() and fmax() for numbers: without the care for NAN, which costs a call of a function each time. */
static inline double smaller(double a, double b)
{
    return a < b ? a : b;
}

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

#endif
