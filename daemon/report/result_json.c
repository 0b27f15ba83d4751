/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A result, and its short form, as the protocol shows them; the sections of the methods are in section_json.c. */

#include "report/result_json.h"

#include "proto/json_value.h"
#include "report/classical_json.h"
#include "report/judgement_json.h"
#include "report/section_json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A number, or null for one that is not there. */
static json_t *id_to_json(uint64_t id)
{
    return id > 0 ? count_to_json(id) : json_null();
}

/* A figure where 0 stands for "not known". */
static json_t *known_to_json(double figure)
{
    return number_to_json(figure > 0.0 ? figure : (double)NAN);
}

static json_t *source_to_json(const struct decay_origin *origin)
{
    return json_pack("{s:o, s:o}", "kind", text_to_json(origin->source_kind), "device", text_to_json(origin->device));
}

/* The name of the section that holds the recommended estimates. */
static const char *recommended_name(enum recommended recommended)
{
    switch (recommended) {
    case RECOMMENDED_FIT:
        return "fit";
    case RECOMMENDED_EXTREMA_FIT:
        return "extrema_fit";
    case RECOMMENDED_NONE:
        break;
    }
    return NULL;
}

/* The rate as the device accepted it; from the period where the source did not tell one. */
static double sample_rate(const struct kept_decay *kept)
{
    const struct decay_record *record = &kept->decay->record;
    if (record->time_s)
        return NAN;
    if (kept->origin.sample_rate_hz > 0.0)
        return kept->origin.sample_rate_hz;
    return record->period_s > 0.0 ? 1.0 / record->period_s : (double)NAN;
}

/* A whole record was not counted by the segmenter: then what the identification saw. */
static size_t half_cycles_of(const struct kept_result *result)
{
    const struct identification *found = &result->identification;
    size_t counted = result->of->decay->half_cycles, fitted = found->fit.half_cycles;
    size_t seen = found->extrema_fit.extrema > 0 ? found->extrema_fit.extrema - 1 : 0;
    if (counted > 0)
        return counted;
    return fitted > 0 ? fitted : seen;
}

/* What was identified: the piece of the stream, and what the segmenter knew of it. */
static json_t *record_to_json(const struct kept_result *result)
{
    const struct kept_decay *kept = result->of;
    const struct decay *decay = kept->decay;
    const struct decay_record *record = &decay->record;
    double end_s = record->count > 0 ? decay_record_time(record, record->count - 1) : (double)NAN;
    double start_s = record->count > 0 ? decay_record_time(record, 0) : (double)NAN;
    json_t *object = json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:b, s:o, s:o, s:o, s:o, s:o, s:n}", "start_s", number_to_json(start_s),
        "end_s", number_to_json(end_s), "samples", count_to_json(record->count), "sample_rate_hz",
        number_to_json(sample_rate(kept)), "time_error_s", number_to_json(kept->origin.time_error_s), "half_cycles",
        count_to_json(half_cycles_of(result)), "ended_by", decay_end_name(decay->ended_by), "dropped_first_half_cycle",
        (int)decay->dropped_first_half_cycle, "clipped_samples", count_to_json(decay->clipped_count),
        "pretrigger_samples", count_to_json(decay->pretrigger_count), "resolution", known_to_json(record->resolution),
        "noise", known_to_json(record->noise), "rest_position", number_to_json(result->identification.rest.position),
        "reason");
    return with_reason(object, "what is null is not known: time-stamped samples have no single rate, a recording "
                               "does not tell how well its times are known, the resolution "
                               "may not be configured, the noise not measured, and the mass not seen at rest");
}

struct reason_text {
    char text[256];
};

static void add_reason(struct reason_text *reason, const char *sentence)
{
    size_t used = strlen(reason->text);
    snprintf(reason->text + used, sizeof reason->text - used, "%s%s", used > 0 ? "; " : "", sentence);
}

/* Why recommended, id, seq or released_at may be null. An object has one `reason`, whatever the number of its gaps:
 * the sentences are joined. A decay with an id is stored: its seq is put in when the text is read. */
static struct reason_text result_reason(const struct kept_result *result)
{
    struct reason_text reason = {{0}};
    if (result->identification.recommended == RECOMMENDED_NONE)
        add_reason(&reason, verdict_sentence(result->identification.verdict));
    if (result->of->id == 0)
        add_reason(&reason, "identified on request: neither stored nor published");
    if (result->of->origin.released_at_ns == INT64_MIN)
        add_reason(&reason, "the release has no known time of day");
    return reason;
}

static json_t *with_result_reason(json_t *object, const struct kept_result *result)
{
    struct reason_text reason = result_reason(result);
    return with_reason(object, *reason.text ? reason.text : NULL);
}

/* The members that a result and its summary begin with. */
static json_t *identity_to_json(const struct kept_result *result, uint64_t seq)
{
    const struct decay_origin *origin = &result->of->origin;
    const struct identification *identification = &result->identification;
    return json_pack("{s:o, s:o, s:i, s:o, s:o, s:o, s:o, s:o, s:n, s:s, s:o}", "id", id_to_json(result->of->id), "seq",
                     id_to_json(seq), "revision", (int)result->revision, "rig", text_to_json(origin->rig), "channel",
                     text_to_json(origin->channel), "source", source_to_json(origin), "config_id",
                     text_to_json(origin->config_id), "released_at", time_to_json(origin->released_at_ns), "reason",
                     "verdict", verdict_name(identification->verdict), "recommended",
                     text_to_json(recommended_name(identification->recommended)));
}

