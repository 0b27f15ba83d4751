/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What there is to know about a parameter, once, for whoever fits, scales, bounds or reports it. */

#include "identify/decay/decay_parameter.h"

#include <math.h>
#include <stddef.h>

const struct decay_parameter decay_parameters[FIT_PARAMETERS] = {
    [FIT_OMEGA_N] = {"omega_n", "omega_n", KIND_RAD_PER_S, FROM_NOTHING, NULL, false, INFINITY,
                     "natural angular frequency"},
    [FIT_ZETA] = {NAME_ZETA, "ζ", KIND_ONE, FROM_NOTHING, "viscous", true, 1.0, "damping ratio"},
    [FIT_X_K] = {NAME_X_K, "x_k", KIND_DISPLACEMENT, FROM_NOTHING, "Coulomb", true, INFINITY,
                 "Coulomb friction over stiffness"},
    [FIT_X0] = {NAME_X0, "X_0", KIND_DISPLACEMENT, FROM_NOTHING, NULL, false, INFINITY,
                "displacement at the first extremum"},
    [FIT_BIAS] = {"bias", "bias", KIND_DISPLACEMENT, FROM_ZERO_OF_DISPLACEMENT, NULL, false, INFINITY,
                  "constant offset"},
    [FIT_T0] = {"t0", "t_0", KIND_S, FROM_ZERO_OF_TIME, NULL, false, INFINITY,
                "time of the first extremum, source clock"},
};

/* omega_n/(2 pi) */
static const struct decay_parameter natural_frequency = {NAME_F_N_HZ, "f_n", KIND_HZ,  FROM_NOTHING,
                                                         NULL,        false, INFINITY, "natural frequency"};

const struct decay_parameter *const main_figures[MAIN_FIGURES] = {
    [MAIN_F_N] = &natural_frequency,
    [MAIN_ZETA] = &decay_parameters[FIT_ZETA],
    [MAIN_X_K] = &decay_parameters[FIT_X_K],
    [MAIN_X0] = &decay_parameters[FIT_X0],
};

struct unit_powers unit_kind_powers(enum unit_kind kind)
{
    static const struct unit_powers powers[UNIT_KINDS] = {
        [KIND_ONE] = {0, 0},
        [KIND_RAD_PER_S] = {0, -1},
        [KIND_HZ] = {0, -1},
        [KIND_S] = {0, 1},
        [KIND_DISPLACEMENT] = {1, 0},
        [KIND_PER_DISPLACEMENT] = {-1, 0},
        [KIND_PER_DISPLACEMENT_SQUARED] = {-2, 0},
        [KIND_DISPLACEMENT_SQUARED] = {2, 0},
    };
    return powers[kind];
}

/* One multiplication or division a power: pow() need not be exact. */
static double raised(double unit, int power)
{
    double product = 1.0;
    for (int k = 0; k < power; k++)
        product *= unit;
    for (int k = 0; k > power; k--)
        product /= unit;
    return product;
}

double unit_of_kind(enum unit_kind kind, double displacement, double time)
{
    const struct unit_powers powers = unit_kind_powers(kind);
    return raised(displacement, powers.displacement) * raised(time, powers.time);
}
