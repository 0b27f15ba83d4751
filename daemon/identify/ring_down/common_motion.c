/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ring_down/common_motion.h"

#include <gsl/gsl_complex_math.h>
#include <gsl/gsl_eigen.h>

/* A further mode is there where its part of what the sensors see is so much more than noise makes, in power, and more
 * than the shape of one mode drifts with its amplitude: measured ones by 0.5 %. */
#define RANK_OVER_NOISE 3.0
#define SHAPE_DRIFTS 0.02

static double complex seen_at(const struct seen_band *seen, size_t sensor, size_t i)
{
    return seen->band->values[sensor * seen->band->count + i] / seen->noise[sensor];
}

bool common_motion_of(const struct seen_band *seen, struct common_motion *common)
{
    const size_t n = seen->band->sensors;
    gsl_matrix_complex *products = gsl_matrix_complex_calloc(n, n), *vectors = gsl_matrix_complex_alloc(n, n);
    gsl_vector *values = gsl_vector_alloc(n);
    gsl_eigen_hermv_workspace *room = gsl_eigen_hermv_alloc(n);
    const bool good = products && vectors && values && room;
    for (size_t j = 0; good && j < n; j++)
        for (size_t k = 0; k <= j; k++) {
            double complex sum = 0;
            for (size_t i = 0; i < seen->band->count; i++)
                sum += seen_at(seen, j, i) * conj(seen_at(seen, k, i));
            gsl_matrix_complex_set(products, j, k, gsl_complex_rect(creal(sum), cimag(sum)));
            gsl_matrix_complex_set(products, k, j, gsl_complex_rect(creal(sum), -cimag(sum)));
        }
    if (good) {
        gsl_eigen_hermv(products, values, vectors, room);
        gsl_eigen_hermv_sort(values, vectors, GSL_EIGEN_SORT_VAL_DESC);
    }
    for (size_t r = 0; good && r < n; r++) {
        common->value[r] = gsl_vector_get(values, r);
        for (size_t m = 0; r < GROUP_MODES && m < n; m++) {
            const gsl_complex part = gsl_matrix_complex_get(vectors, m, r);
            common->vector[r][m] = CMPLX(GSL_REAL(part), GSL_IMAG(part));
        }
    }
    gsl_matrix_complex_free(products);
    gsl_matrix_complex_free(vectors);
    gsl_vector_free(values);
    gsl_eigen_hermv_free(room);
    return good;
}

size_t common_motion_rank(const struct common_motion *common, const struct mode_samples *band)
{
    size_t rank = 1;
    while (rank < band->sensors && common->value[rank] > RANK_OVER_NOISE * 2 * (double)band->count &&
           common->value[rank] > SHAPE_DRIFTS * SHAPE_DRIFTS * common->value[0])
        rank++;
    return rank;
}

void common_motion_project(const struct seen_band *seen, const struct common_motion *common,
                           double complex *plane[GROUP_MODES])
{
    for (size_t r = 0; r < GROUP_MODES; r++)
        for (size_t i = 0; i < seen->band->count; i++) {
            plane[r][i] = 0;
            for (size_t m = 0; m < seen->band->sensors; m++)
                plane[r][i] += conj(common->vector[r][m]) * seen_at(seen, m, i);
        }
}
