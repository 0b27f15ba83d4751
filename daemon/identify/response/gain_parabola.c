/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/response/gain_parabola.h"

#include <math.h>

double gain_parabola_place(const struct gain_parabola *parabola, double frequency)
{
    const double ratio = frequency / parabola->middle;
    return (ratio * ratio - 1) / parabola->width;
}

double gain_parabola_frequency(const struct gain_parabola *parabola, double x)
{
    return parabola->middle * sqrt(1 + x * parabola->width);
}

double gain_parabola_value(const struct gain_parabola *parabola, double x)
{
    return parabola->c[0] + x * (parabola->c[1] + x * parabola->c[2]);
}

bool gain_parabola_fit(const struct response_point *points, size_t count, double peak, int order,
                       struct gain_parabola *parabola)
{
    struct small_least_squares equations = {.unknowns = GAIN_PARABOLA};
    parabola->middle = points[count / 2].frequency;
    parabola->width = 1;
    parabola->width = fmax(fabs(gain_parabola_place(parabola, points[0].frequency)),
                           fabs(gain_parabola_place(parabola, points[count - 1].frequency)));
    for (int pass = 0; pass < 2; pass++) {
        parabola->squares = 0;
        for (size_t i = 0; i < count; i++) {
            const double turn = pow(points[i].frequency / parabola->middle, order);
            const double ratio = turn * peak / points[i].gain, y = ratio * ratio;
            const double x = gain_parabola_place(parabola, points[i].frequency);
            const double row[GAIN_PARABOLA] = {1 / y, x / y, x * x / y};
            const double rest = (y - gain_parabola_value(parabola, x)) / y;
            if (pass == 0)
                small_least_squares_add(&equations, row, 1);
            else
                parabola->squares += rest * rest;
        }
        if (pass == 0 && !small_least_squares_solve(&equations, parabola->c, parabola->inverse))
            return false;
    }
    parabola->freedom = (double)count - GAIN_PARABOLA;
    return true;
}

double gain_parabola_variance(const struct gain_parabola *parabola, double x)
{
    const double by[GAIN_PARABOLA] = {1, x, x * x};
    double variance = 0;
    for (int a = 0; a < GAIN_PARABOLA; a++)
        for (int b = 0; b < GAIN_PARABOLA; b++)
            variance += by[a] * by[b] * parabola->inverse[a][b];
    return variance;
}
