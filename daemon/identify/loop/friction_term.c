/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/friction_term.h"

#include <assert.h>

#define VISCOUS FRICTION_BIT(FRICTION_VISCOUS)
#define STRIBECK FRICTION_BIT(FRICTION_STRIBECK)
#define BRISTLE FRICTION_BIT(FRICTION_BRISTLE)
#define SPRING FRICTION_BIT(FRICTION_SPRING)
#define ATTRACTION FRICTION_BIT(FRICTION_ATTRACTION)

#define EXPONENT FRICTION_BIT(FRICTION_FREE_EXPONENT)
#define LEVELS FRICTION_BIT(FRICTION_LEVELS)
#define PATH FRICTION_BIT(FRICTION_PATH)
#define MASS FRICTION_BIT(FRICTION_MASS)
#define HARDENING FRICTION_BIT(FRICTION_HARDENING)

/* A row with what any contact may have beside its own. */
#define WITH_MASS(name, shape, terms)                                                                                  \
    {name, shape, terms},                                                                                              \
    {                                                                                                                  \
        name "+mass", shape, (terms) | MASS                                                                            \
    }
#define WITH_PATH(name, shape, terms) WITH_MASS(name, shape, terms), WITH_MASS(name "+path", shape, (terms) | PATH)
#define WITH_LEVELS(name, shape, terms)                                                                                \
    WITH_PATH(name, shape, terms), WITH_PATH(name "+levels", shape, (terms) | LEVELS)
#define WITH_ALL(name, shape, terms)                                                                                   \
    WITH_LEVELS(name, shape, terms), WITH_LEVELS(name "+spring", shape, (terms) | SPRING)

/* One with a dip, whose exponent is 1 or 2, or its own. */
#define WITH_DIP(name, shape, terms)                                                                                   \
    WITH_ALL(name, shape, (terms) | STRIBECK), WITH_ALL(name "+exponent", shape, (terms) | STRIBECK | EXPONENT)

/* Elements have forces of their own, that no level along the path belongs to. */
#define SLIPPING_ALONE(name, shape, terms)                                                                             \
    WITH_MASS(name, shape, terms), WITH_MASS(name "+levels", shape, (terms) | LEVELS)
#define SLIPPING(name, shape, terms)                                                                                   \
    SLIPPING_ALONE(name, shape, terms), SLIPPING_ALONE(name "+spring", shape, (terms) | SPRING)

/* A shape with all terms that go with presliding; Dahl with Stribeck's dip and the damping of bristles is LuGre. */
#define PRESLIDING(name, shape)                                                                                        \
    WITH_ALL(name, shape, 0), WITH_ALL(name "+viscous", shape, VISCOUS), WITH_ALL(name "+bristle", shape, BRISTLE),    \
        WITH_ALL(name "+viscous+bristle", shape, VISCOUS | BRISTLE), WITH_DIP(name "+stribeck", shape, 0),             \
        WITH_DIP(name "+viscous+stribeck", shape, VISCOUS), WITH_DIP(name "+stribeck+bristle", shape, BRISTLE),        \
        WITH_DIP(name "+viscous+stribeck+bristle", shape, VISCOUS | BRISTLE)

