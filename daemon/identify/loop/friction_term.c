/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/friction_term.h"

#define VISCOUS FRICTION_BIT(FRICTION_VISCOUS)
#define STRIBECK FRICTION_BIT(FRICTION_STRIBECK)
#define BRISTLE FRICTION_BIT(FRICTION_BRISTLE)
#define SPRING FRICTION_BIT(FRICTION_SPRING)

/* A shape with all terms that go with presliding; Dahl with Stribeck's dip and the damping of bristles is LuGre. */
#define PRESLIDING(name, shape)                                                                                        \
    {name, shape, 0}, {name "+viscous", shape, VISCOUS}, {name "+bristle", shape, BRISTLE},                            \
        {name "+viscous+bristle", shape, VISCOUS | BRISTLE}, {name "+stribeck", shape, STRIBECK},                      \
        {name "+viscous+stribeck", shape, VISCOUS | STRIBECK}, {name "+stribeck+bristle", shape, STRIBECK | BRISTLE},  \
    {                                                                                                                  \
        name "+viscous+stribeck+bristle", shape, VISCOUS | STRIBECK | BRISTLE                                          \
    }

const struct friction_row friction_rows[FRICTION_ROWS] = {
    {"rigid", FRICTION_RIGID, 0},
    {"rigid+viscous", FRICTION_RIGID, VISCOUS},
    {"rigid+spring", FRICTION_RIGID, SPRING},
    {"rigid+stribeck", FRICTION_RIGID, STRIBECK},
    {"rigid+viscous+stribeck", FRICTION_RIGID, VISCOUS | STRIBECK},
    PRESLIDING("dahl", FRICTION_DAHL),
    {"dahl+spring", FRICTION_DAHL, SPRING},
    {"elastoplastic", FRICTION_ELASTOPLASTIC, 0},
    {"elastoplastic+viscous", FRICTION_ELASTOPLASTIC, VISCOUS},
    {"elastoplastic+viscous+stribeck", FRICTION_ELASTOPLASTIC, VISCOUS | STRIBECK},
    {"elastoplastic+viscous+stribeck+bristle", FRICTION_ELASTOPLASTIC, VISCOUS | STRIBECK | BRISTLE},
    {"bouc_wen", FRICTION_BOUC_WEN, 0},
    {"bouc_wen+viscous", FRICTION_BOUC_WEN, VISCOUS},
    {"backlash", FRICTION_BACKLASH, 0},
    {"backlash+viscous", FRICTION_BACKLASH, VISCOUS},
    {"backlash+spring", FRICTION_BACKLASH, SPRING},
    {"maxwell_slip", FRICTION_MAXWELL, 0},
    {"maxwell_slip+viscous", FRICTION_MAXWELL, VISCOUS},
    {"maxwell_slip+viscous+stribeck", FRICTION_MAXWELL, VISCOUS | STRIBECK},
};

bool friction_row_extends(const struct friction_row *simple, const struct friction_row *full)
{
    return simple->shape == full->shape && !(simple->terms & ~full->terms);
}

const char *friction_row_name(size_t row)
{
    return row < FRICTION_ROWS ? friction_rows[row].name : NULL;
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
    [FRICTION_GAP] = {"gap", "b", KIND_DISPLACEMENT, "backlash: way without contact"},
    [FRICTION_SIDES] = {"limit_ratio", "D_+/D_-", KIND_ONE, "backlash: limit of the positive side over the other's"},
};

const char *friction_parameter_name(size_t parameter)
{
    return parameter < FRICTION_PARAMETERS ? friction_parameters[parameter].name : NULL;
}

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
    case FRICTION_GAP:
    case FRICTION_SIDES:
        return row->shape == FRICTION_BACKLASH;
    default:
        return true;
    }
}
