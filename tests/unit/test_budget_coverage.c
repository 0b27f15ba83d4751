/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Campaigns of simulated decays: the combined uncertainty is that of the noise where the model holds, and holds the
 * truth where it does not. */
#include "closed_form_decay.h"
#include "identify/decay/identify_ladder.h"
#include "identify/ladder/earlier_releases.h"
#include "integrated_decay.h"
#include "run_suite.h"

#include <check.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics.h>
#include <string.h>

enum { SEED = 20261123, SAMPLES = 2500, PERFECT = 100, BENT = 100 };

#define DENSE                                                                                                          \
    {                                                                                                                  \
        .period_s = 1e-3, .count = SAMPLES                                                                             \
    }

enum { FREQUENCY, VISCOUS, COULOMB, FIGURES };

static const enum budget_quantity lines[FIGURES] = {BUDGET_F_N_HZ, BUDGET_ZETA, BUDGET_X_K};

/* What a campaign counts. climbs: the ladder, too. */
struct count {
    bool climbs;
    int records, by_extrema;
    int held[FIGURES];                /* expanded uncertainties that hold the truth */
    int doubled[FIGURES];             /* combined uncertainties above twice that of the noise */
    int many[FIGURES];                /* above five times that */
    double u[FIGURES];                /* combined, of the last record */
    struct earlier_releases *earlier; /* of the rig; NULL: each release is asked by itself */
};

/* Identifies samples to which it adds noise, and counts. */
static void count_record(double *y, const struct sampling *sampling, double noise, double step,
                         const double truth[FIGURES], gsl_rng *rng, struct count *count)
{
    for (size_t i = 0; i < sampling->count; i++) {
        y[i] += gsl_ran_gaussian(rng, noise);
        y[i] = step > 0 ? round(y[i] / step) * step : y[i];
    }
    const struct decay_record record = {.displacement = y,
                                        .count = sampling->count,
                                        .period_s = sampling->period_s,
                                        .first_extremum_s = NAN,
                                        .resolution = step};
    const struct identify_settings settings = {.physical = physical_default_settings(), .earlier = count->earlier};
    struct identification found;
    ck_assert_int_eq(identify(&record, NULL, &settings, &found), VERDICT_OK);
    if (count->climbs)
        ck_assert_int_eq(identify_ladder(&record, &settings, &found), VERDICT_OK);
    if (count->earlier)
        earlier_releases_add(count->earlier, (uint64_t)count->records + 1, found.ladder);
    count->records++;
    count->by_extrema += found.recommended == RECOMMENDED_EXTREMA_FIT;
    for (int k = 0; k < FIGURES; k++) {
        const struct budget_line *line = &found.budget.line[lines[k]];
        count->held[k] += fabs(line->value - truth[k]) <= line->expanded;
        count->doubled[k] += line->u > 2 * line->u_stat;
        count->many[k] += line->u > 5 * line->u_stat;
        count->u[k] = line->u;
    }
    identification_clear(&found);
}

static gsl_rng *seeded(void)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    gsl_rng_set(rng, SEED);
    return rng;
}

/* Rigs that obey the model: viscous and Coulomb damping, white noise, an encoder, and a slow recorder that sees the
 * motion end, whose last windows of amplitude hold little but noise. */
static const struct {
    double zeta, x_k, noise, step;
    struct sampling sampling;
} rigs[] = {
    {0.01, 0.005, 1e-3, 0, DENSE},
    {0.02, 0.01, 1e-2, 0, DENSE},
    {0.005, 0.002, 3e-3, 0, DENSE},
    {0.01, 0, 3e-3, 0, DENSE},
    {0, 0.01, 3e-3, 0, DENSE},
    {0.003, 0.003, 1e-3, 2e-3, DENSE},
    {0.01, 0.005, 1e-3, 0, {.period_s = 5e-3, .count = 900}},
};

