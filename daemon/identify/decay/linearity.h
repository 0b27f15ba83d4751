/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LINEARITY_H
#define FRICID_IDENTIFY_LINEARITY_H

#include "identify/decay/extrema_chain.h"
#include "identify/decay/full_record_fit.h"
#include "identify/decay/record.h"
#include "identify/ladder/ladder.h"

#include <stdbool.h>

/* How a nonlinearity of the sensor within `linearity` (part of full scale, cubic in the displacement from its zero)
 * moves the estimates of a fit: (J'J)^-1 J' n with n = linearity full_scale (y/full_scale)³. full_scale in the
 * displacement unit; NAN: the largest displacement of the record. False when the fit has no estimates. */
bool linearity_in_parameters(const struct decay_record *record, const struct full_record_fit *fit, double linearity,
                             double full_scale, double change[FIT_PARAMETERS]);

/* The same of the fit of the extrema of a chain (extrema_chain.h), by fitting what such a sensor would show. */
bool linearity_in_extrema(const struct decay_record *record, const struct extrema_chain *chain, double linearity,
                          double full_scale, double change[FIT_PARAMETERS]);

/* The same of the chosen rung of a ladder, by its own parameters. */
bool linearity_in_ladder(const struct decay_record *record, const struct extrema_chain *chain,
                         const struct ladder *ladder, double linearity, double full_scale,
                         double change[LADDER_PARAMETERS]);

#endif
