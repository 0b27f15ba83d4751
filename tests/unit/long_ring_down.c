/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What takes long: ring-downs of modes with a joint and without one, many of each, against the Cramer-Rao bound and
 * what others reach. The environment's RING_DOWN_RECORDS and RING_DOWN_SEED ask for another number of them, and for
 * others. */
#include "asked.h"
#include "backbone_reading.h"
#include "identify/ring_down/hilbert_route.h"
#include "identify/ring_down/law_curve.h"
#include "identify/ring_down/ring_down.h"
#include "ring_down_bench.h"
#include "run_suite.h"

#include <stdio.h>
#include <stdlib.h>

enum { CALM = 700, MOST = CALM + BENCH_SAMPLES };
static double samples[MOST];

static size_t records(void)
{
    return asked("RING_DOWN_RECORDS", 200);
}

/* Each case has its own noise. */
static gsl_rng *noise_of(unsigned long number)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(random, asked("RING_DOWN_SEED", 0) + 1000 * number + 1);
    return random;
}

/* Errors of figures over what they are stated or allowed to be. */
struct tally {
    size_t figures, covered;
    double squares;
};

static void add(struct tally *tally, double error, double se)
{
    tally->figures++;
    tally->covered += fabs(error) < 1.96 * se;
    tally->squares += pow(error / se, 2);
}

static void print(const char *about, const struct tally *tally)
{
    printf("%s: %zu of %zu covered, RMSE over the bound %.3f\n", about, tally->covered, tally->figures,
           sqrt(tally->squares / (double)tally->figures));
}

static void expect(const struct tally *tally, double least, double most)
{
    const double ratio = sqrt(tally->squares / (double)tally->figures);
    ck_assert_double_ge(ratio, least);
    ck_assert_double_le(ratio, most);
    ck_assert_double_ge((double)tally->covered, 0.92 * (double)tally->figures);
    ck_assert_double_le((double)tally->covered, 0.98 * (double)tally->figures);
}

static struct mode_record held_and_let_go(const struct modal_iwan *mode, double later_s, double noise, gsl_rng *random)
{
    for (int i = 0; i < BENCH_SAMPLES; i++)
        samples[i] = gsl_ran_gaussian(random, noise * bench_first(mode));
    bench_add(mode, later_s, samples);
    return (struct mode_record){.sensed = SENSED_ACCELERATION,
                                .samples = samples,
                                .count = BENCH_SAMPLES,
                                .rate_hz = BENCH_RATE_HZ,
                                .centre_hz = bench_omega_0(mode) / (2 * M_PI) - 0.7,
                                .stop_hz = 40,
                                .alone = true};
}

struct rates {
    double omega, zeta;
};

/* The truth at an amplitude. */
static struct rates rates_at(const struct modal_iwan *mode, double a)
{
    const double omega = sqrt(modal_iwan_fundamental(mode, a));
    return (struct rates){omega,
                          modal_iwan_dissipation(mode, a, omega) / (2 * M_PI * modal_iwan_tangent(mode, a) * a * a)};
}

/* Of the law: its parameters, and the curves where a third of its nepers is gone. */
static void add_law(const struct modal_iwan *mode, const struct law_fit *fit, struct tally tallies[5])
{
    static const enum microslip_parameter of[3] = {MICROSLIP_OMEGA_0, MICROSLIP_C, MICROSLIP_CHI};
    const double truth[3] = {bench_omega_0(mode), mode->c, mode->chi};
    struct backbone_point points[BACKBONE_POINTS];
    for (int k = 0; k < 3; k++)
        add(&tallies[k], fit->law.parameter[of[k]] - truth[k], sqrt(fit->covariance[of[k]][of[k]]));
    ck_assert_uint_eq(law_curve(fit, points), BACKBONE_POINTS);
    const struct backbone_point *at = &points[BACKBONE_POINTS / 3];
    const struct rates is = rates_at(mode, at->amplitude);
    add(&tallies[3], at->omega - is.omega, at->se_omega);
    add(&tallies[4], at->zeta - is.zeta, at->se_zeta);
}

START_TEST(the_law_is_at_its_bound)
{
    static const double noise[3] = {0.001, 0.01, 0.05};
    static const char *const name[5] = {"omega_0", "c", "chi", "omega at an amplitude", "zeta there"};
    const struct modal_iwan mode = bench_mode(_i % 2 ? &bench_strong : &bench_mild);
    gsl_rng *random = noise_of((unsigned long)_i);
    struct tally tallies[5] = {{.figures = 0}};
    for (size_t n = 0; n < records(); n++) {
        const double later_s = gsl_rng_uniform(random) / 117;
        const struct mode_record record = held_and_let_go(&mode, later_s, noise[_i / 2], random);
        struct law_fit fit;
        law_fit(&record, NULL, &fit);
        ck_assert_str_eq(verdict_name(fit.verdict), "ok");
        add_law(&mode, &fit, tallies);
    }
    printf("%s mode, noise of %g %%\n", _i % 2 ? "strong" : "mild", 100 * noise[_i / 2]);
    struct tally all = {.figures = 0};
    for (int k = 0; k < 5; k++) {
        print(name[k], &tallies[k]);
        all.figures += tallies[k].figures;
        all.covered += tallies[k].covered;
        all.squares += tallies[k].squares;
    }
    expect(&all, 0.9, 1.15);
    gsl_rng_free(random);
}
END_TEST

