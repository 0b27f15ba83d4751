/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SIGNAL_METER_H
#define FRICID_SIGNAL_METER_H

#include <stddef.h>
#include <stdint.h>

/* What a channel's samples look like over a short while: for people who set up a sensor. Zeroed: nothing yet. */
struct signal_meter {
    uint64_t samples, clipped;
    double least, most; /* displacement unit */
    /* About the first sample, so that a large offset costs no digits. */
    double first, latest, sum, sum_of_squares;
    double steps; /* sum of squared differences of neighbours */
};

/* flags: sets of enum sample_flag, or NULL. */
void signal_meter_take(struct signal_meter *meter, const double *displacement, const uint8_t *flags, size_t count);

double signal_meter_mean(const struct signal_meter *meter);
double signal_meter_deviation(const struct signal_meter *meter); /* standard deviation; NAN below two samples */

/* How much neighbours differ: 0 for a slow motion, 1 for noise without memory, 2 when the sign changes from sample to
 * sample (von Neumann's ratio, halved). Well above 1, something oscillates faster than the sampling can show. NAN when
 * nothing varies. */
double signal_meter_roughness(const struct signal_meter *meter);

#endif