START_TEST(where_the_model_holds_the_budget_is_that_of_the_noise)
{
    const size_t count_of_rigs = sizeof rigs / sizeof *rigs;
    struct count count = {0};
    gsl_rng *rng = seeded();
    for (size_t n = 0; n < count_of_rigs * PERFECT; n++) {
        const size_t rig = n % count_of_rigs;
        const struct sampling *sampling = &rigs[rig].sampling;
        const struct true_decay truth = {.omega_n = 10 * M_PI,
                                         .zeta = rigs[rig].zeta,
                                         .x_k = rigs[rig].x_k,
                                         .x0 = gsl_rng_uniform(rng) < 0.5 ? -1 : 1,
                                         .bias = 0.3 * gsl_rng_uniform(rng),
                                         .t0 = -0.999 * sampling->period_s * gsl_rng_uniform(rng)};
        const double true_figures[FIGURES] = {5, truth.zeta, truth.x_k};
        double *y;
        measured_record(&truth, sampling, NULL, &y);
        count_record(y, sampling, rigs[rig].noise, rigs[rig].step, true_figures, rng, &count);
        free(y);
    }
    gsl_rng_free(rng);
    for (int k = 0; k < FIGURES; k++) {
        const double held = (double)count.held[k] / count.records;
        printf("figure %d: held %.3f, doubled in %d, five times in %d of %d\n", k, held, count.doubled[k],
               count.many[k], count.records);
        /* An estimate at its bound is covered one-sided. */
        ck_assert_double_ge(held, 0.93);
        ck_assert_double_le(held, 0.98);
        /* A drift that is not there looks half likely in one record of a thousand, and already an eighth in a hundred,
         * which shows where the parameters answer to it by twenty times their errors. */
        ck_assert_int_le(count.doubled[k], count.records / 40);
        ck_assert_int_le(count.many[k], count.records / 100);
    }
}
END_TEST

/* A campaign over one motion that no model holds, as it was integrated. */
static void expect_held(const char *name, const double silent[SAMPLES], double noise, const double truth[FIGURES])
{
    static double y[SAMPLES];
    static const struct sampling dense = DENSE;
    struct count count = {0};
    gsl_rng *rng = seeded();
    for (int n = 0; n < BENT; n++) {
        memcpy(y, silent, sizeof y);
        count_record(y, &dense, noise, 0, truth, rng, &count);
    }
    gsl_rng_free(rng);
    printf("%s: f_n %d, zeta %d, x_k %d of %d held, %d by extrema\n", name, count.held[0], count.held[1], count.held[2],
           count.records, count.by_extrema);
    /* 95 %, and two and a half standard deviations of such a count. */
    for (int k = 0; k < FIGURES; k++)
        ck_assert_msg(count.held[k] * 100 >= count.records * 89, "%s: figure %d held in %d of %d", name, k,
                      count.held[k], count.records);
}

/* Drags and cubic stiffnesses that the record shows, alone and together. */
static const struct {
    const char *name;
    double zeta, x_k, drag, cubic, noise;
} bent[] = {
    {"slight drag", 0.01, 0.005, 0.002, 0, 1e-3},
    {"drag", 0.01, 0.005, 0.02, 0, 1e-3},
    {"much drag", 0.01, 0.005, 0.05, 0, 1e-3},
    {"drag without friction", 0.01, 0, 0.02, 0, 3e-3},
    {"drag without viscous damping", 0, 0.005, 0.02, 0, 3e-3},
    {"a thousandth softer", 0.01, 0.005, 0, -0.001, 1e-3},
    {"a little stiffer", 0.01, 0.005, 0, 0.003, 1e-3},
    {"a hundredth stiffer", 0.01, 0.005, 0, 0.01, 1e-3},
    {"stiffer, long", 0.005, 0.002, 0, 0.05, 2e-3},
    {"pendulum", 0.01, 0.005, 0, -1.0 / 6, 1e-3},
    {"pendulum without friction", 0.01, 0, 0, -1.0 / 6, 3e-3},
    {"pendulum without viscous damping", 0, 0.005, 0, -1.0 / 6, 3e-3},
    {"pendulum in air", 0.005, 0.002, 0.02, -1.0 / 6, 2e-3},
    {"stiffer with drag", 0.005, 0.002, 0.05, 0.05, 2e-3},
};

START_TEST(drag_and_cubic_stiffness_are_covered)
{
    static double silent[SAMPLES];
    const struct true_motion motion = {10 * M_PI, bent[_i].zeta, bent[_i].x_k, bent[_i].drag, bent[_i].cubic, 1};
    const double truth[FIGURES] = {5, motion.zeta, motion.x_k};
    motion_sample(&motion, 1e-3, silent, SAMPLES);
    expect_held(bent[_i].name, silent, bent[_i].noise, truth);
}
END_TEST

