/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ring_down/law_curve.h"

#include <math.h>

/* As a share. The loss at an amplitude goes with zeta omega^2, whose errors belong together; that of omega's slope is
 * far smaller. */
static double loss_error(const struct law_fit *fit, const double *by_omega, const double *by_zeta)
{
    double by[LAW_FIT_UNKNOWNS] = {0};
    for (size_t k = 0; k < fit->law.parameters + 2; k++)
        by[k] = by_zeta[k] + 2 * by_omega[k];
    return law_fit_error(fit, by);
}

/* A law that has a joint knows its loss in closed form. */
static struct backbone_point point_at(const struct law_fit *fit, const struct law_rates *rates, double x)
{
    double by_omega[LAW_FIT_UNKNOWNS], by_zeta[LAW_FIT_UNKNOWNS], value[LOGARITHMS];
    double *const by[LOGARITHMS] = {[LOG_OMEGA] = by_omega, [LOG_ZETA] = by_zeta};
    const double amplitude_0 = cabs(fit->amplitude), amplitude = amplitude_0 * exp(x);
    backbone_logarithms(&fit->law, rates, fit->amplitude, fit->law.parameters, value, by);
    const double se[LOGARITHMS] = {
        [LOG_OMEGA] = law_fit_error(fit, by_omega), [LOG_ZETA] = law_fit_error(fit, by_zeta)};
    const double share = loss_error(fit, by_omega, by_zeta);
    struct backbone_point point = backbone_point_of(amplitude, value, se, rates->omega_x / rates->omega);
    if (fit->law.joint) {
        const struct modal_iwan joint = fit->law.joint(&fit->law, amplitude_0);
        point.dissipation = modal_iwan_dissipation(&joint, amplitude, point.omega);
    }
    point.se_dissipation = share * point.dissipation;
    return point;
}

size_t law_curve(const struct law_fit *fit, struct backbone_point *points)
{
    size_t count = 0;
    for (; count < BACKBONE_POINTS; count++) {
        const double x = fit->first_x - (fit->loss + fit->first_x) * (double)count / (BACKBONE_POINTS - 1);
        struct law_rates rates;
        if (!(fit->loss + fit->first_x > 0) || !fit->law.rates(&fit->law, x, &rates))
            break;
        points[count] = point_at(fit, &rates, x);
    }
    return count;
}
