/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The sections that judge the others. */

#include "report/judgement_json.h"

#include "proto/json_value.h"
#include "report/section_json.h"

#include <math.h>
#include <stdbool.h>

static const char *why_of(enum verdict verdict, const char *when_fine)
{
    return verdict == VERDICT_OK ? when_fine : verdict_sentence(verdict);
}

/* The section whose figures the choice is made of. */
static const char *based_on(enum recommended recommended)
{
    if (recommended == RECOMMENDED_NONE)
        return NULL;
    return recommended == RECOMMENDED_FIT ? "fit" : "extrema_fit";
}

json_t *model_choice_to_json(const struct identification *found)
{
    const struct damping_choice *choice = &found->choice;
    const char *model = choice->verdict == VERDICT_OK ? damping_model_name(choice->model) : NULL;
    json_t *section =
        json_pack("{s:s, s:n, s:o, s:o, s:o, s:o, s:f}", "verdict", verdict_name(choice->verdict), "reason", "model",
                  text_to_json(model), "based_on", text_to_json(based_on(found->recommended)), "viscous_ratio",
                  number_to_json(choice->likelihood_ratio[FIT_ZETA]), "coulomb_ratio",
                  number_to_json(choice->likelihood_ratio[FIT_X_K]), "threshold", TERM_ENTERS);
    return complete_section(section, choice->verdict, "this figure could not be determined");
}

/* name: of the term whose size the drift is, with its own unit. */
static json_t *one_drift(const struct drift *drift, const char *name, const char *why)
{
    return with_reason(json_pack("{s:b, s:o, s:o, s:o, s:n}", "flag", (int)drift->flagged, name,
                                 estimate_to_json(&drift->size, why), "relative", number_to_json(drift->relative),
                                 "likelihood_ratio", number_to_json(drift->likelihood_ratio), "reason"),
                       why);
}

json_t *drift_to_json(const struct drifts *drifts)
{
    const char *why = why_of(drifts->verdict, "this figure could not be determined");
    json_t *section = json_pack("{s:s, s:n, s:o, s:o, s:o, s:f}", "verdict", verdict_name(drifts->verdict), "reason",
                                "frequency_drift", one_drift(&drifts->frequency, "cubic", why), "damping_drift",
                                one_drift(&drifts->damping, "drag", why), "phase_rms", number_to_json(drifts->phase),
                                "threshold", DRIFT_FLAGGED);
    return complete_section(section, drifts->verdict, "this figure could not be determined");
}

static json_t *window_to_json(const struct amplitude_window *window)
{
    const char *why = why_of(window->verdict, "not determined in this window");
    json_t *object = json_pack(
        "{s:s, s:n, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "verdict", verdict_name(window->verdict), "reason",
        "largest", number_to_json(window->largest), "smallest", number_to_json(window->smallest), "start_s",
        number_to_json(window->start_s), "end_s", number_to_json(window->end_s), "half_cycles",
        count_to_json(window->half_cycles), "f_n_hz", estimate_to_json(&window->f_n_hz, why), "zeta",
        estimate_to_json(&window->estimate[FIT_ZETA], why), "x_k", estimate_to_json(&window->estimate[FIT_X_K], why));
    return complete_section(object, window->verdict, why);
}

json_t *windows_to_json(const struct amplitude_windows *windows)
{
    json_t *list = json_array();
    for (size_t n = 0; list && n < windows->count; n++)
        if (json_array_append_new(list, window_to_json(&windows->window[n])) != 0) {
            json_decref(list);
            list = NULL;
        }
    json_t *section = json_pack("{s:s, s:n, s:o}", "verdict", verdict_name(windows->verdict), "reason", "window", list);
    return complete_section(section, windows->verdict, NULL);
}

static json_t *line_to_json(const struct budget_line *line, enum budget_quantity quantity, const char *why)
{
    /* JSON knows no infinity: type B uncertainties alone have no number of degrees of freedom. */
    return with_reason(json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:n}", "quantity",
                                 budget_quantity_name(quantity), "value", number_to_json(line->value), "u_stat",
                                 number_to_json(line->u_stat), "u_cal", number_to_json(line->u_cal), "u_model",
                                 number_to_json(line->u_model), "u", number_to_json(line->u), "freedom",
                                 number_to_json(line->freedom), "coverage_factor", number_to_json(line->coverage),
                                 "expanded", number_to_json(line->expanded), "reason"),
                       why);
}

static const char *why_line(const struct identification *found, const struct budget_line *line)
{
    if (found->recommended == RECOMMENDED_NONE)
        return verdict_sentence(found->verdict);
    if (!isfinite(line->value))
        return "this quantity is not determined: see its own section";
    if (!isfinite(line->u))
        return "its uncertainty could not be determined";
    return "what other models would say is not known here, or the degrees of freedom have no limit";
}

json_t *budget_to_json(const struct identification *found)
{
    json_t *list = json_array();
    for (size_t n = 0; list && n < BUDGET_QUANTITIES; n++) {
        const struct budget_line *line = &found->budget.line[n];
        if (json_array_append_new(list, line_to_json(line, (enum budget_quantity)n, why_line(found, line))) != 0) {
            json_decref(list);
            list = NULL;
        }
    }
    const struct stiffness_check *check = &found->budget.stiffness;
    json_t *stiffness = with_reason(json_pack("{s:o, s:o, s:b, s:n}", "ratio", number_to_json(check->ratio), "u",
                                              number_to_json(check->u), "warning", (int)check->warning, "reason"),
                                    found->recommended == RECOMMENDED_NONE
                                        ? verdict_sentence(found->verdict)
                                        : "mass_kg and stiffness_n_per_m are not both configured, or the "
                                          "displacement is not in a unit of length");
    const enum verdict verdict = found->recommended == RECOMMENDED_NONE ? found->verdict : VERDICT_OK;
    json_t *section = json_pack("{s:s, s:n, s:o, s:o}", "verdict", verdict_name(verdict), "reason", "quantities", list,
                                "stiffness_check", stiffness);
    return complete_section(section, verdict, NULL);
}

json_t *flags_to_json(const struct identification *found)
{
    const struct {
        bool raised;
        const char *name;
    } flags[] = {
        {found->fit.few_effective_samples, "few_effective_samples"},
        {found->drifts.frequency.flagged, "frequency_drift"},
        {found->drifts.damping.flagged, "damping_drift"},
        {(found->disturbance & DISTURBANCE_DRIFT) != 0, "baseline_drift"},
        {(found->disturbance & DISTURBANCE_HUM) != 0, "mains_hum"},
        {found->budget.stiffness.warning, "stiffness_contradicts_frequency"},
    };
    json_t *list = json_array();
    for (size_t n = 0; list && n < sizeof flags / sizeof flags[0]; n++)
        if (flags[n].raised && json_array_append_new(list, json_string(flags[n].name)) != 0) {
            json_decref(list);
            list = NULL;
        }
    return list;
}
