/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_OVERLAPPING_BANDS_H
#define FRICID_IDENTIFY_OVERLAPPING_BANDS_H

#include "identify/ring_down/ring_down_findings.h"
#include "identify/ring_down/ring_down_mode.h"

/* Bands that hold a pair, or modes that are too near to be told apart, once more without the motions of the modes that
 * bands overlapping them tell: of three close modes the one in the middle may reach both bands, which then count it
 * twice, or count three. What is told so takes the place of what was told where it is another count of modes, and what
 * is told twice even so is told once. samples: all modes'. VERDICT_OK, VERDICT_NO_MEMORY or VERDICT_CANCELLED. */
enum verdict overlapping_bands_look(const struct ring_down_samples *samples, const struct identify_settings *settings,
                                    struct ring_down *ring_down);

/* What each of two bands tells, with frequencies nearer to each other than half the width of a peak at half power, is a
 * mode of that which knows its frequency better. */
void overlapping_bands_tell_once(struct ring_down *ring_down);

#endif
