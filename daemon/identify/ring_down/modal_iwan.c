/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The closed forms of Segalman's joint, with the fundamental stiffness from the beta function. Deaner et al. (2015,
 * Eqs. 10, 12 and 14) have the microslip formulas, and macroslip ones that jump at phi_max; these do not. */

#include "identify/ring_down/modal_iwan.h"

#include <gsl/gsl_sf_gamma.h>
#include <math.h>

bool modal_iwan_complete(struct modal_iwan *mode)
{
    const double chi = mode->chi, beta = mode->beta, g = (chi + 1) / (chi + 2);
    if (!(mode->k_t > 0 && mode->f_s > 0 && chi > -1 && beta >= 0 && mode->k_inf >= 0 && mode->c >= 0))
        return false;
    mode->phi_max = mode->f_s * (1 + beta) / (mode->k_t * (beta + g));
    mode->r = mode->k_t * (chi + 1) / (pow(mode->phi_max, chi + 1) * (1 + beta));
    return isfinite(mode->k_inf) && isfinite(mode->c) && mode->phi_max > 0 && isfinite(mode->r) && mode->r > 0;
}

/* R u^(chi+1)/(chi+1), by which slip has lowered the slope of the virgin curve at u. */
static double softening(const struct modal_iwan *mode, double u)
{
    return mode->r * pow(u, mode->chi + 1) / (mode->chi + 1);
}

double modal_iwan_virgin_force(const struct modal_iwan *mode, double u)
{
    if (u >= mode->phi_max)
        return mode->f_s;
    return u * (mode->k_t - softening(mode, u) / (mode->chi + 2));
}

double modal_iwan_dissipation(const struct modal_iwan *mode, double amplitude, double omega)
{
    const double chi = mode->chi, a = fmin(amplitude, mode->phi_max);
    /* A joint of which only microslip is known has no end to phi_max and f_s. */
    const double sliding = amplitude > a ? 4 * mode->f_s * (amplitude - a) : 0;
    const double microslip = 4 * a * a * (chi + 1) * softening(mode, a) / ((chi + 3) * (chi + 2));
    return microslip + sliding + M_PI * omega * mode->c * amplitude * amplitude;
}

double modal_iwan_secant(const struct modal_iwan *mode, double amplitude)
{
    if (!(amplitude > 0))
        return mode->k_t + mode->k_inf;
    return modal_iwan_virgin_force(mode, amplitude) / amplitude + mode->k_inf;
}

double modal_iwan_tangent(const struct modal_iwan *mode, double amplitude)
{
    return mode->k_inf + (amplitude < mode->phi_max ? mode->k_t - softening(mode, amplitude) : 0);
}

/* The incomplete beta function with the second argument 3/2; GSL has it as a share of the complete one, which is pi/8
 * of 3/2 and 3/2. */
static double incomplete_beta(double first, double x)
{
    const double half_root_pi = 0.886226925452758014, complete = half_root_pi * tgamma(first) / tgamma(first + 1.5);
    return x < 1 ? complete * gsl_sf_beta_inc(first, 1.5, x) : complete;
}

double modal_iwan_fundamental(const struct modal_iwan *mode, double amplitude)
{
    const double x = amplitude > mode->phi_max ? mode->phi_max / amplitude : 1;
    const double stuck = mode->k_t * incomplete_beta(1.5, x);
    const double slipped = softening(mode, amplitude) * incomplete_beta(mode->chi + 2.5, x);
    return mode->k_inf + 8 / M_PI * (stuck - slipped);
}
