/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_KINDS_FRICTION_TABLES_H
#define FRICID_KINDS_FRICTION_TABLES_H

#include "report/field.h"

/* Of a struct friction_ladder. */
extern const struct section friction_ladder_table;

/* Of a struct speed_curve that comes of loops. */
extern const struct section stribeck_table;

#endif
