/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_FRICTION_GAP_WALK_H
#define FRICID_IDENTIFY_FRICTION_GAP_WALK_H

#include "identify/loop/friction_walk.h"

/* The walk of a contact with backlash: e = clip(e + dx, -D_- - b/2, D_+ + b/2) and F = k sgn(e) max(|e| - b/2, 0). The
 * unknowns are D = (D_+ + D_-)/2, the gap b, and D_+/D_-; F_C = k D, and the start is e before the first sample. Stops
 * that harden transmit F_C D_+/D f((e - b/2)/D_+), and likewise to the other side, with f of friction_stop.h, and slip
 * where f = 1. */

/* F/F_C at the end of each piece of the block, and its derivatives. */
void friction_gap_deflections(struct friction_walk *walk);

/* From these the columns of gap and limits, to the end of the block; the others stand already. */
void friction_gap_columns(struct friction_walk *walk);

#endif
