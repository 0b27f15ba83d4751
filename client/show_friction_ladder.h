/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_SHOW_FRICTION_LADDER_H
#define FRICID_CLIENT_SHOW_FRICTION_LADDER_H

#include "client/pages.h"

#include <jansson.h>
#include <stdbool.h>

/* Whether none of the models that were to be fitted is there; its reason says why. */
bool lacks_friction_ladder(const json_t *ladder);

/* The ladder of models of a contact: which was chosen with which parameters, and what each model leaves. 0, or -ENOMEM.
 */
int show_friction_ladder(const struct pages *pages, const json_t *ladder);

#endif
