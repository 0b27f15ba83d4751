/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/decay/damping_model.h"

#define TERM(parameter) (1u << (parameter))

const struct damping_model_row damping_models[DAMPING_MODELS] = {
    [DAMPING_VISCOUS] = {"viscous", TERM(FIT_ZETA)},
    [DAMPING_COULOMB] = {"coulomb", TERM(FIT_X_K)},
    [DAMPING_VISCOUS_COULOMB] = {"viscous+coulomb", TERM(FIT_ZETA) | TERM(FIT_X_K)},
};

const char *damping_model_name(enum damping_model model)
{
    return damping_models[model].name;
}

bool damping_model_has(enum damping_model model, enum fit_parameter parameter)
{
    return !decay_parameters[parameter].term || damping_models[model].terms & TERM(parameter);
}

bool damping_model_contains(enum damping_model model, enum damping_model other)
{
    return !(damping_models[other].terms & ~damping_models[model].terms);
}

enum damping_model damping_model_within(enum damping_model model, unsigned terms)
{
    enum damping_model smallest = model;
    for (enum damping_model other = DAMPING_VISCOUS; other < DAMPING_MODELS; other++)
        if (damping_model_contains(smallest, other) && !(terms & ~damping_models[other].terms))
            smallest = other;
    return smallest;
}
