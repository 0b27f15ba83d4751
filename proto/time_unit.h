/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_PROTO_TIME_UNIT_H
#define FRICID_PROTO_TIME_UNIT_H

#include <stdbool.h>
#include <stddef.h>

/* A unit of time as people write it. */
struct time_unit {
    const char *name; /* in lower case */
    double seconds;
    bool alone;  /* nothing else is called so: a column of that name needs no other */
    bool unsure; /* stands for something else too: min is a minimum, h a height */
};

/* Finds a unit; large letters are as good as small ones, and a point behind it does no harm. NULL: there is none of
 * that name. */
const struct time_unit *time_unit_find(const char *text, size_t length);

/* The usual name of a unit that has so many seconds. */
const char *time_unit_name_of(double seconds);

/* The usual ones, which messages and shells offer; NULL behind the last. */
const char *time_unit_name_at(size_t index);
#define TIME_UNITS "s, ms, \xc2\xb5s, us, ns, min or h"

#endif
