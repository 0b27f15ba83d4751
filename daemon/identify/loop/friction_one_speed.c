/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/friction_one_speed.h"

#include "identify/loop/friction_figure.h"

#include <math.h>

static const char *const level =
    "not seen: at one sliding speed a level and a viscous force are the same; their sum is the force of the plateaus";
static const char *const length =
    "not seen: at one sliding speed the length along which the level comes is x_d S(v), and S(v) is not told";
static const char *const damping = "not seen: at one sliding speed a viscous force and damping of the bristles are the "
                                   "same jump of the force at turns";
static const char *const without_viscous =
    "at one sliding speed: the value is that without a viscous force; what the jump of the force at turns would make "
    "of it, were it viscous, is in the uncertainty";

/* sigma_1 and sigma_2 in a fit; 0 where its model lacks them. */
static double damping_in(const struct friction_fit *fit, enum friction_column column)
{
    return friction_column_used(&fit->point.row, column) ? fit->point.value[column] : 0;
}

/* This is S at the sliding speed. */
static double level_at_speed(const struct friction_motion *motion, const struct friction_fit *fit)
{
    return 1 + friction_dip(&fit->point, motion->middle_speed);
}

bool friction_has_plateau_stiffness(const struct friction_motion *motion, const struct friction_row *row)
{
    return row->shape == FRICTION_DAHL && friction_motion_has_one_speed(motion);
}

struct friction_quantity friction_plateau_stiffness(const struct friction_motion *motion,
                                                    const struct friction_fit *fit)
{
    const double *value = fit->point.value, unit = motion->unit_force / motion->unit_displacement;
    const double speed = motion->middle_speed, s = level_at_speed(motion, fit), x_d = value[COLUMN_X_D];
    const double viscous = unit * damping_in(fit, COLUMN_SIGMA_2) * speed / (x_d * s);
    struct friction_quantity of = {.value = unit * value[COLUMN_F_C] / x_d + viscous, .logarithmic = true};
    of.gradient.by[COLUMN_F_C] = unit / x_d;
    of.gradient.by[COLUMN_SIGMA_2] = unit * speed / (x_d * s);
    of.gradient.by[COLUMN_X_D] = -of.value;
    if (s > 1) {
        /* S - 1 goes with the logarithm of the ratio, with j (v/v_s)^j times that of v_s, and with -ln(v/v_s) times as
         * much as that of j. */
        const double by_ratio = -viscous * (s - 1) / s, power = value[COLUMN_EXPONENT];
        const double by_speed = by_ratio * power * pow(speed / value[COLUMN_V_S], power);
        of.gradient.by[COLUMN_RATIO] = by_ratio;
        of.gradient.by[COLUMN_V_S] = by_speed;
        of.gradient.by[COLUMN_EXPONENT] = -by_speed * log(speed / value[COLUMN_V_S]);
    }
    return of;
}

/* The jump of the force at turns is J, and the plateaus are at P: this is J/P. */
static double damped_share(const struct friction_motion *motion, const struct friction_fit *fit)
{
    const double viscous = damping_in(fit, COLUMN_SIGMA_2), bristle = damping_in(fit, COLUMN_SIGMA_1);
    const double plateau = friction_level_of(fit) * level_at_speed(motion, fit) + viscous * motion->middle_speed;
    return plateau > 0 ? (viscous + bristle) * motion->middle_speed / plateau : 0;
}

/* Another shape's stiffness is the slope behind turns, which the jump may be part of. */
static void doubt_stiffness(double share, bool by_plateaus, struct friction_figure *stiffness)
{
    if (!isfinite(stiffness->value) || !(share > 0))
        return;
    friction_figure_doubt(stiffness, (by_plateaus ? 1 - share : 1 + share) * stiffness->value, 0, 1);
    stiffness->reason = without_viscous;
}

void friction_conclude_one_speed(const struct friction_motion *motion, const struct friction_fit *fit,
                                 struct friction_rung *rung)
{
    static const struct {
        enum friction_parameter parameter;
        const char *const *reason;
        bool by_damping; /* only beside one */
    } rows[] = {{FRICTION_F_C, &level, false},
                {FRICTION_F_S, &level, false},
                {FRICTION_V_S, &level, false},
                {FRICTION_EXPONENT, &level, false},
                {FRICTION_LEVEL_RATIO, &level, true},
                {FRICTION_F_C_FORWARD, &level, false},
                {FRICTION_F_C_BACKWARD, &level, false},
                {FRICTION_PATH_SLOPE, &level, false},
                {FRICTION_PATH_CURVATURE, &level, false},
                {FRICTION_X_D, &length, false},
                {FRICTION_SIGMA_1, &damping, false},
                {FRICTION_SIGMA_2, &damping, false}};
    const struct friction_row *row = &fit->point.row;
    const double share = damped_share(motion, fit);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (friction_row_has(row, rows[k].parameter) && (share > 0 || !rows[k].by_damping))
            rung->figure[rows[k].parameter] = friction_figure_without(*rows[k].reason);
    doubt_stiffness(share, friction_has_plateau_stiffness(motion, row), &rung->figure[FRICTION_SIGMA_0]);
}
