/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LADDER_CONSISTENCY_H
#define FRICID_IDENTIFY_LADDER_CONSISTENCY_H

#include "identify/ladder/ladder_reopen.h"

/* Fits the rung to the extrema alone, which know no phase between them, and says whether its friction is that of all
 * samples: like is compared with like, for the friction of a rung with presliding is not that of one without. x_k: of
 * all samples, with what is known of its standard error. An extremum is placed by the bend that the closed form has
 * there, and a rung may bend otherwise: motion[motions], the extrema that were found in the rung's own motion, tell by
 * how much that misplaces them, and those of `open` are put right by it. Where they do not tell, nothing is said. */
struct ladder_consistency ladder_consistency_of(struct ladder_reopened *open, const struct extremum *motion,
                                                size_t motions, const struct estimate *x_k, const atomic_bool *cancel);

#endif
