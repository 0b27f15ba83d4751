/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LADDER_DOUBTS_H
#define FRICID_IDENTIFY_LADDER_DOUBTS_H

#include "identify/decay/doubts.h"
#include "identify/decay/extrema_chain.h"
#include "identify/decay/full_record_fit.h"
#include "identify/decay/identification.h"

/* Asks what the chosen rung of a ladder leaves for all that may be wrong with its figures: the ladder's own estimates
 * are widened by a disturbance that is seen. The windows of the record are compared with those of the rung's motion.
 * VERDICT_OK, VERDICT_NO_MEMORY or VERDICT_CANCELLED; without an answer only the
 * ladder has changed. */
enum verdict ladder_doubt(const struct decay_record *record, const struct extrema_chain *chain,
                          const atomic_bool *cancel, struct identification *identification);

#endif
