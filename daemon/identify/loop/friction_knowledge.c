/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/friction_knowledge.h"

#include <gsl/gsl_eigen.h>
#include <gsl/gsl_matrix.h>
#include <math.h>
#include <string.h>

/* Directions of less than this share of the largest eigenvalue of the scaled J'J are not seen, nor is a quantity more
 * than this share of whose gradient is along them. */
static const double unseen_eigenvalue = 1e-9, unseen_share = 1e-3;

/* A viscous coefficient comes out too small by the share that noise has in the squares of the speeds by which it is
 * told: more than a tenth, and these are one speed. */
static const double noise_share = 0.1;

static double symmetric(const struct friction_normal *normal, size_t a, size_t b)
{
    return a > b ? normal->sum[a][b] : normal->sum[b][a];
}

/* What has no influence of its own beside others is free, if not known. Where the record begins, and the elements of
 * Maxwell-slip, are left out. */
static bool is_free(const struct friction_fit *fit, enum friction_column c)
{
    return !friction_is_held(fit, c) || (c < COLUMN_ELEMENT && friction_is_alike(fit, c));
}

static void find_free(const struct friction_fit *fit, struct friction_knowledge *of)
{
    of->count = 0;
    for (enum friction_column c = 0; c < FRICTION_UNKNOWNS; c++)
        if (friction_column_used(&fit->point.row, c) && is_free(fit, c) && fit->normal.sum[c][c] > 0) {
            of->scale[of->count] = 1 / sqrt(fit->normal.sum[c][c]);
            of->free[of->count++] = c;
        }
}

/* What noise of the speeds has in the sum of squares along a direction. */
static double noise_along(const struct friction_motion *motion, const struct friction_knowledge *of, size_t direction)
{
    for (size_t i = 0; i < of->count; i++)
        if (of->free[i] == COLUMN_SIGMA_2)
            return (double)motion->samples * pow(of->vector[direction][i] * of->scale[i] * motion->noise_velocity, 2);
    return 0;
}

static bool find_directions(const struct friction_motion *motion, const struct friction_fit *fit,
                            struct friction_knowledge *of, double *eigenvalue)
{
    gsl_matrix *matrix = gsl_matrix_alloc(of->count, of->count), *vectors = gsl_matrix_alloc(of->count, of->count);
    gsl_vector *values = gsl_vector_alloc(of->count);
    gsl_eigen_symmv_workspace *space = gsl_eigen_symmv_alloc(of->count);
    const bool done = matrix && vectors && values && space;
    for (size_t i = 0; done && i < of->count; i++)
        for (size_t j = 0; j < of->count; j++)
            gsl_matrix_set(matrix, i, j,
                           of->scale[i] * of->scale[j] * symmetric(&fit->normal, of->free[i], of->free[j]));
    if (done && gsl_eigen_symmv(matrix, values, vectors, space) == 0) {
        const double largest = gsl_vector_max(values);
        for (size_t k = 0; k < of->count; k++) {
            eigenvalue[k] = gsl_vector_get(values, k);
            for (size_t i = 0; i < of->count; i++)
                of->vector[k][i] = gsl_matrix_get(vectors, i, k);
            const bool changes = eigenvalue[k] > unseen_eigenvalue * largest;
            of->seen[k] = changes && noise_share * eigenvalue[k] > noise_along(motion, of, k);
            of->blurred[k] = changes && !of->seen[k];
        }
    }
    gsl_matrix_free(matrix);
    gsl_matrix_free(vectors);
    gsl_vector_free(values);
    if (space)
        gsl_eigen_symmv_free(space);
    return done;
}

struct inverse {
    double of[FRICTION_UNKNOWNS][FRICTION_UNKNOWNS];
};

/* P, that of J'J along what is seen. */
static struct inverse inverse_of(const struct friction_knowledge *of, const double *eigenvalue)
{
    struct inverse inverse = {{{0}}};
    for (size_t i = 0; i < of->count; i++)
        for (size_t j = 0; j < of->count; j++)
            for (size_t k = 0; k < of->count; k++)
                inverse.of[i][j] += of->seen[k] ? of->vector[k][i] * of->vector[k][j] / eigenvalue[k] : 0;
    return inverse;
}

/* P J' Gamma J P. */
static void find_covariance(const struct friction_normal *coloured, double innovation, const struct inverse *inverse,
                            struct friction_knowledge *of)
{
    double half[FRICTION_UNKNOWNS][FRICTION_UNKNOWNS] = {{0}};
    for (size_t i = 0; i < of->count; i++)
        for (size_t j = 0; j < of->count; j++)
            for (size_t k = 0; k < of->count; k++)
                half[i][j] +=
                    inverse->of[i][k] * of->scale[k] * of->scale[j] * symmetric(coloured, of->free[k], of->free[j]);
    for (size_t i = 0; i < of->count; i++)
        for (size_t j = 0; j < of->count; j++) {
            of->covariance[i][j] = 0;
            for (size_t k = 0; k < of->count; k++)
                of->covariance[i][j] += innovation * half[i][k] * inverse->of[k][j];
        }
}

