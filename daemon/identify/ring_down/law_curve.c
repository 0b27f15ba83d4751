/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ring_down/law_curve.h"

#include <math.h>

/* A law that has a joint knows its loss in closed form. */
static struct backbone_point point_at(const struct law_fit *fit, const struct law_rates *rates, double x)
{
    double by_unknown[LOGARITHMS][LAW_FIT_UNKNOWNS], value[LOGARITHMS], se[LOGARITHMS];
    double *const by[LOGARITHMS] = {by_unknown[LOG_OMEGA], by_unknown[LOG_ZETA], by_unknown[LOG_LOSS]};
    const double amplitude_0 = cabs(fit->amplitude), amplitude = amplitude_0 * exp(x);
    backbone_logarithms(&fit->law, rates, fit->amplitude, fit->law.parameters, value, by);
    for (int k = 0; k < LOGARITHMS; k++)
        se[k] = law_fit_error(fit, by[k]);
    struct backbone_point point = backbone_point_of(amplitude, value, se, rates->omega_x / rates->omega);
    if (fit->law.joint) {
        const struct modal_iwan joint = fit->law.joint(&fit->law, amplitude_0);
        point.dissipation = modal_iwan_dissipation(&joint, amplitude, point.omega);
        point.se_dissipation = point.dissipation * se[LOG_LOSS];
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
