/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ladder/joint_spread.h"

#include "identify/common/dense_cholesky.h"
#include "identify/ladder/ladder_noise.h"

#include <math.h>
#include <string.h>

enum { ROOM = JOINT_UNKNOWNS * JOINT_UNKNOWNS };

void joint_noise_from(const struct joint_fit *fit, struct ar_model noise[JOINT_CHANNELS_MOST])
{
    for (size_t c = 0; c < fit->count; c++)
        ladder_noise_from(&fit->channels[c].data, &fit->channels[c].seen, &noise[c]);
}

double joint_likelihood(const struct joint_fit *fit, const struct ar_model noise[JOINT_CHANNELS_MOST])
{
    double sum = 0;
    for (size_t c = 0; c < fit->count; c++) {
        struct ladder_whitened whitened;
        ladder_whiten(&fit->channels[c].data, &fit->channels[c].seen, &noise[c], &whitened);
        sum += ladder_likelihood(&whitened);
    }
    return sum;
}

/* Adds a channel's sums at the places of those of its unknowns that are free. place: of an unknown of the fit among the
 * free ones. */
static void add_channel(const struct joint_fit *fit, const struct joint_channel_fit *channel,
                        const struct joint_sums *sums, double weight, const size_t *place, size_t free_count,
                        double *matrix)
{
    const size_t local = channel->is_reference ? LADDER_PARAMETERS : JOINT_LOCAL;
    for (size_t a = 0; a < local; a++) {
        const size_t row = place[joint_place(fit, channel, a)];
        for (size_t b = 0; b < local && row < free_count; b++) {
            const size_t column = place[joint_place(fit, channel, b)];
            if (column < free_count)
                matrix[row * free_count + column] += weight * sums->matrix[a][b];
        }
    }
}

/* J'WJ, and J'W Gamma W J. */
static void sum_channels(const struct joint_fit *fit, const struct ar_model *noise, const size_t *place, size_t count,
                         double *bread, double *meat)
{
    size_t samples = 0;
    for (size_t c = 0; c < fit->count; c++)
        samples += fit->channels[c].data.count;
    const double left = 1 - (double)count / (double)samples; /* the share of the samples that no unknown takes up */
    for (size_t c = 0; c < fit->count; c++) {
        const struct joint_channel_fit *channel = &fit->channels[c];
        const double weight = joint_weight(fit, channel);
        struct ladder_normal normal = channel->seen.normal;
        struct ladder_whitened whitened;
        struct joint_sums sums;
        ladder_whiten(&channel->data, &channel->seen, &noise[c], &whitened);
        const double innovation = whitened.squares / ((double)whitened.count * left);
        joint_sums_from(channel, normal.matrix, NULL, &sums);
        add_channel(fit, channel, &sums, weight, place, count, bread);
        joint_sums_from(channel, whitened.outer, NULL, &sums);
        add_channel(fit, channel, &sums, weight * weight * innovation, place, count, meat);
    }
}

/* product = left right, all symmetric or not, count rows and columns. */
static void multiply(const double *left, const double *right, size_t count, double *product)
{
    memset(product, 0, count * count * sizeof *product);
    for (size_t p = 0; p < count; p++)
        for (size_t r = 0; r < count; r++)
            for (size_t q = 0; q < count; q++)
                product[p * count + q] += left[p * count + r] * right[r * count + q];
}

bool joint_covariance(const struct joint_fit *fit, const struct ar_model noise[JOINT_CHANNELS_MOST],
                      const bool free[LADDER_PARAMETERS], double *covariance)
{
    const size_t unknowns = joint_unknowns(fit);
    double bread[ROOM] = {0}, meat[ROOM] = {0}, inverse[ROOM], half[ROOM], spread[ROOM], scale[JOINT_UNKNOWNS];
    size_t place[JOINT_UNKNOWNS], chosen[JOINT_UNKNOWNS], count = 0;
    memset(covariance, 0, unknowns * unknowns * sizeof *covariance);
    for (size_t u = 0; u < unknowns; u++) {
        const bool is_free = u >= LADDER_PARAMETERS || free[u];
        place[u] = is_free ? count : SIZE_MAX;
        if (is_free)
            chosen[count++] = u;
    }
    sum_channels(fit, noise, place, count, bread, meat);
    if (!dense_cholesky(bread, count, 0, bread, scale))
        return false;
    dense_cholesky_invert(bread, scale, count, inverse);
    multiply(inverse, meat, count, half);
    multiply(half, inverse, count, spread);
    for (size_t p = 0; p < count; p++)
        for (size_t q = 0; q < count; q++)
            covariance[chosen[p] * unknowns + chosen[q]] = spread[p * count + q];
    return true;
}
