/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Friction over speed against curves that are known, and their bounds. */

#include "identify/curve/speed_curve.h"

#include <check.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>

enum { POINTS = 40 };

/* A curve as it is measured: half of the points each way, from 1 to 200 mm/s. */
struct bench {
    double f_c, dip, v_s, j, sigma_2, f_0, noise;
};
static const struct bench usual = {2, 1, 0.02, 2, 3, 0.2, 0};

static double truth(const struct bench *bench, double v)
{
    const double s = v < 0 ? -1 : 1;
    return s * (bench->f_c + bench->dip * exp(-pow(fabs(v) / bench->v_s, bench->j))) + bench->sigma_2 * v + bench->f_0;
}

static double speed_at(size_t i)
{
    const double size = 1e-3 * pow(200, (double)(i / 2) / (POINTS / 2 - 1));
    return i % 2 ? -size : size;
}

/* Standard deviations are all alike: their unit changes nothing. */
START_TEST(tiny_deviations_weigh_as_large_ones)
{
    static struct speed_curve curve;
    const double of[] = {1e-170, 1, 1e170};
    double speed[POINTS], force[POINTS], deviation[POINTS];
    for (size_t i = 0; i < POINTS; i++) {
        speed[i] = speed_at(i);
        force[i] = truth(&usual, speed[i]);
        deviation[i] = of[_i];
    }
    const struct record_trace traces[] = {
        {.quantity = QUANTITY_VELOCITY, .values = speed, .count = POINTS, .stride = 1},
        {.quantity = QUANTITY_FORCE, .values = force, .count = POINTS, .stride = 1},
        {.quantity = QUANTITY_FORCE, .values = deviation, .count = POINTS, .stride = 1}};
    const struct record record = {traces, 3, NULL};
    const struct identify_settings settings = {.cancel = NULL};
    ck_assert_int_eq(analyse_curve(&record, VERDICT_OK, &settings, &curve), VERDICT_OK);
    ck_assert_double_eq_tol(curve.both.f_c.value, usual.f_c, 1e-6);
}
END_TEST

static enum verdict look(const double *speed, const double *force, size_t count, struct speed_curve *curve)
{
    const struct record_trace traces[] = {{.quantity = QUANTITY_VELOCITY, .values = speed, .count = count, .stride = 1},
                                          {.quantity = QUANTITY_FORCE, .values = force, .count = count, .stride = 1}};
    const struct record record = {traces, 2, NULL};
    const struct identify_settings settings = {.cancel = NULL};
    return analyse_curve(&record, VERDICT_OK, &settings, curve);
}

static enum verdict identify_bench(const struct bench *bench, gsl_rng *rng, double unit, struct speed_curve *curve)
{
    double speed[POINTS], force[POINTS];
    for (size_t i = 0; i < POINTS; i++) {
        speed[i] = unit * speed_at(i);
        force[i] = unit * (truth(bench, speed_at(i)) + (rng ? gsl_ran_gaussian(rng, bench->noise) : 0));
    }
    return look(speed, force, POINTS, curve);
}

static void assert_near(const struct estimate *estimate, double value, double within)
{
    ck_assert_double_le(fabs(estimate->value - value), within * fabs(value));
}

START_TEST(a_curve_without_noise_is_found_at_any_scale)
{
    static const double exponents[] = {1, 2, 1.4}, units[] = {1e-12, 1, 1e12};
    static struct speed_curve curve;
    struct bench bench = usual;
    bench.j = exponents[_i % 3];
    const double unit = units[_i / 3];
    ck_assert_int_eq(identify_bench(&bench, NULL, unit, &curve), VERDICT_OK);
    ck_assert_int_eq(curve.both.stribeck, CURVE_DIP_FOUND);
    ck_assert_double_eq_tol(curve.both.exponent, bench.j, 1e-6);
    assert_near(&curve.both.f_c, unit * bench.f_c, 1e-6);
    assert_near(&curve.both.f_s, unit * (bench.f_c + bench.dip), 1e-6);
    assert_near(&curve.both.v_s, unit * bench.v_s, 1e-6);
    assert_near(&curve.both.sigma_2, bench.sigma_2, 1e-6);
    assert_near(&curve.both.f_0, unit * bench.f_0, 1e-6);
    assert_near(&curve.way[0].f_c, unit * (bench.f_c + bench.f_0), 1e-6);
    assert_near(&curve.way[1].f_c, unit * (bench.f_c - bench.f_0), 1e-6);
}
END_TEST

