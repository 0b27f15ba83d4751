/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_BACKBONE_BEAT_H
#define FRICID_IDENTIFY_BACKBONE_BEAT_H

#include "identify/ring_down/backbone.h"

/* Whether damping and frequency along a backbone, from its largest amplitude down, go as no joint makes them go, but
 * the beat of two modes that are too near to be told apart does: the damping falls and rises again, or it rises while
 * the frequency falls, or rises by less than the damping ratio does. A joint that ceases to slip as a whole has more
 * damping as it falls, too, but far more of the frequency: of a softening by the share s of the stiffness, half of
 * which is the share of the frequency, its damping ratio is 2 s/pi at the most. Friction alone, which leaves the
 * frequency as it is, is not taken for a beat. */
bool backbone_beats(const struct backbone_point *points, size_t count);

#endif
