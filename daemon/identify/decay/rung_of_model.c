/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/decay/rung_of_model.h"

enum ladder_parameter ladder_parameter_of(enum fit_parameter parameter)
{
    static const enum ladder_parameter of[FIT_PARAMETERS] = {
        [FIT_OMEGA_N] = LADDER_OMEGA_N, [FIT_ZETA] = LADDER_ZETA, [FIT_X_K] = LADDER_X_K,
        [FIT_X0] = LADDER_X0,           [FIT_BIAS] = LADDER_BIAS, [FIT_T0] = LADDER_T0,
    };
    return of[parameter];
}

unsigned damping_model_terms(enum damping_model model)
{
    unsigned terms = 0;
    for (enum fit_parameter p = 0; p < FIT_PARAMETERS; p++)
        if (decay_parameters[p].term && damping_model_has(model, p))
            terms |= LADDER_BIT(ladder_parameter_of(p));
    return terms;
}