/* The bound in white noise, by differences of the truth. */
static void bounds_of(const struct bench *bench, double bound[5])
{
    double normal[25] = {0}, by[5], inverse[25];
    for (size_t i = 0; i < POINTS; i++) {
        for (int p = 0; p < 5; p++) {
            struct bench more = *bench, less = *bench;
            double *const up[] = {&more.f_c, &more.dip, &more.v_s, &more.sigma_2, &more.f_0};
            double *const down[] = {&less.f_c, &less.dip, &less.v_s, &less.sigma_2, &less.f_0};
            const double step = 1e-5 * fabs(*up[p]);
            *up[p] += step;
            *down[p] -= step;
            by[p] = (truth(&more, speed_at(i)) - truth(&less, speed_at(i))) / (2 * step) / bench->noise;
        }
        for (int a = 0; a < 5; a++)
            for (int b = 0; b < 5; b++)
                normal[5 * a + b] += by[a] * by[b];
    }
    /* Gauss and Jordan; the matrix is positive. */
    for (int k = 0; k < 25; k++)
        inverse[k] = k % 6 == 0;
    for (int k = 0; k < 5; k++) {
        const double pivot = normal[6 * k];
        for (int c = 0; c < 5; c++) {
            normal[5 * k + c] /= pivot;
            inverse[5 * k + c] /= pivot;
        }
        for (int r = 0; r < 5; r++) {
            const double factor = normal[5 * r + k];
            for (int c = 0; c < 5 && r != k; c++) {
                normal[5 * r + c] -= factor * normal[5 * k + c];
                inverse[5 * r + c] -= factor * inverse[5 * k + c];
            }
        }
    }
    for (int p = 0; p < 5; p++)
        bound[p] = sqrt(inverse[6 * p]);
}

START_TEST(figures_reach_their_bounds_and_intervals_cover)
{
    enum { RECORDS = 120 };
    static struct speed_curve curve;
    struct bench bench = usual;
    bench.noise = 0.03;
    const double value[5] = {bench.f_c, bench.dip, bench.v_s, bench.sigma_2, bench.f_0};
    double bound[5], squares[5] = {0};
    int covered[5] = {0}, right = 0;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, 7);
    bounds_of(&bench, bound);
    for (int r = 0; r < RECORDS; r++) {
        ck_assert_int_eq(identify_bench(&bench, rng, 1, &curve), VERDICT_OK);
        if (curve.both.exponent != bench.j)
            continue;
        right++;
        const struct estimate *found[5] = {&curve.both.f_c, &curve.both.dip, &curve.both.v_s, &curve.both.sigma_2,
                                           &curve.both.f_0};
        for (int p = 0; p < 5; p++) {
            squares[p] += pow((found[p]->value - value[p]) / bound[p], 2);
            covered[p] += found[p]->low <= value[p] && value[p] <= found[p]->high;
        }
    }
    gsl_rng_free(rng);
    /* An exponent to be estimated is chosen by chance where 2 (log-likelihood) > ln 40: in 5.5 %. */
    ck_assert_int_ge(right, RECORDS * 90 / 100);
    for (int p = 0; p < 5; p++) {
        ck_assert_double_lt(fabs(sqrt(squares[p] / right) - 1), 0.15);
        ck_assert_int_ge(covered[p], right * 91 / 100);
    }
}
END_TEST

