/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_UNIT_KIND_H
#define FRICID_IDENTIFY_UNIT_KIND_H

/* What a figure is measured in. The displacement's unit is the channel's own. */
enum unit_kind {
    KIND_ONE,
    KIND_RAD_PER_S,
    KIND_HZ,
    KIND_S,
    KIND_DISPLACEMENT,
    KIND_PER_DISPLACEMENT,
    KIND_PER_DISPLACEMENT_SQUARED,
    KIND_DISPLACEMENT_SQUARED,
    KIND_RAD,
    KIND_N,
    KIND_N_S_PER_M,
    KIND_N_PER_M,
    KIND_KG,
    KIND_M_PER_S2,
    KIND_PER_S,
    KIND_PER_S2,
    KIND_DISPLACEMENT_PER_S,
    KIND_DISPLACEMENT_PER_S2,
    KIND_DISPLACEMENT_SQUARED_PER_S2,
    KIND_SLIDER_DENSITY, /* of sliders over the displacement: it depends on chi */
    KIND_J,
    KIND_FORCE, /* what does work along the displacement: along an angle a torque */
    KIND_FORCE_PER_DISPLACEMENT,
    KIND_FORCE_S_PER_DISPLACEMENT,
    KIND_FORCE_S2_PER_DISPLACEMENT,
    KIND_FORCE_PER_DISPLACEMENT_SQUARED,
    KIND_FORCE_PER_S,
    KIND_OF_QUANTITY, /* that of the quantity which the figure is about */
    UNIT_KINDS
};

#endif
