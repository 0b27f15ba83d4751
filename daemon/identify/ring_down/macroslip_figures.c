/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ring_down/macroslip_figures.h"

#include "identify/common/instrument_estimate.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

/* Differences that give derivatives reach over this share of a standard error, and over that of the unknown at the
 * least, where noise is hardly any. */
#define DIFFERENCE 0.01
#define LEAST_DIFFERENCE 1e-7

/* The joint where one of the unknowns of the fit, parameters and then both parts of the amplitude, is farther. */
static struct modal_iwan joint_at(const struct law_fit *fit, size_t unknown, double farther)
{
    struct amplitude_law law = fit->law;
    double complex amplitude = fit->amplitude;
    if (unknown < law.parameters)
        law.parameter[unknown] += farther;
    else
        amplitude += unknown == law.parameters ? CMPLX(farther, 0) : CMPLX(0, farther);
    return law.joint(&law, cabs(amplitude));
}

static double size_of(const struct law_fit *fit, size_t unknown)
{
    return unknown < fit->law.parameters ? fmax(fabs(fit->law.parameter[unknown]), 1) : cabs(fit->amplitude);
}

static double member(const struct modal_iwan *joint, size_t offset)
{
    double value;
    memcpy(&value, (const char *)joint + offset, sizeof value);
    return value;
}

static void derivatives_of(const struct law_fit *fit, size_t offset, double by[LAW_FIT_UNKNOWNS])
{
    for (size_t j = 0; j < fit->law.parameters + 2; j++) {
        const double step = fmax(DIFFERENCE * sqrt(fit->covariance[j][j]), LEAST_DIFFERENCE * size_of(fit, j));
        const struct modal_iwan above = joint_at(fit, j, step), below = joint_at(fit, j, -step);
        by[j] = (member(&above, offset) - member(&below, offset)) / (2 * step);
    }
}

static double error_of(const struct law_fit *fit, size_t offset)
{
    double by[LAW_FIT_UNKNOWNS];
    derivatives_of(fit, offset, by);
    return law_fit_error(fit, by);
}

/* Known to a factor. */
static struct estimate factor_of(const struct law_fit *fit, const struct modal_iwan *joint, size_t offset)
{
    const double value = member(joint, offset), se = error_of(fit, offset);
    const double factor = exp(gsl_cdf_ugaussian_Pinv(0.975) * se / value);
    return (struct estimate){.value = value, .se = se, .low = value / factor, .high = value * factor};
}

struct macroslip_figures macroslip_figures_of(const struct law_fit *fit)
{
    const struct modal_iwan joint = fit->law.joint(&fit->law, cabs(fit->amplitude));
    struct macroslip_figures figures = {
        .phi_max = factor_of(fit, &joint, offsetof(struct modal_iwan, phi_max)),
        .k_t = factor_of(fit, &joint, offsetof(struct modal_iwan, k_t)),
        .k_inf = factor_of(fit, &joint, offsetof(struct modal_iwan, k_inf)),
        .f_s = factor_of(fit, &joint, offsetof(struct modal_iwan, f_s)),
        .r = factor_of(fit, &joint, offsetof(struct modal_iwan, r)),
        .beta = estimate_in_noise(joint.beta, error_of(fit, offsetof(struct modal_iwan, beta))),
    };
    figures.beta.low = fmax(figures.beta.low, 0);
    derivatives_of(fit, offsetof(struct modal_iwan, r), figures.by_r);
    return figures;
}