START_TEST(what_is_not_seen_is_null_and_named)
{
    static const struct {
        struct bench bench;
        enum curve_dip stribeck;
    } rows[] = {
        {{2, 0, 0.02, 2, 3, 0.2, 0.02}, CURVE_DIP_NONE},
        {{2, -0.8, 0.02, 1, 3, 0.2, 0.01}, CURVE_DIP_UPSIDE_DOWN},
        {{2, 1, 1e-4, 1, 3, 0.2, 0.01}, CURVE_DIP_NONE},
        {{2, 2, 0.4, 1, 8, 0, 0.001}, CURVE_DIP_OUTSIDE},
    };
    static struct speed_curve curve;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, 3);
    ck_assert_int_eq(identify_bench(&rows[_i].bench, rng, 1, &curve), VERDICT_OK);
    gsl_rng_free(rng);
    ck_assert_int_eq(curve.both.stribeck, rows[_i].stribeck);
    ck_assert(isnan(curve.both.v_s.value) && isnan(curve.both.f_s.value) && isnan(curve.both.exponent));
    ck_assert(isfinite(curve.both.f_c.value));
}
END_TEST

/* All above v_s, or all below: the level and the viscous force are bent by a dip that is not told, and their errors
 * know of it. */
START_TEST(speeds_that_do_not_reach_across_the_dip_tell_less)
{
    enum { RECORDS = 60 };
    static const struct bench benches[] = {
        {2, 1, 8e-4, 2, 3, 0.2, 0.02}, {2, 1, 5e-4, 1, 3, 0.2, 0.02}, {2, 1, 0.25, 2, 3, 0.2, 0.02}};
    static struct speed_curve curve;
    const struct bench *bench = &benches[_i];
    double level = 0, viscous = 0;
    int told = 0, dips = 0, upside_down = 0;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, 5);
    for (int r = 0; r < RECORDS; r++) {
        ck_assert_int_eq(identify_bench(bench, rng, 1, &curve), VERDICT_OK);
        dips += curve.both.stribeck == CURVE_DIP_FOUND;
        upside_down += curve.both.stribeck == CURVE_DIP_UPSIDE_DOWN;
        if (isnan(curve.both.f_c.se) || isnan(curve.both.sigma_2.se))
            continue;
        told++;
        level += pow((curve.both.f_c.value - bench->f_c) / curve.both.f_c.se, 2);
        viscous += pow((curve.both.sigma_2.value - bench->sigma_2) / curve.both.sigma_2.se, 2);
    }
    gsl_rng_free(rng);
    ck_assert_msg(sqrt(level / told) < 1.3 && sqrt(viscous / told) < 1.3, "%g %g of %d", sqrt(level / told),
                  sqrt(viscous / told), told);
    ck_assert_int_le(dips, RECORDS * 5 / 100);
    ck_assert_int_le(upside_down, RECORDS * 5 / 100);
}
END_TEST

/* Points from 10 mm/s on, of which those of a way follow each other. */
static double fast_at(size_t i)
{
    const double size = 1e-2 * pow(20, (double)(i % (POINTS / 2)) / (POINTS / 2 - 1));
    return i < POINTS / 2 ? size : -size;
}

/* The share of records whose interval has the Coulomb level, and the dips found in them. Noise may have a memory: what
 * is left of it at the next point. */
static double level_covered(const struct bench *bench, double memory, enum curve_dip dip, int *dips)
{
    enum { RECORDS = 100 };
    static struct speed_curve curve;
    double speed[POINTS], force[POINTS];
    int covered = 0;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, 5);
    *dips = 0;
    for (int r = 0; r < RECORDS; r++) {
        double noise = gsl_ran_gaussian(rng, bench->noise);
        for (size_t i = 0; i < POINTS; i++) {
            speed[i] = fast_at(i);
            force[i] = truth(bench, speed[i]) + noise;
            noise = memory * noise + sqrt(1 - memory * memory) * gsl_ran_gaussian(rng, bench->noise);
        }
        ck_assert_int_eq(look(speed, force, POINTS, &curve), VERDICT_OK);
        covered += curve.both.f_c.low <= bench->f_c && bench->f_c <= curve.both.f_c.high;
        *dips += curve.both.stribeck == dip;
    }
    gsl_rng_free(rng);
    return covered / (double)RECORDS;
}

