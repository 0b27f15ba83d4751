/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_STORE_READ_DECAY_H
#define FRICID_STORE_READ_DECAY_H

#include "store/database.h"
#include "store/kept.h"

/* Reads a decay with its samples and its origin; the caller's, with one reference. -ENOENT: there is no such decay,
 * -ENODATA: its samples were lost, -EUCLEAN: they are not what was stored. */
int read_decay(struct database *database, uint64_t id, struct kept_decay **kept, unsigned *revision);

/* Whether there is such a decay. */
int has_decay(struct database *database, uint64_t id, bool *there);

/* The first decay behind `after` that has no result, of those that no daemon has tried to identify and did not survive,
 * or of those that one has; *id 0 when there is none. */
int next_waiting(struct database *database, bool tried, uint64_t after, uint64_t *id);

#endif
