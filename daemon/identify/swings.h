/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_SWINGS_H
#define FRICID_IDENTIFY_SWINGS_H

#include "identify/scaled_record.h"

#include <stddef.h>

/* One swing from a turning point to the next, roughly: as a starting value for the fits. Scaled units. */
struct swing {
    double from, to;           /* displacement at the two turning points */
    double from_time, to_time; /* times of the turning points; the first and last may be the record's ends */
    double crossing;           /* time at which the middle between the two is passed: the same phase in all swings */
};

/* The most swings that swings_find() is asked for. */
enum { SWINGS_MOST = 1024 };

/* Standard deviation of white noise in the record, from sixth differences, which no slow motion passes. */
double swings_noise(const struct scaled_record *scaled);

/* Finds swings by a zigzag over means of so many samples that the noise does not matter. Returns how many were found
 * (at most capacity), 0 when nothing stands out of the noise. */
size_t swings_find(const struct scaled_record *scaled, double noise, struct swing *swings, size_t capacity);

#endif
