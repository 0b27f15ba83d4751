/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_RECORD_H
#define FRICID_IDENTIFY_RECORD_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is known of one sample beside its value; a set of bits. A flagged sample is never fitted. */
enum sample_flag {
    SAMPLE_CLIPPED = 1u << 0, /* the converter was at the end of its range */
    SAMPLE_SPIKE = 1u << 1,   /* a single reading that the motion cannot explain */
};

/* One free-vibration decay as sampled: y(t) = x(t) + bias.
 *
 * The record borrows its arrays; whoever made it keeps them alive. Sample i was taken at
 * start_s + i * period_s, or at time_s[i] where time stamps are given. */
struct decay_record {
    const double *displacement; /* count values, displacement unit */
    const double *time_s;       /* count strictly increasing time stamps, s; NULL when sampling is uniform */
    const uint8_t *flags;       /* count sets of enum sample_flag; NULL when no sample is flagged */
    size_t count;
    double start_s;          /* time of sample 0 on the source's own clock, s */
    double period_s;         /* sampling period, s; with time stamps: their mean spacing */
    double first_extremum_s; /* where the segmenter saw the first extremum, source clock, s; NAN: not known */
    double resolution;       /* ADC step or encoder count, displacement unit; 0: not known */
    double noise;            /* standard deviation of the measuring noise, displacement unit; 0: not known */
};

/* Time of sample i on the source's clock, s. */
static inline double decay_record_time(const struct decay_record *record, size_t i)
{
    return record->time_s ? record->time_s[i] : record->start_s + (double)i * record->period_s;
}

/* Whether the times of a record without time stamps are numbers, up to the last sample's end. */
static inline bool decay_record_has_finite_times(const struct decay_record *record)
{
    return isfinite(record->start_s) && isfinite(record->start_s + (double)record->count * record->period_s);
}

#endif