const struct friction_row friction_rows[] = {
    {"frictionless+mass", FRICTION_NONE, MASS},
    WITH_MASS("frictionless+spring", FRICTION_NONE, SPRING),
    WITH_MASS("frictionless+viscous", FRICTION_NONE, VISCOUS),
    WITH_MASS("frictionless+viscous+spring", FRICTION_NONE, VISCOUS | SPRING),
    WITH_ALL("rigid", FRICTION_RIGID, 0),
    WITH_ALL("rigid+viscous", FRICTION_RIGID, VISCOUS),
    WITH_DIP("rigid+stribeck", FRICTION_RIGID, 0),
    WITH_DIP("rigid+viscous+stribeck", FRICTION_RIGID, VISCOUS),
    PRESLIDING("dahl", FRICTION_DAHL),
    PRESLIDING("elastoplastic", FRICTION_ELASTOPLASTIC),
    WITH_ALL("bouc_wen", FRICTION_BOUC_WEN, 0),
    WITH_ALL("bouc_wen+viscous", FRICTION_BOUC_WEN, VISCOUS),
    /* Its limits are unlike of themselves. */
    WITH_MASS("backlash", FRICTION_BACKLASH, 0),
    WITH_MASS("backlash+viscous", FRICTION_BACKLASH, VISCOUS),
    WITH_MASS("backlash+spring", FRICTION_BACKLASH, SPRING),
    WITH_MASS("backlash+viscous+spring", FRICTION_BACKLASH, VISCOUS | SPRING),
    WITH_MASS("backlash+hardening", FRICTION_BACKLASH, HARDENING),
    WITH_MASS("backlash+hardening+viscous", FRICTION_BACKLASH, HARDENING | VISCOUS),
    WITH_MASS("backlash+hardening+spring", FRICTION_BACKLASH, HARDENING | SPRING),
    WITH_MASS("backlash+hardening+viscous+spring", FRICTION_BACKLASH, HARDENING | VISCOUS | SPRING),
    SLIPPING("maxwell_slip", FRICTION_MAXWELL, 0),
    SLIPPING("maxwell_slip+viscous", FRICTION_MAXWELL, VISCOUS),
    SLIPPING("maxwell_slip+stribeck", FRICTION_MAXWELL, STRIBECK),
    SLIPPING("maxwell_slip+stribeck+exponent", FRICTION_MAXWELL, STRIBECK | EXPONENT),
    SLIPPING("maxwell_slip+stribeck+attraction", FRICTION_MAXWELL, STRIBECK | ATTRACTION),
    SLIPPING("maxwell_slip+stribeck+attraction+exponent", FRICTION_MAXWELL, STRIBECK | ATTRACTION | EXPONENT),
    SLIPPING("maxwell_slip+viscous+stribeck", FRICTION_MAXWELL, VISCOUS | STRIBECK),
    SLIPPING("maxwell_slip+viscous+stribeck+exponent", FRICTION_MAXWELL, VISCOUS | STRIBECK | EXPONENT),
    SLIPPING("maxwell_slip+viscous+stribeck+attraction", FRICTION_MAXWELL, VISCOUS | STRIBECK | ATTRACTION),
    SLIPPING("maxwell_slip+viscous+stribeck+attraction+exponent", FRICTION_MAXWELL,
             VISCOUS | STRIBECK | ATTRACTION | EXPONENT),
};
static_assert(sizeof friction_rows / sizeof friction_rows[0] == FRICTION_ROWS, "all rows are counted");

size_t friction_row_of(enum friction_shape shape, unsigned terms)
{
    size_t r = 0;
    while (r < FRICTION_ROWS && (friction_rows[r].shape != shape || friction_rows[r].terms != terms))
        r++;
    return r;
}

unsigned friction_terms_borne(enum friction_shape shape, unsigned terms)
{
    const unsigned exponent = terms & STRIBECK ? EXPONENT : 0;
    switch (shape) {
    case FRICTION_MAXWELL:
        return SPRING | LEVELS | MASS | exponent;
    case FRICTION_BACKLASH:
    case FRICTION_NONE:
        return SPRING | MASS;
    default:
        return SPRING | LEVELS | PATH | MASS | exponent;
    }
}

bool friction_row_extends(const struct friction_row *simple, const struct friction_row *full)
{
    return simple->shape == full->shape && !(simple->terms & ~full->terms);
}

