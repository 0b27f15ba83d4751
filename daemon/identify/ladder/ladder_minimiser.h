/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LADDER_MINIMISER_H
#define FRICID_IDENTIFY_LADDER_MINIMISER_H

#include "identify/common/estimate.h"
#include "identify/ladder/ladder_pass.h"

#include <stdatomic.h>

/* Levenberg-Marquardt for one rung, inside the bounds of its parameters, from the given ones to the optimum next to
 * them; it also ends where a logarithmic term vanishes. tolerance: the part in the sum of squares of the step
 * that is left, without damping, at which to stop. passes: at most so many. cancel: may be NULL. normal: what is there
 * at the end. VERDICT_OK, VERDICT_CANCELLED, VERDICT_NOT_CONVERGED (the optimum is still some way off, or no decay has
 * the parameters to begin with). */
enum verdict ladder_minimise(ladder_pass *pass, const struct ladder_data *data, unsigned terms, double tolerance,
                             int passes, const atomic_bool *cancel, double parameters[LADDER_PARAMETERS],
                             struct ladder_normal *normal);

/* The parameters that a rung's fit may move. Those that a bound holds, at a gradient that leads beyond it, are left
 * out. A term that is logarithmic and absent is not moved, nor one that would pass its most. */
void ladder_free(unsigned terms, const double parameters[LADDER_PARAMETERS], const struct ladder_normal *normal,
                 bool free[LADDER_PARAMETERS]);

#endif
