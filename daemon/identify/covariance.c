/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How uncertain the parameters are when the noise is not white: the middle part ("meat") of the sandwich covariance,
 * from an autoregressive noise model or from an encoder's steps. */

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

/* J'(Q(m) - m) for one place of the decay on the encoder's grid. */
static void quantisation_of(const struct scaled_record *scaled, const double *parameters, size_t first, size_t last,
                            double step, double sum[FIT_PARAMETERS])
{
    struct decay_walk walk = decay_walk_from(parameters);
    memset(sum, 0, sizeof(double[FIT_PARAMETERS]));
    for (size_t i = first; i < last; i++) {
        double base[DECAY_BASES], row[FIT_PARAMETERS];
        if (!scaled_usable(scaled, i))
            continue;
        decay_base_at(&walk.shape, decay_walk_to(&walk, scaled_time(scaled, i)), base);
        double steps = decay_value_here(&walk, base, row) / step;
        double error = (round(steps) - steps) * step;
        for (int p = 0; p < FIT_PARAMETERS; p++)
            sum[p] += row[p] * error;
    }
}

/* The varied places are the additive sequence of the plastic number's cubic kin: even, and the same every time. */
void quantisation_in_parameters(const struct scaled_record *scaled, const double *parameters, size_t first, size_t last,
                                double step, const atomic_bool *cancel, double meat[FIT_PARAMETERS][FIT_PARAMETERS])
{
    /* Random places would leave the standard errors uncertain by a tenth; evenly spread ones do better. */
    enum { REPLICATES = 64 };
    static const double advance[3] = {0.8191725133961645, 0.6710436067037893, 0.5497004779019703};
    memset(meat, 0, sizeof(double[FIT_PARAMETERS][FIT_PARAMETERS]));
    for (int k = 1; k <= REPLICATES && !(cancel && atomic_load(cancel)); k++) {
        double placed[FIT_PARAMETERS], sum[FIT_PARAMETERS];
        memcpy(placed, parameters, sizeof placed);
        /* Half a step up or down in displacement, half a sample to either side in time: the whole cell of the grid. */
        placed[FIT_BIAS] += (fmod(k * advance[0], 1.0) - 0.5) * step;
        placed[FIT_X0] += (fmod(k * advance[1], 1.0) - 0.5) * step;
        placed[FIT_T0] += fmod(k * advance[2], 1.0) - 0.5;
        quantisation_of(scaled, placed, first, last, step, sum);
        for (int p = 0; p < FIT_PARAMETERS; p++)
            sum[p] /= sqrt(REPLICATES);
        add_outer(sum, meat);
    }
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
