/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_DEFERRED_CORRECTION_H
#define FRICID_IDENTIFY_DEFERRED_CORRECTION_H

#include "identify/ring_down/slow_flow.h"

#include <stdatomic.h>

/* What the slow flow of a law that a joint has misses: the exact motion of its joint less the slow flow, of one sensor
 * with that complex displacement amplitude at time 0, at `count` real samples from first_s on. Added to the model of a
 * fit and renewed with it, it makes the fit that of the exact motion. correction: count values. 0, -ENOMEM, or -ERANGE
 * where the law has no such motion, or -ECANCELED. cancel: may be NULL. */
int deferred_correction(const struct amplitude_law *law, double complex amplitude, enum sensed sensed, double first_s,
                        double period_s, size_t count, const atomic_bool *cancel, double *correction);

#endif
