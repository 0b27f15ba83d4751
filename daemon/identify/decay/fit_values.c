/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/decay/fit_values.h"

#include <math.h>

bool fit_has_values(const struct full_record_fit *fit)
{
    for (int p = 0; p < FIT_PARAMETERS; p++)
        if (!isfinite(fit->estimate[p].value))
            return false;
    return fit->range.last > fit->range.first && fabs(fit->estimate[FIT_X0].value) > 0.0;
}

void fit_values(const struct full_record_fit *fit, double values[FIT_PARAMETERS])
{
    for (int p = 0; p < FIT_PARAMETERS; p++)
        values[p] = fit->estimate[p].value;
}

void fit_scaled_values(const struct full_record_fit *fit, const struct scaled_record *scaled,
                       double parameters[FIT_PARAMETERS])
{
    double values[FIT_PARAMETERS];
    fit_values(fit, values);
    scaled_from_record(scaled, values, parameters);
}

struct free_parameters fit_moved(const struct full_record_fit *fit)
{
    struct free_parameters moved;
    for (int p = 0; p < FIT_PARAMETERS; p++)
        moved.free[p] = fit->estimate[p].at_bound || fit->estimate[p].se > 0.0;
    return moved;
}

/* What overflowed is not determined. */
static double finite_or_nan(double value)
{
    return isfinite(value) ? value : NAN;
}

static bool check(struct estimate *estimate)
{
    *estimate = (struct estimate){.value = finite_or_nan(estimate->value),
                                  .se = finite_or_nan(estimate->se),
                                  .low = finite_or_nan(estimate->low),
                                  .high = finite_or_nan(estimate->high),
                                  .at_bound = estimate->at_bound};
    return isfinite(estimate->value) && (estimate->at_bound || isfinite(estimate->se));
}

enum verdict estimates_checked(enum verdict verdict, enum damping_model model, struct estimate estimate[FIT_PARAMETERS],
                               struct estimate *f_n_hz)
{
    bool complete = check(f_n_hz);
    for (enum fit_parameter p = 0; p < FIT_PARAMETERS; p++)
        complete = (check(&estimate[p]) || !damping_model_has(model, p)) && complete;
    return verdict == VERDICT_OK && !complete ? VERDICT_UNDERDETERMINED : verdict;
}
