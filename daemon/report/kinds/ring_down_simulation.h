/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_KINDS_RING_DOWN_SIMULATION_H
#define FRICID_KINDS_RING_DOWN_SIMULATION_H

#include "report/field.h"

/* Of a struct mode_simulation. */
extern const struct section ring_down_simulation_table;

#endif
