/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_ZIGZAG_H
#define FRICID_IDENTIFY_ZIGZAG_H

#include <stdbool.h>
#include <stddef.h>

/* One swing from a turning point to the next, roughly: as a starting value for the fits. Scaled units. */
struct swing {
    double from, to;           /* displacement at the two turning points */
    double from_time, to_time; /* times of the turning points; the first and last may be the record's ends */
    double crossing;           /* time at which the middle between the two is passed: the same phase in all swings */
};

/* Values at equal distances in time: the k-th is (value[k stride] - offset) scale, at time + k step. */
struct even_values {
    const double *value;
    size_t stride, count;
    double offset, scale;
    double time, step;
};

static inline double even_value(const struct even_values *values, size_t k)
{
    return (values->value[k * values->stride] - values->offset) * values->scale;
}

static inline double even_time(const struct even_values *values, size_t k)
{
    return values->time + (double)k * values->step;
}

/* A turning point counts once the signal has come back from it by the hysteresis. */
struct zigzag {
    double hysteresis;
    double direction; /* 0 until the first swing is seen, then +1 rising or -1 falling */
    double low, low_time, high, high_time;
    struct swing *swings;
    size_t count, capacity;
};

/* swings: room for `capacity` of them, the caller's. */
struct zigzag zigzag_with(double hysteresis, struct swing *swings, size_t capacity);

/* Takes the next value, or a line of them. False when there is no room for another swing. */
bool zigzag_take(struct zigzag *zigzag, double time, double value);
bool zigzag_along(struct zigzag *zigzag, const struct even_values *values);

/* After the last value: the turning point with which the latest swing ends, as far as it has been seen. */
void zigzag_end(struct zigzag *zigzag);

#endif
