/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_SWING_LIST_H
#define FRICID_IDENTIFY_SWING_LIST_H

#include "motion/zigzag.h"

#include <stdbool.h>
#include <stddef.h>

/* One swing from a turning point to the next, roughly: as a starting value for the fits. Scaled units. */
struct swing {
    double from, to;           /* displacement at the two turning points */
    double from_time, to_time; /* times of the turning points; the first and last may be the record's ends */
    double crossing;           /* time at which the middle between the two is passed: the same phase in all swings */
};

/* The swings between the reversals of values in order of time. */
struct swing_list {
    struct zigzag zigzag;
    struct swing *swings;
    size_t count, capacity;
    bool full; /* there was no room for another swing */
};

/* swings: room for `capacity` of them, the caller's. */
struct swing_list swing_list_with(double hysteresis, struct swing *swings, size_t capacity);

/* Takes the next value, or a line of them. False when there is no room for another swing. */
bool swing_list_take(struct swing_list *list, double time, double value);
bool swing_list_take_all(struct swing_list *list, const struct even_values *values);

/* After the last value: the turning point with which the latest swing ends, as far as it has been seen. */
void swing_list_end(struct swing_list *list);

#endif
