/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_MOTION_HALF_CYCLE_LAW_H
#define FRICID_MOTION_HALF_CYCLE_LAW_H

/* A mass on a spring with viscous and Coulomb friction, from one extremum to the next (SHK 2007 Eqs. 2-5, LF 1998 Eqs.
 * 1-6). These equations stand here and nowhere else. q = e^(-beta pi) is what viscous damping leaves of a swing, sigma
 * the side from which a half cycle starts, theta its phase, 0 at its start and pi at its end; displacements are from
 * the bias. */

#include <math.h>

static inline double law_beta(double zeta)
{
    return zeta / sqrt((1.0 - zeta) * (1.0 + zeta));
}

/* law_beta() turned round, and its derivative. */
static inline double law_zeta(double beta)
{
    return beta / sqrt(1 + beta * beta);
}

static inline double law_zeta_per_beta(double beta)
{
    return pow(1 + beta * beta, -1.5);
}

static inline double law_q(double beta)
{
    return exp(-beta * M_PI);
}

/* |X_j| from |X_{j-1}| (SHK Eq. 4); below 0: the mass comes to rest before it crosses the bias. */
static inline double law_next_height(double q, double x_k, double height)
{
    return q * height - (1.0 + q) * x_k;
}

/* D_j = |X_j - X_{j-1}| from D_{j-1}, for whoever does not know the bias (LF Eq. 9). */
static inline double law_next_swing(double q, double x_k, double swing)
{
    return q * swing - 2.0 * (1.0 + q) * x_k;
}

/* An extremum X_j, and its derivatives by the same recursion. */
struct law_extremum {
    double sigma; /* of the half cycle that starts there */
    double x;
    double per_beta, per_x_k, per_x0;
};

/* From one to the next. Goes on formally where the mass would rest. dq/dbeta = -pi q. */
static inline struct law_extremum law_next_extremum(const struct law_extremum *from, double q, double x_k)
{
    const double sigma = from->sigma, amplitude = from->x - sigma * x_k;
    return (struct law_extremum){
        .sigma = -sigma,
        .x = -amplitude * q + sigma * x_k,
        .per_beta = -q * from->per_beta + M_PI * q * amplitude,
        .per_x_k = -q * (from->per_x_k - sigma) + sigma,
        .per_x0 = -q * from->per_x0,
    };
}

/* The functions of which the motion within a half cycle is made: x = sigma x_k + (X_{j-1} - sigma x_k) g(theta), where
 * g = e^(-beta theta) (cos theta + beta sin theta), s = e^(-beta theta) sin theta. dg/dtheta = -(1 + beta²) s,
 * dg/dbeta = s - theta g. */
struct law_bases {
    double g, s;
};

static inline struct law_bases law_bases_at(double beta, double theta)
{
    const double envelope = exp(-beta * theta), s = envelope * sin(theta);
    return (struct law_bases){envelope * cos(theta) + beta * s, s};
}

#endif
