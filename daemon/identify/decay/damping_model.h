/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_DAMPING_MODEL_H
#define FRICID_IDENTIFY_DAMPING_MODEL_H

#include "identify/decay/decay_parameter.h"

/* The models of a decay's damping; 0 is none of them. */
enum damping_model { DAMPING_VISCOUS = 1, DAMPING_COULOMB, DAMPING_VISCOUS_COULOMB, DAMPING_MODELS };

/* One of them. All are the closed form (decay_model.h), with the terms that it lacks held at 0. */
struct damping_model_row {
    const char *name; /* in JSON: "viscous", "coulomb", "viscous+coulomb" */
    unsigned terms;   /* bits 1u << enum fit_parameter: the damping terms that it has */
};

/* By enum damping_model. A model stands behind those that it contains, whose fits are where its own begins. */
extern const struct damping_model_row damping_models[DAMPING_MODELS];

const char *damping_model_name(enum damping_model model);

/* Whether a model has this parameter: one of the motion, or a term of its own. */
bool damping_model_has(enum damping_model model, enum fit_parameter parameter);

/* Whether a model has all terms of another: fitted to the same samples, it is never worse. */
bool damping_model_contains(enum damping_model model, enum damping_model other);

/* The model with the fewest terms that has all of these, among those that the given one contains; itself when there is
 * no smaller one. terms: some of its own. */
enum damping_model damping_model_within(enum damping_model model, unsigned terms);

#endif
