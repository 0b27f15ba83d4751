/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_KINDS_CONTACT_CHECK_H
#define FRICID_KINDS_CONTACT_CHECK_H

#include "identify/loop/simulation.h"
#include "proto/complaint.h"

#include <jansson.h>

/* Whether what was read of a model makes a contact. */

/* An object being read. */
struct contact_reading {
    const json_t *json;
    struct known_contact *contact;
    struct complaint *complaint;
    struct friction_row row; /* terms of a model that has a name; of a shape those that are there */
    bool given[FRICTION_PARAMETERS], unknown[FRICTION_PARAMETERS]; /* unknown: it is null */
};

/* A complaint about a key; -EINVAL. */
int contact_refuse(const struct contact_reading *reading, const char *key, const char *sentence);

/* Settles what follows from other parameters, too. 0 or -EINVAL, with a complaint. */
int contact_check(struct contact_reading *reading);

#endif
