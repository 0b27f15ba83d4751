/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several runs of one contact, each with an offset and a state of its own, fitted together. */
#include "driven_contact.h"
#include "identify/loop/friction_ladder.h"
#include "identify/loop/loop_parts.h"
#include "run_suite.h"

#include <math.h>
#include <stdlib.h>

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

static struct driven_record run_at(size_t k, double speed)
{
    struct driven_contact contact = lugre;
    contact.frequency = speed / (4 * contact.amplitude);
    contact.f_0 = offsets[k];
    contact.seed = (unsigned)k + 4;
    return driven_contact_record(&contact);
}

static struct driven_record run_of(size_t k)
{
    return run_at(k, speeds[k]);
}

static void assert_known(const struct friction_ladder *ladder, enum friction_parameter p, double truth, double share)
{
    const struct friction_figure *figure = &ladder->figure[p];
    ck_assert_msg(fabs(figure->value - truth) < 4 * figure->se && figure->se < share * truth, "%s: %g(%g), not %g",
                  friction_parameters[p].name, figure->value, figure->se, truth);
}

/* The runs one behind the other, with gaps in between that are longer than any of them; to be freed. */
static double *join(const struct driven_record *record, struct loop_signal *signal)
{
    size_t samples = 0, at = 0;
    double begin_s = 0;
    for (size_t k = 0; k < RUNS; k++)
        samples += record[k].signal.count;
    double *room = calloc(3 * samples, sizeof *room);
    ck_assert_ptr_nonnull(room);
    for (size_t k = 0; k < RUNS; k++) {
        const struct loop_signal *run = &record[k].signal;
        for (size_t i = 0; i < run->count; i++, at++) {
            room[at] = begin_s + run->time_s[i];
            room[samples + at] = run->displacement[i];
            room[2 * samples + at] = run->force[i];
        }
        begin_s = room[at - 1] + 100;
    }
    *signal = (struct loop_signal){
        .time_s = room, .displacement = room + samples, .force = room + 2 * samples, .count = samples};
    ck_assert_int_eq(loop_signal_look(signal), 0);
    return room;
}

/* None of them tells the dip, or a damping from the level: all together tell all. */
static void assert_offsets(const struct friction_ladder *ladder, size_t from)
{
    for (size_t k = from; k < RUNS; k++) {
        const struct friction_figure *offset = &ladder->offsets.part[k].figure;
        ck_assert_msg(fabs(offset->value - offsets[k]) < 4 * offset->se && offset->se > 0, "%zu: %g(%g)", k,
                      offset->value, offset->se);
    }
}

START_TEST(runs_tell_together_what_none_does)
{
    struct driven_record record[RUNS];
    struct loop_signal joined;
    struct friction_ladder ladder;
    for (size_t k = 0; k < RUNS; k++)
        record[k] = run_of(k);
    ck_assert_int_eq(friction_ladder_identify(&record[1].signal, NULL, &ladder), VERDICT_OK);
    ck_assert(isnan(ladder.figure[FRICTION_V_S].value) && isnan(ladder.figure[FRICTION_SIGMA_1].value));
    ck_assert_uint_eq(ladder.parts, 1);
    double *room = join(record, &joined);
    ck_assert_int_eq(friction_ladder_identify(&joined, NULL, &ladder), VERDICT_OK);
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
    ck_assert_uint_eq(ladder.offsets.count, RUNS);
    for (size_t k = 0; k < RUNS; k++) {
        const struct friction_figure *offset = &ladder.offsets.part[k].figure;
        ck_assert_msg(fabs(offset->value - offsets[k]) < 4 * offset->se && offset->se < 0.005, "%zu: %g(%g)", k,
                      offset->value, offset->se);
    }
    free(room);
    for (size_t k = 0; k < RUNS; k++)
        free(record[k].room);
}
END_TEST

/* A run that is sixty times slower than another one does not rest, wherever each is, and one that rests throughout has
 * no offset: the others keep their places. */
START_TEST(a_slow_run_is_told_from_one_at_rest)
{
    static const double of_run[RUNS] = {0.1e-3, 0.8e-3, 1.5e-3, 3e-3, 6e-3};
    struct driven_record record[RUNS];
    struct loop_signal joined;
    struct friction_ladder ladder;
    for (size_t k = 0; k < RUNS; k++)
        record[k] = run_at(k, of_run[k]);
    double *room = join(record, &joined);
    const size_t length = record[0].signal.count;
    for (size_t i = 0; i < length; i++)
        room[joined.count + i] += 0.1;
    ck_assert_int_eq(friction_ladder_identify(&joined, NULL, &ladder), VERDICT_OK);
    ck_assert_uint_eq(ladder.parts, RUNS);
    assert_known(&ladder, FRICTION_F_C, 3, 0.01);
    assert_known(&ladder, FRICTION_F_S, 4.5, 0.01);
    assert_known(&ladder, FRICTION_V_S, 1e-3, 0.005);
    assert_offsets(&ladder, 0);
    for (size_t i = 0; i < length; i++)
        room[joined.count + i] = 1e-4 + 1e-7 * sin((double)i);
    ck_assert_int_eq(friction_ladder_identify(&joined, NULL, &ladder), VERDICT_OK);
    ck_assert_uint_eq(ladder.parts, RUNS);
    ck_assert_uint_eq(ladder.parts_left_out, 0);
    ck_assert_uint_eq(ladder.offsets.count, RUNS);
    ck_assert(isnan(ladder.offsets.part[0].figure.value) && ladder.offsets.part[0].figure.reason);
    assert_offsets(&ladder, 1);
    free(room);
    for (size_t k = 0; k < RUNS; k++)
        free(record[k].room);
}
END_TEST

