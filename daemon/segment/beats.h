/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_BEATS_H
#define FRICID_SEGMENT_BEATS_H

#include "segment/candidate.h"

#include <stdbool.h>
#include <stddef.h>

/* These functions ask whether the swings [first, last) of a candidate fall together as those of a free motion do. */

/* It tells whether they fall by more than their uncertainty. */
bool swings_fall(const struct candidate *candidate, size_t first, size_t last);

/* It tells whether they fall less and less, as those of a decay do: D_(j+1) = q D_j - const. A beat falls more and
 * more. */
bool swings_level_off(const struct candidate *candidate, size_t first, size_t last);

/* It tells whether the first half of them falls more and more, and they rise in between: in a beat both come together.
 */
bool swings_beat(const struct candidate *candidate, size_t first, size_t last);

/* It tells whether swings rise in between by about as much as they fall from the first to the last, as those of hum
 * that comes and goes do. */
bool swings_rise_and_fall(const struct candidate *candidate, size_t first, size_t last);

/* It tells whether the swings fall clearly, with half cycles as clean as no hand or beat makes them. */
bool swings_fall_cleanly(const struct candidate *candidate, size_t first, size_t last);

#endif
