/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_DOUBLE_HIT_H
#define FRICID_IDENTIFY_DOUBLE_HIT_H

#include <stddef.h>

/* A hammer that comes back: a second, weaker contact within a quarter of a second of the first, which neither doubles
 * the motion nor ends a ring-down of its own. */
struct double_hit {
    size_t onset; /* where it shows first */
    size_t until; /* from where on the hammer has left again; 0: there is no second contact */
};

/* Looks for it in `count` samples of a sensor from where the hammer of the first blow has left. What white noise makes
 * of one record in 1e6 counts, or less. 0 or -ENOMEM. */
int double_hit_find(const double *samples, size_t count, double rate_hz, struct double_hit *hit);

#endif
