/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How frequency, damping and loss of a mode follow its amplitude. */

#include "report/kinds/ring_down_backbone.h"

#include "identify/ring_down/ring_down.h"
#include "report/table_rows.h"

#define POINT(member) .offset = offsetof(struct backbone_point, member)

static const struct field point_fields[] = {
    {.name = "amplitude",
     .type = FIELD_SIZE,
     .unit = KIND_DISPLACEMENT,
     .label = "A",
     .note = "of the displacement at the reference sensor",
     POINT(amplitude)},
    {.name = "omega",
     .type = FIELD_SIZE,
     .unit = KIND_RAD_PER_S,
     .note =
         "rate of the phase: the damped frequency, as turning points show it, which is sqrt(1 - zeta^2) of the root of "
         "the joint's fundamental stiffness; where the exact motion of the joint is part of the fit (noise below 0.3 % "
         "of the first amplitude, or a joint that lowers the stiffness by more than 3 %), that root itself",
     POINT(omega)},
    {.name = "se_omega",
     .type = FIELD_SIZE,
     .unit = KIND_RAD_PER_S,
     .note = "its standard uncertainty",
     POINT(se_omega)},
    {.name = "zeta", .type = FIELD_SIZE, .label = "ζ", .note = "rate of ln A over omega", POINT(zeta)},
    {.name = "se_zeta", .type = FIELD_SIZE, .note = "its standard uncertainty", POINT(se_zeta)},
    {.name = "dissipation",
     .type = FIELD_SIZE,
     .unit = KIND_DISPLACEMENT_SQUARED_PER_S2,
     .label = "D",
     .note = "loss a cycle, per modal mass",
     POINT(dissipation)},
    {.name = "se_dissipation",
     .type = FIELD_SIZE,
     .unit = KIND_DISPLACEMENT_SQUARED_PER_S2,
     .note = "its standard uncertainty",
     POINT(se_dissipation)},
    {.name = "stiffness",
     .type = FIELD_SIZE,
     .unit = KIND_PER_S2,
     .label = "K",
     .note = "of the first harmonic, per modal mass: omega^2",
     POINT(stiffness)},
    {.name = "se_stiffness",
     .type = FIELD_SIZE,
     .unit = KIND_PER_S2,
     .note = "its standard uncertainty",
     .since = 9,
     POINT(se_stiffness)},
    {.name = "slip_omega",
     .type = FIELD_SIZE,
     .unit = KIND_RAD_PER_S,
     .note = "how far omega is off if the whole joint slips from phi_max.lower on, which nothing shows and the record "
             "does not contradict; beside se_omega, not in it; 0 where the joint cannot slip as a whole",
     .since = 15,
     POINT(slip_omega)},
    {.name = "slip_zeta",
     .type = FIELD_SIZE,
     .note = "likewise of zeta, beside se_zeta",
     .since = 15,
     POINT(slip_zeta)},
    {.name = "slip_dissipation",
     .type = FIELD_SIZE,
     .unit = KIND_DISPLACEMENT_SQUARED_PER_S2,
     .note = "likewise of the loss, beside se_dissipation",
     .since = 15,
     POINT(slip_dissipation)},
};

const struct section ring_down_backbone_table = {
    .title = "the mode at amplitudes, from the largest down; 95 % intervals reach 1.96 standard uncertainties",
    .size = sizeof(struct backbone_point),
    SECTION_FIELDS(point_fields),
};
