/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_STORE_READ_DECAY_H
#define FRICID_STORE_READ_DECAY_H

#include "store/database.h"
#include "store/kept.h"

/* Reads a decay with its samples and its origin; errors and ownership are those of store_get_decay(). */
int read_decay(struct database *database, uint64_t id, struct kept_decay **kept, unsigned *revision);

/* The first decay behind `after` that has no result; *id 0 when there is none. */
int next_waiting(struct database *database, uint64_t after, uint64_t *id);

#endif
