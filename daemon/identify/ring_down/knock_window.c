/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/ring_down/knock_window.h"

#include <errno.h>
#include <gsl/gsl_sf_legendre.h>
#include <math.h>
#include <stdlib.h>

/* An exponential has its polynomials, which are orthonormal, and steps; of these each is orthogonal to the polynomials
 * up to an odd degree. */
enum { STEPS = KNOCK_DEGREES / 2, ROWS = KNOCK_DEGREES + STEPS, FALLS = 6 };

static double *row_of(const struct knock_window *window, size_t fall, size_t which)
{
    return window->row + (fall * ROWS + which) * window->length;
}

static void take_off(const double *row, size_t count, double *of)
{
    double product = 0;
    for (size_t i = 0; i < count; i++)
        product += row[i] * of[i];
    for (size_t i = 0; i < count; i++)
        of[i] -= product * row[i];
}

/* To the first rows, twice, so that nothing of them is left. */
static void make_orthonormal(const struct knock_window *window, size_t fall, size_t which, size_t first)
{
    double *row = row_of(window, fall, which), squares = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t r = 0; r < first; r++)
            take_off(row_of(window, fall, r), window->length, row);
    for (size_t i = 0; i < window->length; i++)
        squares += row[i] * row[i];
    for (size_t i = 0; i < window->length; i++)
        row[i] /= sqrt(squares);
}

/* A step from -1 to 1 in the middle, as the filter leaves it. */
static double smeared(const struct baseband_filter *filter, double from_middle)
{
    const double half = (double)(filter->taps / 2), reach = fabs(from_middle) * (double)filter->step;
    double within = 0.5 * filter->weight[filter->taps / 2];
    for (size_t j = 1; (double)j <= fmin(reach, half); j++)
        within += filter->weight[filter->taps / 2 + j];
    return from_middle < 0 ? -2 * within : from_middle > 0 ? 2 * within : 0;
}

static void make_rows(const struct knock_window *window, const struct baseband_filter *filter, size_t fall)
{
    for (size_t i = 0; i < window->length; i++) {
        const double s = 2 * (double)i / (double)(window->length - 1) - 1;
        const double step = smeared(filter, 0.5 * s * (double)(window->length - 1));
        const double motion = exp(-0.5 * (double)fall * s);
        for (size_t degree = 0; degree < KNOCK_DEGREES; degree++)
            row_of(window, fall, degree)[i] = motion * gsl_sf_legendre_Pl((int)degree, s);
        for (size_t k = 0; k < STEPS; k++)
            row_of(window, fall, KNOCK_DEGREES + k)[i] = motion * step;
    }
    for (size_t degree = 0; degree < KNOCK_DEGREES; degree++)
        make_orthonormal(window, fall, degree, degree);
    for (size_t k = 0; k < STEPS; k++)
        make_orthonormal(window, fall, KNOCK_DEGREES + k, 2 * (k + 1));
}

int knock_window_make(size_t length, const struct baseband_filter *filter, struct knock_window *window)
{
    *window = (struct knock_window){.length = length};
    window->row = calloc(FALLS * ROWS * length, sizeof *window->row);
    window->residual = calloc(length, sizeof *window->residual);
    if (!window->row || !window->residual)
        return -ENOMEM;
    for (size_t fall = 0; fall < FALLS; fall++)
        make_rows(window, filter, fall);
    return 0;
}

void knock_window_clear(struct knock_window *window)
{
    free(window->row);
    free(window->residual);
}

static double square(double complex value)
{
    return creal(value) * creal(value) + cimag(value) * cimag(value);
}

/* The motion turned back by its own mean frequency. */
static void turn_back(const struct knock_window *window, const double complex *values)
{
    double complex turn = 0, phasor = 1;
    for (size_t k = 1; k < window->length; k++)
        turn += conj(values[k]) * values[k - 1];
    turn = cabs(turn) > 0 ? turn / cabs(turn) : 1;
    for (size_t k = 0; k < window->length; k++) {
        window->residual[k] = values[k] * phasor;
        phasor *= turn;
    }
}

/* From the first half to the second the squares fall by as much as the exponential does over the window. */
static size_t fall_of(const struct knock_window *window)
{
    double first = 0, second = 0;
    for (size_t i = 0; i < window->length; i++)
        *(i < window->length / 2 ? &first : &second) += square(window->residual[i]);
    const double fall = first > 0 && second > 0 ? round(log(first / second)) : 0;
    return (size_t)fmin(fmax(fall, 0), FALLS - 1);
}

static double complex part_of(const struct knock_window *window, const double *row)
{
    double complex product = 0;
    for (size_t i = 0; i < window->length; i++)
        product += row[i] * window->residual[i];
    return product;
}

/* What a row explains; the rest stays in the window. */
static double explain(const struct knock_window *window, const double *row)
{
    const double complex part = part_of(window, row);
    for (size_t i = 0; i < window->length; i++)
        window->residual[i] -= part * row[i];
    return square(part);
}

static double what_is_left(const struct knock_window *window)
{
    double squares = 0;
    for (size_t i = 0; i < window->length; i++)
        squares += square(window->residual[i]);
    return squares;
}

/* A sensor that shows nothing at all has the floor alone. */
static double roughness(const struct knock_window *window, double left, double floor)
{
    double squares = 2 * (double)window->length * floor;
    for (size_t i = 1; i < window->length; i++)
        squares += square(window->residual[i] - window->residual[i - 1]);
    return 0.5 * squares / (left + (double)window->length * floor);
}

/* Of noise, what a row explains of one sensor's squares leaves a share that is below x by the chance x^(freedom - 1).
 */
void knock_window_look(const struct knock_window *window, const double complex *values, double white, double floor,
                       struct knock_likelihoods *found)
{
    double left[STEPS], by_step[STEPS], further[STEPS];
    turn_back(window, values);
    const size_t fall = fall_of(window);
    for (size_t k = 0; k < STEPS; k++) {
        further[k] = explain(window, row_of(window, fall, 2 * k)) + explain(window, row_of(window, fall, 2 * k + 1));
        by_step[k] = square(part_of(window, row_of(window, fall, KNOCK_DEGREES + k)));
    }
    explain(window, row_of(window, fall, KNOCK_DEGREES + STEPS - 1));
    found->left = what_is_left(window);
    found->rough = roughness(window, found->left, floor);
    left[STEPS - 1] = found->left + by_step[STEPS - 1] + (double)window->length * floor;
    for (size_t k = STEPS - 1; k-- > 0;)
        left[k] = left[k + 1] + further[k + 1];
    for (size_t k = 0; k < KNOCK_ORDERS; k++) {
        const double freedom = white * (double)(window->length - 2 * k - 3), least = (double)window->length * floor;
        const double behind = fmax(left[k] - by_step[k], least), last = fmax(left[k + 2] - by_step[k + 2], least);
        found->step[k] = freedom * log(left[k] / behind);
        found->beyond[k] = freedom * log(fmax(behind / last, 1));
        found->smooth[k] = freedom * log(left[k] / left[k + 2]);
    }
}
