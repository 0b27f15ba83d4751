/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several runs of one contact, each with an offset and a state of its own, fitted together. */
#include "driven_contact.h"
#include "identify/loop/friction_ladder.h"
#include "identify/loop/loop_parts.h"
#include "run_suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* LuGre at a constant speed. */
static const struct driven_contact lugre = {.f_c = 3,
                                            .x_d = 2e-5,
                                            .ratio = 0.5,
                                            .v_s = 1e-3,
                                            .exponent = 2,
                                            .sigma_1 = 400,
                                            .sigma_2 = 150,
                                            .triangle = true,
                                            .phase = 0.1,
                                            .amplitude = 2e-4,
                                            .shrink = 1,
                                            .cycles = 4,
                                            .samples_a_cycle = 301,
                                            .noise = 0.01};

enum { RUNS = 5 };

/* Speeds of 0.3 to 6 v_s, which the amplitude makes of these. */
static const double speeds[RUNS] = {0.3e-3, 0.8e-3, 1.5e-3, 3e-3, 6e-3}, offsets[RUNS] = {0, 6, -3, 1.5, 9};

static struct driven_record run_of(size_t k)
{
    struct driven_contact contact = lugre;
    contact.frequency = speeds[k] / (4 * contact.amplitude);
    contact.f_0 = offsets[k];
    contact.seed = (unsigned)k + 4;
    return driven_contact_record(&contact);
}

static void assert_known(const struct friction_ladder *ladder, enum friction_parameter p, double truth, double share)
{
    const struct friction_figure *figure = &ladder->figure[p];
    ck_assert_msg(fabs(figure->value - truth) < 4 * figure->se && figure->se < share * truth, "%s: %g(%g), not %g",
                  friction_parameters[p].name, figure->value, figure->se, truth);
}

/* None of them tells the dip, or a damping from the level: all together tell all. */
START_TEST(runs_tell_together_what_none_does)
{
    struct driven_record record[RUNS];
    struct loop_signal signals[RUNS];
    struct friction_ladder ladder;
    struct loop_join join;
    for (size_t k = 0; k < RUNS; k++) {
        record[k] = run_of(k);
        signals[k] = record[k].signal;
    }
    ck_assert_int_eq(friction_ladder_identify(&signals[1], NULL, &ladder), VERDICT_OK);
    ck_assert(isnan(ladder.figure[FRICTION_V_S].value) && isnan(ladder.figure[FRICTION_SIGMA_1].value));
    ck_assert_uint_eq(ladder.parts, 1);
    ck_assert_int_eq(loop_join(signals, RUNS, &join), 0);
    ck_assert_int_eq(friction_ladder_identify(&join.signal, NULL, &ladder), VERDICT_OK);
    ck_assert_uint_eq(ladder.parts, RUNS);
    ck_assert_str_eq(friction_row_name((size_t)ladder.model), "dahl+viscous+stribeck+bristle");
    ck_assert(!ladder.lacks_fit);
    ck_assert_double_eq_tol(ladder.rms, 0.03, 0.001);
    assert_known(&ladder, FRICTION_F_C, 3, 0.01);
    assert_known(&ladder, FRICTION_X_D, 2e-5, 0.01);
    assert_known(&ladder, FRICTION_SIGMA_0, 1.5e5, 0.01);
    assert_known(&ladder, FRICTION_F_S, 4.5, 0.01);
    assert_known(&ladder, FRICTION_V_S, 1e-3, 0.005);
    assert_known(&ladder, FRICTION_SIGMA_1, 400, 0.01);
    assert_known(&ladder, FRICTION_SIGMA_2, 150, 0.02);
    ck_assert_double_le(fabs(ladder.figure[FRICTION_F_0].value), 4 * ladder.figure[FRICTION_F_0].se);
    loop_join_clear(&join);
    for (size_t k = 0; k < RUNS; k++)
        free(record[k].room);
}
END_TEST

/* A gap is longer than a tenth of a cycle; samples that are missing for less leave a signal whole. */
START_TEST(a_signal_is_cut_at_its_gaps)
{
    struct driven_contact contact = lugre;
    contact.frequency = 1;
    struct driven_record record = driven_contact_record(&contact);
    const size_t count = record.signal.count, at = 500;
    double *time_s = record.room;
    struct loop_parts parts;
    ck_assert_int_eq(loop_parts_of(&record.signal, &parts), 0);
    ck_assert_uint_eq(parts.count, 1);
    for (size_t i = at; i < count; i++)
        time_s[i] += 0.05;
    ck_assert_int_eq(loop_parts_of(&record.signal, &parts), 0);
    ck_assert_uint_eq(parts.count, 1);
    for (size_t i = at; i < count; i++)
        time_s[i] += 0.2;
    ck_assert_int_eq(loop_parts_of(&record.signal, &parts), 0);
    ck_assert_uint_eq(parts.count, 2);
    ck_assert_uint_eq(parts.part[1].begin, at);
    ck_assert_uint_eq(parts.part[1].end, count);
    const struct loop_signal second = loop_part_signal(&record.signal, &parts.part[1]);
    ck_assert_ptr_eq(second.force, record.signal.force + at);
    free(record.room);
}
END_TEST

START_TEST(signals_of_unlike_channels_are_not_joined)
{
    struct driven_record record = run_of(0);
    struct loop_signal signals[2] = {record.signal, record.signal};
    struct loop_join join;
    signals[1].normal = signals[1].force;
    ck_assert_int_ne(loop_join(signals, 2, &join), 0);
    loop_join_clear(&join);
    free(record.room);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("friction_joint");
    TCase *tests = tcase_create("friction_joint");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, runs_tell_together_what_none_does);
    tcase_add_test(tests, a_signal_is_cut_at_its_gaps);
    tcase_add_test(tests, signals_of_unlike_channels_are_not_joined);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
