/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ring_down/law_fit.h"

#include <math.h>

double law_fit_covariance(const struct law_fit *fit, const double by[LAW_FIT_UNKNOWNS],
                          const double by_other[LAW_FIT_UNKNOWNS])
{
    const size_t unknowns = fit->law.parameters + 2;
    double covariance = 0;
    for (size_t j = 0; j < unknowns; j++)
        for (size_t k = 0; k < unknowns; k++)
            covariance += by[j] * fit->covariance[j][k] * by_other[k];
    return covariance;
}

double law_fit_error(const struct law_fit *fit, const double by[LAW_FIT_UNKNOWNS])
{
    return sqrt(law_fit_covariance(fit, by, by));
}
