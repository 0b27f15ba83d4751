/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Each method's section of a result. All keys are always there; where a figure is null, the reason is the verdict's
 * sentence or says what lacked. */

#include "report/section_json.h"

#include "proto/json_value.h"

#include <math.h>
#include <stddef.h>

/* Why a figure may be missing in a section: the verdict, or what to say of a gap in a section that is fine. */
static const char *section_reason(enum verdict verdict, const char *when_fine)
{
    return verdict == VERDICT_OK ? when_fine : verdict_sentence(verdict);
}

/* Completes a section: one without a usable answer says `why_not`, one with an answer speaks of missing figures only.
 */
static json_t *complete(json_t *section, enum verdict verdict, const char *why_not, const char *when_fine)
{
    section = with_reason(section, when_fine);
    if (!section || verdict == VERDICT_OK)
        return section;
    if (json_object_set_new(section, "reason", json_string(why_not)) != 0) {
        json_decref(section);
        return NULL;
    }
    return section;
}

json_t *complete_section(json_t *section, enum verdict verdict, const char *when_fine)
{
    return complete(section, verdict, verdict_sentence(verdict), when_fine);
}

json_t *estimate_to_json(const struct estimate *estimate, const char *why_missing)
{
    const char *why = why_missing;
    if (estimate->at_bound)
        why = "at its bound: the upper limit is one-sided (95 %)";
    else if (isfinite(estimate->value))
        why = "its uncertainty could not be determined";
    /* The standard error at a bound is null by definition, whatever a method left there. */
    double se = estimate->at_bound ? NAN : estimate->se;
    return with_reason(json_pack("{s:o, s:o, s:[o, o], s:b, s:n}", "value", number_to_json(estimate->value), "se",
                                 number_to_json(se), "ci95", number_to_json(estimate->low),
                                 number_to_json(estimate->high), "at_bound", (int)estimate->at_bound, "reason"),
                       why);
}

/* Adds an estimate to a section. False when there is no memory. */
static bool add_estimate(json_t *section, const char *name, const struct estimate *estimate, enum verdict verdict)
{
    const char *why = section_reason(verdict, "not determined by this method");
    return json_object_set_new(section, name, estimate_to_json(estimate, why)) == 0;
}

/* The estimates that every fit has: of the parameters that its model has. `section` is taken over, and NULL passes
 * through. */
static json_t *with_estimates(json_t *section, enum verdict verdict, enum damping_model model,
                              const struct estimate *f_n_hz, const struct estimate estimate[FIT_PARAMETERS])
{
    bool complete = section && add_estimate(section, "f_n_hz", f_n_hz, verdict);
    for (enum fit_parameter p = 0; complete && p < FIT_PARAMETERS; p++)
        if (damping_model_has(model, p))
            complete = add_estimate(section, decay_parameters[p].name, &estimate[p], verdict);
    if (complete)
        return section;
    json_decref(section);
    return NULL;
}

/* The names of a model's parameters, in the order of its matrices. */
static json_t *parameter_names(enum damping_model model)
{
    json_t *names = json_array();
    for (enum fit_parameter p = 0; p < FIT_PARAMETERS; p++)
        if (damping_model_has(model, p))
            (void)json_array_append_new(names, json_string(decay_parameters[p].name));
    return names;
}

/* The rows and columns of a matrix that belong to a model's parameters. */
static json_t *parameter_matrix(enum damping_model model, const double matrix[FIT_PARAMETERS][FIT_PARAMETERS])
{
    double part[FIT_PARAMETERS * FIT_PARAMETERS];
    size_t count = 0, columns = 0;
    for (enum fit_parameter p = 0; p < FIT_PARAMETERS; p++) {
        columns += damping_model_has(model, p);
        for (enum fit_parameter r = 0; r < FIT_PARAMETERS; r++)
            if (damping_model_has(model, p) && damping_model_has(model, r))
                part[count++] = matrix[p][r];
    }
    return matrix_to_json(part, columns, columns);
}

/* What a full-record fit has beside its estimates. */
static json_t *fit_figures(const struct full_record_fit *fit)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:i, s:o, s:o, s:b}", "beta",
                     number_to_json(fit->beta), "omega_d", number_to_json(fit->omega_d), "parameters",
                     parameter_names(fit->model), "covariance", parameter_matrix(fit->model, fit->covariance),
                     "correlation", parameter_matrix(fit->model, fit->correlation), "covariance_kind",
                     text_to_json(fit->covariance_kind), "rms", number_to_json(fit->rms), "sum_of_squares",
                     number_to_json(fit->sum_of_squares), "r_squared", number_to_json(fit->r_squared), "residual_lag1",
                     number_to_json(fit->residual_lag1), "samples", count_to_json(fit->samples), "half_cycles",
                     count_to_json(fit->half_cycles), "iterations", fit->iterations, "freedom",
                     number_to_json(fit->freedom), "effective_samples", number_to_json(fit->effective_samples),
                     "few_effective_samples", (int)fit->few_effective_samples);
}

json_t *fit_to_json(const struct full_record_fit *fit)
{
    json_t *section = json_pack("{s:s, s:s, s:n, s:s}", "method", "full-record", "verdict", verdict_name(fit->verdict),
                                "reason", "model", damping_model_name(fit->model));
    section = with_estimates(section, fit->verdict, fit->model, &fit->f_n_hz, fit->estimate);
    section = joined(section, fit_figures(fit));
    return complete_section(
        section, fit->verdict,
        "a parameter at its bound has no covariance; other missing figures could not be determined");
}