/* A viscous friction that comes out at 0 is not known to be none. */
START_TEST(a_level_beside_no_viscous_friction_is_as_uncertain)
{
    const struct bench bench = {2, 1, 0.1, 2, 0.5, 0.2, 0.02};
    int dips;
    ck_assert_double_ge(level_covered(&bench, 0, CURVE_DIP_FOUND, &dips), 0.9);
    ck_assert_int_ge(dips, 30);
}
END_TEST

/* What neighbours have in common is no scatter that more of them average out. */
START_TEST(points_with_a_common_error_tell_less)
{
    const struct bench bench = {2, 0, 0.02, 2, 3, 0.2, 0.05};
    int dips;
    ck_assert_double_ge(level_covered(&bench, 0.7, CURVE_DIP_NONE, &dips), 0.65);
}
END_TEST

START_TEST(false_dips_are_rare)
{
    enum { RECORDS = 80 };
    static struct speed_curve curve;
    struct bench bench = usual;
    int dips = 0;
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(rng, 11);
    bench.dip = 0;
    bench.noise = 0.1;
    for (int r = 0; r < RECORDS; r++) {
        ck_assert_int_eq(identify_bench(&bench, rng, 1, &curve), VERDICT_OK);
        dips += curve.both.stribeck == CURVE_DIP_FOUND;
    }
    gsl_rng_free(rng);
    ck_assert_int_le(dips, RECORDS * 5 / 100);
}
END_TEST

START_TEST(bad_curves_are_named)
{
    static struct speed_curve curve;
    static const double speed[] = {-2, -1, 0, 1, 2, 3}, force[] = {-1.2, -1.1, 0, 1, 1.2, 1.3};
    static const double turned[] = {1.2, 1.1, 0, -1, -1.2, -1.3}, alike[] = {1, 1, 1, 1, 1, 1};
    static const double broken[] = {1, 2, NAN, 2, 2, 2}, one[] = {1, 1, 1, 1, 1, 1};
    ck_assert_int_eq(look(speed, force, 6, &curve), VERDICT_OK);
    ck_assert_uint_eq(curve.left_out, 1);
    ck_assert_int_eq(look(speed, turned, 6, &curve), VERDICT_NEGATIVE_ENERGY);
    ck_assert_int_eq(look(speed, alike, 6, &curve), VERDICT_FORCE_CONSTANT);
    ck_assert_int_eq(look(speed, broken, 6, &curve), VERDICT_NOT_FINITE);
    ck_assert_int_eq(look(one, force, 6, &curve), VERDICT_TOO_FEW_SPEEDS);
    ck_assert_int_eq(look(speed, force, 3, &curve), VERDICT_TOO_FEW_SPEEDS);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("speed_curve");
    TCase *tests = tcase_create("speed_curve");
    tcase_add_loop_test(tests, a_curve_without_noise_is_found_at_any_scale, 0, 9);
    tcase_add_test(tests, figures_reach_their_bounds_and_intervals_cover);
    tcase_add_loop_test(tests, what_is_not_seen_is_null_and_named, 0, 4);
    tcase_add_loop_test(tests, speeds_that_do_not_reach_across_the_dip_tell_less, 0, 3);
    tcase_add_test(tests, a_level_beside_no_viscous_friction_is_as_uncertain);
    tcase_add_test(tests, points_with_a_common_error_tell_less);
    tcase_add_test(tests, false_dips_are_rare);
    tcase_add_test(tests, bad_curves_are_named);
    tcase_add_loop_test(tests, tiny_deviations_weigh_as_large_ones, 0, 3);
    tcase_set_timeout(tests, 60); /* seconds of the clock: others use the processor, too */
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
