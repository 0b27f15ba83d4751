/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_EXTREMA_DRIFT_H
#define FRICID_IDENTIFY_EXTREMA_DRIFT_H

#include "identify/decay/drift.h"
#include "identify/decay/extrema_fit.h"

/* The same questions, asked of the extrema alone, for where the full-record fit is not to be trusted. Heights know
 * nothing of phase: what a drag would leave in them is d x' |x'|'s loss of 4/3 d A² a half cycle. Times know nothing of
 * heights: a cubic stiffness shortens a half cycle at amplitude A by 3/8 kappa A². The noise is what is left about the
 * fit. Shifts are those of the extrema's own fit; phase and lagging stay as they were. A drift that the extrema do not
 * tell, for there is no fit or fewer than two extrema more than unknowns, is not determined; VERDICT_UNDERDETERMINED
 * when this is so of both. */
enum verdict extrema_drifts(const struct extremum *extrema, size_t count, const struct extrema_fit *fit,
                            struct drifts *drifts);

#endif
