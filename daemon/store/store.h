/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_STORE_STORE_H
#define FRICID_STORE_STORE_H

#include "store/kept.h"

#include <stddef.h>
#include <stdint.h>

/* Gives decays their ids and keeps decays and results. Called by the writer thread alone, but for the statistics.
 *
 * This one keeps them in memory: what it took in lives as long as somebody, such as the history of the service, holds
 * a reference, and not beyond the end of the process. */
struct store;

struct store_statistics {
    const char *kind; /* "memory" */
    uint64_t decays, results;
    uint64_t bytes; /* of decays taken in */
};

struct store *store_open_memory(void); /* NULL when memory is short */

/* Keeps a decay, raw, before anybody identifies it; gives it its id. 0 or a negative errno. */
int store_put_decay(struct store *store, struct kept_decay *decay);

/* Keeps a result before anybody publishes it. 0 or a negative errno. */
int store_put_result(struct store *store, const struct kept_result *result);

/* May be called from any thread. */
void store_statistics(const struct store *store, struct store_statistics *statistics);

void store_close(struct store *store); /* NULL is fine */

#endif