json_t *extrema_fit_to_json(const struct extrema_fit *fit)
{
    json_t *section =
        json_pack("{s:s, s:s, s:n}", "method", "extrema-only", "verdict", verdict_name(fit->verdict), "reason");
    section = with_estimates(section, fit->verdict, DAMPING_VISCOUS_COULOMB, &fit->f_n_hz, fit->estimate);
    section = joined(section,
                     json_pack("{s:o, s:o}", "rms", number_to_json(fit->rms), "extrema", count_to_json(fit->extrema)));
    return complete_section(section, fit->verdict, "too few extrema to judge the residuals");
}

/* Mean and standard deviation of local values. */
static json_t *spread_to_json(const struct decrement_spread *spread, enum verdict verdict)
{
    const char *why = spread->count > 0 ? "one local value has no standard deviation"
                                        : section_reason(verdict, "no local value could be determined");
    return with_reason(json_pack("{s:o, s:o, s:o, s:n}", "mean", number_to_json(spread->mean), "sd",
                                 number_to_json(spread->sd), "count", count_to_json(spread->count), "reason"),
                       why);
}

/* The first ones: early extrema, with their large differences, tell the most. */
static json_t *local_values_to_json(const struct decrement *decrement)
{
    json_t *list = json_array();
    for (size_t n = 0; list && n < decrement->local_count && n < SECTION_MAX_LOCAL_VALUES; n++) {
        const struct decrement_local *local = &decrement->local[n];
        json_t *entry =
            json_pack("{s:o, s:o, s:o, s:o, s:n}", "i", count_to_json(local->i), "beta", number_to_json(local->beta),
                      "zeta", number_to_json(local->zeta), "x_k", number_to_json(local->x_k), "reason");
        if (json_array_append_new(list, with_reason(entry, "these extrema do not decay by themselves")) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

/* The names are those of LF 1998: i, j, m and delta. */
json_t *decrement_to_json(const struct decrement *decrement)
{
    enum verdict verdict = decrement->verdict;
    json_t *section = json_pack(
        "{s:s, s:s, s:n, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "method", "decrement",
        "verdict", verdict_name(verdict), "reason", "zeta", spread_to_json(&decrement->zeta, verdict), "x_k",
        spread_to_json(&decrement->x_k, verdict), "delta", number_to_json(decrement->delta), "i",
        count_to_json(decrement->i), "j", count_to_json(decrement->j), "m", count_to_json(decrement->m), "beta",
        number_to_json(decrement->beta), "zeta_m", number_to_json(decrement->zeta_m), "x_k_m",
        number_to_json(decrement->x_k_m), "bound_beta", number_to_json(decrement->bound_beta), "bound_x_k",
        number_to_json(decrement->bound_x_k), "bound_gamma", number_to_json(decrement->bound_gamma), "local_total",
        count_to_json(decrement->local_count), "local", local_values_to_json(decrement));
    return complete_section(section, verdict, "a missing figure could not be determined from these extrema");
}

json_t *models_to_json(const struct model_merit *models, size_t count)
{
    json_t *list = json_array();
    for (size_t i = 0; list && i < count; i++) {
        json_t *entry = json_pack("{s:s, s:s, s:o, s:o, s:n}", "model", damping_model_name(models[i].model), "verdict",
                                  verdict_name(models[i].verdict), "aicc", number_to_json(models[i].aicc), "rms",
                                  number_to_json(models[i].rms), "reason");
        entry = complete_section(entry, models[i].verdict, "this figure could not be determined");
        if (json_array_append_new(list, entry) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

json_t *static_friction_to_json(const struct static_friction *bracket)
{
    const char *why = section_reason(bracket->verdict, "the stop does not tell this figure");
    if (bracket->verdict == VERDICT_NOT_COMPUTED)
        why = "the record does not show the mass at rest after the decay";
    return complete(json_pack("{s:s, s:n, s:o, s:o, s:o, s:o}", "verdict", verdict_name(bracket->verdict), "reason",
                              "x_s_min", number_to_json(bracket->x_s_min), "x_s_max", number_to_json(bracket->x_s_max),
                              "rest", number_to_json(bracket->rest), "last_extremum",
                              number_to_json(bracket->last_extremum)),
                    bracket->verdict, why, why);
}

/* Why physical quantities were not even tried. */
static const char *what_physical_lacks(const struct physical_settings *settings)
{
    if (isfinite(settings->mass_kg) && isfinite(settings->stiffness_n_per_m) && !(settings->metres_per_unit > 0))
        return "the displacement is not in a unit of length";
    return "mass_kg and stiffness_n_per_m are not both configured";
}

/* The settings stand beside the figures: a reader sees which mass and stiffness were used. */
json_t *physical_to_json(const struct physical *physical, const struct physical_settings *settings)
{
    const char *why = section_reason(physical->verdict, "this needs a displacement in a unit of length");
    if (physical->verdict == VERDICT_NOT_COMPUTED)
        why = what_physical_lacks(settings);
    json_t *section = json_pack("{s:s, s:n, s:o, s:o, s:o, s:o, s:o, s:o}", "verdict", verdict_name(physical->verdict),
                                "reason", "mass_kg", number_to_json(settings->mass_kg), "stiffness_n_per_m",
                                number_to_json(settings->stiffness_n_per_m), "gravity_m_per_s2",
                                number_to_json(settings->gravity_m_per_s2), "c_n_s_per_m",
                                estimate_to_json(&physical->c_n_s_per_m, why), "f_k_n",
                                estimate_to_json(&physical->f_k_n, why), "mu", estimate_to_json(&physical->mu, why));
    return complete(section, physical->verdict, why, why);
}
