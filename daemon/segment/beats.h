/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_BEATS_H
#define FRICID_SEGMENT_BEATS_H

#include "segment/candidate.h"

#include <stdbool.h>
#include <stddef.h>

/* What the swings [first, last) of a candidate say together: do they fall as those of a free motion do? */

/* How much they scatter beside their fall, displacement unit; 0 for fewer than three. */
double swings_scatter(const struct candidate *candidate, size_t first, size_t last);

/* Whether the last of a few swings fall clearly faster than the first, as friction of no kind makes them: the end of a
 * beat. */
bool swings_fall_ever_faster(const struct candidate *candidate, size_t first, size_t last);

/* Whether some swing is clearly larger than an earlier one, if only little by little. */
bool swings_come_again(const struct candidate *candidate, size_t first, size_t last);

#endif
