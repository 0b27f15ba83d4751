/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_FRICTION_OFFSETS_H
#define FRICID_IDENTIFY_FRICTION_OFFSETS_H

#include "identify/loop/friction_knowledge.h"
#include "identify/loop/friction_rung.h"
#include "identify/loop/loop_parts.h"

/* The constant offset of each part of a record, of a rung whose F_0 and fit are told. noise: of the residuals, in units
 * of the motion. */
void friction_conclude_offsets(const struct friction_motion *motion, const struct friction_fit *fit,
                               const struct ar_model *noise, const struct friction_knowledge *of,
                               struct friction_rung *rung);

/* Puts the offsets of the parts that stayed to the places of these among all that were cut; the others are not seen. */
void friction_offsets_place(const struct loop_parts *parts, struct friction_offsets *offsets);

#endif
