/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The terms of the ladder, a row each, and their right-hand sides:
 *
 *   x'' = -x - 2 zeta x' - d x'|x'| - k_2 x² - kappa x³ - x_k z,   Dahl: z' = (x'/x_d)(1 - side z)
 *
 * z is `side`, the sign of x', where friction is rigid, which is Coulomb's row; presliding adds z - side. Within a half
 * cycle from (X, Z), z - side = (Z - side) e^(-|x - X|/x_d). */

#include "identify/ladder/ladder_term_loops.h"

#include <assert.h>
#include <stdio.h>

#define COULOMB LADDER_BIT(LADDER_X_K)

const struct ladder_parameter_row ladder_parameters[LADDER_PARAMETERS] = {
    [LADDER_ZETA] = {"zeta", "viscous", KIND_ONE, .not_negative = true, .about = "damping ratio"},
    [LADDER_X_K] = {"x_k", "coulomb", KIND_DISPLACEMENT, .not_negative = true,
                    .about = "Coulomb friction over stiffness; with presliding its asymptote"},
    [LADDER_DRAG] = {"drag", "drag", KIND_PER_DISPLACEMENT, .not_negative = true, .about = "quadratic drag over mass"},
    [LADDER_CUBIC] = {"cubic", "cubic", KIND_PER_DISPLACEMENT_SQUARED,
                      .about = "cubic part of the restoring force over its linear one"},
    [LADDER_SQUARE] = {"square", "square", KIND_PER_DISPLACEMENT,
                       .about = "square part of the restoring force over its linear one"},
    [LADDER_X_D] = {"x_d", "presliding", KIND_DISPLACEMENT, .logarithmic = true, .least = 1e-6, .most = 1,
                    .needs = COULOMB, .about = "distance over which friction gives way before it slides"},
    [LADDER_X0] = {"x0", NULL, KIND_DISPLACEMENT, .about = "displacement at the first extremum"},
    [LADDER_OMEGA_N] = {"omega_n", NULL, KIND_RAD_PER_S, .about = "natural angular frequency"},
    [LADDER_BIAS] = {"bias", NULL, KIND_DISPLACEMENT, .about = "constant offset"},
    [LADDER_T0] = {"t0", NULL, KIND_S, .about = "time of the first extremum, source clock"},
};

bool ladder_terms_have(unsigned terms, enum ladder_parameter parameter)
{
    return !ladder_parameters[parameter].term || terms & LADDER_BIT(parameter);
}

bool ladder_terms_allowed(unsigned terms)
{
    bool allowed = terms & (LADDER_BIT(LADDER_ZETA) | COULOMB);
    for (enum ladder_parameter p = 0; p < LADDER_TERMS; p++)
        allowed = allowed && !(terms & LADDER_BIT(p) && ladder_parameters[p].needs & ~terms);
    return allowed;
}

unsigned ladder_terms_count(unsigned terms)
{
    unsigned count = 0;
    for (enum ladder_parameter p = 0; p < LADDER_TERMS; p++)
        count += ladder_terms_have(terms, p);
    return count;
}

struct ladder_name ladder_terms_name(unsigned terms)
{
    struct ladder_name name = {""};
    size_t length = 0;
    for (enum ladder_parameter p = 0; p < LADDER_TERMS; p++)
        if (ladder_terms_have(terms, p))
            length += (size_t)snprintf(name.text + length, sizeof name.text - length, "%s%s", length > 0 ? "+" : "",
                                       ladder_parameters[p].term);
    assert(length < sizeof name.text);
    return name;
}

double ladder_spring(const double parameters[LADDER_MOTION], double x)
{
    return x * (1 + x * (parameters[LADDER_SQUARE] + x * parameters[LADDER_CUBIC]));
}

double ladder_spring_slope(const double parameters[LADDER_MOTION], double x)
{
    return 1 + x * (2 * parameters[LADDER_SQUARE] + x * 3 * parameters[LADDER_CUBIC]);
}

void ladder_expand(enum lanes_kind kind, unsigned terms, struct motion_series *series)
{
    ladder_term_loops_of(kind)->expand(series, terms);
}
