/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "segment/turn_rise.h"

#include <math.h>

/* A parabola has three unknowns, so that so many samples leave two to hold it against. */
enum { LEAST_SAMPLES = 5 };

/* values = a + b u + c (u^2 - mean of u^2) over u from -1 to 1: these columns are orthogonal. */
double turn_rise(const double *values, size_t count, double noise, double deviations)
{
    if (count < LEAST_SAMPLES)
        return 0;
    double mean = 0, on_u = 0, on_square = 0, of_u = 0, of_square = 0;
    for (size_t i = 0; i < count; i++)
        mean += pow(2 * (double)i / (double)(count - 1) - 1, 2) / (double)count;
    for (size_t i = 0; i < count; i++) {
        const double u = 2 * (double)i / (double)(count - 1) - 1, square = u * u - mean;
        on_u += u * values[i];
        on_square += square * values[i];
        of_u += u * u;
        of_square += square * square;
    }
    const double b = on_u / of_u, c = on_square / of_square, slope = b + 2 * c;
    const double se = noise * sqrt(1 / of_u + 4 / of_square);
    const double turn = c > 0 ? -b / (2 * c) : -INFINITY;
    return turn > -1 && slope > deviations * se ? slope * slope / (4 * c) : 0;
}
