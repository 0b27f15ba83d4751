/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_FRICTION_UNSEEN_H
#define FRICID_IDENTIFY_FRICTION_UNSEEN_H

#include "identify/loop/friction_fit.h"
#include "identify/loop/friction_knowledge.h"
#include "identify/loop/friction_rung.h"

/* Why a record does not determine a parameter of a fit: sentences for its reason, NULL where it does. */

extern const char friction_lacks_term[];

/* Of one that the row may lack, with its value and gradient. */
const char *friction_why_unknown(const struct friction_motion *motion, const struct friction_fit *fit,
                                 const struct friction_knowledge *of, enum friction_parameter parameter,
                                 const struct friction_quantity *quantity);

/* Of any quantity, by its gradient alone. */
const char *friction_why_unseen(const struct friction_knowledge *of, const struct friction_gradient *gradient);

/* Of the slip length of an element, beside what its gradient tells. */
const char *friction_length_unknown(const struct friction_motion *motion, const struct friction_fit *fit,
                                    const struct friction_knowledge *of, size_t element);

/* Of all that is told in parts of the level: a dip that is not known stands for a bend of the viscous force. */
const char *friction_bent_by_dip(const struct friction_motion *motion, const struct friction_fit *fit,
                                 const struct friction_knowledge *of);

/* Of an element that slips again before the first sample behind each reversal nobody knows after which length: the sum
 * of squares begins to rise at that which would be seen, and there the fit ends. Bits 1u << element. */
unsigned friction_find_brief(const struct friction_motion *motion, const struct friction_fit *fit);

/* Whether a parameter is of a term that vanishes, for it would be negative. */
bool friction_is_at_zero(const struct friction_fit *fit, enum friction_parameter parameter);

/* Makes null what is said of a dip that is below 4 of its standard uncertainties, which may have grown since it was
 * concluded. */
void friction_conclude_dip(struct friction_rung *rung);

#endif
