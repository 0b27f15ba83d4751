/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LADDER_PASS_LOOPS_H
#define FRICID_IDENTIFY_LADDER_PASS_LOOPS_H

#include "identify/ladder/ladder_pass.h"

/* The loops of ladder_pass.c. */
struct ladder_pass_loops {
    void (*add_block)(const struct ladder_block *block, unsigned terms, struct ladder_normal *normal);
};

LANES_TABLES(ladder_pass_loops)

#endif
