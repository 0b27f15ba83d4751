/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_WIDENING_H
#define FRICID_IDENTIFY_WIDENING_H

#include "identify/decay/full_record_result.h"

/* Adds a covariance (record's units) that the noise does not account for to a fit's covariance, standard errors and
 * intervals; the likelihood ratios of the damping terms fall accordingly. The estimates stay, and what was held stays
 * held. */
void fit_widen(double extra[FIT_PARAMETERS][FIT_PARAMETERS], struct full_record_fit *fit);

#endif
