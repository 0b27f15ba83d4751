/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How uncertain the parameters are when the noise is not white: the middle part ("meat") of the sandwich covariance,
 * from an autoregressive noise model (quantisation.c has the one for an encoder's steps). */

#include "identify/covariance.h"

#include <math.h>
#include <string.h>

/* One column of J driven through the noise's own filter 1/(1 - sum of a_k z^-k). */
struct filtered_row {
    double value[FIT_PARAMETERS];
};

static void add_outer(const double *row, double meat[FIT_PARAMETERS][FIT_PARAMETERS])
{
    for (int p = 0; p < FIT_PARAMETERS; p++)
        for (int r = 0; r < FIT_PARAMETERS; r++)
            meat[p][r] += row[p] * row[r];
}

/* The next filtered row from a row of J and the last `order` filtered ones, kept in a ring. */
static const double *filter(const struct ar_model *noise, struct filtered_row ring[AR_MOST], size_t i,
                            const double *row)
{
    struct filtered_row next;
    memcpy(next.value, row, sizeof next.value);
    for (size_t k = 0; k < noise->order; k++) {
        const struct filtered_row *earlier = &ring[(i + AR_MOST - 1 - k) % AR_MOST];
        for (int p = 0; p < FIT_PARAMETERS; p++)
            next.value[p] += noise->coefficient[k] * earlier->value[p];
    }
    ring[i % AR_MOST] = next;
    return ring[i % AR_MOST].value;
}

/* Samples after the last that the filter needs to ring out to a thousandth. The 4096 bounds a filter so near to
 * instability that it hardly fades. */
static size_t ringing(const struct ar_model *noise)
{
    double history[AR_MOST] = {1.0};
    size_t quiet = 0, i = 1;
    for (; i < 4096 && quiet < AR_MOST; i++) {
        double next = 0.0;
        for (size_t k = 0; k < noise->order; k++)
            next += noise->coefficient[k] * history[(i + AR_MOST - 1 - k) % AR_MOST];
        history[i % AR_MOST] = next;
        quiet = fabs(next) < 1e-3 ? quiet + 1 : 0;
    }
    return i;
}

/* Gamma of a stationary AR process is innovation H H', where H holds the filter's impulse response for all times
 * before the sample. Gamma reads the same backwards, so J may be filtered forwards, and on until it rings out. */
void noise_in_parameters(const struct scaled_record *scaled, const double *parameters, size_t first, size_t last,
                         const struct ar_model *noise, const struct normal_equations *normal,
                         double meat[FIT_PARAMETERS][FIT_PARAMETERS])
{
    memset(meat, 0, sizeof(double[FIT_PARAMETERS][FIT_PARAMETERS]));
    if (noise->order == 0) {
        memcpy(meat, normal->matrix, sizeof(double[FIT_PARAMETERS][FIT_PARAMETERS]));
    } else {
        struct decay_walk walk = decay_walk_from(parameters);
        struct filtered_row ring[AR_MOST] = {0};
        size_t end = last + ringing(noise);
        for (size_t i = first; i < end; i++) {
            double base[DECAY_BASES], row[FIT_PARAMETERS] = {0};
            if (i < last && scaled_usable(scaled, i)) {
                decay_base_at(&walk.shape, decay_walk_to(&walk, scaled_time(scaled, i)), base);
                decay_value_here(&walk, base, row);
            }
            add_outer(filter(noise, ring, i, row), meat);
        }
    }
    for (int p = 0; p < FIT_PARAMETERS; p++)
        for (int r = 0; r < FIT_PARAMETERS; r++)
            meat[p][r] *= noise->innovation;
}

/* Bread, meat, bread: (J'J)^-1 on either side. */
bool sandwich(double matrix[FIT_PARAMETERS][FIT_PARAMETERS], double meat[FIT_PARAMETERS][FIT_PARAMETERS],
              const struct free_parameters *free, double covariance[FIT_PARAMETERS][FIT_PARAMETERS])
{
    double inverse[FIT_PARAMETERS][FIT_PARAMETERS], half[FIT_PARAMETERS][FIT_PARAMETERS] = {{0}};
    memset(covariance, 0, sizeof(double[FIT_PARAMETERS][FIT_PARAMETERS]));
    if (!restricted_inverse(matrix, free, inverse, NULL))
        return false;
    for (int p = 0; p < FIT_PARAMETERS; p++)
        for (int r = 0; r < FIT_PARAMETERS; r++)
            for (int k = 0; k < FIT_PARAMETERS; k++)
                half[p][r] += inverse[p][k] * meat[k][r];
    for (int p = 0; p < FIT_PARAMETERS; p++)
        for (int r = 0; r < FIT_PARAMETERS; r++)
            for (int k = 0; k < FIT_PARAMETERS; k++)
                covariance[p][r] += half[p][k] * inverse[k][r];
    return true;
}
