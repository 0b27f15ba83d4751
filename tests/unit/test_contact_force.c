/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is foretold of a contact: of the half of a record that was held out, with bands that hold, and wide where the
 * record said nothing. */
#include "identify/loop/contact_force.h"
#include "identify/loop/friction_conclusions.h"
#include "identify/loop/friction_ladder.h"
#include "identify/loop/friction_search.h"
#include "identify/loop/simulation.h"
#include "report/kinds/contact_json.h"
#include "report/kinds/friction_tables.h"
#include "report/section_json.h"
#include "run_suite.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 6000 };

static const double noise = 0.03;

static const struct friction_model lugre = {.shape = FRICTION_DAHL,
                                            .f_c = 3,
                                            .x_d = 2e-5,
                                            .f_s = 4.5,
                                            .v_s = 1.2e-3,
                                            .stribeck_exponent = 2,
                                            .sigma_1 = 40,
                                            .sigma_2 = 100,
                                            .f_0 = 0.4};

/* Of a contact that is unlike in the two directions and along the path, and moves a mass. */
static const struct friction_model unlike = {.shape = FRICTION_DAHL,
                                             .f_c = 3,
                                             .x_d = 2e-5,
                                             .sigma_2 = 100,
                                             .level_ratio = 1.2,
                                             .path_slope = 1500,
                                             .path_curvature = 1e7,
                                             .moved_mass = 30};

/* A record with noise on the force, and what the force is without. */
struct record {
    double time_s[MOST], displacement[MOST], force[MOST], true_force[MOST];
    struct contact_sample motion[MOST];
    size_t count;
    struct loop_signal signal;
};

typedef struct contact_sample motion_at(double time_s);

/* Strokes that become larger and smaller, 1 Hz. */
static struct contact_sample swelling(double time_s)
{
    const double w = 2 * M_PI, a = 2e-4, slow = w / 6;
    return (struct contact_sample){time_s, a * (0.7 + 0.3 * cos(slow * time_s)) * sin(w * time_s),
                                   a * (w * (0.7 + 0.3 * cos(slow * time_s)) * cos(w * time_s) -
                                        0.3 * slow * sin(slow * time_s) * sin(w * time_s))};
}

static struct contact_sample zigzag(double time_s, double speed)
{
    const double phase = time_s - floor(time_s), rises = phase < 0.5;
    return (struct contact_sample){time_s, speed * (rises > 0 ? phase - 0.25 : 0.75 - phase),
                                   rises > 0 ? speed : -speed};
}

static struct contact_sample slow_zigzag(double time_s)
{
    return zigzag(time_s, 1.2e-3);
}

static struct contact_sample fast_zigzag(double time_s)
{
    return zigzag(time_s, 6e-3);
}

static struct record *record_of(const struct friction_model *model, motion_at *motion, double cycles,
                                unsigned long seed)
{
    struct record *record = calloc(1, sizeof *record);
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    ck_assert(record && random);
    gsl_rng_set(random, seed);
    record->count = (size_t)(300 * cycles);
    ck_assert(record->count <= MOST);
    for (size_t i = 0; i < record->count; i++) {
        record->motion[i] = motion((double)i / 300);
        record->time_s[i] = record->motion[i].time_s;
        record->displacement[i] = record->motion[i].displacement;
    }
    struct friction_state state = {.deflection = 0};
    friction_force(model, record->motion, record->count, 16, &state, record->true_force);
    for (size_t i = 0; i < record->count; i++)
        record->true_force[i] += model->moved_mass * contact_acceleration(record->motion, record->count, i);
    for (size_t i = 0; i < record->count; i++)
        record->force[i] = record->true_force[i] + gsl_ran_gaussian(random, noise);
    gsl_rng_free(random);
    record->signal = (struct loop_signal){
        .time_s = record->time_s, .displacement = record->displacement, .force = record->force, .count = record->count};
    ck_assert_int_eq(loop_signal_look(&record->signal), 0);
    return record;
}

/* Of what a ladder tells. */
static void contact_of(const struct friction_ladder *ladder, struct known_contact *contact)
{
    struct complaint complaint;
    double mass;
    json_t *json = section_to_json(&friction_ladder_table, ladder);
    ck_assert_msg(contact_from_json(json, NULL, contact, &mass, &complaint) == 0, "%s", complaint.text);
    json_decref(json);
}

