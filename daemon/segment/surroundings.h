/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_SURROUNDINGS_H
#define FRICID_SEGMENT_SURROUNDINGS_H

#include "segment/sample_history.h"

#include <stdbool.h>

/* Half periods before the first extremum that may be looked at, and those that are kept in sight. */
enum { OSCILLATES_HALF_PERIODS = 6, SURROUNDINGS_HALF_PERIODS = 24 };

/* Whether the channel had been swinging for a while before this position, by a good part of this swing: what follows
 * then need not have been released. Nothing before position `from` counts. */
bool oscillates_before(const struct sample_history *history, double position, double half_period, double swing,
                       double from);

#endif
