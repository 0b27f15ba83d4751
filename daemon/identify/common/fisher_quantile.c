/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "identify/common/fisher_quantile.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

/* The probability falls as the ratio grows: a bracket that is halved so often leaves 1e-9 of the ratio. */
enum { HALVINGS = 30 };

double fisher_quantile(double probability, double over, double under)
{
    double least = 0, most = 1;
    while (gsl_cdf_fdist_Q(most, over, under) > probability && isfinite(most)) {
        least = most;
        most *= 2;
    }
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = least + 0.5 * (most - least);
        if (gsl_cdf_fdist_Q(middle, over, under) > probability)
            least = middle;
        else
            most = middle;
    }
    return most;
}
