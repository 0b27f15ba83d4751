/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_DROPOUT_H
#define FRICID_IDENTIFY_DROPOUT_H

#include <stddef.h>

/* Where samples of a motion stand still: a recorder or a link repeated one value, or put zeros, and then went on or
 * did not. A coarse converter's crests, and its rest, are none: there are others like them, and the samples go on by
 * a step of it. start: the first sample that stands still; count: there is none. 0 or -ENOMEM. */
int dropout_start(const double *samples, size_t count, double rate_hz, size_t *start);

/* The same of samples that stand still up to the last one, and moved before: a sensor that died, at whatever value. */
int dropout_for_good(const double *samples, size_t count, double rate_hz, size_t *start);

#endif
