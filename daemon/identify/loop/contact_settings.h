/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_CONTACT_SETTINGS_H
#define FRICID_IDENTIFY_CONTACT_SETTINGS_H

#include "identify/common/unit_kind.h"

/* What is known of the instruments about a contact that is driven, in N, m, kg and s; of an angle and a torque in N m,
 * rad, kg m² and s. A row each: ROW(name, unit, note). */
#define CONTACT_SETTING_ROWS(ROW)                                                                                      \
    ROW(force_sign, KIND_ONE, "1 or -1, by which the force is multiplied")                                             \
    ROW(normal_sign, KIND_ONE, "likewise, of the normal force")                                                        \
    ROW(force_delay_s, KIND_S, "by which the force is told later than the displacement")                               \
    ROW(u_force_delay_s, KIND_S, "standard uncertainty of that")                                                       \
    ROW(normal_delay_s, KIND_S, "likewise, of the normal force")                                                       \
    ROW(u_normal_delay_s, KIND_S, "standard uncertainty of that")                                                      \
    ROW(moving_mass_kg, KIND_ONE, "that moves between load cell and contact, kg, or kg m² about an axis")              \
    ROW(u_moving_mass_kg, KIND_ONE, "standard uncertainty of that")                                                    \
    ROW(path_stiffness_n_per_m, KIND_ONE, "of what the force bends between displacement and contact, N/m or N m/rad")  \
    ROW(u_path_stiffness_n_per_m, KIND_ONE, "standard uncertainty of that")                                            \
    ROW(u_force_gain_percent, KIND_ONE, "standard uncertainty of the gain of the force")                               \
    ROW(u_normal_gain_percent, KIND_ONE, "likewise, of the normal force")

/* NAN: not configured. */
#define CONTACT_SETTING_MEMBER(name, unit, note) double name;
struct contact_settings {
    CONTACT_SETTING_ROWS(CONTACT_SETTING_MEMBER)
};

#endif
