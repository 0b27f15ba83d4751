/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_FRICTION_MISFIT_H
#define FRICID_IDENTIFY_FRICTION_MISFIT_H

#include "identify/loop/friction_motion.h"

/* What of the residuals is the same in every loop is no noise. */
struct friction_misfit {
    double ratio;    /* mean square of what repeats, over what it would be by the scatter of the loops and by what the
                        steps of a walk leave; NAN: too few loops; through wide parts of a loop or narrow ones,
                        whichever says more */
    double loops;    /* of like speed that were compared, in the mean */
    double expected; /* it stays below that in 999 of 1000 records of a model that is right: Fisher's F */
};

/* What a look works on, which is much for a stack. Owned by the caller: free(); NULL: memory is short. */
struct friction_misfit_room;
struct friction_misfit_room *friction_misfit_room(void);

/* residuals: of friction_residuals(). */
struct friction_misfit friction_misfit_of(const struct friction_motion *motion, const double *residuals,
                                          struct friction_misfit_room *room);

#endif
