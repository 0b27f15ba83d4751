/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What clients read of a result: every key there, a missing figure null with a reason beside it, no NaN anywhere. */
#include "identify/ladder/ladder_comparison.h"
#include "identify/ring_down/ring_down_findings.h"
#include "made_result.h"
#include "proto/address.h"
#include "proto/json_value.h"
#include "report/kinds/record_kind.h"
#include "report/result_json.h"
#include "report/result_text.h"
#include "report/section_json.h"
#include "report/tables.h"
#include "report/vocabulary.h"
#include "run_suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The value at a path like "fit.zeta.value"; fails when there is none. */
static json_t *at(json_t *object, const char *path)
{
    char copy[128], *rest = copy, *key;
    snprintf(copy, sizeof copy, "%s", path);
    json_t *value = object;
    while ((key = strsep(&rest, ".")))
        value = json_is_array(value) ? json_array_get(value, (size_t)atoi(key)) : json_object_get(value, key);
    ck_assert_msg(value != NULL, "there is no %s", path);
    return value;
}

static double number_at(json_t *object, const char *path)
{
    ck_assert_msg(json_is_number(at(object, path)), "%s is no number", path);
    return json_number_value(at(object, path));
}

static json_int_t integer_at(json_t *object, const char *path)
{
    ck_assert_msg(json_is_integer(at(object, path)), "%s is no integer", path);
    return json_integer_value(at(object, path));
}

static const char *text_at(json_t *object, const char *path)
{
    ck_assert_msg(json_is_string(at(object, path)), "%s is no string", path);
    return json_string_value(at(object, path));
}

static bool null_at(json_t *object, const char *path)
{
    return json_is_null(at(object, path));
}

/* An object with a null beside a reason that is null says nothing about what is missing. */
static void check_reasons(json_t *value, const char *where)
{
    const char *key;
    json_t *member;
    size_t index;
    json_array_foreach (value, index, member)
        check_reasons(member, where);
    if (!json_is_object(value))
        return;
    bool holds_null = false;
    json_object_foreach (value, key, member) {
        holds_null = holds_null || (json_is_null(member) && strcmp(key, "reason") != 0);
        check_reasons(member, key);
    }
    ck_assert_msg(!holds_null || json_is_string(json_object_get(value, "reason")), "%s has null without reason", where);
}

static json_t *json_of(struct kept_result *result, uint64_t seq)
{
    json_t *object = result_to_json(result, seq);
    ck_assert_ptr_nonnull(object);
    kept_result_release(result);
    return object;
}

START_TEST(identity)
{
    json_t *result = json_of(made_result("bearing", "lvdt", 42, 1721), 117);
    ck_assert_int_eq(integer_at(result, "id"), 42);
    ck_assert_int_eq(integer_at(result, "seq"), 117);
    ck_assert_int_eq(integer_at(result, "run_id"), 42);
    ck_assert_int_eq(integer_at(result, "revision"), 1);
    ck_assert_str_eq(text_at(result, "rig"), "bearing");
    ck_assert_str_eq(text_at(result, "channel"), "lvdt");
    ck_assert_str_eq(text_at(result, "source.kind"), "simulated");
    ck_assert_str_eq(text_at(result, "source.device"), "simulated rig");
    ck_assert_str_eq(text_at(result, "config_id"), "0123456789abcdef");
    ck_assert_str_eq(text_at(result, "released_at"), "2026-11-21T06:45:31.204518Z");
    ck_assert_str_eq(text_at(result, "verdict"), "ok");
    ck_assert_str_eq(text_at(result, "recommended"), "fit");
    ck_assert_str_eq(text_at(result, "units.displacement"), "mm");
    ck_assert(null_at(result, "reason"));
    json_decref(result);
}
END_TEST

START_TEST(record)
{
    json_t *result = json_of(made_result("bearing", "lvdt", 42, 1721), 117);
    ck_assert_double_eq_tol(number_at(result, "record.start_s"), 7.5, 1e-12);
    ck_assert_double_eq_tol(number_at(result, "record.end_s"), 9.22, 1e-12);
    ck_assert_int_eq(integer_at(result, "record.samples"), 1721);
    ck_assert_double_eq(number_at(result, "record.sample_rate_hz"), 1000.0);
    ck_assert_double_eq(number_at(result, "record.time_error_s"), 0.0);
    ck_assert_str_eq(text_at(result, "record.quantity"), "displacement");
    ck_assert_double_eq(number_at(result, "record.delay_s"), 2e-5);
    ck_assert_int_eq(integer_at(result, "record.half_cycles"), 19);
    ck_assert_str_eq(text_at(result, "record.ended_by"), "rest");
    ck_assert(json_is_true(at(result, "record.dropped_first_half_cycle")));
    ck_assert_double_eq(number_at(result, "record.resolution"), 0.01);
    ck_assert(null_at(result, "record.rest_position"));
    ck_assert(json_is_string(at(result, "record.reason")));
    json_decref(result);
}
END_TEST

