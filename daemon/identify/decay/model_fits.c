/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The models of the table on one record. Those that lack a term begin at the optimum of the closed form with all its
 * terms, on its samples. */

#include "identify/decay/model_fits.h"

#include "identify/decay/fit_report.h"
#include "identify/decay/fit_values.h"

struct full_record_fit fit_not_made(enum damping_model model, enum verdict verdict)
{
    struct full_record_fit fit;
    fit_report_clear(model, &fit);
    fit.verdict = verdict;
    return fit;
}

/* Fits a model; start: of the same samples, NULL: none. A model that is compared is asked for its residual alone. */
static struct full_record_fit fit_model(const struct model_fitting *fitting, enum damping_model model,
                                        const struct full_record_fit *start, bool residual_only)
{
    double values[FIT_PARAMETERS];
    if (start)
        fit_values(start, values);
    const struct full_record_options options = {
        .model = model,
        .range = start ? start->range : (struct sample_range){0, 0},
        .start = start ? values : NULL,
        .residual_only = residual_only,
        .cancel = fitting->cancel,
        .workspace = fitting->workspace,
    };
    struct full_record_fit fit = fit_not_made(model, VERDICT_CANCELLED);
    if (!fitting->cancel || !atomic_load(fitting->cancel))
        full_record_fit(fitting->record, &options, &fit);
    fit.verdict = estimates_checked(fit.verdict, model, fit.estimate, &fit.f_n_hz);
    return fit;
}

struct full_record_fit model_fits_compared(const struct model_fitting *fitting, struct model_merit merits[MODEL_COUNT])
{
    struct full_record_fit fits[MODEL_COUNT];
    struct full_record_fit *closed_form = &fits[CLOSED_FORM];
    *closed_form = fit_model(fitting, DAMPING_VISCOUS_COULOMB, NULL, false);
    const bool usable = closed_form->verdict == VERDICT_OK || closed_form->verdict == VERDICT_OUT_OF_PHASE;
    for (enum damping_model model = DAMPING_VISCOUS; model < DAMPING_MODELS; model++)
        if (model != DAMPING_VISCOUS_COULOMB)
            fits[model - DAMPING_VISCOUS] =
                usable ? fit_model(fitting, model, closed_form, true) : fit_not_made(model, closed_form->verdict);
    model_choice(fitting->record, fits, merits);
    return *closed_form;
}
