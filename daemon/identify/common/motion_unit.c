/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/common/motion_unit.h"

#include "identify/decay/physical.h"
#include "identify/record_analysis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What divides a displacement, the longest first; each way in which it is written. */
static const struct {
    const char *ending, *quantity;
} endings[] = {
    {"/s\xc2\xb2", QUANTITY_ACCELERATION}, {"/s^2", QUANTITY_ACCELERATION},
    {"/s2", QUANTITY_ACCELERATION},        {"/s**2", QUANTITY_ACCELERATION},
    {"_per_s2", QUANTITY_ACCELERATION},    {"_s2", QUANTITY_ACCELERATION},
    {"/s/s", QUANTITY_ACCELERATION},       {"/s", QUANTITY_VELOCITY},
    {"_per_s", QUANTITY_VELOCITY},         {"_s", QUANTITY_VELOCITY},
};

struct motion_unit motion_unit_of(const char *unit)
{
    struct motion_unit of = {NULL, ""};
    const size_t length = strlen(unit);
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        const size_t ending = strlen(endings[i].ending);
        if (length <= ending || strcmp(unit + length - ending, endings[i].ending) != 0)
            continue;
        of.quantity = endings[i].quantity;
        snprintf(of.displacement, sizeof of.displacement, "%.*s", (int)(length - ending), unit);
        return of;
    }
    of.quantity = isfinite(physical_metres_per_unit(unit)) ? QUANTITY_DISPLACEMENT : NULL;
    snprintf(of.displacement, sizeof of.displacement, "%s", unit);
    return of;
}
