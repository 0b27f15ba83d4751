/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_STORE_RUN_TABLE_H
#define FRICID_STORE_RUN_TABLE_H

#include "store/database.h"

#include <stdint.h>

/* The table `run`, within a transaction. A run is there as long as one of its decays. */

/* The run of this key, made when it is new; an empty key is always new. It began when the first of its decays was
 * released; INT64_MIN: that is not known. */
int run_table_put(struct database *database, const char *key, const char *rig, int64_t released_at_ns, int64_t *run);

/* Gives a run to every decay that has none, stored before there were runs: to those that one rig and device gave before
 * the source began anew, by the rule of segment/run_grouping.h. */
int run_table_complete(struct database *database);

#endif
