/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_KNOCK_WINDOW_H
#define FRICID_IDENTIFY_KNOCK_WINDOW_H

#include "identify/common/complex_number.h"
#include "identify/ring_down/baseband.h"

#include <stddef.h>

/* The degrees of the polynomials, and those among them by which a motion may change its rates. */
enum { KNOCK_DEGREES = 10, KNOCK_ORDERS = 3 };

/* Windows of one length of a mode's band. In them a motion is an exponential times a polynomial of time. The
 * exponential falls by e^k from the first sample to the last; what is between two of them the polynomials follow. */
struct knock_window {
    size_t length;
    double *row;              /* owned */
    double complex *residual; /* owned */
};

/* Of samples that this filter left, which smears a step. 0 or -ENOMEM; knock_window_clear() in any case. */
int knock_window_make(size_t length, const struct baseband_filter *filter, struct knock_window *window);
void knock_window_clear(struct knock_window *window);

/* What is said of the samples of a window by polynomials of three orders, of degree 1, 3 and 5, by logarithms of
 * likelihood. */
struct knock_likelihoods {
    double step[KNOCK_ORDERS];   /* by how much it grows by a step in the middle */
    double beyond[KNOCK_ORDERS]; /* and then by polynomials of four degrees more */
    double smooth[KNOCK_ORDERS]; /* by these alone */
    double rough; /* of what all of them leave: half the mean square of differences between neighbours over
                     the mean square, 1 of white noise */
    double left;  /* its sum of squares */
};

/* values: `length` samples of one sensor. white: the share of them that is as good as independent samples. floor: the
 * mean square of what no recorder tells. */
void knock_window_look(const struct knock_window *window, const double complex *values, double white, double floor,
                       struct knock_likelihoods *found);

#endif