/* No more than 16 parts are looked at, nor such as tell no motion; how many are not is told. */
START_TEST(parts_that_are_left_out_are_counted)
{
    enum { CUTS = 20, SHORT = 10 };
    struct driven_contact contact = lugre;
    contact.frequency = 1;
    contact.cycles = CUTS;
    struct driven_record record = driven_contact_record(&contact);
    const size_t count = record.signal.count, every = count / CUTS;
    double *time_s = record.room;
    struct loop_parts parts;
    for (size_t i = 0; i < count; i++)
        time_s[i] += (double)(i / every) + (i >= every - SHORT ? 1 : 0);
    ck_assert_int_eq(loop_parts_of(&record.signal, &parts), 0);
    ck_assert_uint_eq(parts.count, LOOP_PARTS);
    ck_assert_uint_eq(parts.part[1].begin, every);
    ck_assert_uint_eq(parts.count + parts.left_out, (count + every - 1) / every + 1);
    free(record.room);
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

/* The second half of every cycle, and then slow cycles, are sampled more rarely: no step of these is a gap, and one
 * that is missing among them is, as well as those beside a lone sample. */
START_TEST(sampling_that_becomes_slower_is_no_gap)
{
    enum { CYCLES = 10, DENSE = 400, SPARSE = 20, SLOW = 200, MOST = CYCLES * (DENSE + SPARSE) + 5 * SLOW + 1 };
    static double t[MOST], x[MOST], f[MOST];
    size_t count = 0;
    for (size_t k = 0; k < CYCLES; k++)
        for (size_t i = 0; i < DENSE + SPARSE; i++)
            t[count++] = (double)k + (i < DENSE ? 0.5 * (double)i / DENSE : 0.5 + 0.5 * (double)(i - DENSE) / SPARSE);
    for (size_t i = 0; i < (size_t)5 * SLOW; i++)
        t[count++] = CYCLES + 50 * (double)i / SLOW;
    for (size_t i = 0; i < count; i++) {
        const double phase = 2 * M_PI * (t[i] < CYCLES ? t[i] : t[i] / 50);
        x[i] = -cos(phase);
        f[i] = tanh(20 * sin(phase));
    }
    struct loop_signal signal = {.time_s = t, .displacement = x, .force = f, .count = count};
    struct loop_parts parts;
    ck_assert_int_eq(loop_signal_look(&signal), 0);
    ck_assert_int_eq(loop_parts_of(&signal, &parts), 0);
    ck_assert_uint_eq(parts.count, 1);
    const size_t at[] = {5 * (DENSE + SPARSE) + 100, CYCLES * (DENSE + SPARSE) + 2 * SLOW};
    for (size_t k = 0; k < 2; k++)
        for (size_t i = at[k]; i < count; i++)
            t[i] += k == 0 ? 0.7 : 20;
    for (size_t i = at[0] + 1; i < count; i++)
        t[i] += 0.7;
    ck_assert_int_eq(loop_parts_of(&signal, &parts), 0);
    ck_assert_uint_eq(parts.count, 3);
    ck_assert_uint_eq(parts.part[0].end, at[0]);
    ck_assert_uint_eq(parts.part[1].begin, at[0] + 1);
    ck_assert_uint_eq(parts.part[2].begin, at[1]);
}
END_TEST

/* What no model has repeats in each run, and is another thing in the next: taken for scatter of the loops it hid
 * itself.
 */
START_TEST(misfit_of_each_run_is_seen)
{
    struct driven_record record[RUNS];
    struct loop_signal joined;
    struct friction_ladder ladder;
    for (size_t k = 0; k < RUNS; k++) {
        record[k] = run_of(k);
        const struct loop_signal *run = &record[k].signal;
        double *force = record[k].room + 2 * run->count;
        for (size_t i = 0; i < run->count; i++)
            force[i] += (k % 2 ? -0.05 : 0.05) * lugre.f_c * sin(3 * M_PI * run->displacement[i] / lugre.amplitude);
    }
    double *room = join(record, &joined);
    ck_assert_int_eq(friction_ladder_identify(&joined, NULL, &ladder), VERDICT_OK);
    ck_assert_msg(ladder.lacks_fit, "%g, expected below %g", ladder.lack_of_fit, ladder.lack_of_fit_expected);
    free(room);
    for (size_t k = 0; k < RUNS; k++)
        free(record[k].room);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("friction_joint");
    TCase *tests = tcase_create("friction_joint");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, runs_tell_together_what_none_does);
    tcase_add_test(tests, misfit_of_each_run_is_seen);
    tcase_add_test(tests, a_slow_run_is_told_from_one_at_rest);
    tcase_add_test(tests, a_signal_is_cut_at_its_gaps);
    tcase_add_test(tests, sampling_that_becomes_slower_is_no_gap);
    tcase_add_test(tests, parts_that_are_left_out_are_counted);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
