/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_KINDS_CONTACT_JSON_H
#define FRICID_KINDS_CONTACT_JSON_H

#include "identify/loop/simulation.h"
#include "proto/complaint.h"

#include <jansson.h>

/* A contact as JSON has it: a result with a ladder, a ladder, one of its models, or what somebody wrote by hand, which
 * is an object of a model's shape (or name) and numbers, named as parameters are, in SI units.
 *
 * model: which of a ladder's; NULL: the chosen one. mass: NAN where nothing is said of one. 0, or -EINVAL and a
 * complaint that names the key. */
int contact_from_json(const json_t *json, const char *model, struct known_contact *contact, double *mass,
                      struct complaint *complaint);

/* What the fit of the chosen model, or of the only one, had: a list of a parameter each, with its value and
 * covariances; NULL where it is not told. */
const json_t *contact_fitted(const json_t *json);

/* Of which parameter one of that list is; FRICTION_PARAMETERS: of none. */
enum friction_parameter contact_fitted_parameter(const json_t *fitted);

#endif