/* The segmenter counts the half cycles and sees the rest, but a whole record never passed through it. */
START_TEST(a_whole_record_tells_what_the_identification_saw)
{
    struct kept_result *made = made_result("offline", "x", 1, 500);
    made->of->decay->half_cycles = 0;
    made->identification.rest.position = 0.25;
    json_t *result = json_of(made, 0);
    ck_assert_int_eq(integer_at(result, "record.half_cycles"), 18);
    ck_assert_double_eq(number_at(result, "record.rest_position"), 0.25);
    json_decref(result);
}
END_TEST

START_TEST(names_what_disturbed_the_sensor)
{
    for (int seen = DISTURBANCE_NONE; seen <= DISTURBANCE_BOTH; seen++) {
        struct kept_result *made = made_result("bearing", "lvdt", 42, 500);
        disturbance_doubts((enum disturbance)seen, &made->identification.doubts);
        json_t *result = json_of(made, 1);
        char *flags = json_dumps(json_object_get(result, "flags"), 0);
        ck_assert_ptr_nonnull(flags);
        ck_assert((strstr(flags, "baseline_drift") != NULL) == ((seen & DISTURBANCE_DRIFT) != 0));
        ck_assert((strstr(flags, "mains_hum") != NULL) == ((seen & DISTURBANCE_HUM) != 0));
        free(flags);
        json_decref(result);
    }
}
END_TEST

START_TEST(tells_how_far_the_result_can_be_trusted)
{
    json_t *result = json_of(made_result("bearing", "lvdt", 42, 500), 1);
    const json_t *flags = json_object_get(result, "flags");
    ck_assert_uint_eq(json_array_size(flags), 2);
    ck_assert_str_eq(json_string_value(json_array_get(flags, 0)), "damping_drift");
    ck_assert_str_eq(json_string_value(json_array_get(flags, 1)), "stiffness_contradicts_frequency");
    ck_assert_str_eq(text_at(result, "model_choice.model"), "viscous");
    ck_assert_str_eq(text_at(result, "model_choice.based_on"), "fit");
    ck_assert_double_eq(number_at(result, "model_choice.viscous_ratio"), 7832.25);
    ck_assert_double_eq(number_at(result, "drift.damping_drift.drag.value"), 0.04);
    ck_assert_ptr_nonnull(text_at(result, "drift.frequency_drift.cubic.reason"));
    ck_assert_double_eq(number_at(result, "logarithmic_decrement.zeta.value"), 0.018);
    ck_assert_str_eq(text_at(result, "linear_decrement.verdict"), "not_decaying");
    const json_t *zeta = json_array_get(json_object_get(json_object_get(result, "budget"), "quantities"), BUDGET_ZETA);
    ck_assert_str_eq(json_string_value(json_object_get(zeta, "quantity")), "zeta");
    ck_assert_double_eq(json_number_value(json_object_get(zeta, "u")), 0.00036);
    ck_assert(json_is_null(json_object_get(zeta, "freedom")) && json_is_string(json_object_get(zeta, "reason")));
    json_decref(result);
}
END_TEST

START_TEST(says_what_physical_quantities_lack)
{
    struct kept_result *made = made_result("offline", "angle", 1, 500);
    made->of->origin.physical = physical_default_settings();
    made->of->origin.physical.mass_kg = 1.92;
    made->of->origin.physical.stiffness_n_per_m = 2310;
    json_t *result = json_of(made, 0);
    ck_assert_ptr_nonnull(strstr(text_at(result, "physical.mu.reason"), "unit of length"));
    json_decref(result);
    result = json_of(made_result("bearing", "lvdt", 42, 500), 1);
    ck_assert_ptr_nonnull(strstr(text_at(result, "physical.reason"), "mass_kg"));
    json_decref(result);
}
END_TEST

START_TEST(time_stamps_have_no_rate)
{
    json_t *result = json_of(made_stamped_result(3, 100), 1);
    ck_assert(null_at(result, "record.sample_rate_hz"));
    ck_assert_double_eq(number_at(result, "record.time_error_s"), 3.2e-4);
    ck_assert_double_eq_tol(number_at(result, "record.end_s"), 7.5 + 0.099 + 0.009801, 1e-12);
    ck_assert(null_at(result, "record.resolution"));
    json_decref(result);
}
END_TEST

START_TEST(an_estimate_with_its_uncertainty)
{
    json_t *result = json_of(made_result("bearing", "lvdt", 42, 100), 117);
    ck_assert_double_eq(number_at(result, "fit.zeta.value"), 0.0177);
    ck_assert_double_eq(number_at(result, "fit.zeta.se"), 0.0002);
    ck_assert_double_eq(number_at(result, "fit.zeta.u"), 0.00036);
    ck_assert_double_eq(number_at(result, "fit.zeta.ci95.0"), 0.017);
    ck_assert_double_eq(number_at(result, "fit.zeta.ci95.1"), 0.0184);
    ck_assert_double_eq(number_at(result, "fit.zeta.ci95_statistical.0"), 0.0173);
    ck_assert_double_eq(number_at(result, "fit.zeta.ci95_statistical.1"), 0.0181);
    ck_assert(json_is_false(at(result, "fit.zeta.at_bound")));
    ck_assert(null_at(result, "fit.zeta.reason"));
    /* Another method has no budget. */
    ck_assert(null_at(result, "logarithmic_decrement.zeta.u"));
    ck_assert(null_at(result, "logarithmic_decrement.zeta.ci95.0"));
    ck_assert_double_eq(number_at(result, "logarithmic_decrement.zeta.ci95_statistical.0"), 0.0174);
    ck_assert_ptr_nonnull(strstr(text_at(result, "logarithmic_decrement.zeta.reason"), "budget"));
    json_decref(result);
}
END_TEST

