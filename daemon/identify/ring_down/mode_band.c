/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ring_down/mode_band.h"

#include <errno.h>
#include <gsl/gsl_complex_math.h>
#include <gsl/gsl_eigen.h>
#include <math.h>
#include <stdlib.h>

/* Fewer say nothing about a decay. */
enum { LEAST_SAMPLES = 16 };

/* No recorder tells less of its largest sample: what rounding to 24 bits leaves. */
#define FINEST 3e-8

/* As the fit sees samples of the record. */
static void fill(const struct mode_band *band, const struct mode_record *record, const double *samples,
                 double complex *values)
{
    if (band->filter.weight) {
        baseband_of(&band->filter, record->rate_hz, samples, record->count, values);
        return;
    }
    for (size_t i = 0; i < record->count; i++)
        values[i] = samples[i];
}

double mode_record_largest(const struct mode_record *record)
{
    double largest = 0;
    for (size_t i = 0; i < record->count; i++)
        largest = fmax(largest, fabs(record->samples[i]));
    return largest;
}

static enum verdict look_through_filter(struct mode_band *band, const struct mode_record *record, double centre_hz,
                                        double stop_hz)
{
    struct baseband_filter *filter = &band->filter;
    const int error = baseband_filter_create(record->rate_hz, centre_hz, stop_hz, filter);
    if (error)
        return error == -ENOMEM ? VERDICT_NO_MEMORY : VERDICT_TOO_FEW_SAMPLES;
    band->samples.count = baseband_count(filter, record->count);
    band->samples.first_s = (double)(filter->taps / 2) / record->rate_hz;
    band->samples.period_s = (double)filter->step / record->rate_hz;
    band->samples.carrier = 2 * M_PI * centre_hz;
    band->variance = filter->variance;
    band->colour = filter->density / filter->variance;
    return VERDICT_OK;
}

enum verdict mode_band_of(const struct mode_record *record, bool filtered, struct mode_band *band)
{
    *band = (struct mode_band){.variance = 1, .colour = 1};
    band->samples = (struct mode_samples){.sensed = record->sensed,
                                          .sensors = 1 + record->others,
                                          .count = record->count,
                                          .period_s = 1 / record->rate_hz,
                                          .analytic = filtered || !record->alone};
    const enum verdict verdict = band->samples.analytic
                                     ? look_through_filter(band, record, record->centre_hz, record->stop_hz)
                                 : record->thin_hz > 0 ? look_through_filter(band, record, 0, record->thin_hz)
                                                       : VERDICT_OK;
    if (verdict != VERDICT_OK)
        return verdict;
    if (band->samples.count < LEAST_SAMPLES)
        return VERDICT_TOO_FEW_SAMPLES;
    const size_t count = band->samples.count;
    band->samples.values = band->values = calloc(band->samples.sensors * count, sizeof *band->values);
    if (!band->values)
        return VERDICT_NO_MEMORY;
    band->samples.least_variance = band->variance * pow(FINEST * mode_record_largest(record), 2);
    fill(band, record, record->samples, band->values);
    for (size_t m = 1; m < band->samples.sensors; m++) {
        fill(band, record, record->other[m - 1], band->values + m * count);
        for (size_t i = 0; i < count; i++)
            band->values[m * count + i] *= record->other_weight[m - 1];
    }
    return VERDICT_OK;
}

double mode_band_noise(const struct mode_samples *band, size_t sensor)
{
    const double complex *values = band->values + sensor * band->count;
    const size_t from = band->count - band->count / 4;
    double squares = 0;
    for (size_t i = from + 1; i < band->count; i++) {
        const double complex difference = values[i] - values[i - 1];
        squares += creal(difference) * creal(difference) + cimag(difference) * cimag(difference);
    }
    return sqrt(fmax(squares / (4 * (double)(band->count - from - 1)), band->least_variance));
}

/* The sums of products of samples in a row, as a Hermitian matrix. */
static void add_rows(const double complex *values, size_t count, size_t in_a_row, gsl_matrix_complex *products)
{
    for (size_t j = 0; j < in_a_row; j++)
        for (size_t k = 0; k < in_a_row; k++) {
            double complex sum = 0;
            for (size_t i = 0; i + in_a_row <= count; i++)
                sum += values[i + j] * conj(values[i + k]);
            gsl_matrix_complex_set(products, j, k, gsl_complex_rect(creal(sum), cimag(sum)));
        }
}

double mode_band_noise_among(const struct mode_samples *band, size_t sensor, size_t modes)
{
    const size_t in_a_row = modes + 1;
    gsl_matrix_complex *products = gsl_matrix_complex_alloc(in_a_row, in_a_row);
    gsl_vector *squares = gsl_vector_alloc(in_a_row);
    gsl_eigen_herm_workspace *room = gsl_eigen_herm_alloc(in_a_row);
    double noise = mode_band_noise(band, sensor);
    if (products && squares && room) {
        add_rows(band->values + sensor * band->count, band->count, in_a_row, products);
        gsl_eigen_herm(products, squares, room);
        const double rows = (double)(band->count - in_a_row + 1);
        noise = sqrt(fmax(gsl_vector_min(squares) / (2 * rows), band->least_variance));
    }
    gsl_matrix_complex_free(products);
    gsl_vector_free(squares);
    gsl_eigen_herm_free(room);
    return noise;
}

void mode_band_clear(struct mode_band *band)
{
    baseband_filter_clear(&band->filter);
    free(band->values);
    free(band->correction);
    *band = (struct mode_band){0};
}

enum verdict mode_band_correct_none(struct mode_band *band)
{
    const size_t all = band->samples.sensors * band->samples.count;
    free(band->correction);
    band->samples.correction = band->correction = calloc(all, sizeof *band->correction);
    return band->correction ? VERDICT_OK : VERDICT_NO_MEMORY;
}

enum verdict mode_band_correct(struct mode_band *band, const struct mode_record *record, const double *motion,
                               const double complex *amplitude)
{
    const size_t count = band->samples.count;
    double complex *seen = calloc(count, sizeof *seen);
    if (!seen)
        return VERDICT_NO_MEMORY;
    fill(band, record, motion, seen);
    for (size_t m = 0; m < band->samples.sensors; m++) {
        const double complex share = amplitude[m] / amplitude[0];
        for (size_t i = 0; i < count; i++)
            band->correction[m * count + i] += share * seen[i];
    }
    free(seen);
    return VERDICT_OK;
}
