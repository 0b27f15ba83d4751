/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_GAIN_PARABOLA_H
#define FRICID_IDENTIFY_GAIN_PARABOLA_H

#include "identify/common/small_least_squares.h"
#include "identify/response/response_point.h"

#include <stdbool.h>
#include <stddef.h>

/* The parabola that a linear resonance is. */

enum { GAIN_PARABOLA = 3 }; /* unknowns */

/* Of a linear resonance 1/gain^2 is a parabola over f^2 where the response is a displacement, f^2/gain^2 where it is a
 * velocity, and f^4/gain^2 where it is an acceleration; over a short piece all are. The exponent of f^2 is the order.
 * y(x) = c[0] + x (c[1] + x c[2]), with y in its smallest and x = (f^2/middle^2 - 1)/width. */
struct gain_parabola {
    double c[GAIN_PARABOLA], inverse[SMALL_MAX][SMALL_MAX];
    double middle, width;
    double squares; /* of the residuals, as shares of y */
    double freedom;
};

/* x of a frequency, the frequency of an x, and y there. */
double gain_parabola_place(const struct gain_parabola *parabola, double frequency);
double gain_parabola_frequency(const struct gain_parabola *parabola, double x);
double gain_parabola_value(const struct gain_parabola *parabola, double x);

/* By the points of largest gain `peak`, in whose 1/gain^2 y is told; each weighs as its share of y. False: they tell
 * none. */
bool gain_parabola_fit(const struct response_point *points, size_t count, double peak, int order,
                       struct gain_parabola *parabola);

/* Of y there, for a scatter of its shares of 1. */
double gain_parabola_variance(const struct gain_parabola *parabola, double x);

#endif
