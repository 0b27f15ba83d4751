/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_FRICTION_BENT_WALK_H
#define FRICID_IDENTIFY_FRICTION_BENT_WALK_H

#include "identify/loop/friction_walk.h"

/* The walk of shapes without a closed form, piece by piece; levels are known. */

/* The deflection at the end of each piece of the block, and its derivatives. */
void friction_bent_deflections(struct friction_walk *walk);

/* From these the columns of all unknowns that the shape has its own of; the others stand already. */
void friction_bent_columns(struct friction_walk *walk);

#endif