/* P J' E[e e'] J P, e what noise of the displacement changes the force by. */
static void add_shaking(const struct friction_shaking *shaking, const struct inverse *inverse,
                        struct friction_knowledge *of)
{
    for (size_t trial = 0; trial < shaking->count; trial++) {
        double change[FRICTION_UNKNOWNS] = {0};
        for (size_t i = 0; i < of->count; i++)
            for (size_t k = 0; k < of->count; k++)
                change[i] += inverse->of[i][k] * of->scale[k] * shaking->sum[trial][of->free[k]];
        for (size_t i = 0; i < of->count; i++)
            for (size_t j = 0; j < of->count; j++)
                of->covariance[i][j] += change[i] * change[j] / (double)(shaking->count - 1);
    }
}

/* The unknowns take part of the noise away, and a slow noise has so few samples of its own that it matters: variances
 * are by as many as are left. Its memory is no longer than a tenth of the record, as in friction_memory(). */
static double less_by_unknowns(const struct friction_motion *motion, const struct friction_fit *fit,
                               const struct ar_model *noise, size_t unknowns)
{
    const double samples = (double)motion->samples, variance = fit->squares / samples;
    const double memory = variance > 0 ? noise->innovation * ar_gain_at(noise, 0) / variance : 1;
    const double independent = samples / fmax(1, fmin(memory, samples / 10));
    return independent / fmax(independent - (double)unknowns, 1);
}

double friction_covariance_along(const struct friction_knowledge *of, const struct friction_gradient *one,
                                 const struct friction_gradient *other)
{
    double sum = 0;
    for (size_t i = 0; i < of->count; i++)
        for (size_t j = 0; j < of->count; j++)
            sum += one->by[of->free[i]] * of->scale[i] * of->covariance[i][j] * of->scale[j] * other->by[of->free[j]];
    return sum;
}

double friction_variance_along(const struct friction_knowledge *of, const struct friction_gradient *gradient)
{
    return fmax(friction_covariance_along(of, gradient, gradient), 0);
}

double friction_change_along(const struct friction_knowledge *of, const struct friction_gradient *gradient,
                             size_t direction)
{
    double along = 0;
    for (size_t i = 0; i < of->count; i++)
        along += of->vector[direction][i] * of->scale[i] * gradient->by[of->free[i]];
    return along;
}

bool friction_is_seen(const struct friction_knowledge *of, const struct friction_gradient *gradient)
{
    return friction_is_seen_beside(of, gradient, 0);
}

/* blurred: what the noise of the speeds hides counts as seen. */
static bool is_seen(const struct friction_knowledge *of, const struct friction_gradient *gradient, double own_square,
                    bool blurred)
{
    double length = own_square, unseen = 0;
    for (size_t k = 0; k < of->count; k++) {
        const double along = friction_change_along(of, gradient, k);
        length += along * along;
        unseen += of->seen[k] || (blurred && of->blurred[k]) ? 0 : along * along;
    }
    return length > 0 && unseen <= unseen_share * unseen_share * length;
}

bool friction_is_seen_beside(const struct friction_knowledge *of, const struct friction_gradient *gradient,
                             double own_square)
{
    return is_seen(of, gradient, own_square, false);
}

bool friction_is_blurred(const struct friction_knowledge *of, const struct friction_gradient *gradient)
{
    return !is_seen(of, gradient, 0, false) && is_seen(of, gradient, 0, true);
}

bool friction_know(const struct friction_motion *motion, const struct friction_fit *fit, const struct ar_model *noise,
                   const struct friction_shaking *shaking, struct friction_knowledge *of)
{
    struct friction_normal coloured;
    double eigenvalue[FRICTION_UNKNOWNS];
    memset(of, 0, sizeof *of);
    find_free(fit, of);
    if (of->count == 0 || !find_directions(motion, fit, of, eigenvalue))
        return false;
    if (noise->order > 0)
        friction_pass_coloured(motion, &fit->point, noise, &fit->normal, &coloured);
    const struct inverse inverse = inverse_of(of, eigenvalue);
    find_covariance(noise->order > 0 ? &coloured : &fit->normal,
                    noise->innovation * less_by_unknowns(motion, fit, noise, of->count), &inverse, of);
    if (shaking)
        add_shaking(shaking, &inverse, of);
    return true;
}