/* The classical methods, and what judges all the others. */
static json_t *judgement_to_json(const struct identification *found)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "flags", flags_to_json(found), "logarithmic_decrement",
                     logarithmic_decrement_to_json(&found->logarithmic_decrement), "linear_decrement",
                     linear_decrement_to_json(&found->linear_decrement), "jacobsen_ayre",
                     jacobsen_ayre_to_json(&found->jacobsen_ayre), "model_choice", model_choice_to_json(found), "drift",
                     drift_to_json(&found->drifts), "windows", windows_to_json(&found->windows), "budget",
                     budget_to_json(found));
}

/* Units stand in the result itself: a displacement without one means nothing. */
json_t *result_to_json(const struct kept_result *result, uint64_t seq)
{
    const struct identification *found = &result->identification;
    const struct decay_origin *origin = &result->of->origin;
    json_t *sections =
        json_pack("{s:o, s:{s:o, s:s, s:s, s:s}, s:o, s:o, s:o, s:o, s:o, s:o}", "record", record_to_json(result),
                  "units", "displacement", text_to_json(origin->unit), "time", "s", "frequency", "Hz",
                  "angular_frequency", "rad/s", "fit", fit_to_json(&found->fit), "extrema_fit",
                  extrema_fit_to_json(&found->extrema_fit), "decrement", decrement_to_json(&found->decrement), "models",
                  models_to_json(found->models, sizeof found->models / sizeof found->models[0]), "static_friction",
                  static_friction_to_json(&found->static_friction), "physical",
                  physical_to_json(&found->physical, &origin->physical));
    json_t *object = with_result_reason(identity_to_json(result, seq), result);
    return joined(joined(object, sections), judgement_to_json(found));
}

/* The estimates of the recommended section; empty ones when there is none. */
static json_t *main_figures_to_json(const struct identification *found)
{
    const struct estimate none = {NAN, NAN, NAN, NAN, false};
    const struct estimate *figures[4] = {&none, &none, &none, &none};
    const struct full_record_fit *fit = &found->fit;
    const struct extrema_fit *extrema = &found->extrema_fit;
    if (found->recommended == RECOMMENDED_FIT)
        memcpy(figures,
               (const struct estimate *[4]){&fit->f_n_hz, &fit->estimate[FIT_ZETA], &fit->estimate[FIT_X_K],
                                            &fit->estimate[FIT_X0]},
               sizeof figures);
    if (found->recommended == RECOMMENDED_EXTREMA_FIT)
        memcpy(figures,
               (const struct estimate *[4]){&extrema->f_n_hz, &extrema->estimate[FIT_ZETA], &extrema->estimate[FIT_X_K],
                                            &extrema->estimate[FIT_X0]},
               sizeof figures);
    const char *why = found->recommended == RECOMMENDED_NONE ? verdict_sentence(found->verdict)
                                                             : "not determined by the recommended method";
    return json_pack("{s:o, s:o, s:o, s:o}", "f_n_hz", estimate_to_json(figures[0], why), "zeta",
                     estimate_to_json(figures[1], why), "x_k", estimate_to_json(figures[2], why), "x0",
                     estimate_to_json(figures[3], why));
}

/* The damping model behind the recommended estimates. */
static const char *model_name(const struct identification *found)
{
    switch (found->recommended) {
    case RECOMMENDED_FIT:
        return damping_model_name(found->fit.model);
    case RECOMMENDED_EXTREMA_FIT:
        return damping_model_name(DAMPING_VISCOUS_COULOMB);
    case RECOMMENDED_NONE:
        break;
    }
    return NULL;
}

/* Their combined standard uncertainties, of the budget. */
static json_t *combined_to_json(const struct identification *found)
{
    const struct budget_line *line = found->budget.line;
    const char *why = found->recommended == RECOMMENDED_NONE ? verdict_sentence(found->verdict)
                                                             : "not determined by the recommended method";
    return with_reason(json_pack("{s:o, s:o, s:o, s:o, s:n}", "f_n_hz", number_to_json(line[BUDGET_F_N_HZ].u), "zeta",
                                 number_to_json(line[BUDGET_ZETA].u), "x_k", number_to_json(line[BUDGET_X_K].u), "x0",
                                 number_to_json(line[BUDGET_X0].u), "reason"),
                       why);
}

json_t *result_summary_to_json(const struct kept_result *result, uint64_t seq)
{
    const struct identification *found = &result->identification;
    const struct decay *decay = result->of->decay;
    json_t *object = identity_to_json(result, seq);
    object =
        joined(object, json_pack("{s:o, s:{s:o}, s:o, s:s}", "model", text_to_json(model_name(found)), "units",
                                 "displacement", text_to_json(result->of->origin.unit), "half_cycles",
                                 count_to_json(half_cycles_of(result)), "ended_by", decay_end_name(decay->ended_by)));
    object = with_result_reason(object, result);
    object = joined(object, main_figures_to_json(found));
    return joined(object, json_pack("{s:o}", "u", combined_to_json(found)));
}
