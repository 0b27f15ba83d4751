/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fits of friction models to loops that were computed by steps of their own: a contact's force by ever smaller steps.
 */
#include "identify/loop/friction_ladder.h"
#include "identify/loop/friction_search.h"
#include "run_suite.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A driven contact, by its own equation dzeta = (1 - sense zeta/S) dx/x_d in many small steps. */
struct contact {
    double f_c, x_d, ratio, v_s, exponent, sigma_1, sigma_2, k_x, f_0;
    double amplitude, frequency, shrink; /* of the last cycle against the first */
    size_t cycles, samples_a_cycle;
    double noise;
    unsigned seed;
};

enum { FINE = 400 };

static double normal(unsigned *seed)
{
    double sum = 0;
    for (int k = 0; k < 12; k++)
        sum += (double)rand_r(seed) / RAND_MAX;
    return sum - 6;
}

struct driven {
    struct loop_signal signal;
    double *room;
};

static double motion_at(const struct contact *c, double t, double *v)
{
    const double omega = 2 * M_PI * c->frequency, length = (double)c->cycles / c->frequency;
    const double rate = (c->shrink - 1) / length, a = c->amplitude * (1 + rate * t);
    *v = -c->amplitude * rate * cos(omega * t) + a * omega * sin(omega * t);
    return -a * cos(omega * t);
}

static double level_at(const struct contact *c, double v)
{
    return 1 + c->ratio * (c->ratio > 0 ? exp(-pow(fabs(v) / c->v_s, c->exponent)) : 0);
}

static struct driven drive(const struct contact *c)
{
    const size_t count = c->cycles * c->samples_a_cycle + 1;
    struct driven d = {.room = calloc(3 * count, sizeof(double))};
    double *time = d.room, *x = d.room + count, *force = d.room + 2 * count;
    unsigned seed = c->seed;
    double zeta = 0, v, before = motion_at(c, 0, &v);
    ck_assert_ptr_nonnull(d.room);
    const double step = 1 / c->frequency / (double)c->samples_a_cycle;
    for (size_t i = 0; i < count; i++) {
        for (int k = 1; i > 0 && k <= FINE; k++) {
            const double h = step / FINE, now = motion_at(c, ((double)i - 1) * step + k * h, &v);
            const double way = fabs(now - before), sense = now < before ? -1 : 1;
            double unused;
            motion_at(c, ((double)i - 1) * step + (k - 0.5) * h, &unused);
            const double goal = sense * level_at(c, unused);
            zeta = goal + (zeta - goal) * exp(-way / c->x_d / level_at(c, unused));
            before = now;
        }
        time[i] = (double)i * step;
        x[i] = motion_at(c, time[i], &v);
        const double slope = 1 - (v < 0 ? -1 : 1) * zeta / level_at(c, v);
        force[i] = c->f_c * zeta + c->sigma_1 * v * slope + c->sigma_2 * v + c->k_x * x[i] + c->f_0 +
                   c->noise * c->f_c * normal(&seed);
    }
    d.signal = (struct loop_signal){.time_s = time, .displacement = x, .force = force, .count = count};
    ck_assert_int_eq(loop_signal_look(&d.signal), 0);
    return d;
}

static const struct friction_row lugre = {NULL, FRICTION_DAHL,
                                          FRICTION_BIT(FRICTION_VISCOUS) | FRICTION_BIT(FRICTION_STRIBECK) |
                                              FRICTION_BIT(FRICTION_BRISTLE)};

static const struct contact made = {.f_c = 3,
                                    .x_d = 2e-5,
                                    .ratio = 0.5,
                                    .v_s = 1.2e-3,
                                    .exponent = 2,
                                    .sigma_1 = 40,
                                    .sigma_2 = 100,
                                    .f_0 = 0.4,
                                    .amplitude = 2e-4,
                                    .frequency = 1,
                                    .shrink = 0.3,
                                    .cycles = 6,
                                    .samples_a_cycle = 300};

/* What a fit says in the units of the record. */
static double figure(const struct friction_motion *m, const struct friction_fit *fit, enum friction_column c)
{
    const double *value = fit->point.value;
    switch (c) {
    case COLUMN_F_C:
    case COLUMN_F_0:
        return value[c] * m->unit_force;
    case COLUMN_SIGMA_1:
    case COLUMN_SIGMA_2:
        return value[c] * m->unit_force / m->unit_velocity;
    case COLUMN_K_X:
        return value[c] * m->unit_force / m->unit_displacement;
    case COLUMN_X_D:
        return value[c] * m->unit_displacement;
    case COLUMN_V_S:
        return value[c] * m->unit_velocity;
    default:
        return value[c];
    }
}

START_TEST(noise_free_lugre_is_found)
{
    struct driven d = drive(&made);
    struct friction_motions motions;
    struct friction_fit fit;
    ck_assert_int_eq(friction_motions_make(&d.signal, 8, &motions), 0);
    friction_search(&motions, &lugre, 2, NULL, 0, &fit);
    ck_assert_double_eq_tol(figure(&motions.all, &fit, COLUMN_F_C), 3, 3e-4);
    ck_assert_double_eq_tol(figure(&motions.all, &fit, COLUMN_X_D), 2e-5, 2e-9);
    ck_assert_double_eq_tol(fit.point.value[COLUMN_RATIO], 0.5, 1e-3);
    ck_assert_double_eq_tol(figure(&motions.all, &fit, COLUMN_V_S), 1.2e-3, 1.2e-6);
    ck_assert_double_eq_tol(figure(&motions.all, &fit, COLUMN_SIGMA_1), 40, 0.04);
    ck_assert_double_eq_tol(figure(&motions.all, &fit, COLUMN_SIGMA_2), 100, 0.1);
    friction_motions_clear(&motions);
    free(d.room);
}
END_TEST