/* RMSE by others at these shares of the first amplitude: of zeta in %, of omega in ppm. */
static const double share[4] = {0.5, 0.2, 0.1, 0.05};
static const double most[2][2][4] = {{{0.16, 0.25, 0.37, 0.78}, {4, 4, 8, 23}},
                                     {{2.0, 0.80, 0.67, 0.69}, {440, 84, 29, 39}}};

START_TEST(smooth_deviations_are_no_worse_than_by_others)
{
    const struct modal_iwan mode = bench_mode(_i ? &bench_strong : &bench_mild);
    gsl_rng *random = noise_of(10 + (unsigned long)_i);
    double squares[2][4] = {{0}};
    struct tally stated = {.figures = 0};
    const size_t count = records() / 2;
    for (size_t n = 0; n < count; n++) {
        const struct mode_record record = held_and_let_go(&mode, 0, 0.01, random);
        struct backbone backbone;
        read_backbone(&record, &backbone);
        for (int k = 0; k < 4; k++) {
            const double a = share[k] * 0.8 * mode.phi_max;
            const struct rates is = rates_at(&mode, a);
            const struct backbone_point at = backbone_at(&backbone, a);
            squares[0][k] += pow(100 * (at.zeta / is.zeta - 1), 2) / (double)count;
            squares[1][k] += pow(1e6 * (at.omega / is.omega - 1), 2) / (double)count;
            add(&stated, at.zeta - is.zeta, at.se_zeta);
            add(&stated, at.omega - is.omega, at.se_omega);
        }
    }
    for (int of = 0; of < 2; of++)
        for (int k = 0; k < 4; k++)
            printf("%s at %g: RMSE %.3g, by others %g\n", of ? "omega, ppm," : "zeta, %,", share[k],
                   sqrt(squares[of][k]), most[_i][of][k]);
    print("smooth deviations", &stated);
    for (int of = 0; of < 2; of++)
        for (int k = 0; k < 4; k++)
            ck_assert_double_le(sqrt(squares[of][k]), 1.15 * most[_i][of][k]);
    ck_assert_double_ge((double)stated.covered, 0.92 * (double)stated.figures);
    /* Deviations that are too small to be seen are in the intervals where there are none: these are wider than need be,
     * by a third at most. */
    ck_assert_double_ge(sqrt(stated.squares / (double)stated.figures), 0.75);
    gsl_rng_free(random);
}
END_TEST

/* Squared errors at these shares over many records: of zeta in %, of omega in ppm. */
struct errors {
    size_t count[4];
    double squares[2][4];
};

static void add_error(struct errors *errors, int k, struct rates seen, struct rates is)
{
    errors->count[k]++;
    errors->squares[0][k] += pow(100 * (seen.zeta / is.zeta - 1), 2);
    errors->squares[1][k] += pow(1e6 * (seen.omega / is.omega - 1), 2);
}

static double rmse(const struct errors *errors, int of, int k)
{
    return sqrt(errors->squares[of][k] / (double)errors->count[k]);
}

/* Between the points of the Hilbert route, along ln A. Returns whether the curve reaches so far. */
static bool hilbert_at(const struct hilbert_route *route, double amplitude, struct rates *seen)
{
    for (size_t i = 0; i + 1 < route->count; i++) {
        const struct hilbert_point *p = &route->point[i], *q = p + 1;
        if (!(p->amplitude >= amplitude && amplitude >= q->amplitude))
            continue;
        const double part = log(amplitude / p->amplitude) / log(q->amplitude / p->amplitude);
        *seen = (struct rates){between(part, p->omega, q->omega), between(part, p->zeta, q->zeta)};
        return true;
    }
    return false;
}

enum { DEGREES = HILBERT_MOST_DEGREE + 1 };

static void add_routes(const struct modal_iwan *mode, const struct mode_record *record, const struct law_fit *law,
                       struct errors by_degree[DEGREES])
{
    for (size_t degree = HILBERT_LEAST_DEGREE; degree < DEGREES; degree++) {
        struct hilbert_route route;
        hilbert_curve(record, law, degree, degree, &route);
        for (int k = 0; k < 4; k++) {
            const double a = share[k] * 0.8 * mode->phi_max;
            struct rates seen;
            if (hilbert_at(&route, a, &seen))
                add_error(&by_degree[degree], k, seen, rates_at(mode, a));
        }
    }
}