START_TEST(an_estimate_at_its_bound)
{
    json_t *result = json_of(made_result("bearing", "lvdt", 42, 100), 117);
    ck_assert_double_eq(number_at(result, "fit.x_k.value"), 0.0);
    ck_assert(null_at(result, "fit.x_k.se"));
    ck_assert_double_eq(number_at(result, "fit.x_k.ci95.0"), 0.0);
    ck_assert_double_eq(number_at(result, "fit.x_k.ci95.1"), 0.0041);
    ck_assert_double_eq(number_at(result, "fit.x_k.ci95_statistical.1"), 0.003);
    ck_assert(json_is_true(at(result, "fit.x_k.at_bound")));
    ck_assert_str_eq(text_at(result, "fit.x_k.reason"), "at its bound: the upper limit is one-sided (95 %)");
    json_decref(result);
}
END_TEST

START_TEST(what_is_missing_is_null_and_says_why)
{
    json_t *result = json_of(made_result("bearing", "lvdt", 42, 100), 117);
    ck_assert(null_at(result, "extrema_fit.zeta.value"));
    ck_assert(null_at(result, "extrema_fit.zeta.ci95.0"));
    ck_assert_str_eq(text_at(result, "extrema_fit.verdict"), "too_few_half_cycles");
    ck_assert_str_eq(text_at(result, "extrema_fit.zeta.reason"), verdict_sentence(VERDICT_TOO_FEW_HALF_CYCLES));
    ck_assert(null_at(result, "physical.mass_kg"));
    ck_assert_ptr_nonnull(strstr(text_at(result, "physical.reason"), "mass_kg"));
    ck_assert(null_at(result, "models.1.aicc"));
    ck_assert_str_eq(text_at(result, "models.1.reason"), verdict_sentence(VERDICT_NOT_CONVERGED));
    ck_assert(null_at(result, "decrement.local.1.beta"));
    ck_assert(json_is_string(at(result, "decrement.local.1.reason")));
    check_reasons(result, "result");
    json_decref(result);
}
END_TEST

START_TEST(matrices_are_whole)
{
    json_t *result = json_of(made_result("bearing", "lvdt", 42, 100), 117);
    ck_assert_uint_eq(json_array_size(at(result, "fit.covariance")), 6);
    ck_assert_uint_eq(json_array_size(at(result, "fit.correlation.5")), 6);
    ck_assert_str_eq(text_at(result, "fit.parameters.1"), "zeta");
    ck_assert_double_eq(number_at(result, "fit.covariance.1.1"), 4e-8);
    ck_assert(null_at(result, "fit.covariance.2.2"));
    ck_assert(json_is_string(at(result, "fit.reason")));
    json_decref(result);
}
END_TEST

/* Of before there were runs, delays were kept, or first answers said so, of today, and one that no notification has
 * told of. */
