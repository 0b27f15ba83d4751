/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_HAMMER_CONTACT_H
#define FRICID_IDENTIFY_HAMMER_CONTACT_H

#include <stddef.h>

/* When a hammer has left what it struck: samples of one sensor, from the onset of a blow on, of which it may have
 * pushed the first `longest`, and behind which a ring-down goes on. left: the first sample that it no longer pushed, or
 * one a little later; 0: the samples do not show it, or are too few. 0 or -ENOMEM. */
int hammer_contact_left(const double *samples, size_t count, double rate_hz, size_t longest, size_t *left);

#endif
