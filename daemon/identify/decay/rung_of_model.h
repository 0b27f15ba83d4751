/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_RUNG_OF_MODEL_H
#define FRICID_IDENTIFY_RUNG_OF_MODEL_H

#include "identify/decay/damping_model.h"
#include "identify/ladder/ladder_term.h"

/* What the fits of a decay and the ladder have in common, in the words of the ladder. */

/* The parameter of the ladder that is this one of the decay. */
enum ladder_parameter ladder_parameter_of(enum fit_parameter parameter);

/* The terms of a model: bits LADDER_BIT(). */
unsigned damping_model_terms(enum damping_model model);

#endif