START_TEST(a_text_gets_its_numbers)
{
    static const struct {
        const char *text;
        struct result_numbers numbers;
        const char *whole;
    } cases[] = {
        {"{\"id\":7,\"seq\":null,\"run_id\":3,\"kind\":\"loop\",\"loop\":{\"verdict\":\"pending\"}}",
         {9, 3},
         "{\"id\":7,\"seq\":9,\"run_id\":3,\"kind\":\"loop\",\"provisional\":true,\"loop\":{\"verdict\":\"pending\"}}"},
        {"{\"id\":7,\"seq\":null,\"run_id\":3,\"kind\":\"loop\",\"provisional\":true,\"rig\":\"a\"}",
         {9, 3},
         "{\"id\":7,\"seq\":9,\"run_id\":3,\"kind\":\"loop\",\"provisional\":true,\"rig\":\"a\"}"},
        {"{\"id\":7,\"seq\":null,\"rig\":\"a\",\"reason\":null}",
         {9, 3},
         "{\"id\":7,\"seq\":9,\"run_id\":3,\"kind\":\"free_decay\",\"provisional\":false,\"rig\":\"a\",\"reason\":"
         "null}"},
        {"{\"id\":7,\"seq\":null,\"run_id\":3,\"rig\":\"a\",\"reason\":null}",
         {9, 3},
         "{\"id\":7,\"seq\":9,\"run_id\":3,\"kind\":\"free_decay\",\"provisional\":false,\"rig\":\"a\",\"reason\":"
         "null}"},
        {"{\"id\":7,\"seq\":null,\"rig\":\"a\",\"reason\":\"b\"}",
         {0, 3},
         "{\"id\":7,\"seq\":null,\"run_id\":3,\"kind\":\"free_decay\",\"provisional\":false,\"rig\":\"a\",\"reason\":"
         "\"b\"}"},
        {"{\"id\":7,\"seq\":null,\"run_id\":3,\"kind\":\"bounces\",\"rig\":\"a\",\"reason\":\"b\"}",
         {9, 3},
         "{\"id\":7,\"seq\":9,\"run_id\":3,\"kind\":\"bounces\",\"provisional\":false,\"rig\":\"a\",\"reason\":\"b\"}"},
        {"{\"id\":7,\"seq\":null,\"rig\":\"a\",\"reason\":null}",
         {0, 0},
         "{\"id\":7,\"seq\":null,\"kind\":\"free_decay\",\"provisional\":false,\"rig\":\"a\",\"reason\":\"stored, but "
         "no "
         "notification has told of it\"}"},
        {"{\"id\":7,\"seq\":null,\"reason\":null,\"record\":{\"start_s\":0,\"reason\":null},\"f\":{\"reason\":null}}",
         {9, 3},
         "{\"id\":7,\"seq\":9,\"run_id\":3,\"kind\":\"free_decay\",\"provisional\":false,\"reason\":null,\"record\":{"
         "\"quantity\":"
         "\"displacement\",\"delay_s\":null,\"read_as\":\"\",\"start_s\":0,\"reason\":\"stored before delays were "
         "kept\"},\"f\":"
         "{\"reason\":null}}"},
        {"{\"id\":7,\"seq\":null,\"reason\":null,\"record\":{\"noise\":null,\"reason\":\"not known\"}}",
         {0, 3},
         "{\"id\":7,\"seq\":null,\"run_id\":3,\"kind\":\"free_decay\",\"provisional\":false,\"reason\":\"stored, but "
         "no notification "
         "has told of "
         "it\",\"record\":{\"quantity\":\"displacement\",\"delay_s\":null,\"read_as\":\"\",\"noise\":null,\"reason\":"
         "\"not known\"}}"},
        {"{\"id\":7,\"seq\":null,\"run_id\":3,\"kind\":\"free_decay\",\"record\":{\"quantity\":\"displacement\","
         "\"delay_s\":0.5,\"reason\":null}}",
         {9, 3},
         "{\"id\":7,\"seq\":9,\"run_id\":3,\"kind\":\"free_decay\",\"provisional\":false,\"record\":{\"quantity\":"
         "\"displacement\","
         "\"delay_s\":0.5,\"read_as\":\"\",\"reason\":null}}"},
        {"{\"id\":7,\"seq\":null,\"run_id\":3,\"kind\":\"free_decay\",\"record\":{\"quantity\":\"displacement\","
         "\"delay_s\":0.5,\"read_as\":\"tab\",\"reason\":null}}",
         {9, 3},
         "{\"id\":7,\"seq\":9,\"run_id\":3,\"kind\":\"free_decay\",\"provisional\":false,\"record\":{\"quantity\":"
         "\"displacement\","
         "\"delay_s\":0.5,\"read_as\":\"tab\",\"reason\":null}}"},
        {"{\"id\":7,\"seq\":null,\"run_id\":3,\"kind\":\"free_decay\",\"zeta\":{\"value\":2,\"se\":1,\"ci95\":[0,4],"
         "\"at_bound\":false,\"reason\":null},\"x_k\":{\"value\":0,\"se\":null,\"ci95\":[0,4],\"at_bound\":true,"
         "\"reason\":\"bound\"},\"reason\":null}",
         {9, 3},
         "{\"id\":7,\"seq\":9,\"run_id\":3,\"kind\":\"free_decay\",\"provisional\":false,\"zeta\":{\"value\":2,\"u\":"
         "null,\"ci95\":"
         "[null,null],\"se\":1,\"ci95_statistical\":[0,4],\"at_bound\":false,\"reason\":\"stored before it had a "
         "combined uncertainty beside it\"},\"x_k\":{\"value\":0,\"u\":null,\"ci95\":[null,null],\"se\":null,"
         "\"ci95_statistical\":[0,4],\"at_bound\":true,\"reason\":\"bound\"},\"reason\":null}"},
        {"{\"id\":7,\"seq\":null,\"run_id\":3,\"kind\":\"free_decay\",\"zeta\":{\"value\":2,\"u\":1,\"ci95\":[0,4],"
         "\"se\":1,\"ci95_statistical\":[0,4],\"at_bound\":false,\"reason\":null}}",
         {9, 3},
         "{\"id\":7,\"seq\":9,\"run_id\":3,\"kind\":\"free_decay\",\"provisional\":false,\"zeta\":{\"value\":2,\"u\":1,"
         "\"ci95\":[0,4],"
         "\"se\":1,\"ci95_statistical\":[0,4],\"at_bound\":false,\"reason\":null}}"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char *whole = text_with_numbers(cases[i].text, cases[i].numbers);
        ck_assert_str_eq(whole, cases[i].whole);
        free(whole);
    }
}
END_TEST

START_TEST(a_stored_ladder_without_a_drift_of_zero_gets_none)
{
    char *whole = text_with_numbers("{\"id\":7,\"seq\":null,\"ladder\":{\"zero_steps\":{\"found\":false}}}",
                                    (struct result_numbers){9, 3});
    json_t *result = json_loads(whole, 0, NULL);
    ck_assert_ptr_nonnull(result);
    ck_assert(null_at(result, "ladder.zero_drift.change.value"));
    ck_assert(strstr(whole, "\"zero_drift\":{\"found\":false") != NULL);
    json_decref(result);
    char *again = text_with_numbers(whole, (struct result_numbers){9, 3});
    ck_assert_str_eq(again, whole);
    free(again);
    free(whole);
}
END_TEST

START_TEST(identified_on_request)
{
    json_t *result = json_of(made_result("bearing", "lvdt", 0, 100), 0);
    ck_assert(null_at(result, "id"));
    ck_assert(null_at(result, "seq"));
    ck_assert(null_at(result, "run_id"));
    ck_assert_ptr_nonnull(strstr(text_at(result, "reason"), "on request"));
    json_decref(result);
}
END_TEST

START_TEST(without_recommendation)
{
    struct kept_result *result = made_result("bearing", "lvdt", 5, 100);
    result->identification.recommended = RECOMMENDED_NONE;
    result->identification.verdict = VERDICT_NO_OSCILLATION;
    json_t *summary = result_summary_to_json(result, 9);
    ck_assert(null_at(summary, "recommended"));
    ck_assert(null_at(summary, "model"));
    ck_assert(null_at(summary, "zeta.value"));
    ck_assert_str_eq(text_at(summary, "zeta.reason"), verdict_sentence(VERDICT_NO_OSCILLATION));
    check_reasons(summary, "summary");
    json_decref(summary);
    kept_result_release(result);
}
END_TEST

START_TEST(summary_of_the_recommended_section)
{
    struct kept_result *result = made_result("bearing", "lvdt", 5, 100);
    result->identification.extrema_fit.estimate[FIT_ZETA] = (struct estimate){0.02, 0.001, 0.018, 0.022, false, {0}};
    result->identification.budget.line[BUDGET_ZETA].u = 0.003;
    result->identification.budget.line[BUDGET_X0].u = NAN;
    json_t *summary = result_summary_to_json(result, 9);
    ck_assert_double_eq(number_at(summary, "zeta.value"), 0.0177);
    ck_assert_double_eq(number_at(summary, "u.zeta"), 0.003);
    ck_assert(null_at(summary, "u.x0"));
    check_reasons(summary, "summary");
    ck_assert_int_eq(integer_at(summary, "seq"), 9);
    ck_assert_int_eq(integer_at(summary, "half_cycles"), 19);
    ck_assert(json_is_false(at(summary, "stopped")));
    json_decref(summary);
    result->identification.ladder_stopped = true;
    summary = result_summary_to_json(result, 9);
    ck_assert(json_is_true(at(summary, "stopped")));
    json_decref(summary);
    result->identification.recommended = RECOMMENDED_EXTREMA_FIT;
    summary = result_summary_to_json(result, 9);
    ck_assert_double_eq(number_at(summary, "zeta.value"), 0.02);
    ck_assert_str_eq(text_at(summary, "recommended"), "extrema_fit");
    json_decref(summary);
    kept_result_release(result);
}
END_TEST

/* Both terms are fitted; a summary names those that the record shows, as model_choice does. */
START_TEST(a_summary_names_the_model_that_was_chosen)
{
    struct kept_result *made = made_result("bearing", "lvdt", 5, 100);
    const enum recommended sections[] = {RECOMMENDED_FIT, RECOMMENDED_EXTREMA_FIT};
    for (size_t i = 0; i < 2; i++) {
        made->identification.recommended = sections[i];
        json_t *summary = result_summary_to_json(made, 9), *result = result_to_json(made, 9);
        ck_assert_str_eq(text_at(result, "fit.model"), "viscous");
        ck_assert_str_eq(text_at(result, "fit.fitted"), "viscous+coulomb");
        ck_assert_str_eq(text_at(result, "model_choice.model"), "viscous");
        ck_assert_str_eq(text_at(summary, "model"), "viscous");
        json_decref(result);
        json_decref(summary);
    }
    const double neither[FIT_PARAMETERS] = {[FIT_ZETA] = 1, [FIT_X_K] = 1};
    made->identification.choice = damping_choice_from(DAMPING_VISCOUS_COULOMB, neither);
    json_t *summary = result_summary_to_json(made, 9), *result = result_to_json(made, 9);
    ck_assert(null_at(summary, "model") && null_at(result, "model_choice.model"));
    ck_assert_str_eq(text_at(summary, "reason"), verdict_sentence(VERDICT_UNDECIDED));
    check_reasons(summary, "summary");
    json_decref(result);
    json_decref(summary);
    kept_result_release(made);
}
END_TEST

START_TEST(many_local_values_still_fit_into_a_line)
{
    struct kept_result *result = made_result("bearing", "lvdt", 5, 100);
    struct decrement *decrement = &result->identification.decrement;
    size_t many = 20000;
    free(decrement->local);
    decrement->local = calloc(many, sizeof *decrement->local);
    ck_assert_ptr_nonnull(decrement->local);
    decrement->local_count = many;
    for (size_t i = 0; i < many; i++)
        decrement->local[i] = (struct decrement_local){i, -1.0 / 3.0 * 1e-5, NAN, 2.0 / 3.0 * 1e-5};
    json_t *object = json_of(result, 9);
    char *text = json_dumps(object, JSON_COMPACT);
    ck_assert_uint_lt(strlen(text), 1 << 20);
    ck_assert_int_eq(integer_at(object, "decrement.local_total"), (json_int_t)many);
    ck_assert_uint_eq(json_array_size(at(object, "decrement.local")), SECTION_MAX_LOCAL_VALUES);
    free(text);
    json_decref(object);
}
END_TEST

/* The room that a field takes in its struct; 0: none. */
static size_t room_of(const struct field *field)
{
    switch (field->type) {
    case FIELD_VERDICT:
    case FIELD_NAME:
    case FIELD_INTEGER:
        return sizeof(int);
    case FIELD_ESTIMATE:
        return sizeof(struct estimate);
    case FIELD_INTERVAL:
        return 2 * sizeof(double);
    case FIELD_NUMBERS:
        return field->most * sizeof(double);
    case FIELD_MATRIX:
        return FIT_PARAMETERS * FIT_PARAMETERS * sizeof(double);
    case FIELD_TERMS:
        return sizeof(unsigned);
    case FIELD_FLAG:
        return sizeof(bool);
    case FIELD_RAISED:
    case FIELD_OBJECT:
    case FIELD_OPTIONAL:
        return field->of->size;
    case FIELD_UNIT:
        return sizeof(struct quantity_unit);
    case FIELD_LIST:
        return field->elsewhere ? sizeof(void *) : field->of->size * (field->count > 0 ? field->count : field->most);
    case FIELD_REASON:
        return field->elsewhere ? sizeof(char *) * (field->count > 0 ? field->count : 1) : 0;
    case FIELD_CONSTANT:
    case FIELD_LIMIT:
    case FIELD_PARAMETER_NAMES:
        return 0;
    default:
        return 8;
    }
}

static void check_table(const struct section *section)
{
    ck_assert_ptr_nonnull(section->title);
    struct field_cursor cursor = {0};
    for (size_t i = 0; section_next(section, &cursor); i++) {
        const struct field *field = &cursor.field;
        struct field_cursor other = {0};
        for (size_t j = 0; j < i && section_next(section, &other); j++)
            ck_assert_msg(strcmp(other.field.name, field->name) != 0, "%s: %s twice", section->title, field->name);
        ck_assert_msg(field->offset + room_of(field) <= section->size, "%s: %s lies outside", section->title,
                      field->name);
        ck_assert_msg(field->type != FIELD_NAME || vocabulary_at(field->words, 0), "%s has no words", field->name);
        ck_assert_uint_le(field->since, FRICID_PROTOCOL_MINOR);
        if (field->of)
            check_table(field->of);
    }
}

/* Every field lies within its struct, and no two have one name. */
START_TEST(tables_are_sound)
{
    check_table(&estimate_table);
    check_table(&result_table);
    check_table(&summary_table);
    check_table(&handed_table);
    const struct record_kind *kind;
    for (size_t i = 0; (kind = record_kind_at(i)); i++)
        if (kind->section)
            check_table(kind->section);
}
END_TEST

START_TEST(a_spread_says_why_it_lacks_a_figure)
{
    struct kept_result *made = made_result("bearing", "lvdt", 42, 100);
    struct decrement *decrement = &made->identification.decrement;
    decrement->verdict = VERDICT_UNDERDETERMINED;
    decrement->zeta = (struct decrement_spread){NAN, NAN, 0};
    decrement->x_k = (struct decrement_spread){0.01, NAN, 1};
    json_t *result = json_of(made, 1);
    ck_assert_str_eq(text_at(result, "decrement.zeta.reason"), verdict_sentence(VERDICT_UNDERDETERMINED));
    ck_assert_str_eq(text_at(result, "decrement.x_k.reason"), "one local value has no standard deviation");
    json_decref(result);
}
END_TEST

/* Several reasons of a mode are read one behind the other, and where none of its figures is missing, too. */
START_TEST(reasons_stand_side_by_side)
{
    static struct ring_down found = {
        .mode_count = 2,
        .mode = {{.reason = {[REASON_BACKBONE] = "doubtful", [REASON_STOPPED] = "stopped"}, .reference = "a"},
                 {.reference = "a"}}};
    found.mode[0].iwan.there = found.mode[1].iwan.there = true;
    json_t *result = section_to_json(record_kind_named("ring_down")->section, &found);
    ck_assert_str_eq(text_at(result, "ring_down.modes.0.reason"), "doubtful; stopped");
    ck_assert(null_at(result, "ring_down.modes.1.reason"));
    json_decref(result);
}
END_TEST

/* A ladder whose rungs are all there, but for one that failed; the second is chosen. */
static struct ladder *made_ladder(void)
{
    struct ladder *ladder = malloc(sizeof *ladder);
    ck_assert_ptr_nonnull(ladder);
    ladder_not_made(ladder, VERDICT_OK);
    ladder->chosen = 1;
    ladder->samples = 1700;
    ladder->half_cycles = 17;
    for (size_t n = 0; n < LADDER_RUNGS; n++) {
        struct ladder_model *model = &ladder->models[n];
        if (n == 7) {
            model->verdict = VERDICT_NOT_CONVERGED;
            continue;
        }
        for (enum ladder_parameter p = 0; p < LADDER_PARAMETERS; p++)
            if (ladder_terms_have(model->terms, p))
                model->estimate[p] = (struct estimate){-1.0 / 3 * (1 + p), 1e-6 / 3, -1.0 / 3, 2.0 / 3, false, {0}};
        model->f_n_hz = model->estimate[LADDER_OMEGA_N];
        model->rms = model->aicc = model->criterion = 1.0 / 3;
    }
    ladder_speak(ladder);
    return ladder;
}

START_TEST(a_ladder_says_what_each_rung_found)
{
    struct kept_result *made = made_result("bearing", "lvdt", 42, 100);
    made->identification.ladder = made_ladder();
    const struct ladder_model model = made->identification.ladder->models[1];
    json_t *result = json_of(made, 1), *models = at(result, "ladder.models");
    check_reasons(result, "result");
    ck_assert_uint_eq(json_array_size(models), LADDER_RUNGS);
    ck_assert_int_eq(integer_at(result, "ladder.chosen"), 1);
    json_t *chosen = json_array_get(models, 1), *failed = json_array_get(models, 7);
    for (enum ladder_parameter p = 0; p < LADDER_TERMS; p++) {
        const json_t *estimate = json_object_get(json_object_get(chosen, "estimates"), ladder_parameters[p].name);
        ck_assert_int_eq(json_is_object(estimate), ladder_terms_have(model.terms, p));
        if (json_is_object(estimate))
            ck_assert_double_eq(json_number_value(json_object_get(estimate, "value")), model.estimate[p].value);
    }
    ck_assert_str_eq(text_at(chosen, "estimates.f_n.unit"), "Hz");
    ck_assert_str_eq(text_at(chosen, "estimates.x0.unit"), "mm");
    ck_assert_uint_eq(json_array_size(json_object_get(chosen, "terms")), ladder_terms_count(model.terms));
    ck_assert_str_eq(json_string_value(json_object_get(failed, "reason")), verdict_sentence(VERDICT_NOT_CONVERGED));
    ck_assert(null_at(failed, "estimates.f_n"));
    ck_assert_double_eq(number_at(result, "ladder.x0.value"), model.estimate[LADDER_X0].value);
    /* The damping term that it lacks is none, under the limit of a rung that has it. */
    ck_assert(ladder_terms_have(model.terms, LADDER_X_K) && !ladder_terms_have(model.terms, LADDER_ZETA));
    ck_assert_double_eq(number_at(result, "ladder.zeta.value"), 0);
    ck_assert_double_gt(json_number_value(json_array_get(at(result, "ladder.zeta.ci95_statistical"), 1)), -1.0 / 3);
    json_decref(result);
}
END_TEST

/* Two channels with units of their own: nothing is null without a reason, and each figure has its unit. */
START_TEST(a_joint_fit_says_what_is_whose)
{
    struct kept_result *made = made_result("bearing", "encoder", 42, 100);
    struct kept_joint *joint = made->joint = calloc(1, sizeof *made->joint);
    ck_assert_ptr_nonnull(joint);
    joint_not_made(&joint->found, 2, VERDICT_OK);
    joint->found.terms = LADDER_BIT(LADDER_ZETA) | LADDER_BIT(LADDER_X_K);
    joint->found.estimate[LADDER_ZETA] = (struct estimate){.value = 0, .se = NAN, .high = 0.25, .at_bound = true};
    joint->found.estimate[LADDER_X_K] = (struct estimate){0.5, 0.25, 0, 1, false, {0}};
    joint->found.channels[0].gain = (struct estimate){1, NAN, NAN, NAN, false, {0}};
    joint->found.channels[1].gain = (struct estimate){2, 0.5, 1, 3, false, {0}};
    joint->found.contradiction = (struct joint_contradiction){true, LADDER_OMEGA_N, 0, 1, 4.5, 4, 3.3};
    joint->channels[0] = (struct kept_joint_channel){.id = 41, .channel = "lvdt", .unit = "mm", .delay_s = NAN};
    joint->channels[1] =
        (struct kept_joint_channel){.id = 42, .channel = "encoder", .unit = "rad", .gain_unit = "rad/mm"};
    json_t *result = json_of(made, 1), *channels = at(result, "joint.channels");
    check_reasons(result, "result");
    ck_assert_str_eq(text_at(result, "joint.reference"), "lvdt");
    ck_assert_str_eq(text_at(result, "joint.estimates.x_k.unit"), "mm");
    ck_assert(json_is_true(at(result, "joint.estimates.zeta.at_bound")));
    ck_assert(null_at(result, "joint.estimates.drag"));
    ck_assert_uint_eq(json_array_size(channels), 2);
    ck_assert_str_eq(text_at(json_array_get(channels, 1), "gain.unit"), "rad/mm");
    ck_assert_double_eq(number_at(json_array_get(channels, 1), "gain.se"), 0.5);
    ck_assert_str_eq(text_at(result, "joint.contradiction.figure"), "f_n");
    ck_assert_str_eq(text_at(result, "joint.contradiction.other"), "encoder");
    json_decref(result);
}
END_TEST

/* Some thousand results of a page are held at once, and each is sent as one line. */
START_TEST(a_ladder_leaves_a_result_short)
{
    struct kept_result *made = made_result("bearing", "lvdt", 42, 100);
    json_t *without = result_to_json(made, 1);
    made->identification.ladder = made_ladder();
    json_t *with = json_of(made, 1);
    char *shorter = json_dumps(without, JSON_COMPACT), *longer = json_dumps(with, JSON_COMPACT);
    ck_assert_uint_lt(strlen(longer) - strlen(shorter), 48 << 10);
    free(shorter);
    free(longer);
    json_decref(without);
    json_decref(with);
}
END_TEST

START_TEST(a_first_answer_says_that_the_ladder_follows)
{
    struct kept_result *made = made_result("bearing", "lvdt", 42, 100);
    json_t *result = json_of(made, 1);
    ck_assert_str_eq(text_at(result, "ladder.verdict"), "not_computed");
    ck_assert_ptr_nonnull(strstr(text_at(result, "ladder.reason"), "ladder_deadline_s"));
    ck_assert_uint_eq(json_array_size(at(result, "ladder.models")), 0);
    ck_assert(null_at(result, "ladder.chosen"));
    ck_assert(json_is_false(at(result, "provisional")));
    json_decref(result);
    made = made_result("bearing", "lvdt", 42, 100);
    made->identification.ladder_follows = true;
    result = json_of(made, 1);
    ck_assert_str_eq(text_at(result, "ladder.verdict"), "pending");
    ck_assert_ptr_nonnull(strstr(text_at(result, "ladder.reason"), "a higher revision"));
    ck_assert(json_is_true(at(result, "provisional")));
    json_decref(result);
    made = made_result("bearing", "lvdt", 42, 100);
    made->identification.recommended = RECOMMENDED_NONE;
    made->identification.verdict = VERDICT_NO_OSCILLATION;
    result = json_of(made, 1);
    ck_assert_str_eq(text_at(result, "ladder.verdict"), "no_oscillation");
    json_decref(result);
}
END_TEST

START_TEST(times_of_day)
{
    static const struct {
        int64_t ns;
        const char *text;
    } times[] = {
        {0, "1970-01-01T00:00:00.000000Z"},
        {999, "1970-01-01T00:00:00.000000Z"},
        {1500, "1970-01-01T00:00:00.000001Z"},
        {-1, "1969-12-31T23:59:59.999999Z"},
        {951782400000000000, "2000-02-29T00:00:00.000000Z"},
    };
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        json_t *time = time_to_json(times[i].ns);
        ck_assert_str_eq(json_string_value(time), times[i].text);
        json_decref(time);
    }
    json_t *unknown = time_to_json(INT64_MIN);
    ck_assert(json_is_null(unknown));
    json_decref(unknown);
}
END_TEST

