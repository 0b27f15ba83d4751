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

int polynomial_fit(const double *x, const double *y, size_t count, size_t terms, double *coefficients, double *rms)
{
    double sum_of_squares = 0;
    if (different(x, count) < terms)
        return -EINVAL;
    gsl_error_handler_t *before = gsl_set_error_handler_off();
    gsl_matrix *powers = gsl_matrix_alloc(count, terms), *covariance = gsl_matrix_alloc(terms, terms);
    gsl_multifit_linear_workspace *workspace = gsl_multifit_linear_alloc(count, terms);
    int error = powers && covariance && workspace ? 0 : -ENOMEM;
    if (!error) {
        gsl_vector_view fitted = gsl_vector_view_array(coefficients, terms);
        gsl_vector_const_view wanted = gsl_vector_const_view_array(y, count);
        fill_powers(powers, x);
        if (gsl_multifit_linear(powers, &wanted.vector, &fitted.vector, covariance, &sum_of_squares, workspace) != 0)
            error = -EINVAL;
    }
    gsl_multifit_linear_free(workspace);
    gsl_matrix_free(covariance);
    gsl_matrix_free(powers);
    gsl_set_error_handler(before);
    *rms = sqrt(sum_of_squares / (double)count);
    return error;
}
