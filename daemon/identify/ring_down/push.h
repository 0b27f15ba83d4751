/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_PUSH_H
#define FRICID_IDENTIFY_PUSH_H

#include <stddef.h>

/* A push on what rings that neither doubles the motion nor ends a ring-down of its own: a hammer that comes back, or
 * something that knocks. */
struct sensed_push {
    size_t onset; /* where it shows first */
    size_t until; /* from where on what pushed has left again; 0: there is no push */
};

/* What pushes more often in one ring-down is no hammer and no knock: the structure rattles, as its own motion makes it.
 */
enum { PUSHES_MOST = 4 };

/* The first push of all that show in a sensor's samples before `within`, a second contact of the hammer's or a knock;
 * step: of the converter (stretch_step()). What white noise makes of one stretch of 0.4 s in 1e6 counts, or less, at
 * each of the rates. 0 or -ENOMEM. */
int push_first(const double *samples, size_t count, double rate_hz, double step, size_t within,
               struct sensed_push *push);

/* The same at the rate of the samples alone. */
int push_at_its_rate(const double *samples, size_t count, double rate_hz, double step, size_t within,
                     struct sensed_push *push);

#endif
