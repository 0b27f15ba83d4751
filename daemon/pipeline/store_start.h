/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_STORE_START_H
#define FRICID_STORE_START_H

#include "config/configuration.h"
#include "store/store.h"

/* The store that a daemon begins with. */
struct store_start {
    struct store *store;              /* for the pipeline */
    char *directory;                  /* of the file; owned; NULL: in memory */
    struct store_numbering numbering; /* what the service goes on with; a new history when there is none */
    uint64_t first_seq;               /* the first number of this process; numbering.next_seq bounds those set aside */
    struct complaint in_memory;       /* why nothing is kept on a disk; empty: it is */
};

/* Opens the store of a configuration, or one in memory when none is configured and the usual place cannot be used.
 * 0, or a negative errno and a complaint: the configured one cannot be used. */
int store_start(const struct store_configuration *configuration, struct store_start *start,
                struct complaint *complaint);

#endif
