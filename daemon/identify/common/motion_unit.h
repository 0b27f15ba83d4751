/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_MOTION_UNIT_H
#define FRICID_IDENTIFY_MOTION_UNIT_H

/* What a sensor of a motion measures, by its unit: m/s2 is an acceleration, mm/s a velocity, um a displacement. */
struct motion_unit {
    const char *quantity;  /* QUANTITY_...; NULL: the unit does not say it */
    char displacement[32]; /* the unit of the displacement in it, "m" */
};

struct motion_unit motion_unit_of(const char *unit);

#endif
