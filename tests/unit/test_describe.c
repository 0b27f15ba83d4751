/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "client/describe.h"

#include "run_suite.h"

#include <math.h>

struct words_case {
    const char *given, *wanted;
};

static const struct words_case moments[] = {
    {"2026-11-21T14:00:03.204518Z", "2026-11-21 14:00:03.204 UTC"},
    {"2026-11-21T14:00:03.2Z", "2026-11-21 14:00:03.2 UTC"},
    {"2026-11-21T14:00:03Z", "2026-11-21 14:00:03 UTC"},
    {"2026-11-21T14:00:03+01:00", "2026-11-21T14:00:03+01:00"}, /* not the protocol's: nothing is made up */
    {"2026-11-21", "2026-11-21"},
    {"yesterday", "yesterday"},
    {"", ""},
};

START_TEST(moments_are_utc)
{
    ck_assert_str_eq(describe_moment(moments[_i].given).text, moments[_i].wanted);
}
END_TEST

struct ago_case {
    int64_t age;
    const char *words;
};

static const struct ago_case ages[] = {
    {-5, "just now"},     {0, "just now"},   {1, "1 s ago"},       {59, "59 s ago"},    {60, "1 min ago"},
    {3599, "59 min ago"}, {3600, "1 h ago"}, {172799, "47 h ago"}, {172800, "2 d ago"},
};

START_TEST(ages_are_rounded_down)
{
    /* 2026-11-21T07:05:31Z, from: date -u -d 2026-11-21T07:05:31Z +%s */
    int64_t then = 1795244731;
    ck_assert_str_eq(describe_ago("2026-11-21T07:05:31.999999Z", then + ages[_i].age).text, ages[_i].words);
}
END_TEST

START_TEST(no_age_without_a_moment)
{
    ck_assert_str_eq(describe_ago("soon", 1795244731).text, "");
}
END_TEST

START_TEST(durations)
{
    ck_assert_str_eq(describe_duration(0.4).text, "0 s");
    ck_assert_str_eq(describe_duration(119.9).text, "119 s");
    ck_assert_str_eq(describe_duration(3723).text, "01:02:03");
    ck_assert_str_eq(describe_duration(3 * 86400 + 4 * 3600 + 12 * 60 + 59).text, "3 d 04:12");
    ck_assert_str_eq(describe_duration(-1).text, "an unknown time");
    ck_assert_str_eq(describe_duration(NAN).text, "an unknown time");
    ck_assert_str_eq(describe_duration(INFINITY).text, "an unknown time");
}
END_TEST

START_TEST(magnitudes)
{
    ck_assert_str_eq(describe_rate(10000).text, "10 kS/s");
    ck_assert_str_eq(describe_rate(1131.22).text, "1.131 kS/s");
    ck_assert_str_eq(describe_rate(250).text, "250 S/s");
    ck_assert_str_eq(describe_rate(0.5).text, "0.5 S/s");
    ck_assert_str_eq(describe_bytes(0).text, "0 B");
    ck_assert_str_eq(describe_bytes(41e6).text, "41 MB");
    ck_assert_str_eq(describe_bytes(999.7).text, "1 kB");
    ck_assert_str_eq(describe_bytes(NAN).text, "an unknown number of B");
}
END_TEST

START_TEST(counters)
{
    json_t *drops = json_pack("{s:i, s:i, s:i, s:s}", "too_short", 2, "clipped", 0, "gap", 1, "words", "x");
    ck_assert_str_eq(describe_counters(drops).text, "2 too_short, 1 gap");
    ck_assert_str_eq(describe_counters(NULL).text, "");
    json_decref(drops);
}
END_TEST

START_TEST(states)
{
    const struct glyphs *glyphs = glyphs_for(true);
    json_t *state = json_pack("{s:s, s:i, s:f, s:f, s:f, s:f}", "phase", "decaying", "half_cycle", 14, "amplitude",
                              3.2142, "frequency_hz", 5.5204, "displacement", 0.51234, "noise_floor", 0.00211);
    ck_assert_str_eq(describe_state(state, "mm", glyphs).text, "decaying, half cycle 14, 3.21 mm, 5.52 Hz");
    json_object_set_new(state, "phase", json_string("idle"));
    ck_assert_str_eq(describe_state(state, "mm", glyphs).text, "idle at 0.512 mm, noise floor 0.0021 mm");
    json_object_set_new(state, "phase", json_string("held"));
    ck_assert_str_eq(describe_state(state, "mm", glyphs).text, "held at 0.512 mm, noise floor 0.0021 mm");
    json_object_set_new(state, "phase", json_string("driven"));
    json_object_set_new(state, "loop",
                        json_pack("{s:s, s:i, s:f, s:f, s:f}", "columns", "displacement_m,force_n,time_s", "number", 17,
                                  "energy", 0.0072, "stroke", 0.002, "period_s", 0.25));
    ck_assert_str_eq(describe_state(state, "mm", glyphs).text,
                     "driven, loop 17: 0.007200 J over 0.002000 m in 0.2500 s");
    json_object_set_new(state, "phase", json_string("dreaming"));
    ck_assert_str_eq(describe_state(state, "mm", glyphs).text, "dreaming");
    ck_assert_str_eq(describe_state(NULL, "mm", glyphs).text, "--");
    json_decref(state);
}
END_TEST

START_TEST(simulated_is_said_aloud)
{
    json_t *source = json_pack("{s:s}", "kind", "simulated");
    ck_assert_str_eq(describe_source_kind(source), "SIMULATED");
    json_object_set_new(source, "kind", json_string("comedi"));
    ck_assert_str_eq(describe_source_kind(source), "comedi");
    ck_assert_str_eq(describe_source_kind(NULL), "source unknown");
    json_decref(source);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("describe");
    TCase *describe = tcase_create("describe");
    tcase_add_loop_test(describe, moments_are_utc, 0, sizeof moments / sizeof moments[0]);
    tcase_add_loop_test(describe, ages_are_rounded_down, 0, sizeof ages / sizeof ages[0]);
    tcase_add_test(describe, no_age_without_a_moment);
    tcase_add_test(describe, durations);
    tcase_add_test(describe, magnitudes);
    tcase_add_test(describe, counters);
    tcase_add_test(describe, states);
    tcase_add_test(describe, simulated_is_said_aloud);
    suite_add_tcase(suite, describe);
    return run_suite(suite);
}
