/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ring_down/microslip_figures.h"

#include "identify/common/instrument_estimate.h"
#include "identify/ring_down/macroslip_figures.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

static struct estimate parameter_of(const struct law_fit *fit, enum microslip_parameter parameter)
{
    return estimate_in_noise(fit->law.parameter[parameter], sqrt(fit->covariance[parameter][parameter]));
}

/* ln R = ln zeta_j + ln(kappa (chi+1)(chi+2)) + 2 ln omega_0 - (chi+1) ln A_0, kappa = pi (chi+3)/(2(chi+1)): the
 * derivatives of R. */
static void density_by(const struct law_fit *fit, double r, double by[LAW_FIT_UNKNOWNS])
{
    const double chi = fit->law.parameter[MICROSLIP_CHI], size = cabs(fit->amplitude);
    const double by_size = -(chi + 1) / (size * size);
    const double by_logarithm[LAW_FIT_UNKNOWNS] = {
        [MICROSLIP_OMEGA_0] = 2 / fit->law.parameter[MICROSLIP_OMEGA_0],
        [MICROSLIP_LOG_ZETA_J] = 1,
        [MICROSLIP_CHI] = 1 / (chi + 2) + 1 / (chi + 3) - log(size),
        [MICROSLIP_PARAMETERS] = by_size * creal(fit->amplitude),
        [MICROSLIP_PARAMETERS + 1] = by_size * cimag(fit->amplitude),
    };
    for (size_t j = 0; j < LAW_FIT_UNKNOWNS; j++)
        by[j] = r * by_logarithm[j];
}

/* Its interval is that of the logarithm: R is known to a factor. */
static struct estimate density_of(const struct law_fit *fit, double r, const double by[LAW_FIT_UNKNOWNS])
{
    const double se = law_fit_error(fit, by), factor = exp(gsl_cdf_ugaussian_Pinv(0.975) * se / r);
    return (struct estimate){.value = r, .se = se, .low = r / factor, .high = r * factor};
}

struct microslip_figures microslip_figures_of(const struct law_fit *fit)
{
    const double a = cabs(fit->amplitude), chi = fit->law.parameter[MICROSLIP_CHI];
    const struct modal_iwan joint = microslip_joint(&fit->law, a);
    const double r = joint.r, square = joint.k_t, g = (chi + 1) / (chi + 2);
    /* The lower bounds are of a joint without sliders beyond A_0, the upper ones of one that is all the stiffness. */
    const double least_k_t = r * pow(a, chi + 1) / (chi + 1), most_phi = pow((chi + 1) * square / r, 1 / (chi + 1));
    struct microslip_figures figures = {
        .omega_0 = parameter_of(fit, MICROSLIP_OMEGA_0),
        .c = parameter_of(fit, MICROSLIP_C),
        .chi = parameter_of(fit, MICROSLIP_CHI),
        .phi_max = {a, INFINITY},
        .k_t = {least_k_t, square},
        .k_inf = {0, square - least_k_t},
        .f_s = {r * pow(a, chi + 2) / (chi + 2), g * square * most_phi},
    };
    density_by(fit, r, figures.by_r);
    figures.r = density_of(fit, r, figures.by_r);
    return figures;
}

void microslip_figures_limit(struct microslip_figures *figures, const struct law_fit *limit,
                             const struct law_fit *limit_of_phi)
{
    if (!limit) {
        figures->f_s.lower = figures->phi_max.lower = figures->k_t.lower = figures->k_inf.upper = NAN;
        return;
    }
    const struct macroslip_figures least = macroslip_figures_of(limit);
    const double square = figures->k_t.upper;
    figures->f_s.lower = fmin(figures->f_s.lower, least.f_s.low);
    figures->phi_max.lower =
        limit_of_phi ? fmin(figures->phi_max.lower, macroslip_figures_of(limit_of_phi).phi_max.low) : (double)NAN;
    figures->k_t.lower = fmin(figures->k_t.lower, least.k_t.low);
    figures->k_inf.upper = square - figures->k_t.lower;
}
