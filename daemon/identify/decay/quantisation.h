/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_QUANTISATION_H
#define FRICID_IDENTIFY_QUANTISATION_H

#include "identify/decay/decay_parameter.h"
#include "identify/decay/scaled_record.h"

#include <stdatomic.h>

/* The middle of the sandwich covariance for a noise-free encoder of the given step (scaled): the mean square of
 * J'(Q(m) - m), m the model with its place on the encoder's grid and between the samples varied, over the unflagged
 * samples of [first, last). cancel (may be NULL): what it says is then unfinished. Allocates nothing. */
void closed_form_quantisation(const struct scaled_record *scaled, const double *parameters, size_t first, size_t last,
                              double step, const atomic_bool *cancel, double meat[FIT_PARAMETERS][FIT_PARAMETERS]);

#endif
