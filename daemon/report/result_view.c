/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the tables see of a result: gathered here, judged nowhere. */

#include "report/result_view.h"

#include "report/kinds/record_kind.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A figure where 0 stands for "not known". */
static double known(double figure)
{
    return figure > 0.0 ? figure : (double)NAN;
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

static struct record_view record_view_of(const struct kept_result *result)
{
    const struct kept_decay *kept = result->of;
    const struct decay *decay = kept->decay;
    const struct decay_record *record = &decay->record;
    return (struct record_view){
        .quantity = record_quantity(&kept->origin),
        .read_as = kept->origin.read_as,
        .delay_s = kept->origin.delay_s,
        .start_s = record->count > 0 ? decay_record_time(record, 0) : (double)NAN,
        .end_s = record->count > 0 ? decay_record_time(record, record->count - 1) : (double)NAN,
        .samples = record->count,
        .sample_rate_hz = sample_rate(kept),
        .time_error_s = kept->origin.time_error_s,
        .half_cycles = half_cycles_of(result),
        .ended_by = decay->ended_by,
        .dropped_first_half_cycle = decay->dropped_first_half_cycle,
        .clipped_samples = decay->clipped_count,
        .pretrigger_samples = decay->pretrigger_count,
        .resolution = known(record->resolution),
        .noise = known(record->noise),
        .rest_position = result->identification.rest.position,
    };
}

static void add_reason(struct reason_text *reason, const char *sentence)
{
    size_t used = strlen(reason->text);
    snprintf(reason->text + used, sizeof reason->text - used, "%s%s", used > 0 ? "; " : "", sentence);
}

/* As it is written for this channel, or the first of several. */
static void add_unit_advice(const struct decay_origin *origin, struct reason_text *reason)
{
    char names[KIND_SENSORS_MOST][KIND_SENSOR_BYTES];
    char advice[3 * KIND_SENSOR_BYTES + 320];
    const char *sensor = record_sensors(origin, names) > 0 ? names[0] : origin->channel;
    const bool plain = !*origin->unit || strcmp(origin->unit, "1") == 0;
    snprintf(
        advice, sizeof advice,
        "`%.*s` has %s%s, and known are lengths (nm, um, mm, cm, m, km, mil, in, ft), these over s or s2, ips, g and "
        "mg, as in %.*s_m/s2 or --calibration '%.*s=[0, 1] m/s2'",
        KIND_SENSOR_BYTES, sensor, plain ? "no unit" : "the unit ", plain ? "" : origin->unit, KIND_SENSOR_BYTES,
        sensor, KIND_SENSOR_BYTES, sensor);
    add_reason(reason, advice);
}

/* An object has one `reason`, whatever the number of its gaps: the sentences are joined. A decay with an id is stored:
 * its seq is put in when the text is read. */
static const char *why_incomplete(const struct kept_result *result, struct reason_text *reason)
{
    *reason = (struct reason_text){.text = ""};
    if (result->identification.recommended == RECOMMENDED_NONE && result->identification.verdict != VERDICT_OK)
        add_reason(reason, verdict_sentence(result->identification.verdict));
    if (result->identification.verdict == VERDICT_UNIT_UNKNOWN)
        add_unit_advice(&result->of->origin, reason);
    if (result->of->id == 0)
        add_reason(reason, "identified on request: neither stored nor published");
    if (result->of->known)
        add_reason(reason, "kept before: it is not published once more");
    if (result->of->origin.released_at_ns == INT64_MIN)
        add_reason(reason, "the release has no known time of day");
    return *reason->text ? reason->text : NULL;
}

static struct identity_view identity_view_of(const struct kept_result *result, uint64_t seq, struct reason_text *reason)
{
    const struct decay_origin *origin = &result->of->origin;
    return (struct identity_view){
        .id = result->of->id,
        .seq = seq,
        .run_id = result->of->run,
        .kind = decay_origin_kind(origin),
        .provisional = result->identification.ladder_follows,
        .revision = result->revision,
        .rig = origin->rig,
        .channel = origin->channel,
        .source = {origin->source_kind, origin->device},
        .config_id = origin->config_id,
        .released_at_ns = origin->released_at_ns,
        .reason = why_incomplete(result, reason),
        .verdict = result->identification.verdict,
        .recommended = result->identification.recommended,
    };
}

/* Why physical quantities were not even tried. */
static const char *what_physical_lacks(const struct physical_settings *settings)
{
    if (isfinite(settings->mass_kg) && isfinite(settings->stiffness_n_per_m) && !(settings->metres_per_unit > 0))
        return "the displacement is not in a unit of length";
    return "mass_kg and stiffness_n_per_m are not both configured";
}

static struct flags_view flags_view_of(const struct identification *found)
{
    const struct ladder *ladder = found->ladder;
    return (struct flags_view){.doubts = found->doubts,
                               .stiffness_contradicts_frequency = found->budget.stiffness.warning,
                               .clock_step = ladder && ladder->clock_step.found,
                               .zero_steps = ladder && ladder->zero_steps.found};
}

static struct budget_view budget_view_of(const struct identification *found)
{
    struct budget_view view = {.verdict = found->recommended == RECOMMENDED_NONE ? found->verdict : VERDICT_OK,
                               .stiffness = found->budget.stiffness};
    for (int i = 0; i < BUDGET_QUANTITIES; i++)
        view.quantities[i] = (struct budget_line_view){(enum budget_quantity)i, found->budget.line[i]};
    return view;
}

struct result_view result_view_of(const struct kept_result *result, uint64_t seq, struct reason_text *reason)
{
    const struct identification *found = &result->identification;
    const struct decay_origin *origin = &result->of->origin;
    return (struct result_view){
        .identity = identity_view_of(result, seq, reason),
        .record = record_view_of(result),
        .units = {origin->unit},
        .found = *found,
        .physical = {found->physical, origin->physical, what_physical_lacks(&origin->physical)},
        .flags = flags_view_of(found),
        .model_choice = {found->choice, found->choice.by_ladder ? RECOMMENDED_LADDER : found->recommended},
        .budget = budget_view_of(found),
        .ladder = ladder_view_of(found, origin->unit),
        .joint = joint_view_of(result->joint),
    };
}

struct handed_view handed_view_of(const struct kept_result *result, uint64_t seq, struct reason_text *reason)
{
    const struct identity_view identity = identity_view_of(result, seq, reason);
    reason->unit = record_unit(&result->of->origin);
    return (struct handed_view){identity, {reason->unit.displacement}};
}

/* What its kind alone knows the names of. */
static struct headlines_view figures_of(const struct kept_result *result)
{
    const struct record_kind *kind = result->found ? record_kind_named(result->of->origin.kind) : NULL;
    return (struct headlines_view){kind ? kind->section : NULL, result->found};
}

struct summary_view summary_view_of(const struct kept_result *result, uint64_t seq, struct reason_text *reason)
{
    const bool is_decay = !result->found;
    struct summary_view view = {
        .identity = identity_view_of(result, seq, reason),
        .units = {reason->unit.displacement},
        .half_cycles = is_decay ? half_cycles_of(result) : COUNT_UNKNOWN,
        .ended_by = is_decay ? (int)result->of->decay->ended_by : -1,
        .main = main_figures_of(&result->identification),
        .figures = figures_of(result),
        .contact_model = !is_decay && result->model ? result->model : "",
        .stopped = result->identification.ladder_stopped,
    };
    reason->unit = record_unit(&result->of->origin);
    if (result->identification.recommended != RECOMMENDED_NONE && !view.main.terms) {
        add_reason(reason, verdict_sentence(result->identification.choice.verdict));
        view.identity.reason = reason->text;
    }
    return view;
}
