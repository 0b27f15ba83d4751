/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_KINDS_CONTACT_TASK_H
#define FRICID_KINDS_CONTACT_TASK_H

#include "report/kinds/contact_json.h"

/* A contact of which something is to be foretold. */
struct contact_task {
    struct known_contact contact;
    double mass;   /* of what is pushed; NAN: not known */
    bool has_unit; /* the next is known */
    bool angular;  /* of angles and torques */
    size_t part;   /* of the record, from 1, the offset of which is that of the contact */
    size_t parts;  /* there are so many, each with its own; 1 where the model has one offset */
};

/* Out of JSON as contact_from_json() reads it, or what identify told, results of which one is of a loop. part: whose
 * offset is meant; 0: the first's. 0, or -EINVAL and a complaint. */
int contact_task_from_json(const json_t *json, size_t part, struct contact_task *task, struct complaint *complaint);

/* Whether that can be foretold from a motion, or from a force where there is none. A task without a unit takes that
 * one. 0, or -EINVAL and a complaint. */
int contact_task_settle(struct contact_task *task, bool angular, bool has_motion, struct complaint *complaint);

#endif