/* Friction that gives way over a distance x_d before it slides. */
START_TEST(presliding_is_covered)
{
    static const double distances[] = {0.002, 0.01, 0.04};
    static double silent[SAMPLES];
    const struct true_motion motion = {10 * M_PI, _i < 3 ? 0.01 : 0, _i < 3 ? 0.005 : 0.01, 0, 0, 1};
    const double truth[FIGURES] = {5, motion.zeta, motion.x_k};
    presliding_sample(&motion, distances[_i % 3], 1e-3, silent, SAMPLES);
    expect_held("presliding", silent, 1e-3, truth);
}
END_TEST

/* --- with the ladder --- */

enum { SHORT = 1000, RELEASES = 30 };

#define SLOWER                                                                                                         \
    {                                                                                                                  \
        .period_s = 4e-3, .count = SHORT                                                                               \
    }

/* Friction gives way over x_d, or there is drag or a cubic stiffness. */
static void sample_motion(const struct true_motion *motion, double x_d, double y[SHORT])
{
    if (x_d > 0)
        presliding_sample(motion, x_d, 4e-3, y, SHORT);
    else
        motion_sample(motion, 4e-3, y, SHORT);
}

/* Releases of one rig, which differ by their noise alone. */
static void release(const struct true_motion *motion, double x_d, double noise, struct count *count,
                    double u[FIGURES][RELEASES])
{
    static const struct sampling slower = SLOWER;
    static double silent[SHORT], y[SHORT];
    const double truth[FIGURES] = {5, motion->zeta, motion->x_k};
    gsl_rng *rng = seeded();
    sample_motion(motion, x_d, silent);
    for (int n = 0; n < RELEASES; n++) {
        memcpy(y, silent, sizeof y);
        count_record(y, &slower, noise, 0, truth, rng, count);
        for (int k = 0; k < FIGURES; k++)
            u[k][n] = count->u[k];
    }
    gsl_rng_free(rng);
}

/* Rigs that obey, and terms that one to four of their own standard errors tell of: some records choose them, most do
 * not, and of what stands for what the ladder may be wrong. The smallest presliding is one that a cubic stiffness would
 * stand in for. */
static const struct {
    const char *name;
    double zeta, x_k, drag, cubic, x_d, noise;
} releases[] = {
    {"viscous", 0.01, 0, 0, 0, 0, 3e-3},
    {"Coulomb", 0, 0.01, 0, 0, 0, 1e-3},
    {"viscous and Coulomb", 0.01, 0.005, 0, 0, 0, 1e-3},
    {"unseen drag", 0.01, 0.005, 0.0002, 0, 0, 1e-3},
    {"drag that is often seen", 0.01, 0.005, 0.0004, 0, 0, 1e-3},
    {"unseen drag without friction", 0.01, 0, 0.0003, 0, 0, 3e-3},
    {"unseen cubic stiffness", 0.01, 0.005, 0, 0.0002, 0, 1e-3},
    {"unseen presliding", 0.01, 0.005, 0, 0, 5e-5, 1e-2},
    {"hardly any presliding", 0.01, 0.005, 0, 0, 5e-5, 1e-3},
};

START_TEST(releases_are_covered_and_alike)
{
    static double u[FIGURES][RELEASES];
    struct count count = {.climbs = true};
    const struct true_motion motion = {10 * M_PI,         releases[_i].zeta,  releases[_i].x_k,
                                       releases[_i].drag, releases[_i].cubic, 1};
    release(&motion, releases[_i].x_d, releases[_i].noise, &count, u);
    for (int k = 0; k < FIGURES; k++) {
        gsl_sort(u[k], 1, RELEASES);
        const double median = gsl_stats_median_from_sorted_data(u[k], 1, RELEASES);
        int wide = 0;
        for (int n = 0; n < RELEASES; n++)
            wide += u[k][n] > 3 * median;
        printf("%s: figure %d held in %d of %d; u %.2g to %.2g, median %.2g\n", releases[_i].name, k, count.held[k],
               RELEASES, u[k][0], u[k][RELEASES - 1], median);
        /* 95 %, and two and a half standard deviations of such a count. */
        ck_assert_int_ge(count.held[k] * 100, RELEASES * 85);
        /* One in twenty has a false term, and then two that may be there beside it. What the rig lacks is at its bound
         * in one record and not in the next. */
        const bool lacks = (k == VISCOUS && !(motion.zeta > 0)) || (k == COULOMB && !(motion.x_k > 0));
        ck_assert_msg(lacks || wide * 10 <= RELEASES, "%s: figure %d", releases[_i].name, k);
    }
}
END_TEST