/* The degree of the least error, which only who knows the truth can choose: of those that reach the amplitude in half
 * of the records. Returns 0 where none does. */
static size_t degree_in_hindsight(const struct errors by_degree[DEGREES], int of, int k, size_t count)
{
    size_t best = 0;
    for (size_t degree = HILBERT_LEAST_DEGREE; degree < DEGREES; degree++)
        if (2 * by_degree[degree].count[k] >= count &&
            (best == 0 || rmse(&by_degree[degree], of, k) < rmse(&by_degree[best], of, k)))
            best = degree;
    return best;
}

START_TEST(the_backbone_is_nearer_than_the_hilbert_transform_in_hindsight)
{
    const struct modal_iwan mode = bench_mode(_i ? &bench_strong : &bench_mild);
    gsl_rng *random = noise_of(40 + (unsigned long)_i);
    struct errors own = {.count = {0}}, by_degree[DEGREES] = {{.count = {0}}};
    const size_t count = records() / 5;
    bool nearer = true;
    for (size_t n = 0; n < count; n++) {
        const struct mode_record record = held_and_let_go(&mode, 0, 0.01, random);
        struct backbone backbone;
        const struct law_fit law = read_backbone(&record, &backbone);
        for (int k = 0; k < 4; k++) {
            const double a = share[k] * 0.8 * mode.phi_max;
            const struct backbone_point at = backbone_at(&backbone, a);
            add_error(&own, k, (struct rates){at.omega, at.zeta}, rates_at(&mode, a));
        }
        add_routes(&mode, &record, &law, by_degree);
    }
    for (int of = 0; of < 2; of++)
        for (int k = 0; k < 4; k++) {
            const size_t degree = degree_in_hindsight(by_degree, of, k, count);
            const double others = degree > 0 ? rmse(&by_degree[degree], of, k) : INFINITY;
            printf("%s mode, %s at %g: RMSE %.3g, Hilbert %.3g (degree %zu, reached in %zu of %zu)\n",
                   _i ? "strong" : "mild", of ? "omega, ppm," : "zeta, %,", share[k], rmse(&own, of, k), others, degree,
                   by_degree[degree].count[k], count);
            nearer = nearer && rmse(&own, of, k) < others;
        }
    ck_assert(nearer);
    gsl_rng_free(random);
}
END_TEST

static void look(struct ring_down *found)
{
    const struct identify_settings settings = {.cancel = NULL};
    const struct record_trace trace = {.channel = "acc1",
                                       .unit = "m/s2",
                                       .values = samples,
                                       .count = MOST,
                                       .stride = 1,
                                       .period_s = 1 / BENCH_RATE_HZ};
    const struct record record = {&trace, 1, NULL};
    ck_assert_str_eq(verdict_name(analyse_ring_down(&record, VERDICT_OK, &settings, found)), "ok");
    ck_assert_uint_eq(found->mode_count, 1);
}

/* Calm until the mode is let go from so many phi_max. */
static void let_go(const struct modal_iwan *mode, double ratio, double later_s, double noise, gsl_rng *random)
{
    const double amplitude = ratio * mode->phi_max, first = amplitude * modal_iwan_secant(mode, amplitude);
    struct joint_motion *motion = joint_motion_create(mode, amplitude, 0);
    ck_assert_ptr_nonnull(motion);
    for (int i = 0; i < MOST; i++) {
        struct joint_state at = {.acceleration = 0};
        if (i >= CALM)
            ck_assert_int_eq(joint_motion_to(motion, later_s + (i - CALM) / BENCH_RATE_HZ, &at), 0);
        samples[i] = at.acceleration + gsl_ran_gaussian(random, noise * first);
    }
    joint_motion_free(motion);
}

/* Bounds by others, from 3 phi_max at noise of 1 %, of a record that begins when the mode is let go. */
START_TEST(a_joint_that_slipped_as_a_whole_is_known_within_three_bounds)
{
    static const double bound[3] = {0.017, 0.005, 0.0015};
    const struct modal_iwan mode = bench_mode(&bench_strong);
    const double truth[3] = {mode.f_s, mode.k_t, mode.k_inf};
    gsl_rng *random = noise_of(20);
    size_t within = 0;
    const size_t count = records() / 2;
    for (size_t n = 0; n < count; n++) {
        struct ring_down found;
        let_go(&mode, 3, 0, 0.01, random);
        look(&found);
        const struct ring_down_iwan *iwan = &found.mode[0].iwan;
        const double value[3] = {iwan->f_s.value, iwan->k_t.value, iwan->k_inf.value};
        bool all = true;
        for (int k = 0; k < 3; k++)
            all = all && fabs(value[k] / truth[k] - 1) < 3 * bound[k];
        within += all;
        if (!all)
            printf("record %zu: f_s %g, k_t %g, k_inf %g of the truth; %s\n", n, value[0] / truth[0],
                   value[1] / truth[1], value[2] / truth[2], iwan->f_s.reason ? iwan->f_s.reason : "told");
    }
    printf("macroslip: %zu of %zu within three bounds\n", within, count);
    ck_assert_double_ge((double)within, 0.95 * (double)count);
    gsl_rng_free(random);
}
END_TEST

