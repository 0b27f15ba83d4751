/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_STORE_READ_DECAY_H
#define FRICID_STORE_READ_DECAY_H

#include "store/database.h"
#include "store/kept.h"

/* Reads a decay with its samples and its origin; errors and ownership are those of store_get_decay(). */
int read_decay(struct database *database, uint64_t id, struct kept_decay **kept, unsigned *revision);

#endif
