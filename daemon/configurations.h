/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_CONFIGURATIONS_H
#define FRICID_CONFIGURATIONS_H

#include "config/configuration.h"

#include <stddef.h>

/* The configurations that the daemon has run under: the running one, and the latest ones before it, for those who want
 * to know what stands behind the config_id of a result. */

enum {
    CONFIGURATIONS_HELD = 64,
    CONFIGURATIONS_HELD_BYTES = 16 << 20, /* of their texts, beside the running one */
};

struct configurations {
    const struct configuration *first; /* the caller's, lives as long as the daemon */
    const struct configuration *running;
    struct configuration
        *earlier[CONFIGURATIONS_HELD]; /* owned, the latest first; without the first and running ones */
    size_t earlier_count;
};

void configurations_init(struct configurations *all, const struct configuration *first);

/* Takes the next one over and makes it the running one. Nobody may point into those before but into the first: the
 * oldest go. */
void configurations_replace(struct configurations *all, struct configuration *next);

/* The configuration of that id, NULL when it is not known, or not held any more. Valid until the next one. */
const struct configuration *configurations_find(const struct configurations *all, const char *id);

/* Destroys all but the first. */
void configurations_clear(struct configurations *all);

#endif