static void add_curve(const struct modal_iwan *mode, const struct backbone_point *points, size_t count,
                      struct tally *tally)
{
    for (int k = 0; k < 4; k++) {
        const double a = share[k] * 0.8 * mode->phi_max;
        const struct rates is = rates_at(mode, a);
        const struct backbone_point at = backbone_curve_at(points, count, a);
        if (a < points[count - 1].amplitude)
            continue;
        add(tally, at.omega - is.omega, at.se_omega);
        add(tally, at.zeta - is.zeta, at.se_zeta);
    }
}

/* Of a joint in microslip, as a user gets both curves. */
START_TEST(told_errors_are_neither_too_small_nor_too_large)
{
    const struct modal_iwan mode = bench_mode(_i ? &bench_strong : &bench_mild);
    gsl_rng *random = noise_of(50 + (unsigned long)_i);
    struct tally law = {.figures = 0}, backbone = {.figures = 0};
    for (size_t n = 0; n < records() / 2; n++) {
        struct ring_down found;
        let_go(&mode, 0.8, gsl_rng_uniform(random) / 117, 0.01, random);
        look(&found);
        const struct ring_down_mode *of = &found.mode[0];
        add_curve(&mode, of->law, of->law_points, &law);
        add_curve(&mode, of->backbone, of->points, &backbone);
    }
    print("told of the law", &law);
    print("told of the backbone", &backbone);
    /* The figures of a record go together, so that their share is known to one in a hundred. */
    const struct tally *const both[2] = {&law, &backbone};
    for (int k = 0; k < 2; k++) {
        ck_assert_double_ge((double)both[k]->covered, 0.92 * (double)both[k]->figures);
        ck_assert_double_le((double)both[k]->covered, (k ? 1 : 0.99) * (double)both[k]->figures);
        ck_assert_double_ge(sqrt(both[k]->squares / (double)both[k]->figures), 0.75);
    }
    gsl_rng_free(random);
}
END_TEST

/* A mode without a joint. */
START_TEST(what_has_no_joint_gets_none)
{
    const double omega = bench_omega_0(&bench_strong), alpha = 3, omega_d = sqrt(omega * omega - alpha * alpha);
    gsl_rng *random = noise_of(30);
    size_t joints = 0;
    for (size_t n = 0; n < records(); n++) {
        const double noise = 0.001 * pow(50, gsl_rng_uniform(random)), later_s = gsl_rng_uniform(random) / 117;
        struct ring_down found;
        for (int i = 0; i < MOST; i++) {
            const double t = later_s + (i - CALM) / BENCH_RATE_HZ;
            samples[i] = (i >= CALM ? exp(-alpha * t) * cos(omega_d * t) : 0) + gsl_ran_gaussian(random, noise);
        }
        look(&found);
        joints += found.mode[0].iwan.there;
    }
    printf("without a joint: %zu records, %zu with one\n", records(), joints);
    /* 5 %, and three standard deviations of such a count. */
    ck_assert_double_le((double)joints, 0.05 * (double)records() + 3 * sqrt(0.05 * 0.95 * (double)records()));
    gsl_rng_free(random);
}
END_TEST

static TCase *case_in(Suite *suite, const char *name)
{
    TCase *tcase = tcase_create(name);
    tcase_set_timeout(tcase, 36000);
    suite_add_tcase(suite, tcase);
    return tcase;
}

int main(void)
{
    Suite *suite = suite_create("ring-downs, long");
    /* A case that fails shows its figures, too. */
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    tcase_add_loop_test(case_in(suite, "law"), the_law_is_at_its_bound, 0, 6);
    tcase_add_loop_test(case_in(suite, "backbone"), smooth_deviations_are_no_worse_than_by_others, 0, 2);
    tcase_add_loop_test(case_in(suite, "hilbert"), the_backbone_is_nearer_than_the_hilbert_transform_in_hindsight, 0,
                        2);
    tcase_add_test(case_in(suite, "macroslip"), a_joint_that_slipped_as_a_whole_is_known_within_three_bounds);
    tcase_add_loop_test(case_in(suite, "told"), told_errors_are_neither_too_small_nor_too_large, 0, 2);
    tcase_add_test(case_in(suite, "linear"), what_has_no_joint_gets_none);
    return run_suite(suite);
}
