/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/loop/friction_figure.h"

#include <math.h>

struct friction_figure friction_figure_without(const char *reason)
{
    return (struct friction_figure){NAN, NAN, NAN, NAN, reason, NAN, false};
}

void friction_figure_doubt(struct friction_figure *figure, double other, double share)
{
    const double apart = other - figure->value;
    const double se = sqrt(figure->se * figure->se + share * apart * apart), wider = se / figure->se;
    if (!isfinite(wider))
        return;
    if (figure->logarithmic) {
        figure->low = figure->value * pow(figure->low / figure->value, wider);
        figure->high = figure->value * pow(figure->high / figure->value, wider);
    } else {
        figure->low = figure->value - wider * (figure->value - figure->low);
        figure->high = figure->value + wider * (figure->high - figure->value);
    }
    figure->se = se;
}
