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

/* A contact of which something is to be foretold. */
struct contact_task {
    struct known_contact contact;
    double mass;   /* of what is pushed; NAN: not known */
    bool has_unit; /* the next is known */
    bool angular;  /* of angles and torques */
};

/* Out of the same JSON, or what identify told, results of which one is of a loop. 0, or -EINVAL and a complaint. */
int contact_task_from_json(const json_t *json, struct contact_task *task, struct complaint *complaint);

/* Whether that can be foretold from a motion, or from a force where there is none. A task without a unit takes that
 * one. 0, or -EINVAL and a complaint. */
int contact_task_settle(struct contact_task *task, bool angular, bool has_motion, struct complaint *complaint);

/* The unit of the displacements of a result; NULL: it is none, or does not say it. */
const char *contact_json_unit(const json_t *json);

#endif
