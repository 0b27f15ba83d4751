/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_HALF_CYCLE_GROUP_LOOPS_H
#define FRICID_IDENTIFY_HALF_CYCLE_GROUP_LOOPS_H

#include "identify/decay/half_cycle_group.h"

/* The loops of half_cycle_group.c. */
struct half_cycle_group_loops {
    void (*add_group)(const struct half_cycle_group *group, const struct half_cycle_pass *pass,
                      struct group_sums *total);
    void (*total_of_group)(const struct group_sums *sums, struct derivative_sums *total);
};

LANES_TABLES(half_cycle_group_loops)

#endif