/* The fit of a LuGre model, by white noise. */
static void know(const struct record *record, struct known_contact *contact)
{
    static const struct friction_row row = {NULL, FRICTION_DAHL,
                                            FRICTION_BIT(FRICTION_VISCOUS) | FRICTION_BIT(FRICTION_STRIBECK) |
                                                FRICTION_BIT(FRICTION_BRISTLE)};
    struct friction_motions motions;
    struct friction_fit fit;
    struct friction_ladder *ladder = calloc(1, sizeof *ladder);
    ck_assert_ptr_nonnull(ladder);
    friction_ladder_not_made(ladder, VERDICT_OK);
    ladder->count = 1;
    ladder->model = ladder->rung[0].row = (int)friction_row_of(row.shape, row.terms);
    ck_assert_int_eq(friction_motions_make(&record->signal, 4, &motions), 0);
    friction_search(&motions, &row, 2, NULL, 0, &fit);
    const struct ar_model white = {.innovation = fit.squares / (double)motions.all.samples};
    friction_conclude(&motions.all, &fit, &white, NULL, &ladder->rung[0]);
    contact_of(ladder, contact);
    friction_motions_clear(&motions);
    free(ladder);
}

/* Of a fit that was given up nothing is known, neither that a term vanishes. */
START_TEST(what_was_given_up_says_so)
{
    struct record *record = record_of(&lugre, swelling, 4, 5);
    struct friction_row row = {NULL, FRICTION_DAHL, FRICTION_BIT(FRICTION_VISCOUS)};
    struct friction_motions motions;
    struct friction_fit fit;
    struct friction_rung *rung = calloc(1, sizeof *rung);
    ck_assert_ptr_nonnull(rung);
    ck_assert_int_eq(friction_motions_make(&record->signal, 4, &motions), 0);
    friction_search(&motions, &row, 2, NULL, 0, &fit);
    const struct ar_model white = {.innovation = fit.squares / (double)motions.all.samples};
    fit.abandoned = true;
    fit.held |= 1u << COLUMN_SIGMA_2;
    friction_conclude(&motions.all, &fit, &white, NULL, rung);
    ck_assert_int_eq(rung->verdict, VERDICT_NOT_CONVERGED);
    ck_assert(!rung->reduced);
    ck_assert_str_eq(rung->figure[FRICTION_F_C].reason,
                     "given_up: another model leaves far less, and this one was not fitted to its end");
    ck_assert_str_eq(rung->figure[FRICTION_F_S].reason, "the model lacks this term");
    friction_motions_clear(&motions);
    free(rung);
    free(record);
}
END_TEST

static void take_noise(struct record *record)
{
    memcpy(record->force, record->true_force, record->count * sizeof *record->force);
    ck_assert_int_eq(loop_signal_look(&record->signal), 0);
}

/* Two halves of one run: as well as the first was fitted, or, without noise, within what steps leave. */
START_TEST(the_half_that_was_held_out_is_foretold)
{
    const bool is_lugre = _i % 2 == 0, is_noisy = _i < 2;
    struct record *record = record_of(is_lugre ? &lugre : &unlike, swelling, 12, 5);
    if (!is_noisy)
        take_noise(record);
    const size_t half = record->count / 2;
    struct loop_signal first = record->signal, second = record->signal;
    struct friction_ladder *ladder = calloc(1, sizeof *ladder);
    struct contact_sample *motion = calloc(half, sizeof *motion);
    double *force = calloc(half, sizeof *force), *se = calloc(half, sizeof *se), squares = 0;
    struct known_contact contact;
    size_t known_from;
    ck_assert(ladder && motion && force && se);
    first.count = second.count = half;
    second.time_s += half, second.displacement += half, second.force += half;
    ck_assert_int_eq(friction_ladder_identify(&first, NULL, ladder), VERDICT_OK);
    contact_of(ladder, &contact);
    const struct friction_window window = friction_window_of(&second);
    friction_smooth(&second, &window, motion);
    ck_assert_int_eq(contact_force(&contact, motion, half, NULL, force, se, &known_from), VERDICT_OK);
    ck_assert_uint_lt(known_from, 300);
    ck_assert_str_eq(friction_row_name((size_t)ladder->model),
                     is_lugre ? "dahl+viscous+stribeck+bristle" : "dahl+viscous+levels+path+mass");
    for (size_t i = known_from; i < half; i++)
        squares += pow(second.force[i] - force[i], 2);
    const double rms = sqrt(squares / (double)(half - known_from));
    ck_assert_msg(rms < (is_noisy ? 1.1 * ladder->rms : 1e-5 * lugre.f_c), "%g, and the fit %g", rms, ladder->rms);
    free(ladder);
    free(motion);
    free(force);
    free(se);
    free(record);
}
END_TEST

