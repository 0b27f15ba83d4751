/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What follows from estimates, whichever section they are of. */

#include "identify/decay/conclusions.h"

#include "identify/decay/linearity.h"
#include "identify/decay/rung_of_model.h"
#include "identify/ladder/ladder_comparison.h"

#include <math.h>

/* What the recommended section says, in the order of all sections: its own estimates, or copies of a ladder's. */
struct main_estimates {
    struct estimate *estimate, *f_n_hz;
    double linearity[FIT_PARAMETERS], by_model[FIT_PARAMETERS];
    struct budget_input input; /* what the section itself knows for its budget */
};

/* --- which model --- */

static struct damping_choice choice_by_ladder(const struct ladder *ladder)
{
    struct damping_choice choice = {.verdict = VERDICT_OK,
                                    .terms = ladder->models[ladder->chosen].terms,
                                    .by_ladder = true,
                                    .threshold = LADDER_TERM_COST};
    for (enum fit_parameter p = 0; p < FIT_PARAMETERS; p++)
        choice.likelihood_ratio[p] =
            decay_parameters[p].term ? ladder_term_ratio(ladder, ladder_parameter_of(p)) : (double)NAN;
    return choice;
}

static struct damping_choice choice_of(const struct identification *found)
{
    if (found->ladder && found->ladder->verdict == VERDICT_OK)
        return choice_by_ladder(found->ladder);
    if (found->recommended == RECOMMENDED_FIT)
        return damping_choice_from(found->fit.model, found->fit.likelihood_ratio);
    return damping_choice_from(DAMPING_VISCOUS_COULOMB, found->extrema_fit.likelihood_ratio);
}

/* --- what each section says --- */

/* What the other rungs of a ladder say that estimates may be off by. */
static const double *model_by_ladder(const struct ladder *ladder, struct main_estimates *main)
{
    if (!ladder || ladder->verdict != VERDICT_OK)
        return NULL;
    for (enum fit_parameter p = 0; p < FIT_PARAMETERS; p++)
        main->by_model[p] = ladder_model_uncertainty(ladder, ladder_parameter_of(p), &main->estimate[p]);
    return main->by_model;
}

/* A ladder that was climbed has asked for every term that a drift could be of: a drift that is still likely beside it,
 * and windows with little in them, would make the uncertainty of one release many times that of the next. */
static void take_fit(struct identification *found, struct main_estimates *main)
{
    struct full_record_fit *fit = &found->fit;
    main->estimate = fit->estimate;
    main->f_n_hz = &fit->f_n_hz;
    const double *by_model = model_by_ladder(found->ladder, main);
    main->input = (struct budget_input){.omega_n_zeta = fit->covariance[FIT_OMEGA_N][FIT_ZETA],
                                        .freedom = fit->freedom,
                                        .bias_freedom = fit->bias_freedom,
                                        .by_model = by_model,
                                        .drifts = by_model ? NULL : &found->drifts,
                                        .windows = by_model ? NULL : &found->windows};
}

/* Nothing of a fit that was rejected enters it. */
static void take_extrema(struct identification *found, struct main_estimates *main)
{
    struct extrema_fit *extrema = &found->extrema_fit;
    main->estimate = extrema->estimate;
    main->f_n_hz = &extrema->f_n_hz;
    main->input = (struct budget_input){.omega_n_zeta = NAN,
                                        .freedom = extrema->freedom,
                                        .bias_freedom = extrema->freedom,
                                        .drifts = &found->drifts,
                                        .windows = &found->windows,
                                        .by_extrema = true};
}

/* A rung was chosen among all, so that no drift is left that a term would explain: what the other rungs say is what it
 * may be off by. Its intervals are those of the normal distribution. */
static void take_ladder(const struct ladder *ladder, struct estimate copy[FIT_PARAMETERS], struct main_estimates *main)
{
    for (enum fit_parameter p = 0; p < FIT_PARAMETERS; p++)
        copy[p] = ladder->estimate[ladder_parameter_of(p)];
    main->estimate = copy;
    main->input = (struct budget_input){
        .omega_n_zeta = NAN, .freedom = INFINITY, .bias_freedom = INFINITY, .by_model = model_by_ladder(ladder, main)};
}

/* --- the budget --- */

/* The sensor's nonlinearity within its limit, as the fit or the extrema answer to it. */
static bool find_linearity(const struct conclusion_grounds *grounds, const struct identification *found,
                           double change[FIT_PARAMETERS])
{
    const struct physical_settings *settings = &grounds->settings->physical;
    const double linearity = settings->linearity_percent / 100, full_scale = settings->full_scale;
    if (!isfinite(linearity) || !(linearity > 0))
        return false;
    if (found->recommended == RECOMMENDED_EXTREMA_FIT)
        return linearity_in_extrema(grounds->record, grounds->chain, linearity, full_scale, change);
    return linearity_in_parameters(grounds->record, &found->fit, linearity, full_scale, change);
}

