/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_UNIT_POWERS_H
#define FRICID_IDENTIFY_UNIT_POWERS_H

#include "identify/common/unit_kind.h"

/* By which powers of what was measured a figure of a driven contact goes. */
struct contact_unit_powers {
    double force, displacement, time;
};

/* Of the units that figures of driven contacts have; of all others the powers are 0. */
struct contact_unit_powers unit_powers_of(enum unit_kind unit);

#endif
