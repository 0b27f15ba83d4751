/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_EXTREMA_DRIFT_H
#define FRICID_IDENTIFY_EXTREMA_DRIFT_H

#include "identify/decay/drift.h"
#include "identify/decay/extrema_fit.h"

/* The same question about the damping, asked of the extrema alone: heights know nothing of phase, so the answer holds
 * where the full-record fit does not follow the record. What a drag would leave in the heights is d x' |x'|'s loss of
 * 4/3 d A² a half cycle; the noise is that of the heights about the fit. shift: to zeta, x_k, X_0 and bias. False, and
 * *drift as it was, without an extrema fit or with fewer than two extrema more than unknowns. */
bool extrema_damping_drift(const struct extremum *extrema, size_t count, const struct extrema_fit *fit,
                           struct drift *drift);

#endif
