/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ring_down/law_curve.h"

#include <math.h>

/* A law that has a joint knows its loss in closed form. */
static struct backbone_point point_at(const struct law_fit *fit, const struct law_rates *rates, double x)
{
    double by_omega[LAW_FIT_UNKNOWNS], by_zeta[LAW_FIT_UNKNOWNS], value[LOGARITHMS];
    double *const by[LOGARITHMS] = {[LOG_OMEGA] = by_omega, [LOG_ZETA] = by_zeta};
    const double amplitude_0 = cabs(fit->amplitude), amplitude = amplitude_0 * exp(x);
    backbone_logarithms(&fit->law, rates, fit->amplitude, fit->law.parameters, value, by);
    const double se[LOGARITHMS] = {
        [LOG_OMEGA] = law_fit_error(fit, by_omega), [LOG_ZETA] = law_fit_error(fit, by_zeta)};
    struct backbone_point point = backbone_point_of(amplitude, value, se, rates->omega_x / rates->omega);
    if (fit->law.joint) {
        const struct modal_iwan joint = fit->law.joint(&fit->law, amplitude_0);
        const double share = point.se_dissipation / point.dissipation;
        point.dissipation = modal_iwan_dissipation(&joint, amplitude, point.omega);
        point.se_dissipation = share * point.dissipation;
    }
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
