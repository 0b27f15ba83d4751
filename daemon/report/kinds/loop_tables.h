/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_KINDS_LOOP_TABLES_H
#define FRICID_KINDS_LOOP_TABLES_H

#include "report/field.h"

/* Of a struct listed_loop: one loop, in results and as a rig tells of it. */
extern const struct section listed_loop_table;

#endif
