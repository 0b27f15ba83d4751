/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/friction_search.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The grid: presliding lengths from a fifth of a usual step to the stroke, Stribeck velocities over the speeds of the
 * record, and dips. No optimum was missed on it in a thousand records and more. */
enum { LENGTHS = 14, VELOCITIES = 9, RATIOS = 3, CANDIDATES = VELOCITIES, FINALISTS = 2 };
static const double ratios[RATIOS] = {0.15, 0.5, 1.5};

/* Optima that are as good as each other are one. */
static const double same_optimum = 1e-6;

int friction_motions_make(const struct loop_signal *signal, size_t pieces, struct friction_motions *motions)
{
    memset(motions, 0, sizeof *motions);
    motions->samples = calloc(signal->count, sizeof *motions->samples);
    if (!motions->samples)
        return -ENOMEM;
    friction_smooth(signal, motions->samples);
    const int error = friction_motion_make(signal, motions->samples, pieces, &motions->all);
    return error != 0 ? error : friction_motion_thin(signal, motions->samples, &motions->all, &motions->thinned);
}

/* What a walk of one step a sample is off, as a share of F_C, at this share of a cycle a sample; it goes with the
 * square of that, and is to be below this share of the residuals. */
static const double scheme_error = 6e-4, scheme_share = 1. / 200, noise_share = 0.1;

int friction_motions_refine(const struct loop_signal *signal, const struct friction_fit *fit,
                            struct friction_motions *motions)
{
    const double share = motions->all.usual_step / 4 / scheme_share;
    const double residual = sqrt(fmax(fit->squares, 0) / (double)motions->all.samples);
    const double wanted = share * sqrt(scheme_error / fmax(noise_share * residual, 1e-6));
    const size_t pieces = wanted > PATH_PIECES ? PATH_PIECES : (size_t)ceil(wanted);
    if (pieces <= 1)
        return 0;
    friction_motion_clear(&motions->all);
    return friction_motion_make(signal, motions->samples, pieces, &motions->all);
}

void friction_motions_clear(struct friction_motions *motions)
{
    friction_motion_clear(&motions->all);
    friction_motion_clear(&motions->thinned);
    free(motions->samples);
}

static double on_grid(double least, double most, size_t k, size_t count)
{
    return count < 2 ? least : least * pow(most / least, (double)k / (double)(count - 1));
}

/* The best point of the grid at one Stribeck velocity. */
static void look_at_velocity(const struct friction_motions *motions, const struct friction_point *of,
                             struct friction_fit *best)
{
    const bool presliding = of->row.shape != FRICTION_RIGID, dips = friction_column_used(&of->row, COLUMN_RATIO);
    best->squares = INFINITY;
    for (size_t l = 0; l < (presliding ? LENGTHS : 1); l++)
        for (size_t r = 0; r < (dips ? RATIOS : 1); r++) {
            struct friction_fit fit = {.passes = 0};
            struct friction_point point = *of;
            point.value[COLUMN_X_D] = on_grid(motions->all.usual_step / 5, 2, l, LENGTHS);
            point.value[COLUMN_RATIO] = ratios[r];
            friction_fit_linear(&motions->thinned, &point, &fit);
            if (fit.squares < best->squares)
                *best = fit;
        }
}

/* Keeps the best fits in order, each optimum once. */
struct finalists {
    struct friction_fit fit[FINALISTS];
    size_t count;
};

static void consider(struct finalists *finalists, const struct friction_fit *fit)
{
    size_t place = finalists->count;
    for (size_t k = 0; k < finalists->count; k++)
        if (fabs(fit->squares - finalists->fit[k].squares) <= same_optimum * fit->squares)
            return;
    while (place > 0 && fit->squares < finalists->fit[place - 1].squares)
        place--;
    if (place == FINALISTS)
        return;
    const size_t moved = (finalists->count < FINALISTS ? finalists->count : FINALISTS - 1) - place;
    memmove(&finalists->fit[place + 1], &finalists->fit[place], moved * sizeof *fit);
    finalists->fit[place] = *fit;
    finalists->count += finalists->count < FINALISTS;
}

static void take_better(const struct friction_fit *fit, struct friction_fit *best)
{
    const size_t passes = best->passes + fit->passes;
    if (fit->squares < best->squares)
        *best = *fit;
    best->passes = passes;
}

void friction_search(const struct friction_motions *motions, const struct friction_row *row, double exponent,
                     const struct friction_fit *const simpler[], size_t count, struct friction_fit *fit)
{
    const bool dips = friction_column_used(row, COLUMN_RATIO);
    struct friction_point point = {.row = *row, .exponent = exponent};
    struct finalists finalists = {.count = 0};
    for (size_t v = 0; v < (dips ? VELOCITIES : 1); v++) {
        struct friction_fit start, refined;
        point.value[COLUMN_V_S] =
            on_grid(fmax(2 * motions->all.slowest, motions->all.fastest / 500), motions->all.fastest, v, VELOCITIES);
        look_at_velocity(motions, &point, &start);
        friction_fit_from(&motions->thinned, &start.point, &refined);
        consider(&finalists, &refined);
    }
    *fit = (struct friction_fit){.squares = INFINITY};
    for (size_t k = 0; k < finalists.count; k++) {
        struct friction_fit refined;
        friction_fit_from(&motions->all, &finalists.fit[k].point, &refined);
        take_better(&refined, fit);
    }
    for (size_t k = 0; k < count; k++) {
        struct friction_fit refined;
        struct friction_point start = simpler[k]->point;
        start.row = *row;
        start.exponent = exponent;
        friction_fit_from(&motions->all, &start, &refined);
        take_better(&refined, fit);
    }
}
