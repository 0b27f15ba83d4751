/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/friction_figure.h"

#include <math.h>

static const double normal_95 = 1.959963985;

struct friction_figure friction_figure_without(const char *reason)
{
    return (struct friction_figure){NAN, NAN, NAN, NAN, reason, NAN, false};
}

struct friction_figure friction_figure_of(double value, double se, bool logarithmic)
{
    struct friction_figure figure = {.value = value, .se = se, .logarithmic = logarithmic && value > 0};
    const double factor = figure.logarithmic ? exp(normal_95 * se / value) : 1;
    figure.low = figure.logarithmic ? value / factor : value - normal_95 * se;
    figure.high = figure.logarithmic ? value * factor : value + normal_95 * se;
    return figure;
}

void friction_figure_doubt(struct friction_figure *figure, double other, double other_se, double share)
{
    const double own = figure->se * figure->se, apart = other - figure->value;
    const double se = sqrt(own + share * (apart * apart + fmax(other_se * other_se - own, 0)));
    if (!isfinite(se))
        return;
    const char *reason = figure->reason;
    *figure = friction_figure_of(figure->value, se, figure->logarithmic);
    figure->reason = reason;
}
