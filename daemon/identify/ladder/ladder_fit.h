/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LADDER_FIT_H
#define FRICID_IDENTIFY_LADDER_FIT_H

#include "identify/ladder/ladder_minimiser.h"

/* {viscous, Coulomb, both} x any of {drag, cubic, square} x presliding, which needs Coulomb. */
enum { LADDER_RUNGS = 40 };

/* One rung's least squares on all samples, in the units of the data. */
struct ladder_rung {
    unsigned terms;
    enum verdict verdict; /* VERDICT_OK, _NOT_CONVERGED, _NO_CONTENDER, _NO_SUCH_DECAY, _CANCELLED, _NOT_COMPUTED */
    double parameters[LADDER_PARAMETERS];
    struct ladder_normal normal;
};

/* The rungs, those with fewer terms first; not computed. */
void ladder_list(struct ladder_rung rungs[LADDER_RUNGS]);

/* Fits all rungs, those with fewer terms first. A rung begins at what the slow flow makes of the extrema, goes on to
 * its optimum on the extrema labelled by their count, and from there to that on all samples; where it then leaves more
 * than a rung that it contains, it begins again at that one's optimum. So more terms never fit worse. cancel: may be
 * NULL. */
void ladder_fit(const struct ladder_data *data, const atomic_bool *cancel, struct ladder_rung rungs[LADDER_RUNGS]);

#endif