bool friction_row_contains(const struct friction_row *simple, const struct friction_row *full)
{
    const bool same = simple->shape == full->shape;
    const bool bent = simple->shape == FRICTION_DAHL && full->shape == FRICTION_BOUC_WEN;
    return (same || bent) && !(simple->terms & ~full->terms);
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
    [FRICTION_EXPONENT] = {"exponent", "j", KIND_ONE, "exponent of the dip, where it is estimated"},
    [FRICTION_SIGMA_1] = {"sigma_1", "σ_1", KIND_FORCE_S_PER_DISPLACEMENT, "damping of the bristles"},
    [FRICTION_SIGMA_2] = {"sigma_2", "σ_2", KIND_FORCE_S_PER_DISPLACEMENT, "viscous coefficient"},
    [FRICTION_K_X] = {"k_x", "k_x", KIND_FORCE_PER_DISPLACEMENT, "spring in parallel"},
    [FRICTION_F_0] = {"f_0", "F_0", KIND_FORCE, "constant offset"},
    [FRICTION_ATTRACTION_C] = {"attraction", "C", KIND_FORCE_PER_S, "GMS: what slips comes to S at the rate C/(f_c S)"},
    [FRICTION_Z_BA] = {"z_ba", "z_ba", KIND_DISPLACEMENT, "elastoplastic: elastic below this deflection"},
    [FRICTION_N_BW] = {"n_bw", "n", KIND_ONE, "Bouc-Wen: sharpness of the transition"},
    [FRICTION_BETA_BW] = {"beta_bw", "β", KIND_ONE, "Bouc-Wen: share of the hysteresis"},
    [FRICTION_GAP] = {"gap", "b", KIND_DISPLACEMENT, "backlash: way between the stops"},
    [FRICTION_LEVEL_RATIO] = {"level_ratio", "F_+/F_-", KIND_ONE, "level of the positive direction over the other's"},
    [FRICTION_F_C_FORWARD] = {"f_c_forward", "F_+", KIND_FORCE, "Coulomb level of motion in the positive direction"},
    [FRICTION_F_C_BACKWARD] = {"f_c_backward", "F_-", KIND_FORCE, "Coulomb level of motion in the negative direction"},
    [FRICTION_PATH_SLOPE] = {"path_slope", "F_C'", KIND_FORCE_PER_DISPLACEMENT, "change of f_c along the path"},
    [FRICTION_PATH_CURVATURE] = {"path_curvature", "F_C''/2", KIND_FORCE_PER_DISPLACEMENT_SQUARED,
                                 "change of f_c with the square of the way from path_middle"},
    [FRICTION_PATH_MIDDLE] = {"path_middle", "x_m", KIND_DISPLACEMENT, "where along the path f_c and path_slope hold"},
    [FRICTION_MOVED_MASS] = {"moved_mass", "m", KIND_FORCE_S2_PER_DISPLACEMENT,
                             "mass between the load cell and the contact"},
    [FRICTION_SIDES] = {"limit_ratio", "D_+/D_-", KIND_ONE, "backlash: limit of the positive side over the other's"},
    [FRICTION_STOPS] = {"hardening", "p", KIND_ONE, "backlash: power with which the force of the stops grows"},
};

const char *friction_parameter_name(size_t parameter)
{
    return parameter < FRICTION_PARAMETERS ? friction_parameters[parameter].name : NULL;
}

bool friction_parameter_follows(enum friction_parameter parameter)
{
    return parameter == FRICTION_SIGMA_0 || parameter == FRICTION_F_C_FORWARD || parameter == FRICTION_F_C_BACKWARD;
}

bool friction_row_has(const struct friction_row *row, enum friction_parameter parameter)
{
    switch (parameter) {
    case FRICTION_F_C:
        return row->shape != FRICTION_NONE;
    case FRICTION_X_D:
    case FRICTION_SIGMA_0:
        return !friction_shape_is_rigid(row->shape);
    case FRICTION_F_S:
    case FRICTION_V_S:
        return row->terms & STRIBECK;
    case FRICTION_EXPONENT:
        return row->terms & EXPONENT;
    case FRICTION_SIGMA_1:
        return row->terms & BRISTLE;
    case FRICTION_SIGMA_2:
        return row->terms & VISCOUS;
    case FRICTION_K_X:
        return row->terms & SPRING;
    case FRICTION_ATTRACTION_C:
        return row->terms & ATTRACTION;
    case FRICTION_Z_BA:
        return row->shape == FRICTION_ELASTOPLASTIC;
    case FRICTION_N_BW:
    case FRICTION_BETA_BW:
        return row->shape == FRICTION_BOUC_WEN;
    case FRICTION_GAP:
    case FRICTION_SIDES:
        return row->shape == FRICTION_BACKLASH;
    case FRICTION_STOPS:
        return row->shape == FRICTION_BACKLASH && row->terms & HARDENING;
    case FRICTION_LEVEL_RATIO:
    case FRICTION_F_C_FORWARD:
    case FRICTION_F_C_BACKWARD:
        return row->terms & LEVELS;
    case FRICTION_PATH_SLOPE:
    case FRICTION_PATH_CURVATURE:
    case FRICTION_PATH_MIDDLE:
        return row->terms & PATH;
    case FRICTION_MOVED_MASS:
        return row->terms & MASS;
    default:
        return true;
    }
}