/* The force without noise is off by one standard uncertainty in the mean of squares over records, whenever it is
 * looked at. */
START_TEST(bands_are_as_wide_as_what_is_foretold_is_off)
{
    enum { RECORDS = 30 };
    double squares = 0, sum_se = 0;
    size_t looks = 0;
    for (unsigned long seed = 1; seed <= RECORDS; seed++) {
        struct record *record = record_of(&lugre, swelling, 4, seed);
        struct known_contact contact;
        double force[MOST], se[MOST];
        size_t known_from;
        know(record, &contact);
        ck_assert_int_eq(contact_force(&contact, record->motion, record->count, NULL, force, se, &known_from),
                         VERDICT_OK);
        for (size_t i = known_from; i < record->count; i += 37) {
            squares += pow((force[i] - record->true_force[i]) / se[i], 2);
            sum_se += se[i];
            looks++;
        }
        free(record);
    }
    ck_assert_double_lt(sum_se / (double)looks, noise / 4);
    const double ratio = sqrt(squares / (double)looks);
    ck_assert_msg(ratio > 0.8 && ratio < 1.25, "%g standard uncertainties", ratio);
}
END_TEST

/* A record at one speed says what the force is at that speed, and nothing about another. */
START_TEST(bands_are_wide_at_speeds_of_which_nothing_is_known)
{
    struct record *slow = record_of(&lugre, slow_zigzag, 6, 2), *fast = record_of(&lugre, fast_zigzag, 6, 2);
    struct known_contact contact;
    double force[MOST], se[MOST];
    size_t known_from;
    know(slow, &contact);
    ck_assert_int_eq(contact_force(&contact, slow->motion, slow->count, NULL, force, se, &known_from), VERDICT_OK);
    for (size_t i = 320; i < slow->count; i++)
        if (i % 150 > 30)
            ck_assert_msg(se[i] < noise, "%g of sample %zu", se[i], i);
    ck_assert_int_eq(contact_force(&contact, fast->motion, fast->count, NULL, force, se, &known_from), VERDICT_OK);
    ck_assert_double_gt(se[1100], 10 * noise);
    free(slow);
    free(fast);
}
END_TEST

static double way_until(const struct record *record, size_t end)
{
    double way = 0;
    for (size_t i = 1; i <= end; i++)
        way += fabs(record->displacement[i] - record->displacement[i - 1]);
    return way;
}

/* As long as it may have begun anywhere, the band reaches from end to end; a start that is known has none. */
START_TEST(a_start_that_is_not_known_is_forgotten)
{
    struct known_contact contact = {
        .shape = FRICTION_DAHL, .value = {[FRICTION_F_C] = 3, [FRICTION_X_D] = 2e-5}, .stribeck_exponent = 2};
    struct record *record = record_of(&lugre, swelling, 1, 1);
    double force[MOST], se[MOST], expected[MOST];
    size_t known_from;
    ck_assert_int_eq(contact_force(&contact, record->motion, record->count, NULL, force, se, &known_from), VERDICT_OK);
    ck_assert_double_eq_tol(force[0], 0, 1e-12);
    ck_assert_double_eq_tol(se[0], 3 / sqrt(3), 1e-12);
    /* exp(-way/x_d) is 1e-5 after 11.5 x_d. */
    ck_assert_double_ge(way_until(record, known_from), 11.5 * 2e-5);
    ck_assert_double_lt(way_until(record, known_from - 1), 11.55 * 2e-5);
    contact.start_known = true;
    contact.start = 0.5;
    ck_assert_int_eq(contact_force(&contact, record->motion, record->count, NULL, force, se, &known_from), VERDICT_OK);
    ck_assert_uint_eq(known_from, 0);
    const struct friction_model model = known_contact_model(&contact, contact.value);
    struct friction_state state = {.deflection = 0.5};
    friction_force(&model, record->motion, record->count, 16, &state, expected);
    for (size_t i = 0; i < record->count; i++) {
        ck_assert_double_eq(se[i], 0);
        ck_assert_double_eq_tol(force[i], expected[i], 1e-4);
    }
    free(record);
}
END_TEST