/* Of the force's derivatives those by two points. */
START_TEST(derivatives_are_central_differences)
{
    struct driven d = drive(&made);
    struct friction_motions motions;
    ck_assert_int_eq(friction_motions_make(&d.signal, 1, &motions), 0);
    const struct friction_motion *m = &motions.thinned;
    struct friction_point point = {.row = lugre,
                                   .exponent = 2,
                                   .value = {[COLUMN_F_C] = 0.8,
                                             [COLUMN_SIGMA_1] = 0.1,
                                             [COLUMN_SIGMA_2] = 0.1,
                                             [COLUMN_X_D] = 0.08,
                                             [COLUMN_RATIO] = 0.6,
                                             [COLUMN_V_S] = 0.7,
                                             [COLUMN_START] = 0.2}};
    double *low = calloc(2 * m->samples, sizeof *low), *high = low + m->samples;
    ck_assert_ptr_nonnull(low);
    struct friction_normal normal;
    friction_pass(m, &point, true, &normal);
    for (enum friction_column c = COLUMN_X_D; c <= COLUMN_V_S; c++) {
        const double value = point.value[c], step = 1e-4;
        double squares = 0;
        point.value[c] = value * exp(-step);
        friction_residuals(m, &point, low);
        point.value[c] = value * exp(step);
        friction_residuals(m, &point, high);
        point.value[c] = value;
        for (size_t i = 0; i < m->samples; i++)
            squares += pow((low[i] - high[i]) / (2 * step), 2);
        ck_assert_double_eq_tol(normal.sum[c][c], squares, 1e-6 * squares);
    }
    free(low);
    friction_motions_clear(&motions);
    free(d.room);
}
END_TEST

/* --- the ladder --- */

static struct friction_ladder ladder_of(const struct contact *contact)
{
    struct driven d = drive(contact);
    struct friction_ladder ladder;
    ck_assert_int_eq(friction_ladder_identify(&d.signal, NULL, &ladder), VERDICT_OK);
    free(d.room);
    return ladder;
}

static void assert_known(const struct friction_ladder *ladder, enum friction_parameter p, double truth)
{
    const struct friction_figure *figure = &ladder->figure[p];
    ck_assert_msg(fabs(figure->value - truth) < 4 * figure->se && figure->se < 0.2 * fabs(truth), "%s: %g(%g), not %g",
                  friction_parameters[p].name, figure->value, figure->se, truth);
}

START_TEST(lugre_is_chosen_with_what_is_known)
{
    struct contact contact = made;
    contact.noise = 0.01;
    contact.seed = 7;
    const struct friction_ladder ladder = ladder_of(&contact);
    ck_assert_str_eq(friction_row_name((size_t)ladder.model), "dahl+viscous+stribeck+bristle");
    ck_assert(!ladder.lacks_fit);
    assert_known(&ladder, FRICTION_F_C, 3);
    assert_known(&ladder, FRICTION_X_D, 2e-5);
    assert_known(&ladder, FRICTION_SIGMA_0, 1.5e5);
    assert_known(&ladder, FRICTION_F_S, 4.5);
    assert_known(&ladder, FRICTION_V_S, 1.2e-3);
    assert_known(&ladder, FRICTION_SIGMA_2, 100);
    ck_assert_double_eq_tol(ladder.rms, 0.03, 0.001);
}
END_TEST

/* One of twenty Dahl records would have a false term by a test of 5 %; BIC has none in as many. */
START_TEST(dahl_gets_no_false_terms)
{
    struct contact contact = made;
    contact.ratio = contact.sigma_1 = contact.sigma_2 = 0;
    contact.noise = 0.01;
    contact.shrink = 1;
    contact.cycles = 4;
    for (contact.seed = 1; contact.seed <= 6; contact.seed++) {
        const struct friction_ladder ladder = ladder_of(&contact);
        ck_assert_str_eq(friction_row_name((size_t)ladder.model), "dahl");
        assert_known(&ladder, FRICTION_F_C, 3);
        ck_assert(isnan(ladder.figure[FRICTION_V_S].value) && ladder.figure[FRICTION_V_S].reason);
    }
}
END_TEST

/* A dip at speeds that are all far below its velocity, or all above, is not seen; the stiffness is. */
START_TEST(a_dip_at_other_speeds_is_not_seen)
{
    for (int k = 0; k < 2; k++) {
        struct contact contact = made;
        contact.sigma_1 = contact.sigma_2 = 0;
        contact.v_s = k == 0 ? 1 : 1e-7;
        contact.noise = 0.01;
        contact.seed = 3;
        const struct friction_ladder ladder = ladder_of(&contact);
        ck_assert(isnan(ladder.figure[FRICTION_V_S].value) && ladder.figure[FRICTION_V_S].reason);
        const double level = k == 0 ? 1.5 : 1;
        ck_assert_double_eq_tol(ladder.figure[FRICTION_F_C].value, 3 * level, 0.05);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("friction_fit");
    TCase *tests = tcase_create("friction_fit");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, noise_free_lugre_is_found);
    tcase_add_test(tests, derivatives_are_central_differences);
    tcase_add_test(tests, lugre_is_chosen_with_what_is_known);
    tcase_add_test(tests, dahl_gets_no_false_terms);
    tcase_add_test(tests, a_dip_at_other_speeds_is_not_seen);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
