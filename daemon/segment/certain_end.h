/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_SEGMENT_CERTAIN_END_H
#define FRICID_SEGMENT_CERTAIN_END_H

#include "segment/ending.h"

#include <stdbool.h>

/* It tells whether a decay came to rest, or sank into the noise, beyond doubt, so that its end need not be looked back
 * on: its last swings follow their law, its last half cycles fit as well as those before, the law lets no swing follow
 * that would show, and the mass stays where the last one led. Costs little beside ending_name(). */
bool end_is_certain(const struct ending *ending, enum decay_end by);

#endif