START_TEST(file_names_may_be_anything)
{
    json_t *text = text_to_json("m\xc3\xa4rz.csv");
    ck_assert_str_eq(json_string_value(text), "m\xc3\xa4rz.csv");
    json_decref(text);
    text = text_to_json("m\xe4rz.csv");
    ck_assert_str_eq(json_string_value(text), "m?rz.csv");
    json_decref(text);
}
END_TEST

START_TEST(numbers_without_json_are_null)
{
    const double numbers[] = {NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < 3; i++) {
        json_t *number = number_to_json(numbers[i]);
        ck_assert(json_is_null(number));
        json_decref(number);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("result_json");
    TCase *results = tcase_create("results");
    tcase_add_test(results, identity);
    tcase_add_test(results, a_text_gets_its_numbers);
    tcase_add_test(results, record);
    tcase_add_test(results, a_whole_record_tells_what_the_identification_saw);
    tcase_add_test(results, names_what_disturbed_the_sensor);
    tcase_add_test(results, tells_how_far_the_result_can_be_trusted);
    tcase_add_test(results, says_what_physical_quantities_lack);
    tcase_add_test(results, time_stamps_have_no_rate);
    tcase_add_test(results, an_estimate_with_its_uncertainty);
    tcase_add_test(results, an_estimate_at_its_bound);
    tcase_add_test(results, what_is_missing_is_null_and_says_why);
    tcase_add_test(results, matrices_are_whole);
    tcase_add_test(results, a_stored_ladder_without_a_drift_of_zero_gets_none);
    tcase_add_test(results, identified_on_request);
    tcase_add_test(results, without_recommendation);
    tcase_add_test(results, summary_of_the_recommended_section);
    tcase_add_test(results, a_summary_names_the_model_that_was_chosen);
    tcase_add_test(results, tables_are_sound);
    tcase_add_test(results, a_spread_says_why_it_lacks_a_figure);
    tcase_add_test(results, reasons_stand_side_by_side);
    tcase_add_test(results, many_local_values_still_fit_into_a_line);
    tcase_add_test(results, a_ladder_says_what_each_rung_found);
    tcase_add_test(results, a_joint_fit_says_what_is_whose);
    tcase_add_test(results, a_ladder_leaves_a_result_short);
    tcase_add_test(results, a_first_answer_says_that_the_ladder_follows);
    suite_add_tcase(suite, results);
    TCase *values = tcase_create("values");
    tcase_add_test(values, times_of_day);
    tcase_add_test(values, file_names_may_be_anything);
    tcase_add_test(values, numbers_without_json_are_null);
    suite_add_tcase(suite, values);
    return run_suite(suite);
}
