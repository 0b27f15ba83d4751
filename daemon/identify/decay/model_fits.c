/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The models of the table on one record, each from the best of those that it contains, so that more terms never fit
 * worse. */

#include "identify/decay/model_fits.h"

#include "identify/decay/fit_report.h"
#include "identify/decay/fit_values.h"

#include <math.h>

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

/* The best fit so far of the models that this one contains; the closed form's where there is none. */
static const struct full_record_fit *start_of(enum damping_model model, const struct full_record_fit fits[MODEL_COUNT])
{
    const struct full_record_fit *start = NULL;
    for (enum damping_model other = DAMPING_VISCOUS; other < model; other++) {
        const struct full_record_fit *fit = &fits[other - DAMPING_VISCOUS];
        if (damping_model_contains(model, other) && model_comparable(fit) &&
            (!start || fit->sum_of_squares < start->sum_of_squares))
            start = fit;
    }
    return start ? start : &fits[CLOSED_FORM];
}

/* Whether each term that the closed form lacks enters. */
static bool needs_its_terms(const struct full_record_fit *fit)
{
    for (enum fit_parameter p = 0; p < FIT_PARAMETERS; p++)
        if (decay_parameters[p].term && damping_model_has(fit->model, p) &&
            !damping_model_has(DAMPING_VISCOUS_COULOMB, p) && !(fit->likelihood_ratio[p] > TERM_ENTERS))
            return false;
    return fit->verdict == VERDICT_OK;
}

/* Models beyond the closed form that have a smaller AICc, the best first, until one needs its terms. */
static struct full_record_fit best_fit(const struct model_fitting *fitting,
                                       const struct full_record_fit fits[MODEL_COUNT],
                                       const struct model_merit merits[MODEL_COUNT])
{
    double above = -INFINITY;
    for (;;) {
        size_t best = CLOSED_FORM;
        for (size_t n = 0; n < MODEL_COUNT; n++)
            if (!damping_model_contains(DAMPING_VISCOUS_COULOMB, merits[n].model) && merits[n].aicc > above &&
                merits[n].aicc < merits[best].aicc)
                best = n;
        if (best == CLOSED_FORM)
            return fits[CLOSED_FORM];
        const struct full_record_fit fit = fit_model(fitting, merits[best].model, &fits[best], false);
        if (needs_its_terms(&fit))
            return fit;
        above = merits[best].aicc;
    }
}

struct full_record_fit model_fits_compared(const struct model_fitting *fitting, struct model_merit merits[MODEL_COUNT])
{
    struct full_record_fit fits[MODEL_COUNT];
    struct full_record_fit *closed_form = &fits[CLOSED_FORM];
    *closed_form = fit_model(fitting, DAMPING_VISCOUS_COULOMB, NULL, false);
    const bool usable = closed_form->verdict == VERDICT_OK || closed_form->verdict == VERDICT_OUT_OF_PHASE;
    for (enum damping_model model = DAMPING_VISCOUS; model < DAMPING_MODELS; model++)
        if (model != DAMPING_VISCOUS_COULOMB)
            fits[model - DAMPING_VISCOUS] = usable ? fit_model(fitting, model, start_of(model, fits), true)
                                                   : fit_not_made(model, closed_form->verdict);
    model_choice(fitting->record, fits, merits);
    return best_fit(fitting, fits, merits);
}
