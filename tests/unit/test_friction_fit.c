/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fits of friction models to loops that were computed by steps of their own: a contact's force by ever smaller steps.
 */
#include "driven_contact.h"
#include "identify/loop/friction_ladder.h"
#include "identify/loop/friction_search.h"
#include "run_suite.h"
#include "thinning.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct friction_row lugre = {NULL, FRICTION_DAHL,
                                          FRICTION_BIT(FRICTION_VISCOUS) | FRICTION_BIT(FRICTION_STRIBECK) |
                                              FRICTION_BIT(FRICTION_BRISTLE)};

static const struct driven_contact made = {.f_c = 3,
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

/* A law of Bouc and Wen that is let go from beyond its level, bent the other way, comes back instead of running away.
 */
START_TEST(a_deflection_beyond_the_level_comes_back)
{
    for (int k = 0; k < 4; k++) {
        const struct shape_parameters parameters = {.n_bw = 1.5 * (k + 1), .beta_bw = 0.1};
        ck_assert_double_eq_tol(friction_advance(FRICTION_BOUC_WEN, &parameters, -1.5, 100, 1), 1, 1e-6);
    }
}
END_TEST

START_TEST(noise_free_lugre_is_found)
{
    struct driven_record d = driven_contact_record(&made);
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
    static const struct {
        enum friction_shape shape;
        double shape_value, shape_2, exponent;
        unsigned terms;
    } rows[] = {{FRICTION_DAHL, 0, 0, 1.4, 0},
                {FRICTION_ELASTOPLASTIC, 0.4, 0, 1.4, 0},
                {FRICTION_BOUC_WEN, 2.3, 0.7, 2, 0},
                {FRICTION_BACKLASH, 0.3, 1.4, 1.4, 0},
                {FRICTION_BACKLASH, 0.3, 1.4, 1.4, FRICTION_BIT(FRICTION_HARDENING)},
                {FRICTION_BACKLASH, 0.02, 1.4, 5, FRICTION_BIT(FRICTION_HARDENING)}}; /* its stops press each other */
    struct driven_record d = driven_contact_record(&made);
    struct friction_motions motions;
    ck_assert_int_eq(friction_motions_make(&d.signal, 1, &motions), 0);
    const struct friction_motion *m = &motions.all;
    struct friction_point point = {.row = lugre,
                                   .value = {[COLUMN_EXPONENT] = rows[_i].exponent,
                                             [COLUMN_F_C] = 0.8,
                                             [COLUMN_SIGMA_1] = 0.1,
                                             [COLUMN_SIGMA_2] = 0.1,
                                             [COLUMN_X_D] = 0.08,
                                             [COLUMN_RATIO] = 0.6,
                                             [COLUMN_V_S] = 0.7,
                                             [COLUMN_START] = 0.2,
                                             [COLUMN_PATH] = 0.1,
                                             [COLUMN_PATH_2] = 0.2,
                                             [COLUMN_LEVELS] = 1.2,
                                             [COLUMN_SHAPE] = rows[_i].shape_value,
                                             [COLUMN_SHAPE_2] = rows[_i].shape_2}};
    point.row.shape = rows[_i].shape;
    point.row.terms |=
        FRICTION_BIT(FRICTION_LEVELS) | FRICTION_BIT(FRICTION_PATH) | FRICTION_BIT(FRICTION_FREE_EXPONENT);
    if (point.row.shape == FRICTION_BOUC_WEN)
        point.row.terms &= ~FRICTION_BIT(FRICTION_FREE_EXPONENT);
    if (point.row.shape == FRICTION_BACKLASH) { /* has neither a dip nor bristles, nor levels */
        point.row.terms = FRICTION_BIT(FRICTION_VISCOUS) | rows[_i].terms;
        point.value[COLUMN_PATH] = point.value[COLUMN_PATH_2] = 0;
        point.value[COLUMN_SIGMA_1] = 0;
    }
    double *low = calloc((2 + FRICTION_UNKNOWNS) * m->samples, sizeof *low), *high = low + m->samples;
    double *slopes = high + m->samples; /* of each unknown */
    ck_assert_ptr_nonnull(low);
    struct friction_normal normal;
    friction_pass(m, &point, true, &normal);
    for (enum friction_column c = COLUMN_X_D; c < COLUMN_LENGTH; c++) {
        if (!friction_column_used(&point.row, c))
            continue;
        /* What the adaptive steps of a bent shape leave, 1e-7, must vanish in the difference; backlash is exact, but
         * has corners, of which none is to be between the two points. */
        const double value = point.value[c];
        const double step = point.row.shape == FRICTION_DAHL       ? 1e-4
                            : point.row.shape == FRICTION_BACKLASH ? 1e-6
                                                                   : 3e-3;
        point.value[c] = value * exp(-step);
        friction_residuals(m, &point, low);
        point.value[c] = value * exp(step);
        friction_residuals(m, &point, high);
        point.value[c] = value;
        for (size_t i = 0; i < m->samples; i++)
            slopes[c * m->samples + i] = (low[i] - high[i]) / (2 * step);
        /* Beside the squares the products with the unknowns before, which a wrong sign would change. */
        for (enum friction_column with = COLUMN_X_D; with <= c; with++) {
            double products = 0;
            for (size_t i = 0; i < m->samples; i++)
                products += slopes[c * m->samples + i] * slopes[with * m->samples + i];
            if (!friction_column_used(&point.row, with))
                continue;
            const double within = rows[_i].shape == FRICTION_DAHL ? 1e-6 : with == c ? 3e-4 : 1e-3;
            ck_assert_msg(fabs(normal.sum[c][with] - products) <
                              within * sqrt(normal.sum[c][c] * normal.sum[with][with]),
                          "columns %d, %d: %g, by differences %g", (int)c, (int)with, normal.sum[c][with], products);
        }
    }
    free(low);
    friction_motions_clear(&motions);
    free(d.room);
}
END_TEST

/* --- the ladder --- */

/* What the ladder makes of a record, which is not wanted any more. */
static struct friction_ladder climbed(struct driven_record record)
{
    struct friction_ladder ladder;
    ck_assert_int_eq(friction_ladder_identify(&record.signal, NULL, &ladder), VERDICT_OK);
    free(record.room);
    return ladder;
}

static struct friction_ladder ladder_of(const struct driven_contact *contact)
{
    return climbed(driven_contact_record(contact));
}

static void assert_known(const struct friction_ladder *ladder, enum friction_parameter p, double truth)
{
    const struct friction_figure *figure = &ladder->figure[p];
    ck_assert_msg(fabs(figure->value - truth) < 4 * figure->se && figure->se < 0.2 * fabs(truth), "%s: %g(%g), not %g",
                  friction_parameters[p].name, figure->value, figure->se, truth);
}

START_TEST(lugre_is_chosen_with_what_is_known)
{
    struct driven_contact contact = made;
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

/* Of the way of a motion that shrinks: it begins at -amplitude, and half a cycle later is at 1 - (1 - shrink)/12 of it.
 */
#define MIDDLE (-2e-4 * 0.7 / 24)

/* What any contact may have beside its model. */
START_TEST(what_stands_beside_is_found)
{
    static const struct {
        const char *model;
        struct driven_contact contact;
        struct {
            enum friction_parameter parameter;
            double value;
        } known[3];
    } rows[] = {{"dahl+levels",
                 {.level_ratio = 1.25},
                 {{FRICTION_LEVEL_RATIO, 1.25}, {FRICTION_F_C_FORWARD, 3 / 0.9}, {FRICTION_F_C_BACKWARD, 3 / 1.125}}},
                {"dahl+path",
                 {.path_slope = 1000, .path_curvature = 1e7},
                 {{FRICTION_PATH_SLOPE, 1000 + 2e7 * MIDDLE},
                  {FRICTION_PATH_CURVATURE, 1e7},
                  {FRICTION_F_C, 3 + 1000 * MIDDLE + 1e7 * MIDDLE * MIDDLE}}},
                {"dahl+mass", {.mass = 30}, {{FRICTION_MOVED_MASS, 30}, {FRICTION_F_C, 3}, {FRICTION_X_D, 2e-5}}},
                {"dahl+spring", {.k_x = 2000}, {{FRICTION_K_X, 2000}, {FRICTION_F_C, 3}, {FRICTION_X_D, 2e-5}}}};
    struct driven_contact contact = rows[_i].contact;
    contact.f_c = 3;
    contact.x_d = 2e-5;
    contact.amplitude = made.amplitude;
    contact.frequency = made.frequency;
    contact.shrink = made.shrink;
    contact.cycles = made.cycles;
    contact.samples_a_cycle = made.samples_a_cycle;
    contact.noise = 0.01;
    contact.seed = 11;
    const struct friction_ladder ladder = ladder_of(&contact);
    ck_assert_str_eq(friction_row_name((size_t)ladder.model), rows[_i].model);
    ck_assert(!ladder.lacks_fit);
    for (int k = 0; k < 3; k++)
        assert_known(&ladder, rows[_i].known[k].parameter, rows[_i].known[k].value);
}
END_TEST

/* Every shape has a model with as much of what was found beside as it bears. */
START_TEST(each_shape_bears_what_was_found)
{
    const unsigned all = friction_terms_borne(FRICTION_DAHL, FRICTION_BIT(FRICTION_STRIBECK));
    for (size_t r = 0; r < FRICTION_ROWS; r++)
        for (unsigned found = 0; found <= all; found++) {
            const struct friction_row *row = &friction_rows[r];
            const unsigned borne = found & friction_terms_borne(row->shape, row->terms);
            if (!(found & ~all))
                ck_assert_uint_lt(friction_row_of(row->shape, row->terms | borne), FRICTION_ROWS);
        }
}
END_TEST

static bool has_rung(const struct friction_ladder *ladder, const char *name)
{
    for (size_t r = 0; r < ladder->count; r++)
        if (strcmp(friction_row_name((size_t)ladder->rung[r].row), name) == 0)
            return true;
    return false;
}

/* Models that bear no path get the mass that was found with one. */
START_TEST(a_mass_beside_a_path_is_in_all_models)
{
    struct driven_contact contact = made;
    contact.ratio = contact.sigma_1 = contact.sigma_2 = 0;
    contact.mass = 60;
    contact.path_slope = 4000;
    contact.noise = 0.003;
    contact.seed = 11;
    const struct friction_ladder ladder = ladder_of(&contact);
    ck_assert_str_eq(friction_row_name((size_t)ladder.model), "dahl+path+mass");
    assert_known(&ladder, FRICTION_MOVED_MASS, 60);
    ck_assert(has_rung(&ladder, "maxwell_slip+mass"));
    ck_assert(has_rung(&ladder, "backlash+mass"));
}
END_TEST

/* A contact of another shape than Dahl's, walked by many small steps of Euler's, from a sample at which it has a
 * deflection. */
static struct driven_record drive_shape_from(const struct driven_contact *c, enum friction_shape shape,
                                             const struct shape_parameters *parameters, size_t first, double zeta)
{
    enum { STEPS = 1500 };
    struct driven_record d = driven_contact_record(c);
    double *force = d.room + 2 * d.signal.count;
    unsigned seed = c->seed;
    double v, before = driven_motion_at(c, d.signal.time_s[first], &v);
    for (size_t i = first; i < d.signal.count; i++) {
        for (int k = 1; i > first && k <= STEPS; k++) {
            const double t = d.signal.time_s[i - 1] + (d.signal.time_s[i] - d.signal.time_s[i - 1]) * k / STEPS;
            const double now = driven_motion_at(c, t, &v), way = fabs(now - before) / c->x_d,
                         sense = now < before ? -1 : 1;
            const double half =
                sense * zeta + way / 2 * friction_slope(shape, parameters, sense * zeta, driven_level_at(c, v));
            zeta += sense * way * friction_slope(shape, parameters, half, driven_level_at(c, v));
            before = now;
        }
        driven_motion_at(c, d.signal.time_s[i], &v);
        const double slope = friction_slope(shape, parameters, (v < 0 ? -1 : 1) * zeta, driven_level_at(c, v));
        force[i] =
            c->f_c * zeta + c->sigma_1 * v * slope + c->sigma_2 * v + c->f_0 + c->noise * c->f_c * driven_noise(&seed);
    }
    ck_assert_int_eq(loop_signal_look(&d.signal), 0);
    return d;
}

static struct driven_record drive_shape(const struct driven_contact *c, enum friction_shape shape,
                                        const struct shape_parameters *parameters)
{
    return drive_shape_from(c, shape, parameters, 0, 0);
}

START_TEST(other_shapes_are_chosen_with_what_is_known)
{
    static const struct {
        const char *model;
        enum friction_shape shape;
        struct shape_parameters parameters;
        double ratio, sigma_1, sigma_2;
    } rows[] = {{"elastoplastic", FRICTION_ELASTOPLASTIC, {.z_ba = 0.5}, 0, 0, 0},
                {"bouc_wen", FRICTION_BOUC_WEN, {.n_bw = 2, .beta_bw = 0.7}, 0, 0, 0},
                {"bouc_wen+viscous", FRICTION_BOUC_WEN, {.n_bw = 2, .beta_bw = 0.7}, 0, 0, 800},
                {"elastoplastic+stribeck", FRICTION_ELASTOPLASTIC, {.z_ba = 0.5}, 0.5, 0, 0},
                {"elastoplastic+bristle", FRICTION_ELASTOPLASTIC, {.z_ba = 0.5}, 0, 120, 0},
                {"elastoplastic+viscous+bristle", FRICTION_ELASTOPLASTIC, {.z_ba = 0.5}, 0, 120, 100},
                {"elastoplastic+viscous+stribeck+bristle", FRICTION_ELASTOPLASTIC, {.z_ba = 0.5}, 0.5, 120, 100}};
    struct driven_contact contact = made;
    contact.noise = 0.005;
    contact.seed = 5;
    contact.ratio = rows[_i].ratio;
    contact.sigma_1 = rows[_i].sigma_1;
    contact.sigma_2 = rows[_i].sigma_2;
    const struct friction_ladder ladder = climbed(drive_shape(&contact, rows[_i].shape, &rows[_i].parameters));
    ck_assert_str_eq(friction_row_name((size_t)ladder.model), rows[_i].model);
    assert_known(&ladder, FRICTION_F_C, 3);
    assert_known(&ladder, FRICTION_X_D, 2e-5);
    if (rows[_i].shape == FRICTION_BOUC_WEN) {
        assert_known(&ladder, FRICTION_N_BW, 2);
        assert_known(&ladder, FRICTION_BETA_BW, 0.7);
    } else {
        assert_known(&ladder, FRICTION_Z_BA, 1e-5);
    }
}
END_TEST

/* A spring that Dahl's shape does not call for: elements, one of which never slipped, stood in for it and for the
 * shape, and nothing of the level was seen. */
START_TEST(bouc_and_wen_s_contact_of_a_short_stroke_has_a_spring)
{
    struct driven_contact contact = made;
    contact.amplitude = 8 * contact.x_d;
    contact.shrink = 1;
    contact.cycles = 5;
    contact.ratio = contact.sigma_1 = 0;
    contact.sigma_2 = 0.0034 * contact.f_c / contact.x_d;
    contact.noise = 0.05;
    contact.seed = 5 + (unsigned)_i;
    const double spring = 0.0194 * contact.f_c / contact.x_d;
    struct driven_record record =
        drive_shape(&contact, FRICTION_BOUC_WEN, &(struct shape_parameters){.n_bw = 3.13, .beta_bw = 0.866});
    for (size_t i = 0; i < record.signal.count; i++)
        record.room[2 * record.signal.count + i] += spring * record.room[record.signal.count + i];
    ck_assert_int_eq(loop_signal_look(&record.signal), 0);
    const struct friction_ladder ladder = climbed(record);
    ck_assert_str_eq(friction_row_name((size_t)ladder.model), "bouc_wen+viscous+spring");
    assert_known(&ladder, FRICTION_F_C, 3);
    assert_known(&ladder, FRICTION_K_X, spring);
}
END_TEST

/* Of an elastoplastic contact Dahl's shape leaves so much that it says neither the exponent of the dip nor how short
 * steps have to be: along many presliding lengths without noise, and along few with some. */
START_TEST(elastic_bristles_have_their_own_dip)
{
    static const struct {
        double lengths, ratio, v_s, sigma_1, sigma_2, z_ba, noise;
    } rows[] = {{24.2, 0.536, 1.507e-3, 103, 133, 0.556, 0}, {3.04, 0.46, 1.355e-4, 1396, 946, 0.384, 0.01}};
    struct driven_contact contact = made;
    contact.amplitude = rows[_i].lengths * contact.x_d;
    contact.shrink = 1;
    contact.cycles = 4;
    contact.samples_a_cycle = 380;
    contact.ratio = rows[_i].ratio;
    contact.v_s = rows[_i].v_s;
    contact.sigma_1 = rows[_i].sigma_1;
    contact.sigma_2 = rows[_i].sigma_2;
    contact.noise = rows[_i].noise;
    contact.seed = 7;
    const struct friction_ladder ladder =
        climbed(drive_shape(&contact, FRICTION_ELASTOPLASTIC, &(struct shape_parameters){.z_ba = rows[_i].z_ba}));
    ck_assert_str_eq(friction_row_name((size_t)ladder.model), "elastoplastic+viscous+stribeck+bristle");
    ck_assert_double_eq(ladder.stribeck_exponent, 2);
    const double within = rows[_i].noise > 0 ? 0.1 : 1e-4;
    ck_assert_double_eq_tol(ladder.figure[FRICTION_F_C].value / contact.f_c, 1, within);
    ck_assert_double_eq_tol(ladder.figure[FRICTION_X_D].value / contact.x_d, 1, within);
    if (rows[_i].noise > 0)
        return;
    ck_assert_double_eq_tol(ladder.figure[FRICTION_F_S].value / contact.f_c, 1 + contact.ratio, 1e-3);
}
END_TEST

/* A contact that moves through a gap before a stop takes hold, which slips at other forces in the two directions. The
 * stop's force grows with a power, and its tangent, where half of the force is transmitted, is that of the spring. */
struct pressed_stops {
    double gap, low, high, power;
};

static double stops_force(const struct pressed_stops *s, double e)
{
    return pow(fmax(s->power - 1 + 2 * (e - s->gap / 2) / s->high, 0) / s->power, s->power) / 2 * s->high -
           pow(fmax(s->power - 1 + 2 * (-e - s->gap / 2) / s->low, 0) / s->power, s->power) / 2 * s->low;
}

/* Where both together transmit a force. */
static double where_stops_force(const struct pressed_stops *s, double force)
{
    double below = -s->gap - 3 * s->low, above = s->gap + 3 * s->high;
    for (int k = 0; k < 60; k++) {
        const double middle = (below + above) / 2;
        *(stops_force(s, middle) < force ? &below : &above) = middle;
    }
    return (below + above) / 2;
}

static struct driven_record drive_stops(const struct driven_contact *c, double gap, double low, double high,
                                        double power)
{
    const struct pressed_stops stops = {gap, low, high, power};
    const double least = where_stops_force(&stops, -low), most = where_stops_force(&stops, high);
    struct driven_record d = driven_contact_record(c);
    double *force = d.room + 2 * d.signal.count;
    unsigned seed = c->seed;
    double e = 0, v, before = driven_motion_at(c, 0, &v);
    for (size_t i = 0; i < d.signal.count; i++) {
        for (int k = 1; i > 0 && k <= DRIVEN_STEPS; k++) {
            const double t = d.signal.time_s[i - 1] + (d.signal.time_s[i] - d.signal.time_s[i - 1]) * k / DRIVEN_STEPS;
            const double now = driven_motion_at(c, t, &v);
            e = fmax(least, fmin(most, e + now - before));
            before = now;
        }
        force[i] = c->f_c / c->x_d * stops_force(&stops, e) + c->f_0 + c->noise * c->f_c * driven_noise(&seed);
    }
    ck_assert_int_eq(loop_signal_look(&d.signal), 0);
    return d;
}

static struct driven_record drive_gap(const struct driven_contact *c, double gap, double low, double high)
{
    return drive_stops(c, gap, low, high, 1);
}

static const struct friction_rung *rung_of(const struct friction_ladder *ladder, const char *model)
{
    size_t r = 0;
    while (strcmp(friction_rows[ladder->rung[r].row].name, model) != 0)
        r++;
    return &ladder->rung[r];
}

/* Twice as far to one side as to the other, from somewhere in the gap. */
START_TEST(a_gap_is_found)
{
    struct driven_contact contact = made;
    contact.noise = _i == 0 ? 0 : 0.02;
    contact.seed = 11;
    const struct friction_ladder ladder = climbed(drive_gap(&contact, 3e-5, 4e-5 / 3, 8e-5 / 3));
    if (_i == 0) { /* without noise more terms fit the errors of the steps */
        const struct friction_figure *figure = rung_of(&ladder, "backlash")->figure;
        ck_assert_double_eq_tol(figure[FRICTION_F_C].value, 3, 3e-4);
        ck_assert_double_eq_tol(figure[FRICTION_X_D].value, 2e-5, 2e-9);
        ck_assert_double_eq_tol(figure[FRICTION_GAP].value, 3e-5, 3e-8);
        ck_assert_double_eq_tol(figure[FRICTION_SIDES].value, 2, 2e-3);
        return;
    }
    ck_assert_str_eq(friction_row_name((size_t)ladder.model), "backlash");
    assert_known(&ladder, FRICTION_F_C, 3);
    assert_known(&ladder, FRICTION_SIGMA_0, 1.5e5);
    assert_known(&ladder, FRICTION_GAP, 3e-5);
    assert_known(&ladder, FRICTION_SIDES, 2);
    ck_assert(!ladder.lacks_fit);
}
END_TEST

/* The same with stops that harden as Hertz's contact does, and more. */
START_TEST(stops_that_harden_are_found)
{
    static const double powers[] = {1.5, 3};
    struct driven_contact contact = made;
    contact.noise = _i / 2 == 0 ? 0 : 0.02;
    contact.seed = 11;
    const double power = powers[_i % 2];
    const struct friction_ladder ladder = climbed(drive_stops(&contact, 6e-5, 4e-5 / 3, 8e-5 / 3, power));
    if (_i / 2 == 0) {
        const struct friction_figure *figure = rung_of(&ladder, "backlash+hardening")->figure;
        ck_assert_double_eq_tol(figure[FRICTION_F_C].value, 3, 3e-4);
        ck_assert_double_eq_tol(figure[FRICTION_X_D].value, 2e-5, 2e-8);
        ck_assert_double_eq_tol(figure[FRICTION_GAP].value, 6e-5, 6e-8);
        ck_assert_double_eq_tol(figure[FRICTION_SIDES].value, 2, 2e-3);
        ck_assert_double_eq_tol(figure[FRICTION_STOPS].value, power, 1e-3 * power);
        return;
    }
    ck_assert_str_eq(friction_row_name((size_t)ladder.model), "backlash+hardening");
    assert_known(&ladder, FRICTION_F_C, 3);
    assert_known(&ladder, FRICTION_GAP, 6e-5);
    assert_known(&ladder, FRICTION_SIDES, 2);
    assert_known(&ladder, FRICTION_STOPS, power);
    ck_assert(!ladder.lacks_fit && isnan(ladder.stribeck_exponent));
}
END_TEST

/* Stops that are still pressed when the contact slips at the other, which leave no gap and are no elements. */
START_TEST(stops_that_press_are_found)
{
    static const double gaps[] = {4e-6, 8e-6}, powers[] = {6, 5};
    struct driven_contact contact = made;
    contact.noise = 0.01;
    contact.seed = 11;
    contact.shrink = 0.6;
    const struct friction_ladder ladder = climbed(drive_stops(&contact, gaps[_i], 2e-5, 2e-5, powers[_i]));
    ck_assert_str_eq(friction_row_name((size_t)ladder.model), "backlash+hardening");
    assert_known(&ladder, FRICTION_F_C, 3);
    assert_known(&ladder, FRICTION_SIDES, 1);
    ck_assert(isnan(ladder.figure[FRICTION_GAP].value) && ladder.figure[FRICTION_GAP].reason);
    ck_assert(!ladder.lacks_fit && ladder.rms < 1.05 * contact.noise * contact.f_c);
}
END_TEST

/* A contact that gives way and slips without any gap is a spring and a slider, and is not said to have a gap. */
START_TEST(no_gap_is_none)
{
    struct driven_contact contact = made;
    contact.noise = 0.01;
    contact.seed = 12 + (unsigned)_i;
    const struct friction_ladder ladder = climbed(drive_gap(&contact, 0, 2e-5, 2e-5));
    ck_assert_str_eq(friction_row_name((size_t)ladder.model), "maxwell_slip");
    assert_known(&ladder, FRICTION_F_C, 3);
    assert_known(&ladder, FRICTION_SIGMA_0, 1.5e5);
    ck_assert(isnan(ladder.figure[FRICTION_GAP].value) && ladder.figure[FRICTION_GAP].reason);
    ck_assert(!ladder.lacks_fit);
}
END_TEST

/* Springs in parallel that slip at forces of their own. */
enum { SPRINGS = 6 };
static const double slip_lengths[SPRINGS] = {1e-6, 2e-6, 4e-6, 8e-6, 1.6e-5, 3e-5};
static const double slip_forces[SPRINGS] = {0.3, 0.4, 0.6, 0.5, 0.8, 0.4};

static struct driven_record drive_springs(const struct driven_contact *c, size_t springs, const double *length,
                                          const double *slip_force)
{
    struct driven_record d = driven_contact_record(c);
    double *force = d.room + 2 * d.signal.count, stretched[SPRINGS] = {0};
    unsigned seed = c->seed;
    double v, before = driven_motion_at(c, 0, &v);
    for (size_t i = 0; i < d.signal.count; i++) {
        for (int k = 1; i > 0 && k <= DRIVEN_STEPS; k++) {
            const double t = d.signal.time_s[i - 1] + (d.signal.time_s[i] - d.signal.time_s[i - 1]) * k / DRIVEN_STEPS;
            const double now = driven_motion_at(c, t, &v);
            for (size_t s = 0; s < springs; s++)
                stretched[s] = fmax(-length[s], fmin(length[s], stretched[s] + now - before));
            before = now;
        }
        force[i] = c->f_0 + c->noise * c->f_c * driven_noise(&seed);
        for (size_t s = 0; s < springs; s++)
            force[i] += slip_force[s] * stretched[s] / length[s];
    }
    ck_assert_int_eq(loop_signal_look(&d.signal), 0);
    return d;
}

START_TEST(elements_are_found)
{
    struct driven_contact contact = made;
    double force = 0, stiffness = 0;
    contact.amplitude = 5e-5;
    contact.noise = _i == 0 ? 0 : 0.01;
    contact.seed = 21;
    struct driven_record d = drive_springs(&contact, SPRINGS, slip_lengths, slip_forces);
    for (size_t s = 0; s < SPRINGS; s++) {
        force += slip_forces[s];
        stiffness += slip_forces[s] / slip_lengths[s];
    }
    const struct friction_ladder ladder = climbed(d);
    if (_i == 0) {
        const struct friction_rung *rung = rung_of(&ladder, "maxwell_slip");
        ck_assert_uint_eq(rung->spectrum.count, SPRINGS);
        for (size_t s = 0; s < SPRINGS; s++) {
            const struct friction_spectrum_line *line = &rung->spectrum.element[s];
            ck_assert_double_eq_tol(line->slip_length.value, slip_lengths[s], 1e-3 * slip_lengths[s]);
            ck_assert_double_eq_tol(line->slip_force.value, slip_forces[s], 1e-3 * slip_forces[s]);
        }
        return;
    }
    ck_assert_str_eq(friction_row_name((size_t)ladder.model), "maxwell_slip");
    ck_assert_uint_ge(ladder.spectrum.count, 4);
    assert_known(&ladder, FRICTION_F_C, force);
    assert_known(&ladder, FRICTION_SIGMA_0, stiffness);
    ck_assert(!ladder.lacks_fit);
}
END_TEST

/* Of elements one of which does not slip, all the stiffness is known, and no level; a prediction begins with it. */
static void assert_stiff_alone(const struct friction_rung *rung, double stiffness)
{
    const struct friction_figure *sigma_0 = &rung->figure[FRICTION_SIGMA_0];
    double fitted = 0;
    ck_assert(isnan(rung->figure[FRICTION_F_C].value) && isnan(rung->figure[FRICTION_X_D].value));
    ck_assert_double_eq_tol(sigma_0->value, stiffness, 4 * sigma_0->se);
    ck_assert_double_lt(sigma_0->se, 0.02 * stiffness);
    for (size_t k = 0; k < rung->spectrum.count; k++)
        fitted += rung->spectrum.element[k].fitted_force / rung->spectrum.element[k].fitted_length;
    ck_assert_double_eq_tol(fitted, sigma_0->value, 1e-9 * stiffness);
}

/* An element that does not slip within the stroke is a spring in parallel, which has its stiffness. */
START_TEST(an_element_that_never_slips_is_a_spring)
{
    enum { THREE = 3 };
    static const double length[THREE] = {4e-6, 1.5e-5, 1}, slip_force[THREE] = {0.8, 1.2, 2e4};
    struct driven_contact contact = made;
    contact.amplitude = 5e-5;
    contact.noise = 0.01;
    contact.seed = 23;
    const struct friction_ladder ladder = climbed(drive_springs(&contact, THREE, length, slip_force));
    ck_assert_str_eq(friction_row_name((size_t)ladder.model), "maxwell_slip+spring");
    assert_known(&ladder, FRICTION_K_X, 2e4);
    assert_known(&ladder, FRICTION_F_C, 2);
    assert_known(&ladder, FRICTION_SIGMA_0, 2.8e5);
    assert_stiff_alone(rung_of(&ladder, "maxwell_slip"), 3e5);
}
END_TEST

/* A record that begins while the contact is driven, at and behind a reversal: elements are slipped to one side, or on
 * their way back; or a little after a new contact began to move, when the first of them slips. */
START_TEST(a_record_may_begin_anywhere)
{
    enum { THREE = 3 };
    static const double length[THREE] = {1e-5, 4e-5, 1.2e-4}, slip_force[THREE] = {0.5, 1.1, 0.7};
    static const double begins[] = {0.428, 0.524, 0.565, 0.055}; /* cycles */
    struct driven_contact contact = made;
    contact.amplitude = 5e-4;
    contact.shrink = 1;
    contact.samples_a_cycle = 500;
    contact.noise = 0.01;
    contact.seed = 49 + (unsigned)_i;
    struct driven_record d = drive_springs(&contact, THREE, length, slip_force);
    const size_t from = (size_t)(begins[_i] * (double)contact.samples_a_cycle);
    d.signal.time_s += from;
    d.signal.displacement += from;
    d.signal.force += from;
    d.signal.count -= from;
    const struct friction_ladder ladder = climbed(d);
    ck_assert_str_eq(friction_row_name((size_t)ladder.model), "maxwell_slip");
    assert_known(&ladder, FRICTION_F_C, 2.3);
    assert_known(&ladder, FRICTION_SIGMA_0, 0.5 / 1e-5 + 1.1 / 4e-5 + 0.7 / 1.2e-4);
    ck_assert(!ladder.lacks_fit);
}
END_TEST

/* Of a record that begins in the midst of a stroke, with bristles that another motion bent, the force at the first
 * sample is that of two deflections where their damping falls with the deflection: no noise hides the wrong one. */
START_TEST(bristles_may_begin_anywhere)
{
    static const struct {
        size_t first;
        double deflection;
    } rows[] = {{87, 0.5}, {162, -0.9}};
    static const struct shape_parameters parameters = {.z_ba = 0.5};
    struct driven_contact contact = made;
    contact.amplitude = 8e-4;
    contact.v_s = 1.5e-3;
    contact.sigma_1 = 500;
    contact.shrink = 1;
    contact.cycles = 4;
    contact.samples_a_cycle = 250;
    struct driven_record d =
        drive_shape_from(&contact, FRICTION_ELASTOPLASTIC, &parameters, rows[_i].first, rows[_i].deflection);
    d.signal.time_s += rows[_i].first;
    d.signal.displacement += rows[_i].first;
    d.signal.force += rows[_i].first;
    d.signal.count -= rows[_i].first;
    const struct friction_ladder ladder = climbed(d);
    ck_assert_str_eq(friction_row_name((size_t)ladder.model), "elastoplastic+viscous+stribeck+bristle");
    ck_assert_double_eq_tol(ladder.figure[FRICTION_F_C].value, 3, 5e-5 * 3);
    ck_assert_double_eq_tol(ladder.figure[FRICTION_X_D].value, 2e-5, 5e-4 * 2e-5);
    ck_assert_double_eq_tol(ladder.figure[FRICTION_SIGMA_1].value, 500, 5e-3 * 500);
    ck_assert_double_lt(ladder.rms, 1e-4 * 3);
}
END_TEST

/* Before the load is taken off nothing is known of the contact without it. */
START_TEST(unloaded_samples_do_not_count)
{
    struct driven_contact contact = made;
    struct friction_ladder ladder;
    contact.ratio = contact.sigma_1 = contact.sigma_2 = 0;
    contact.noise = 0.01;
    contact.seed = 31;
    struct driven_record d = driven_contact_record(&contact);
    const size_t count = d.signal.count, loaded = count * 4 / 5;
    double *normal_force = calloc(count, sizeof *normal_force), *force = d.room + 2 * count;
    ck_assert_ptr_nonnull(normal_force);
    for (size_t i = 0; i < count; i++) {
        normal_force[i] = i < loaded ? 5 : 1;
        force[i] *= normal_force[i] / 5;
    }
    d.signal.normal = normal_force;
    ck_assert_int_eq(friction_ladder_identify(&d.signal, NULL, &ladder), VERDICT_OK);
    free(normal_force);
    free(d.room);
    ck_assert_str_eq(friction_row_name((size_t)ladder.model), "dahl");
    ck_assert_uint_le(ladder.samples, loaded);
    assert_known(&ladder, FRICTION_F_C, 3);
    assert_known(&ladder, FRICTION_SIGMA_0, 1.5e5);
}
END_TEST

/* A motion of one speed each way, of which no window across a corner tells a velocity. Its level and its length would
 * be those of any dip at that speed; the stiffness, level over length, is told. */
START_TEST(corners_of_a_motion_are_no_friction)
{
    struct driven_contact contact = made;
    contact.ratio = contact.sigma_1 = contact.sigma_2 = 0;
    contact.triangle = true;
    contact.noise = 0.003;
    contact.seed = 4;
    const struct friction_ladder ladder = ladder_of(&contact);
    ck_assert_str_eq(friction_row_name((size_t)ladder.model), "dahl");
    assert_known(&ladder, FRICTION_SIGMA_0, 1.5e5);
    ck_assert(isnan(ladder.figure[FRICTION_F_C].value) && ladder.figure[FRICTION_F_C].reason);
    ck_assert(isnan(ladder.figure[FRICTION_X_D].value) && ladder.figure[FRICTION_X_D].reason);
    ck_assert_double_eq_tol(ladder.rms, 0.009, 0.0005);
}
END_TEST

/* A record that begins on a turn, of a displacement without noise: a cubic from there on one side does not tell that it
 * rests. A force of the wrong sense in that sample alone would call for elements, whose level is another one. */
START_TEST(a_sample_on_a_turn_has_no_sense)
{
    enum { SAMPLES = 1001 };
    static const int samples_a_cycle[] = {50, 200};
    static double room[3 * SAMPLES];
    double *x = room + SAMPLES, *force = x + SAMPLES;
    const int a_cycle = samples_a_cycle[_i];
    struct friction_ladder ladder;
    unsigned seed = 17;
    for (int i = 0; i < SAMPLES; i++) {
        const int along = i % a_cycle;
        room[i] = (double)i / a_cycle;
        x[i] = -1e-3 * cos(2 * M_PI * along / a_cycle);
        force[i] = (along > 0 && along <= a_cycle / 2 ? 2 : -2) + 1500 * x[i] + 0.1 * driven_noise(&seed);
    }
    struct loop_signal signal = {.time_s = room, .displacement = x, .force = force, .count = SAMPLES};
    ck_assert_int_eq(loop_signal_look(&signal), 0);
    ck_assert_int_eq(friction_ladder_identify(&signal, NULL, &ladder), VERDICT_OK);
    ck_assert_str_eq(friction_row_name((size_t)ladder.model), "rigid+spring");
    assert_known(&ladder, FRICTION_F_C, 2);
    assert_known(&ladder, FRICTION_K_X, 1500);
}
END_TEST

/* One of twenty Dahl records would have a false term by a test of 5 %; BIC has none in as many. */
START_TEST(dahl_gets_no_false_terms)
{
    struct driven_contact contact = made;
    contact.ratio = contact.sigma_1 = contact.sigma_2 = 0;
    contact.noise = 0.01;
    contact.shrink = 1;
    contact.cycles = 4;
    for (contact.seed = 1; contact.seed <= 6; contact.seed++) {
        if (is_left_out_of(6, contact.seed))
            continue;
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
        struct driven_contact contact = made;
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
    seed_of_run();
    tcase_add_test(tests, a_deflection_beyond_the_level_comes_back);
    tcase_add_test(tests, noise_free_lugre_is_found);
    tcase_add_loop_test(tests, derivatives_are_central_differences, 0, 6);
    tcase_add_test(tests, lugre_is_chosen_with_what_is_known);
    tcase_add_loop_test(tests, what_stands_beside_is_found, 0, 4);
    tcase_add_test(tests, each_shape_bears_what_was_found);
    tcase_add_test(tests, a_mass_beside_a_path_is_in_all_models);
    tcase_add_loop_test(tests, bouc_and_wen_s_contact_of_a_short_stroke_has_a_spring, 0, 4);
    tcase_add_loop_test(tests, other_shapes_are_chosen_with_what_is_known, 0, 7);
    tcase_add_loop_test(tests, elastic_bristles_have_their_own_dip, 0, 2);
    tcase_add_loop_test(tests, a_gap_is_found, 0, 2);
    tcase_add_loop_test(tests, stops_that_harden_are_found, 0, 4);
    tcase_add_loop_test(tests, stops_that_press_are_found, 0, 2);
    add_thinned_loop_test(tests, no_gap_is_none, 3);
    add_thinned_loop_test(tests, elements_are_found, 2);
    tcase_add_test(tests, an_element_that_never_slips_is_a_spring);
    add_thinned_loop_test(tests, a_record_may_begin_anywhere, 4);
    tcase_add_loop_test(tests, bristles_may_begin_anywhere, 0, 2);
    tcase_add_test(tests, unloaded_samples_do_not_count);
    tcase_add_test(tests, corners_of_a_motion_are_no_friction);
    tcase_add_loop_test(tests, a_sample_on_a_turn_has_no_sense, 0, 2);
    tcase_add_test(tests, dahl_gets_no_false_terms);
    tcase_add_test(tests, a_dip_at_other_speeds_is_not_seen);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
