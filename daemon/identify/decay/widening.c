/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Uncertainty from beside the noise, alike for whoever finds it. */

#include "identify/decay/widening.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

/* Widens one estimate by a variance. At its bound only the upper limit is there to be widened. */
static void widen(struct estimate *estimate, double variance, double freedom, bool has_bound)
{
    if (estimate->at_bound) {
        estimate->high = hypot(estimate->high, gsl_cdf_tdist_Pinv(0.95, freedom) * sqrt(variance));
        return;
    }
    const double se = hypot(estimate->se, sqrt(variance));
    const double further = gsl_cdf_tdist_Pinv(0.975, freedom) * (se - estimate->se);
    estimate->se = se;
    estimate->high += further;
    estimate->low -= further;
    if (has_bound)
        estimate->low = fmax(estimate->low, 0);
}

/* A ratio is the square of an estimate in its standard errors. */
static double fallen(double ratio, double se, const struct estimate *estimate)
{
    return estimate->at_bound || !(estimate->se > 0) ? ratio : ratio * pow(se / estimate->se, 2);
}

void fit_widen(double extra[FIT_PARAMETERS][FIT_PARAMETERS], struct full_record_fit *fit)
{
    const double freedom = fit->freedom;
    for (int p = 0; p < FIT_PARAMETERS; p++) {
        struct estimate *estimate = &fit->estimate[p];
        const double se = estimate->se;
        if (!estimate->at_bound && !(se > 0))
            continue;
        widen(estimate, extra[p][p], p == FIT_BIAS ? fit->bias_freedom : freedom, decay_parameters[p].not_negative);
        fit->likelihood_ratio[p] = fallen(fit->likelihood_ratio[p], se, estimate);
    }
    for (int p = 0; p < FIT_PARAMETERS; p++)
        for (int r = 0; r < FIT_PARAMETERS; r++)
            fit->covariance[p][r] += extra[p][r];
    for (int p = 0; p < FIT_PARAMETERS; p++)
        for (int r = 0; r < FIT_PARAMETERS; r++) {
            /* Root by root: the product of two variances of a tiny unit may be nothing. */
            double scale = sqrt(fit->covariance[p][p]) * sqrt(fit->covariance[r][r]);
            if (isfinite(fit->correlation[p][r]) && scale > 0)
                fit->correlation[p][r] = fit->covariance[p][r] / scale;
        }
    widen(&fit->f_n_hz, extra[FIT_OMEGA_N][FIT_OMEGA_N] / (4 * M_PI * M_PI), freedom, false);
}
