/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The equations themselves, and nothing about data: SHK Eqs. 2-5 with all derivatives in closed form. */

#include "identify/decay/decay_model.h"

#include <math.h>
#include <string.h>

struct decay_shape decay_shape(const double *parameters)
{
    double omega_n = parameters[FIT_OMEGA_N], zeta = parameters[FIT_ZETA];
    double root = sqrt((1.0 - zeta) * (1.0 + zeta));
    double beta = zeta / root;
    return (struct decay_shape){
        .omega_d = omega_n * root,
        .beta = beta,
        .q = law_q(beta),
        .half_period = M_PI / (omega_n * root),
        /* From omega_d = omega_n sqrt(1 - zeta²) and beta = zeta/sqrt(1 - zeta²). */
        .omega_d_per_omega_n = root,
        .omega_d_per_zeta = -omega_n * beta,
        .beta_per_zeta = 1.0 / (root * root * root),
    };
}

struct decay_half_cycle decay_first_half_cycle(const double *parameters)
{
    const double x0 = parameters[FIT_X0];
    return (struct decay_half_cycle){.j = 1, .start = {.sigma = x0 < 0.0 ? -1.0 : 1.0, .x = x0, .per_x0 = 1.0}};
}

double decay_half_cycle_end(const double *parameters, const struct decay_shape *shape,
                            const struct decay_half_cycle *half)
{
    return law_next_extremum(&half->start, shape->q, parameters[FIT_X_K]).x;
}

void decay_next_half_cycle(const double *parameters, const struct decay_shape *shape, struct decay_half_cycle *half)
{
    half->start = law_next_extremum(&half->start, shape->q, parameters[FIT_X_K]);
    half->j++;
}

void decay_base_at(const struct decay_shape *shape, double theta, double base[DECAY_BASES])
{
    const struct law_bases at = law_bases_at(shape->beta, theta);
    base[BASE_ONE] = 1.0;
    base[BASE_G] = at.g;
    base[BASE_S] = at.s;
    base[BASE_THETA_G] = theta * at.g;
    base[BASE_THETA_S] = theta * at.s;
}

/* With dg/dtheta = -(1 + beta²) s, dg/dbeta = s - theta g, theta = omega_d (t - t0) - (j-1) pi. */
struct decay_weights decay_weights_in(const double *parameters, const struct decay_shape *shape,
                                      const struct decay_half_cycle *half)
{
    double amplitude = decay_amplitude(parameters, half);
    double per_theta = -amplitude * (1.0 + shape->beta * shape->beta); /* of s */
    double per_omega_d = per_theta / shape->omega_d; /* dtheta/domega_d = (theta + (j-1) pi)/omega_d */
    /* The phase at which this half cycle begins. */
    double turned = (double)(half->j - 1) * M_PI;
    return (struct decay_weights){
        .omega_n_s = per_omega_d * turned * shape->omega_d_per_omega_n,
        .omega_n_theta_s = per_omega_d * shape->omega_d_per_omega_n,
        /* Zeta acts three ways: through the earlier extrema, through the shape (beta), and through omega_d. */
        .zeta_g = half->start.per_beta * shape->beta_per_zeta,
        .zeta_s = amplitude * shape->beta_per_zeta + per_omega_d * turned * shape->omega_d_per_zeta,
        .zeta_theta_g = -amplitude * shape->beta_per_zeta,
        .zeta_theta_s = per_omega_d * shape->omega_d_per_zeta,
        .x_k_one = half->start.sigma,
        .x_k_g = half->start.per_x_k - half->start.sigma,
        .x0_g = half->start.per_x0,
        .t0_s = -per_theta * shape->omega_d,
    };
}

void decay_derivative_weights(const double *parameters, const struct decay_shape *shape,
                              const struct decay_half_cycle *half, double weights[DECAY_BASES][PARAMETER_COLUMNS])
{
    const struct decay_weights here = decay_weights_in(parameters, shape, half);
    memset(weights, 0, sizeof(double[DECAY_BASES][PARAMETER_COLUMNS]));
    weights[BASE_S][FIT_OMEGA_N] = here.omega_n_s;
    weights[BASE_THETA_S][FIT_OMEGA_N] = here.omega_n_theta_s;
    weights[BASE_G][FIT_ZETA] = here.zeta_g;
    weights[BASE_S][FIT_ZETA] = here.zeta_s;
    weights[BASE_THETA_G][FIT_ZETA] = here.zeta_theta_g;
    weights[BASE_THETA_S][FIT_ZETA] = here.zeta_theta_s;
    weights[BASE_ONE][FIT_X_K] = here.x_k_one;
    weights[BASE_G][FIT_X_K] = here.x_k_g;
    weights[BASE_G][FIT_X0] = here.x0_g;
    weights[BASE_ONE][FIT_BIAS] = 1.0;
    weights[BASE_S][FIT_T0] = here.t0_s;
}

/* All `count` are filled in, because fits compare them even behind the rest. */
size_t decay_extrema(const double *parameters, double x_s, double *extrema, size_t count)
{
    struct decay_shape shape = decay_shape(parameters);
    struct decay_half_cycle half = decay_first_half_cycle(parameters);
    size_t reached = count;
    for (size_t j = 0; j < count; j++, decay_next_half_cycle(parameters, &shape, &half)) {
        extrema[j] = half.start.x;
        if (reached == count && fabs(half.start.x) <= x_s)
            reached = j + 1;
    }
    return reached;
}

struct decay_walk decay_walk_from(const double *parameters)
{
    return (struct decay_walk){.parameters = parameters,
                               .shape = decay_shape(parameters),
                               .half = decay_first_half_cycle(parameters),
                               .zero_time = parameters[FIT_T0]};
}

void decay_walk_on(struct decay_walk *walk)
{
    decay_next_half_cycle(walk->parameters, &walk->shape, &walk->half);
    /* From t0 each time: adding half periods one by one would gather rounding. */
    walk->zero_time = walk->parameters[FIT_T0] + (double)(walk->half.j - 1) * walk->shape.half_period;
}

double decay_walk_to(struct decay_walk *walk, double t)
{
    while (t >= walk->zero_time + walk->shape.half_period)
        decay_walk_on(walk);
    return walk->shape.omega_d * (t - walk->zero_time);
}

/* SHK Eqs. 5 and 7: y = bias + sigma_j x_k + (X_{j-1} - sigma_j x_k) g(theta). */
double decay_value_here(const struct decay_walk *walk, const double base[DECAY_BASES], double *derivatives)
{
    const double *parameters = walk->parameters;
    if (derivatives) {
        double weights[DECAY_BASES][PARAMETER_COLUMNS];
        decay_derivative_weights(parameters, &walk->shape, &walk->half, weights);
        for (int p = 0; p < FIT_PARAMETERS; p++) {
            derivatives[p] = 0.0;
            for (int b = 0; b < DECAY_BASES; b++)
                derivatives[p] += weights[b][p] * base[b];
        }
    }
    return parameters[FIT_BIAS] + decay_level(parameters, &walk->half) +
           decay_amplitude(parameters, &walk->half) * base[BASE_G];
}

double decay_value(const double *parameters, double t, double *derivatives)
{
    struct decay_walk walk = decay_walk_from(parameters);
    double base[DECAY_BASES];
    decay_base_at(&walk.shape, decay_walk_to(&walk, t), base);
    return decay_value_here(&walk, base, derivatives);
}