/* Each release after the ones before it. */
static void expect_in_a_row(int row, double u[FIGURES][RELEASES], struct count *count)
{
    struct earlier_releases earlier = {.count = 0};
    const struct true_motion motion = {10 * M_PI,          releases[row].zeta,  releases[row].x_k,
                                       releases[row].drag, releases[row].cubic, 1};
    *count = (struct count){.climbs = true, .earlier = &earlier};
    release(&motion, releases[row].x_d, releases[row].noise, count, u);
    for (int k = 0; k < FIGURES; k++) {
        printf("%s, in a row: figure %d held in %d of %d, five times the noise in %d; u %.2g to %.2g\n",
               releases[row].name, k, count->held[k], RELEASES, count->many[k], u[k][0], u[k][RELEASES - 1]);
        ck_assert_int_ge(count->held[k] * 100, RELEASES * 85);
    }
}

START_TEST(earlier_releases_make_the_budget_tight)
{
    static double u[FIGURES][RELEASES];
    struct count count;
    expect_in_a_row(2, u, &count);
    /* The first four know little of each other; one in twenty has a false term, or lacks one. */
    for (int k = 0; k < FIGURES; k++)
        ck_assert_int_le(count.many[k], 6);
    ck_assert_double_le(u[VISCOUS][RELEASES - 1], 0.5 * u[VISCOUS][0]);
}
END_TEST

START_TEST(what_one_release_does_not_show_stays_covered_in_a_row)
{
    static const int unseen[] = {3, 6};
    static double u[FIGURES][RELEASES];
    struct count count;
    expect_in_a_row(unseen[_i], u, &count);
}
END_TEST

/* A fit that is out of phase may say anything: the budget does not ask it. */
START_TEST(a_rejected_fit_does_not_enter)
{
    static double y[SAMPLES];
    const struct true_motion motion = {10 * M_PI, 0.005, 0.002, 0, 0.05, 1};
    gsl_rng *rng = seeded();
    motion_sample(&motion, 1e-3, y, SAMPLES);
    for (size_t i = 0; i < SAMPLES; i++)
        y[i] += gsl_ran_gaussian(rng, 1e-3);
    gsl_rng_free(rng);
    const struct decay_record record = {.displacement = y, .count = SAMPLES, .period_s = 1e-3, .first_extremum_s = NAN};
    struct identify_settings settings = {.physical = physical_default_settings()};
    struct identification found, bent_found;
    settings.physical.linearity_percent = 0.25;
    settings.physical.full_scale = 1;
    ck_assert_int_eq(identify(&record, NULL, &settings, &found), VERDICT_OK);
    ck_assert_int_eq(found.recommended, RECOMMENDED_EXTREMA_FIT);
    ck_assert_int_eq(found.fit.verdict, VERDICT_OUT_OF_PHASE);
    const struct budget_line *zeta = &found.budget.line[BUDGET_ZETA];
    ck_assert_double_lt(zeta->u_model, 0.8 * fabs(found.fit.estimate[FIT_ZETA].value - zeta->value));
    /* Nor for the sensor's nonlinearity: by how much the extrema's own fit answers to it. */
    for (size_t i = 0; i < SAMPLES; i++)
        y[i] += 0.0025 * pow(y[i], 3);
    ck_assert_int_eq(identify(&record, NULL, &settings, &bent_found), VERDICT_OK);
    ck_assert_int_eq(bent_found.recommended, RECOMMENDED_EXTREMA_FIT);
    ck_assert_double_eq_tol(zeta->u_cal * sqrt(3), fabs(bent_found.budget.line[BUDGET_ZETA].value - zeta->value),
                            0.05 * zeta->u_cal);
    identification_clear(&found);
    identification_clear(&bent_found);
}
END_TEST

int main(void)
{
    printf("seed %d\n", SEED);
    Suite *suite = suite_create("coverage of the budget");
    TCase *tests = tcase_create("budget");
    suite_add_tcase(suite, tests);
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, where_the_model_holds_the_budget_is_that_of_the_noise);
    tcase_add_loop_test(tests, drag_and_cubic_stiffness_are_covered, 0, (int)(sizeof bent / sizeof *bent));
    tcase_add_loop_test(tests, presliding_is_covered, 0, 6);
    tcase_add_loop_test(tests, releases_are_covered_and_alike, 0, (int)(sizeof releases / sizeof *releases));
    tcase_add_test(tests, earlier_releases_make_the_budget_tight);
    tcase_add_loop_test(tests, what_one_release_does_not_show_stays_covered_in_a_row, 0, 2);
    tcase_add_test(tests, a_rejected_fit_does_not_enter);
    return run_suite(suite);
}