/* And as a rung does; 0 where it is not configured. */
static void find_ladder_linearity(const struct conclusion_grounds *grounds, const struct ladder *ladder,
                                  double change[LADDER_PARAMETERS])
{
    const struct physical_settings *settings = &grounds->settings->physical;
    const double linearity = settings->linearity_percent / 100;
    const bool configured = isfinite(linearity) && linearity > 0;
    if (!configured ||
        !linearity_in_ladder(grounds->record, grounds->chain, ladder, linearity, settings->full_scale, change))
        for (enum ladder_parameter p = 0; p < LADDER_PARAMETERS; p++)
            change[p] = 0;
}

static void find_budget(const struct conclusion_grounds *grounds, struct main_estimates *main,
                        struct identification *found)
{
    struct budget_input *input = &main->input;
    input->estimate = main->estimate;
    input->physical = &found->physical;
    input->settings = &grounds->settings->physical;
    uncertainty_budget_of(input, &found->budget);
    uncertainty_budget_combine(input, &found->budget, main->estimate, main->f_n_hz, &found->physical);
}

/* The terms that only a ladder has, which have no line. */
static void combine_terms(const struct budget_input *input, const double change[LADDER_PARAMETERS],
                          struct ladder *ladder)
{
    for (enum ladder_parameter p = LADDER_DRAG; p < LADDER_TERMS; p++)
        uncertainty_budget_combine_term(
            input, ladder_parameters[p].unit, change[p], ladder_model_uncertainty(ladder, p, &ladder->estimate[p]),
            ladder_parameters[p].not_negative || ladder_parameters[p].logarithmic, &ladder->estimate[p]);
}

/* --- all of it --- */

static void forget_combined(struct estimate estimate[], size_t count)
{
    for (size_t p = 0; p < count; p++)
        estimate[p].combined = (struct combined_uncertainty){.known = false};
}

/* Only the recommended section's estimates have combined uncertainties. */
static void forget(struct identification *found)
{
    forget_combined(found->fit.estimate, FIT_PARAMETERS);
    forget_combined(&found->fit.f_n_hz, 1);
    forget_combined(found->extrema_fit.estimate, FIT_PARAMETERS);
    forget_combined(&found->extrema_fit.f_n_hz, 1);
}

static void conclude_from(const struct conclusion_grounds *grounds, struct main_estimates *main,
                          struct identification *found)
{
    const struct estimate *estimate = main->estimate;
    const struct end_of_decay end = {found->rest, &estimate[FIT_ZETA], &estimate[FIT_X_K], &estimate[FIT_X0],
                                     &estimate[FIT_BIAS]};
    if (found->recommended == RECOMMENDED_LADDER)
        static_friction_of_rung(found->ladder, &found->rest, &found->static_friction);
    else
        static_friction_bracket(&end, &found->static_friction);
    physical_from(&grounds->settings->physical, &estimate[FIT_ZETA], &estimate[FIT_X_K], &found->physical);
    find_budget(grounds, main, found);
}

/* By way of copies, for a ladder has its parameters in another order, and more of them. */
static void conclude_from_ladder(const struct conclusion_grounds *grounds, struct identification *found)
{
    struct ladder *ladder = found->ladder;
    struct estimate copy[FIT_PARAMETERS];
    struct main_estimates main = {.f_n_hz = &ladder->f_n_hz};
    double change[LADDER_PARAMETERS];
    take_ladder(ladder, copy, &main);
    find_ladder_linearity(grounds, ladder, change);
    for (enum fit_parameter p = 0; p < FIT_PARAMETERS; p++)
        main.linearity[p] = change[ladder_parameter_of(p)];
    main.input.by_linearity = main.linearity;
    conclude_from(grounds, &main, found);
    for (enum fit_parameter p = 0; p < FIT_PARAMETERS; p++)
        ladder->estimate[ladder_parameter_of(p)].combined = copy[p].combined;
    combine_terms(&main.input, change, ladder);
}

void identification_conclude(const struct conclusion_grounds *grounds, struct identification *found)
{
    struct main_estimates main = {.estimate = NULL};
    if (found->recommended == RECOMMENDED_NONE) {
        found->choice.verdict = found->verdict;
        return;
    }
    forget(found);
    found->choice = choice_of(found);
    if (found->choice.verdict == VERDICT_OK)
        found->fit.shown = damping_model_terms(found->fit.model) & found->choice.terms;
    if (found->recommended == RECOMMENDED_LADDER) {
        conclude_from_ladder(grounds, found);
        return;
    }
    if (found->recommended == RECOMMENDED_FIT)
        take_fit(found, &main);
    else
        take_extrema(found, &main);
    main.input.by_linearity = find_linearity(grounds, found, main.linearity) ? main.linearity : NULL;
    conclude_from(grounds, &main, found);
}
