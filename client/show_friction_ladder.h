/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CLIENT_SHOW_FRICTION_LADDER_H
#define FRICID_CLIENT_SHOW_FRICTION_LADDER_H

#include "client/pages.h"

#include <jansson.h>

/* The ladder of models of a contact: which was chosen with which parameters, and what each model leaves. 0, or -ENOMEM.
 */
int show_friction_ladder(const struct pages *pages, const json_t *ladder);

#endif
