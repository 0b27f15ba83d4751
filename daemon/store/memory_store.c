/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The store of a daemon without a disk: gives ids and counts. What keeps the decays is the references that others
 * hold. */

#include "store/store.h"

#include <stdatomic.h>
#include <stdlib.h>

struct store {
    atomic_ullong decays, results, bytes; /* read by the event loop while the writer counts */
};

struct store *store_open_memory(void)
{
    return calloc(1, sizeof(struct store));
}

/* Ids begin at 1; 0 stands for a record that was never stored. */
int store_put_decay(struct store *store, struct kept_decay *decay)
{
    decay->id = atomic_fetch_add(&store->decays, 1) + 1;
    atomic_fetch_add(&store->bytes, decay_bytes(decay->decay));
    return 0;
}

/* Only counted: the history of the service holds what clients can ask for. */
int store_put_result(struct store *store, const struct kept_result *result)
{
    (void)result;
    atomic_fetch_add(&store->results, 1);
    return 0;
}

void store_statistics(const struct store *store, struct store_statistics *statistics)
{
    statistics->kind = "memory";
    statistics->decays = atomic_load(&store->decays);
    statistics->results = atomic_load(&store->results);
    statistics->bytes = atomic_load(&store->bytes);
}

void store_close(struct store *store)
{
    free(store);
}
