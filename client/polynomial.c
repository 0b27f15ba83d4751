/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A calibration's polynomial through measured points, by GSL's orthogonal least squares. */

#include "client/polynomial.h"

#include <errno.h>
#include <gsl/gsl_multifit.h>
#include <math.h>

double polynomial_value(const double *coefficients, size_t terms, double x)
{
    double value = 0;
    for (size_t i = terms; i-- > 0;)
        value = value * x + coefficients[i];
    return value;
}

static size_t different(const double *x, size_t count)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        size_t before = 0;
        while (before < i && x[before] != x[i])
            before++;
        found += before == i;
    }
    return found;
}

static void fill_powers(gsl_matrix *powers, const double *x)
{
    for (size_t i = 0; i < powers->size1; i++)
        for (size_t j = 0; j < powers->size2; j++)
            gsl_matrix_set(powers, i, j, j == 0 ? 1 : gsl_matrix_get(powers, i, j - 1) * x[i]);
}

double polynomial_slope(const double *coefficients, size_t terms, double x)
{
    double slope = 0;
    for (size_t i = terms; i-- > 1;)
        slope = slope * x + (double)i * coefficients[i];
    return slope;
}

/* The derivative of each power of x, weighted with their covariance. */
double polynomial_slope_se(const double *covariance, size_t terms, double x)
{
    double variance = 0;
    for (size_t i = 1; i < terms; i++)
        for (size_t j = 1; j < terms; j++)
            variance += (double)(i * j) * pow(x, (double)(i + j - 2)) * covariance[i * terms + j];
    return sqrt(fmax(variance, 0));
}

/* GSL scales it by what is left over, of which there is nothing without a degree of freedom. */
static void take_covariance(const gsl_matrix *found, size_t count, double *covariance)
{
    for (size_t i = 0; i < found->size1; i++)
        for (size_t j = 0; j < found->size2; j++)
            covariance[i * found->size2 + j] = count > found->size1 ? gsl_matrix_get(found, i, j) : (double)NAN;
}

int polynomial_fit(const double *x, const double *y, size_t count, size_t terms, double *coefficients,
                   double *covariance, double *rms)
{
    double sum_of_squares = 0;
    if (different(x, count) < terms)
        return -EINVAL;
    gsl_error_handler_t *before = gsl_set_error_handler_off();
    gsl_matrix *powers = gsl_matrix_alloc(count, terms), *found = gsl_matrix_alloc(terms, terms);
    gsl_multifit_linear_workspace *workspace = gsl_multifit_linear_alloc(count, terms);
    int error = powers && found && workspace ? 0 : -ENOMEM;
    if (!error) {
        gsl_vector_view fitted = gsl_vector_view_array(coefficients, terms);
        gsl_vector_const_view wanted = gsl_vector_const_view_array(y, count);
        fill_powers(powers, x);
        if (gsl_multifit_linear(powers, &wanted.vector, &fitted.vector, found, &sum_of_squares, workspace) != 0)
            error = -EINVAL;
        else
            take_covariance(found, count, covariance);
    }
    gsl_multifit_linear_free(workspace);
    gsl_matrix_free(found);
    gsl_matrix_free(powers);
    gsl_set_error_handler(before);
    *rms = sqrt(sum_of_squares / (double)count);
    return error;
}
