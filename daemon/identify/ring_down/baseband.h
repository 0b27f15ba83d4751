/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_BASEBAND_H
#define FRICID_IDENTIFY_BASEBAND_H

#include "identify/common/complex_number.h"

#include <stddef.h>

/* The filter that takes a band of a record to frequency 0: symmetric, of finite length, and flat within 1e-4 up to a
 * fifth of stop_hz, with 80 dB from stop_hz on. The samples that it leaves are as far apart as aliasing allows. */
#define BASEBAND_FLAT 0.2
struct baseband_filter {
    double centre_hz, stop_hz;
    double gain; /* 2, of an analytic signal; 1: the centre is 0 Hz, and the signal stays real */
    size_t taps; /* odd */
    size_t step; /* samples of the record from one that it leaves to the next */
    double *weight;
    /* Of white noise with variance 1 a sample: the variance of each part of what is left, and that of white noise which
     * would weigh as much at the centre. */
    double variance, density;
};

/* How many samples of a record lie from one that such a filter leaves to the next. */
size_t baseband_step(double rate_hz, double stop_hz);

/* For a record with so many samples a second. 0, -ENOMEM, or -EDOM for a band that its sampling does not hold. */
int baseband_filter_create(double rate_hz, double centre_hz, double stop_hz, struct baseband_filter *filter);
void baseband_filter_clear(struct baseband_filter *filter);

/* How many samples a record of `count` leaves; the first lies (taps - 1)/2 samples after the record's own first. */
size_t baseband_count(const struct baseband_filter *filter, size_t count);

/* values[baseband_count()]: the analytic signal in the band, turned back from the record's first sample on. */
void baseband_of(const struct baseband_filter *filter, double rate_hz, const double *samples, size_t count,
                 double complex *values);

/* The same about 0 Hz, where the signal stays real. */
void baseband_low_pass(const struct baseband_filter *filter, const double *samples, size_t count, double *values);

#endif
