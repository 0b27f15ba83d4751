/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_SURROUNDINGS_H
#define FRICID_SEGMENT_SURROUNDINGS_H

#include "segment/sample_history.h"

#include <stdbool.h>

/* So many half periods before the first extremum are looked at. A candidate that is noticed late gets half cycles in
 * front when its timing is known: with so many of them what is looked at is still in sight. */
enum { OSCILLATES_HALF_PERIODS = 6, FOUND_IN_FRONT = 18 };
/* So many half periods are kept in sight. */
enum { SURROUNDINGS_HALF_PERIODS = OSCILLATES_HALF_PERIODS + FOUND_IN_FRONT };

/* It tells whether the channel had been swinging for a while before this position, by a good part of this swing: what
 * follows then need not have been released. Nothing before position `from` counts. */
bool oscillates_before(const struct sample_history *history, double position, double half_period, double swing,
                       double from);

#endif
