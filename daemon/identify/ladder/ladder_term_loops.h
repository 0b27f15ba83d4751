/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_LADDER_TERM_LOOPS_H
#define FRICID_IDENTIFY_LADDER_TERM_LOOPS_H

#include "identify/ladder/ladder_term.h"

/* The loops of ladder_term.c. */
struct ladder_term_loops {
    void (*expand)(struct motion_series *series, unsigned terms);
};

LANES_TABLES(ladder_term_loops)

#endif
