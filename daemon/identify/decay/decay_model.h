/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_IDENTIFY_DECAY_MODEL_H
#define FRICID_IDENTIFY_DECAY_MODEL_H

#include "identify/decay/decay_parameter.h"
#include "motion/half_cycle_law.h"

#include <stddef.h>

/* The closed-form decay of a mass on a spring with viscous and Coulomb friction: a chain of half cycles
 * (half_cycle_law.h), each of duration pi/omega_d, measured with a bias, by the parameters of a fit. Units: any
 * displacement unit, any time unit with omega_n in rad per that unit. */

/* What the six parameters make of a half cycle's shape; the same for all half cycles of a decay. */
struct decay_shape {
    double omega_d;             /* omega_n sqrt(1 - zeta²) */
    double beta;                /* zeta/sqrt(1 - zeta²), written xi in SHK */
    double q;                   /* e^(-beta pi) */
    double half_period;         /* pi/omega_d */
    double omega_d_per_omega_n; /* derivatives of omega_d and beta */
    double omega_d_per_zeta;
    double beta_per_zeta;
};

/* Half cycle j of the chain: from extremum X_{j-1} to X_j. */
struct decay_half_cycle {
    size_t j;                  /* 1 for the first */
    struct law_extremum start; /* X_{j-1}, from the bias */
};

/* The functions of which y and its six derivatives are linear combinations in any one half cycle, with
 * theta = omega_d (t - t0) - (j-1) pi, g = e^(-beta theta) (cos theta + beta sin theta), s = e^(-beta theta) sin theta.
 */
enum decay_base { BASE_ONE, BASE_G, BASE_S, BASE_THETA_G, BASE_THETA_S, DECAY_BASES };

/* parameters: FIT_PARAMETERS values with omega_n > 0 and 0 <= zeta < 1. */
struct decay_shape decay_shape(const double *parameters);

struct decay_half_cycle decay_first_half_cycle(const double *parameters);

/* X_j from X_{j-1}. Goes on formally where the mass would have come to rest, so that the sum of squares stays smooth:
 * who needs the stop looks at |X_j|. */
void decay_next_half_cycle(const double *parameters, const struct decay_shape *shape, struct decay_half_cycle *half);

/* X_j at the end of the given half cycle, from the bias. */
double decay_half_cycle_end(const double *parameters, const struct decay_shape *shape,
                            const struct decay_half_cycle *half);

/* y = bias + level + amplitude g(theta): the two numbers that a half cycle adds, X_{j-1} - sigma_j x_k and sigma_j x_k
 * (SHK Eqs. 3 and 5: within a half cycle the friction is a constant force, and the motion a viscous one about sigma_j
 * x_k). */
static inline double decay_amplitude(const double *parameters, const struct decay_half_cycle *half)
{
    return half->start.x - half->start.sigma * parameters[FIT_X_K];
}

static inline double decay_level(const double *parameters, const struct decay_half_cycle *half)
{
    return half->start.sigma * parameters[FIT_X_K];
}

/* What the derivatives of y with respect to the parameters have of the base functions, as far as it is not 0; that with
 * respect to the bias is 1. */
struct decay_weights {
    double omega_n_s, omega_n_theta_s;
    double zeta_g, zeta_s, zeta_theta_g, zeta_theta_s;
    double x_k_one, x_k_g;
    double x0_g;
    double t0_s;
};

struct decay_weights decay_weights_in(const double *parameters, const struct decay_shape *shape,
                                      const struct decay_half_cycle *half);

/* Columns for the parameters, as many as the widest vector holds; those behind the last parameter are 0. */
enum { PARAMETER_COLUMNS = 8 };

/* The same as a matrix: dy/dp = sum over b of weights[b][p] base_b(theta). */
void decay_derivative_weights(const double *parameters, const struct decay_shape *shape,
                              const struct decay_half_cycle *half, double weights[DECAY_BASES][PARAMETER_COLUMNS]);

/* The base functions at one theta. */
void decay_base_at(const struct decay_shape *shape, double theta, double base[DECAY_BASES]);

/* The extrema X_0 … X_{count-1}, from the bias. Returns how many of them the motion reaches when it rests at the first
 * |X_j| <= x_s (that one counts); extrema[] is filled to count all the same. */
size_t decay_extrema(const double *parameters, double x_s, double *extrema, size_t count);

/* y(t), and where derivatives is not NULL its FIT_PARAMETERS derivatives. Before t0 the first half cycle's
 * formula is continued backwards. No rest: see decay_next_half_cycle(). */
double decay_value(const double *parameters, double t, double *derivatives);

/* A walk along the decay in order of time, for whoever visits sample after sample. */
struct decay_walk {
    const double *parameters;
    struct decay_shape shape;
    struct decay_half_cycle half;
    double zero_time; /* start of the present half cycle */
};

struct decay_walk decay_walk_from(const double *parameters);

/* Goes on to the next half cycle. */
void decay_walk_on(struct decay_walk *walk);

/* Goes on to the half cycle that holds t (finite, and not before the last t) and returns theta there. */
double decay_walk_to(struct decay_walk *walk, double t);

/* y, and where derivatives is not NULL its derivatives, from the base functions in the walk's present half cycle. */
double decay_value_here(const struct decay_walk *walk, const double base[DECAY_BASES], double *derivatives);

#endif
