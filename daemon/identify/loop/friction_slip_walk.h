/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_FRICTION_SLIP_WALK_H
#define FRICID_IDENTIFY_FRICTION_SLIP_WALK_H

#include "identify/loop/friction_walk.h"

/* The walk of Maxwell-slip: elements in parallel, each a spring that slips at its force (GMG Eqs. 10-12); with
 * Stribeck's dip that goes with S(v), at once or, in GMS, at a rate. The start is how far all of the contact is
 * displaced before the first sample from where no element is stretched, as that of a contact that is new. One that was
 * driven before the record begins has come from where every element slipped: beyond FRICTION_SLIP_RETURNS, where all
 * elements slip, the start is how far it has returned from there. */
#define FRICTION_SLIP_RETURNS 1.0

/* Before the first block. */
void friction_slip_begin(struct friction_walk *walk);

/* What each element holds of its slip force at the end of each piece of the block, and what changes the force. */
void friction_slip_deflections(struct friction_walk *walk);

/* From these the columns, to the end of the block; those without presliding stand already. */
void friction_slip_columns(struct friction_walk *walk);

#endif
