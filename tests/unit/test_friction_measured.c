/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A mass on measured contacts that stick and slip: what holds it while it sticks is no friction that its motion tells.
 */
#include "identify/loop/friction_ladder.h"
#include "identify/loop/local_cubic.h"
#include "run_suite.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

enum { MOST = 4000, HALF = 5 };

/* The frame of Marino and Cicirello 2023: mass, damping and stiffness of the header, and the contact's normal force. */
static const double mass_kg = 3.0799, damping_n_s_per_m = 0.6690, stiffness_n_per_m = 1191, gravity_m_per_s2 = 9.81;

struct frame {
    double time_s[MOST], top_m[MOST], base_m[MOST], force_n[MOST];
    size_t count;
};

static bool read_rows(const char *path, struct frame *frame)
{
    FILE *file = fopen(path, "r");
    char line[256];
    if (!file)
        return false;
    for (frame->count = 0; frame->count < MOST && fgets(line, sizeof line, file);) {
        const size_t i = frame->count;
        frame->count += sscanf(line, "%lf,%lf,%lf", &frame->time_s[i], &frame->top_m[i], &frame->base_m[i]) == 3;
    }
    fclose(file);
    return frame->count > 0;
}

/* What is left of M x'' + C (x' - y') + K (x - y). */
static void find_force(struct frame *frame)
{
    const struct cubic_series top = {frame->time_s, frame->top_m, frame->count, 0, NULL},
                              base = {frame->time_s, frame->base_m, frame->count, 0, NULL};
    for (size_t i = 0; i < frame->count; i++) {
        const struct local_cubic x = local_cubic_at(&top, i, HALF), y = local_cubic_at(&base, i, HALF);
        frame->force_n[i] = -(mass_kg * x.curvature + damping_n_s_per_m * (x.slope - y.slope) +
                              stiffness_n_per_m * (frame->top_m[i] - frame->base_m[i]));
    }
}

static struct friction_ladder ladder_of(const char *path)
{
    static struct frame frame;
    struct friction_ladder ladder;
    ck_assert(read_rows(path, &frame));
    find_force(&frame);
    struct loop_signal signal = {
        .time_s = frame.time_s, .displacement = frame.top_m, .force = frame.force_n, .count = frame.count};
    ck_assert_int_eq(loop_signal_look(&signal), 0);
    ck_assert_int_eq(friction_ladder_identify(&signal, NULL, &ladder), VERDICT_OK);
    /* It sticks for half of the time and more. */
    ck_assert_uint_lt(ladder.samples, frame.count * 6 / 10);
    return ladder;
}

START_TEST(slip_tells_the_friction_of_a_mass_that_sticks)
{
    static const struct {
        const char *path;
        double normal_kg, f_c, f_0;
    } rows[] = {{SHARED_DATA "/friction/marino_frame_350g.csv", 0.350, 0.975, 0.150},
                {SHARED_DATA "/friction/marino_frame_550g.csv", 0.550, 1.528, -0.040}};
    double mu[2];
    for (int k = 0; k < 2; k++) {
        const struct friction_ladder ladder = ladder_of(rows[k].path);
        ck_assert_double_eq_tol(ladder.figure[FRICTION_F_C].value, rows[k].f_c, 0.03 * rows[k].f_c);
        ck_assert_double_eq_tol(ladder.figure[FRICTION_F_0].value, rows[k].f_0, 0.01);
        ck_assert(isnan(ladder.figure[FRICTION_X_D].value) && isnan(ladder.figure[FRICTION_SIGMA_1].value));
        mu[k] = ladder.figure[FRICTION_F_C].value / (rows[k].normal_kg * gravity_m_per_s2);
    }
    ck_assert_double_eq_tol(mu[0] / mu[1], 1, 0.03);
}
END_TEST

/* A dip that vanishes is a ten-thousandth of the level at its bound, and what slips is never at its level at once. */
static bool contains(const struct friction_rung *full, const struct friction_rung *simple)
{
    const struct friction_row *of = &friction_rows[full->row];
    return full != simple && simple->verdict == VERDICT_OK && !(of->terms & FRICTION_BIT(FRICTION_ATTRACTION)) &&
           friction_row_contains(&friction_rows[simple->row], of);
}

/* Bouc and Wen's shape begins nowhere near that of a contact which is rigid; Dahl's ends near, and is one of that. */
START_TEST(no_model_leaves_more_than_one_that_it_contains)
{
    const struct friction_ladder ladder = ladder_of(SHARED_DATA "/friction/marino_frame_550g.csv");
    for (size_t full = 0; full < ladder.count; full++)
        for (size_t simple = 0; simple < ladder.count; simple++)
            ck_assert_msg(!contains(&ladder.rung[full], &ladder.rung[simple]) ||
                              ladder.rung[full].rms < 1.0002 * ladder.rung[simple].rms,
                          "%s: %g, %s: %g", friction_row_name((size_t)ladder.rung[full].row), ladder.rung[full].rms,
                          friction_row_name((size_t)ladder.rung[simple].row), ladder.rung[simple].rms);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("friction_measured");
    TCase *tests = tcase_create("friction_measured");
    FILE *there = fopen(SHARED_DATA "/friction/marino_frame_350g.csv", "r");
    if (!there) {
        printf("SKIP: the measured records in ../shared are not here\n");
        return TEST_SKIPPED;
    }
    fclose(there);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, slip_tells_the_friction_of_a_mass_that_sticks);
    tcase_add_test(tests, no_model_leaves_more_than_one_that_it_contains);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