/* However the motion falls into blocks, the inertia is that of the whole of it. */
START_TEST(inertia_knows_no_blocks)
{
    struct record *record = record_of(&unlike, swelling, 3, 5);
    struct known_contact contact = {.shape = FRICTION_DAHL, .start_known = true};
    contact.value[FRICTION_F_C] = unlike.f_c;
    contact.value[FRICTION_X_D] = unlike.x_d;
    contact.value[FRICTION_MOVED_MASS] = unlike.moved_mass;
    double force[MOST], without[MOST], se[MOST];
    size_t known_from;
    for (size_t count = 255; count <= 259; count++) {
        contact.value[FRICTION_MOVED_MASS] = unlike.moved_mass;
        ck_assert_int_eq(contact_force(&contact, record->motion, count, NULL, force, se, &known_from), VERDICT_OK);
        contact.value[FRICTION_MOVED_MASS] = 0;
        ck_assert_int_eq(contact_force(&contact, record->motion, count, NULL, without, se, &known_from), VERDICT_OK);
        for (size_t i = 0; i < count; i++)
            ck_assert_double_eq_tol(force[i] - without[i],
                                    unlike.moved_mass * contact_acceleration(record->motion, count, i), 1e-9);
    }
    free(record);
}
END_TEST

/* What a contact did in a gap nobody knows: the band opens behind it, and closes as at the start. Here the motion comes
 * back into view just behind a turn, while what was seen of it went the other way. */
START_TEST(a_gap_leaves_the_start_open_anew)
{
    enum { BEGIN = 900, END = 1295 };
    struct record *record = record_of(&lugre, swelling, 12, 5);
    struct known_contact contact = {.shape = FRICTION_DAHL, .stribeck_exponent = 2, .start_known = true};
    struct simulation found;
    take_noise(record);
    contact.value[FRICTION_F_C] = lugre.f_c, contact.value[FRICTION_X_D] = lugre.x_d;
    contact.value[FRICTION_F_S] = lugre.f_s, contact.value[FRICTION_V_S] = lugre.v_s;
    contact.value[FRICTION_SIGMA_1] = lugre.sigma_1, contact.value[FRICTION_SIGMA_2] = lugre.sigma_2;
    contact.value[FRICTION_F_0] = lugre.f_0;
    memmove(record->time_s + BEGIN, record->time_s + END, (record->count - END) * sizeof(double));
    memmove(record->displacement + BEGIN, record->displacement + END, (record->count - END) * sizeof(double));
    memmove(record->force + BEGIN, record->force + END, (record->count - END) * sizeof(double));
    const struct simulation_input input = {record->time_s, record->displacement, record->force,
                                           record->count - (END - BEGIN), NAN};
    ck_assert_int_eq(simulate(&contact, &input, NULL, &found), VERDICT_OK);
    ck_assert_uint_eq(found.gaps, 1);
    ck_assert_uint_eq(found.known_from, 0);
    ck_assert_double_gt(found.se[BEGIN], lugre.f_c / 2);
    ck_assert_double_eq(found.se[BEGIN - 1], 0);
    for (size_t i = BEGIN; i < input.count; i++)
        ck_assert_msg(fabs(found.force[i] - record->force[i]) < sqrt(3) * found.se[i] + 1e-3 * lugre.f_c,
                      "%g, and not %g, with %g of sample %zu", found.force[i], record->force[i], found.se[i], i);
    ck_assert_double_lt(found.residual_rms, 1e-4 * lugre.f_c);
    simulation_clear(&found);
    free(record);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("contact_force");
    TCase *tests = tcase_create("contact_force");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, what_was_given_up_says_so);
    tcase_add_loop_test(tests, the_half_that_was_held_out_is_foretold, 0, 4);
    tcase_add_test(tests, bands_are_as_wide_as_what_is_foretold_is_off);
    tcase_add_test(tests, bands_are_wide_at_speeds_of_which_nothing_is_known);
    tcase_add_test(tests, a_start_that_is_not_known_is_forgotten);
    tcase_add_test(tests, inertia_knows_no_blocks);
    tcase_add_test(tests, a_gap_leaves_the_start_open_anew);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
