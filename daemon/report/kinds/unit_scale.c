/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "report/kinds/unit_scale.h"

#include "identify/decay/physical.h"
#include "proto/measured_unit.h"
#include "proto/time_unit.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Units of the forms that a figure in another has; lengths and times have tables of their own. */
static const struct {
    const char *of, *name;
    double scale;
} other_units[] = {
    {"N", "N", 1},
    {"N", "n", 1},
    {"N", "kN", 1e3},
    {"N", "kn", 1e3},
    {"N", "mN", 1e-3},
    {"N", "mn", 1e-3},
    {"N", "KN", 1e3},
    {"N", "uN", 1e-6},
    {"N", "un", 1e-6},
    {"N", "\xc2\xb5N", 1e-6},
    {"N", "lbf", 4.4482216152605},
    {"N", "lb", 4.4482216152605}, /* of force: where a force is measured nobody means a mass */
    {"N", "lbs", 4.4482216152605},
    {"N", "kip", 4448.2216152605},
    {"N", "kips", 4448.2216152605},
    {"N", "klbf", 4448.2216152605},
    {"N", "kgf", 9.80665},
    {"N*m", "N*m", 1},
    {"N*m", "Nm", 1},
    {"N*m", "nm", 1},
    {"N*m", "N m", 1},
    {"N*m", "N\xc2\xb7m", 1},
    {"N*m", "N.m", 1},
    {"N*m", "mNm", 1e-3},
    {"N*m", "mnm", 1e-3},
    {"N*m", "mN*m", 1e-3},
    {"N*m", "mN m", 1e-3},
    {"N*m", "mN\xc2\xb7m", 1e-3},
    {"N*m", "Nmm", 1e-3},
    {"N*m", "nmm", 1e-3},
    {"N*m", "N*mm", 1e-3},
    {"N*m", "N mm", 1e-3},
    {"N*m", "N\xc2\xb7mm", 1e-3},
    {"N*m", "kNm", 1e3},
    {"N*m", "knm", 1e3},
    {"N*m", "kN*m", 1e3},
    {"rad", "rad", 1},
    {"rad", "mrad", 1e-3},
    {"rad", "deg", M_PI / 180},
    {"m/s", "m/s", 1},
    {"m/s", "mm/s", 1e-3},
    {"m/s", "cm/s", 1e-2},
    {"m/s", "in/s", 0.0254},
    {"m/s", "m_s", 1},
    {"m/s", "mm_s", 1e-3},
    {"m/s", "cm_s", 1e-2},
    {"m/s", "in_s", 0.0254},
    {"m/s", "um_s", 1e-6},
    {"m/s", "um/s", 1e-6},
    {"m/s", "\xc2\xb5m/s", 1e-6},
    {"m/s2", "m/s2", 1},
    {"m/s2", "m/s^2", 1},
    {"m/s2", "m_s2", 1},
    {"m/s2", "mm/s2", 1e-3},
    {"m/s2", "mm_s2", 1e-3},
    {"m/s2", "g", 9.80665},
    {"Hz", "Hz", 1},
    {"Hz", "hz", 1},
    {"Hz", "kHz", 1e3},
    {"Hz", "khz", 1e3},
    {"Hz", "rad/s", 0.5 / M_PI},
    {"Hz", "rad_s", 0.5 / M_PI},
    {"rad/s", "rad/s", 1},
    {"rad/s", "deg/s", M_PI / 180},
    {"rad/s", "rad_s", 1},
    {"rad/s", "deg_s", M_PI / 180},
    {"rad/s", "rpm", M_PI / 30},
};

double unit_scale(const char *of, struct text_piece unit)
{
    char name[32] = "";
    if (unit.length >= sizeof name)
        return NAN;
    const struct time_unit *time = strcmp(of, "s") == 0 ? time_unit_find(unit.text, unit.length) : NULL;
    if (!measured_unit_plain(unit, name, sizeof name))
        *stpncpy(name, unit.text, unit.length) = '\0';
    for (size_t i = 0; i < sizeof other_units / sizeof other_units[0]; i++)
        if (strcmp(other_units[i].of, of) == 0 && strcmp(other_units[i].name, name) == 0)
            return other_units[i].scale;
    return time ? time->seconds : strcmp(of, "m") == 0 ? physical_metres_per_unit(name) : (double)NAN;
}
