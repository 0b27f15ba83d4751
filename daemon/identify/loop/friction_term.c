/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/friction_term.h"

#include <assert.h>
#include <stdio.h>

#define VISCOUS FRICTION_BIT(FRICTION_VISCOUS)
#define STRIBECK FRICTION_BIT(FRICTION_STRIBECK)
#define BRISTLE FRICTION_BIT(FRICTION_BRISTLE)
#define SPRING FRICTION_BIT(FRICTION_SPRING)

static const char *const term_names[FRICTION_TERMS] = {
    [FRICTION_VISCOUS] = "viscous",
    [FRICTION_STRIBECK] = "stribeck",
    [FRICTION_BRISTLE] = "bristle",
    [FRICTION_SPRING] = "spring",
};

/* A shape with all terms that go with presliding; Dahl with Stribeck's dip and the damping of bristles is LuGre. */
#define PRESLIDING(shape)                                                                                              \
    {shape, 0}, {shape, VISCOUS}, {shape, BRISTLE}, {shape, VISCOUS | BRISTLE}, {shape, STRIBECK},                     \
        {shape, VISCOUS | STRIBECK}, {shape, STRIBECK | BRISTLE},                                                      \
    {                                                                                                                  \
        shape, VISCOUS | STRIBECK | BRISTLE                                                                            \
    }

const struct friction_row friction_rows[FRICTION_ROWS] = {
    {FRICTION_RIGID, 0},
    {FRICTION_RIGID, VISCOUS},
    {FRICTION_RIGID, SPRING},
    {FRICTION_RIGID, STRIBECK},
    {FRICTION_RIGID, VISCOUS | STRIBECK},
    PRESLIDING(FRICTION_DAHL),
    {FRICTION_DAHL, SPRING},
    PRESLIDING(FRICTION_ELASTOPLASTIC),
    PRESLIDING(FRICTION_BOUC_WEN),
};

bool friction_row_extends(const struct friction_row *simple, const struct friction_row *full)
{
    return simple->shape == full->shape && !(simple->terms & ~full->terms);
}

struct friction_name friction_row_name(const struct friction_row *row)
{
    struct friction_name name;
    size_t length = (size_t)snprintf(name.text, sizeof name.text, "%s", friction_shape_name(row->shape));
    for (enum friction_term t = 0; t < FRICTION_TERMS; t++)
        if (row->terms & FRICTION_BIT(t))
            length += (size_t)snprintf(name.text + length, sizeof name.text - length, "+%s", term_names[t]);
    assert(length < sizeof name.text);
    return name;
}

const struct friction_parameter_row friction_parameters[FRICTION_PARAMETERS] = {
    [FRICTION_F_C] = {"f_c", "F_C", KIND_FORCE, "Coulomb level"},
    [FRICTION_X_D] = {"x_d", "x_d", KIND_DISPLACEMENT, "presliding length"},
    [FRICTION_SIGMA_0] = {"sigma_0", "σ_0", KIND_FORCE_PER_DISPLACEMENT, "stiffness of the bristles, f_c/x_d"},
    [FRICTION_F_S] = {"f_s", "F_S", KIND_FORCE, "static level"},
    [FRICTION_V_S] = {"v_s", "v_s", KIND_DISPLACEMENT_PER_S, "Stribeck velocity"},
    [FRICTION_SIGMA_1] = {"sigma_1", "σ_1", KIND_FORCE_S_PER_DISPLACEMENT, "damping of the bristles"},
    [FRICTION_SIGMA_2] = {"sigma_2", "σ_2", KIND_FORCE_S_PER_DISPLACEMENT, "viscous coefficient"},
    [FRICTION_K_X] = {"k_x", "k_x", KIND_FORCE_PER_DISPLACEMENT, "spring in parallel"},
    [FRICTION_F_0] = {"f_0", "F_0", KIND_FORCE, "constant offset"},
    [FRICTION_Z_BA] = {"z_ba", "z_ba", KIND_DISPLACEMENT, "elastoplastic: elastic below this deflection"},
    [FRICTION_N_BW] = {"n_bw", "n", KIND_ONE, "Bouc-Wen: sharpness of the transition"},
    [FRICTION_BETA_BW] = {"beta_bw", "β", KIND_ONE, "Bouc-Wen: share of the hysteresis"},
};

bool friction_row_has(const struct friction_row *row, enum friction_parameter parameter)
{
    switch (parameter) {
    case FRICTION_X_D:
    case FRICTION_SIGMA_0:
        return row->shape != FRICTION_RIGID;
    case FRICTION_F_S:
    case FRICTION_V_S:
        return row->terms & STRIBECK;
    case FRICTION_SIGMA_1:
        return row->terms & BRISTLE;
    case FRICTION_SIGMA_2:
        return row->terms & VISCOUS;
    case FRICTION_K_X:
        return row->terms & SPRING;
    case FRICTION_Z_BA:
        return row->shape == FRICTION_ELASTOPLASTIC;
    case FRICTION_N_BW:
    case FRICTION_BETA_BW:
        return row->shape == FRICTION_BOUC_WEN;
    default:
        return true;
    }
}
