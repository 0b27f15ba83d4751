/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Ring-downs that several sensors saw: modes far apart, close pairs, and sensors that say nothing. */
#include "identify/ring_down/copied_sensor.h"
#include "identify/ring_down/microslip_law.h"
#include "identify/ring_down/mode_sensors.h"
#include "identify/ring_down/ring_down.h"
#include "identify/ring_down/unexplained_modes.h"
#include "run_suite.h"
#include "struck_joint.h"
#include "thinning.h"

#include <complex.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_sf_gamma.h>
#include <stdlib.h>

enum { SENSORS = 3, MODES = 3, COUNT = 6144 };
#define RATE_HZ 2048.0
#define BLOW_S 0.3

struct structure {
    size_t modes, sensors;
    struct struck_joint mode[MODES];
    double shape[MODES][SENSORS];
};

static double samples[SENSORS][COUNT];

/* A joint that lowers the stiffness at that displacement by that share. */
static struct struck_joint joint(double f_hz, double zeta_0, double chi, double softening, double displacement)
{
    const double omega_0 = 2 * M_PI * f_hz;
    const double r = softening * (chi + 1) * (chi + 2) * omega_0 * omega_0 / pow(displacement, chi + 1);
    return (struct struck_joint){.omega_0 = omega_0, .c = 2 * zeta_0 * omega_0, .chi = chi, .r = r};
}

static void strike_structure(const struct structure *structure, double noise, gsl_rng *random)
{
    static double motion[COUNT];
    double most = 0;
    memset(samples, 0, sizeof samples);
    for (size_t r = 0; r < structure->modes; r++) {
        memset(motion, 0, sizeof motion);
        struck_joint_add(structure->mode[r], BLOW_S, 0.002, 1000, RATE_HZ, COUNT, motion);
        for (size_t m = 0; m < structure->sensors; m++)
            for (size_t i = 0; i < COUNT; i++)
                samples[m][i] += structure->shape[r][m] * motion[i];
    }
    for (size_t i = (size_t)((BLOW_S + 0.01) * RATE_HZ); i < COUNT; i++)
        most = fmax(most, fabs(samples[0][i]));
    for (size_t m = 0; m < structure->sensors; m++)
        for (size_t i = 0; i < COUNT; i++)
            samples[m][i] += gsl_ran_gaussian(random, noise * most);
}

static void analyse_late(size_t count, size_t sensors, const double *late_s, struct ring_down *found)
{
    static const char *const names[SENSORS] = {"a", "b", "c"};
    struct record_trace traces[SENSORS];
    for (size_t m = 0; m < sensors; m++)
        traces[m] = (struct record_trace){.channel = names[m],
                                          .quantity = QUANTITY_ACCELERATION,
                                          .unit = "m/s2",
                                          .values = samples[m],
                                          .count = count,
                                          .stride = 1,
                                          .period_s = 1 / RATE_HZ,
                                          .delay_s = late_s ? late_s[m] : 0};
    const struct record record = {traces, sensors, NULL};
    const struct identify_settings settings = {.ladder = false};
    analyse_ring_down(&record, VERDICT_OK, &settings, found);
    /* Nothing follows: no mode may promise that. */
    for (size_t r = 0; r < found->mode_count; r++)
        ck_assert_int_ne(found->mode[r].simulation.verdict, VERDICT_PENDING);
}

static void analyse_first(size_t count, size_t sensors, struct ring_down *found)
{
    analyse_late(count, sensors, NULL, found);
}

static void analyse(size_t sensors, struct ring_down *found)
{
    analyse_first(COUNT, sensors, found);
}

/* Rates at a modal displacement, in closed form. */
static void truth_at(const struct struck_joint *mode, double a, double *omega, double *zeta)
{
    const double n = mode->chi + 2, omega_0 = mode->omega_0;
    const double s = mode->r * pow(a, n - 1) / ((n - 1) * n * omega_0 * omega_0);
    const double gamma = 4 / sqrt(M_PI) * gsl_sf_gamma(n + 0.5) * n / (gsl_sf_gamma(n + 1) * (n + 1));
    *omega = omega_0 * sqrt(1 - gamma * s);
    const double loss = 4 * mode->r * pow(a, n + 1) / ((n + 1) * n) + M_PI * *omega * mode->c * a * a;
    *zeta = loss / (2 * M_PI * omega_0 * omega_0 * (1 - n * s) * a * a);
}

struct score {
    double zeta, omega; /* sums of squared errors over their variances */
    size_t points;
};

static void score_mode(const struct structure *structure, size_t r, const struct ring_down_mode *mode,
                       struct score *score)
{
    const size_t reference = (size_t)(*mode->reference - 'a');
    for (size_t i = 0; i < mode->points; i += 6) {
        const struct backbone_point *point = &mode->backbone[i];
        double omega, zeta;
        truth_at(&structure->mode[r], point->amplitude / fabs(structure->shape[r][reference]), &omega, &zeta);
        score->zeta += pow((point->zeta - zeta) / point->se_zeta, 2);
        score->omega += pow((point->omega - omega) / point->se_omega, 2);
        score->points++;
    }
}
static struct structure pair(double apart)
{
    return (struct structure){
        2,
        2,
        {joint(100, 0.001, -0.3, 0.004, 2e-3), joint(100 * (1 + apart), 0.0012, -0.2, 0.005, 2e-3)},
        {{1, 0.6}, {0.8, -0.9}}};
}

static struct structure three_apart(void)
{
    return (struct structure){3,
                              3,
                              {joint(60, 0.001, -0.3, 0.006, 3e-3), joint(140, 0.0012, -0.2, 0.005, 1e-3),
                               joint(420, 0.0015, -0.1, 0.004, 3e-4)},
                              {{1, 0.6, 0.3}, {0.8, -0.9, 0.5}, {0.7, 0.2, -1}}};
}

/* Places of a mode of the structure and of the one that was found, which are by frequency. */
static void expect_shapes(const struct structure *structure, const struct ring_down *found)
{
    for (size_t r = 0; r < structure->modes; r++) {
        const struct ring_down_mode *mode = &found->mode[r];
        const double *shape = structure->shape[r];
        size_t reference = 0;
        for (size_t m = 1; m < structure->sensors; m++)
            reference = fabs(shape[m]) > fabs(shape[reference]) ? m : reference;
        ck_assert_uint_eq((size_t)(*mode->reference - 'a'), reference);
        ck_assert_uint_eq(mode->sensors, structure->sensors);
        for (size_t m = 0; m < mode->sensors; m++) {
            const struct mode_sensor *sensor = &mode->shape[m];
            const size_t which = (size_t)(*sensor->name - 'a');
            /* Of the noise, which all sensors have alike, over what each of them sees. */
            ck_assert_double_lt(sensor->residual * fabs(shape[which] / shape[reference]), 0.05);
            if (which == reference)
                continue;
            ck_assert_double_le(fabs(sensor->re - shape[which] / shape[reference]), 4.5 * sensor->se_re);
            ck_assert_double_le(fabs(sensor->im), 4.5 * sensor->se_im);
            ck_assert_double_le(sensor->drift, 4.5 * sensor->se_drift);
        }
    }
}

/* Every mode of every record is found, with its shape, and its errors are as stated: their rms over what is stated
 * scatters by 10 % over so many records, whose points go together. */
static void expect_limit(const struct structure *structure, int records, unsigned long seed)
{
    static struct ring_down found;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    struct score score = {0};
    gsl_rng_set(random, seed);
    for (int i = 0; i < records; i++) {
        strike_structure(structure, 0.01, random);
        analyse(structure->sensors, &found);
        ck_assert_str_eq(verdict_name(found.verdict), "ok");
        ck_assert_uint_eq(found.mode_count, structure->modes);
        expect_shapes(structure, &found);
        for (size_t r = 0; r < structure->modes; r++) {
            ck_assert_str_eq(verdict_name(found.mode[r].verdict), "ok");
            /* With its first cycles, where no other mode is in its band. */
            if (structure->modes > 2)
                ck_assert_int_eq(found.mode[r].begins, RING_DOWN_HAMMER_LEFT);
            score_mode(structure, r, &found.mode[r], &score);
        }
    }
    ck_assert_double_le(sqrt(score.zeta / (double)score.points), 1.4);
    ck_assert_double_le(sqrt(score.omega / (double)score.points), 1.4);
    gsl_rng_free(random);
}

START_TEST(modes_far_apart_are_at_the_limit)
{
    const struct structure structure = three_apart();
    expect_limit(&structure, 2, 1);
}
END_TEST

START_TEST(close_pairs_are_at_the_limit)
{
    static const double apart[] = {0.01, 0.02, 0.04, 0.06};
    const struct structure structure = pair(apart[_i]);
    expect_limit(&structure, 2, 2);
}
END_TEST

/* Nobody knows the noise of a motion that has not died out when the record ends, and here both modes move the sensors
 * nearly alike. */
/* The fit of one mode of a pair tells the other where it begins: amplitudes in the order of the record and without the
 * weights of the fit, whichever sensor is its reference. */
START_TEST(modes_of_a_pair_learn_from_each_other)
{
    static const double noise[] = {2, 1}, late_s[] = {0, 0};
    const double *const of[] = {samples[0], samples[1]};
    struct mode_group group = {.verdict = VERDICT_OK, .modes = 2, .noise = {noise[0], noise[1]}};
    group.sum = (struct mode_sum){.modes = 2, .law = {linear_law(100, 1), linear_law(110, 2)}};
    group.sum.amplitude[0][0] = group.sum.amplitude[0][1] = group.sum.amplitude[1][0] = 1;
    group.sum.amplitude[1][1] = 5;
    size_t order[PASS_MODES];
    mode_sensors_order(&group, 2, order);
    ck_assert_uint_eq(order[0], 1);
    ck_assert_uint_eq(order[1], 0);
    struct mode_sensors sensors;
    struct mode_record record = {.count = COUNT};
    mode_sensors_arrange(of, late_s, 2, &group, 1, &sensors, &record);
    struct mode_sum fitted = {.modes = 2, .law = {linear_law(111, 2), linear_law(101, 1)}};
    fitted.amplitude[0][0] = 6;                             /* of the second mode, at the second sensor */
    fitted.amplitude[0][1] = 1.5 * I * noise[1] / noise[0]; /* at the first one, as noisy as the second is */
    fitted.amplitude[1][0] = 2;
    fitted.amplitude[1][1] = 3 * noise[1] / noise[0];
    mode_sensors_learn(&sensors, &record, &fitted, 1, &group);
    const double complex expected[2][2] = {{3, 2}, {1.5 * I, 6}};
    for (size_t r = 0; r < 2; r++) {
        ck_assert_double_eq(group.sum.law[r].parameter[0], r == 0 ? 101 : 111);
        for (size_t m = 0; m < 2; m++)
            ck_assert_double_lt(cabs(group.sum.amplitude[r][m] - expected[r][m]), 1e-12);
    }
}
END_TEST

/* A weak mode close to a strong one, seen in nearly the same ratios: both are told as well as they can be. */
START_TEST(a_weak_mode_beside_a_strong_one_is_told)
{
    static struct ring_down found;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    const struct structure structure = {
        2,
        2,
        {joint(118.5, 0.0022, -0.3, 0.003, 2e-4), joint(118.5 * 1.0124, 0.0009, -0.2, 0.008, 6e-4)},
        {{-0.25, -0.28}, {-0.55, -1}}};
    struct score score = {0};
    strike_structure(&structure, 0.004, random);
    analyse(structure.sensors, &found);
    ck_assert_uint_eq(found.mode_count, 2);
    for (size_t r = 0; r < 2; r++) {
        ck_assert_str_eq(verdict_name(found.mode[r].verdict), "ok");
        score_mode(&structure, r, &found.mode[r], &score);
    }
    ck_assert_double_le(sqrt(score.zeta / (double)score.points), 2);
    ck_assert_double_le(sqrt(score.omega / (double)score.points), 2);
    gsl_rng_free(random);
}
END_TEST

/* As many modes as were struck, each within so many standard errors. */
static void assert_each_is_told(const struct ring_down *found, const struct structure *structure, double errors)
{
    ck_assert_uint_eq(found->mode_count, structure->modes);
    for (size_t r = 0; r < found->mode_count; r++) {
        const struct ring_down_mode *mode = &found->mode[r];
        ck_assert_str_eq(verdict_name(mode->verdict), "ok");
        ck_assert_double_eq_tol(mode->omega_0.value, structure->mode[r].omega_0, errors * mode->omega_0.se);
    }
}

/* The mode in the middle reaches the bands of both others: it is told once, nothing is invented beside it, and every
 * mode that is told is one that was struck. */
START_TEST(three_close_modes_are_none_but_themselves)
{
    static struct ring_down found;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    const struct structure structure = {3,
                                        3,
                                        {joint(108.79, 0.001, -0.3, 0.004, 2e-3),
                                         joint(114.17, 0.001, -0.2, 0.004, 2e-3),
                                         joint(116.99, 0.001, -0.1, 0.004, 2e-3)},
                                        {{0.46, -0.11, -0.14}, {-0.87, 0.05, -0.68}, {0.78, 0.52, -0.84}}};
    for (int record = 0; record < 3; record++) {
        struct score score = {0};
        strike_structure(&structure, 0.0045, random);
        analyse(structure.sensors, &found);
        assert_each_is_told(&found, &structure, 5);
        for (size_t r = 0; r < found.mode_count; r++)
            score_mode(&structure, r, &found.mode[r], &score);
        ck_assert_double_le(sqrt(score.zeta / (double)score.points), 2);
        ck_assert_double_le(sqrt(score.omega / (double)score.points), 2);
    }
    gsl_rng_free(random);
}
END_TEST

/* Each of the bands of two pairs tells the mode in the middle: it is told once, and no motion is shared out. */
START_TEST(what_two_bands_tell_is_one_mode)
{
    static struct ring_down found;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    const struct structure structure = {
        3,
        3,
        {joint(115.9864, 0.00268, 0, 0, 1), joint(120.7677, 0.00236, 0, 0, 1), joint(126.2627, 0.00214, 0, 0, 1)},
        {{0.41, -0.63, -1.92}, {-0.38, 0.39, 0.37}, {-0.84, -1.7, -0.3}}};
    strike_structure(&structure, 0.01, random);
    analyse(structure.sensors, &found);
    assert_each_is_told(&found, &structure, 4);
    gsl_rng_free(random);
}
END_TEST

/* Two sensors see three modes in two directions: two laws leave twice the noise, and what smooth deviations from them
 * take up of the third is no joint. */
START_TEST(a_third_mode_that_hides_in_a_pair_spoils_both)
{
    static struct ring_down found;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    const struct structure structure = {
        3,
        2,
        {joint(137.4605, 0.00564, 0, 0, 1), joint(140.5142, 0.00514, 0, 0, 1), joint(145.0326, 0.00236, 0, 0, 1)},
        {{-0.265, 1.26}, {-0.0422, -0.221}, {-0.554, -3.43}}};
    strike_structure(&structure, 0.01, random);
    analyse(structure.sensors, &found);
    ck_assert_uint_gt(found.mode_count, 0);
    for (size_t r = 0; r < found.mode_count; r++)
        ck_assert_str_eq(verdict_name(found.mode[r].verdict), "modes_too_near");
    gsl_rng_free(random);
}
END_TEST

/* Of the two laws of a band one is not determined: then the other is not known, either; a mode of another band is, with
 * a doubt where that overlaps this one. */
START_TEST(what_is_fitted_with_what_is_no_mode_is_doubted)
{
    static const double band_hz[4][2] = {{90, 115}, {90, 115}, {190, 210}, {110, 130}};
    static struct ring_down found;
    const struct ring_down_samples record = {.sensed = SENSED_ACCELERATION,
                                             .sensors = 1,
                                             .name = {"a"},
                                             .raw = {samples[0]},
                                             .level = {samples[0]},
                                             .count = COUNT,
                                             .rate_hz = RATE_HZ};
    const struct identify_settings settings = {.ladder = false};
    found.mode_count = 4;
    for (size_t r = 0; r < 4; r++)
        found.mode[r] = (struct ring_down_mode){.verdict = r == 1 ? VERDICT_UNDERDETERMINED : VERDICT_OK,
                                                .reason = {[REASON_BACKBONE] = r == 3 ? "doubtful: backbone" : NULL},
                                                .reference = "a",
                                                .band_hz = {band_hz[r][0], band_hz[r][1]},
                                                .law_residual = 1e-3};
    ck_assert_int_eq(unexplained_modes_name(&record, &settings, &found), VERDICT_OK);
    ck_assert_str_eq(verdict_name(found.mode[0].verdict), "modes_too_near");
    ck_assert_str_eq(verdict_name(found.mode[1].verdict), "underdetermined");
    ck_assert_str_eq(verdict_name(found.mode[2].verdict), "ok");
    ck_assert_ptr_null(found.mode[2].reason[REASON_NEIGHBOURS]);
    ck_assert_str_eq(verdict_name(found.mode[3].verdict), "ok");
    ck_assert_int_eq(strncmp(found.mode[3].reason[REASON_NEIGHBOURS], "doubtful", 8), 0);
    found.mode[3].reason[REASON_NEIGHBOURS] = NULL;
    unexplained_modes_name_at_lines(&record, &settings, &found);
    ck_assert_int_eq(strncmp(found.mode[3].reason[REASON_NEIGHBOURS], "doubtful", 8), 0);
    ck_assert_str_eq(found.mode[3].reason[REASON_BACKBONE], "doubtful: backbone");
}
END_TEST

START_TEST(a_pair_that_rings_to_the_end_is_at_the_limit)
{
    struct structure structure = pair(0.05);
    for (size_t r = 0; r < structure.modes; r++) {
        structure.mode[r].c /= 5;
        structure.mode[r].r /= 5;
    }
    structure.shape[1][1] = 0.75;
    expect_limit(&structure, 2, 3);
}
END_TEST

/* Both modes without joints, each figure within four standard errors, and these below that share of the damping. */
static void assert_pair_told(const struct ring_down *found, const struct structure *structure, const double zeta[2],
                             double share)
{
    assert_each_is_told(found, structure, 4);
    for (size_t r = 0; r < 2; r++) {
        const struct ring_down_mode *mode = &found->mode[r];
        ck_assert_double_eq_tol(mode->zeta_0.value, zeta[r], 4 * mode->zeta_0.se);
        ck_assert_double_le(mode->zeta_0.se, share * zeta[r]);
    }
}

/* Both sensors see both modes nearly alike: what they see in common has one motion, and its beats tell two. */
START_TEST(a_pair_of_nearly_one_shape_beats)
{
    static const double zeta[2] = {0.0019, 0.0023};
    struct structure structure = pair(0.04);
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    static struct ring_down found;
    for (size_t r = 0; r < 2; r++)
        structure.mode[r] = joint(77 * (1 + 0.04 * (double)r), zeta[r], 0, 0, 1);
    structure.shape[0][1] = 1;
    structure.shape[1][0] = 0.72;
    structure.shape[1][1] = 0.554;
    for (int record = 0; record < 3; record++) {
        strike_structure(&structure, 0.003 * (1 + record), random);
        analyse(2, &found);
        assert_pair_told(&found, &structure, zeta, 0.02);
    }
    gsl_rng_free(random);
}
END_TEST

/* A band that ends between two neighbours leaves nothing of a record of eighty cycles: the two share one, which tells
 * both, also to a single sensor. */
START_TEST(neighbours_in_a_short_record_are_both_told)
{
    static const double apart[] = {0.12, 0.18, 0.28}, zeta[2] = {0.002, 0.004};
    static struct ring_down found;
    const size_t sensors = 1 + (size_t)_i / 3;
    struct structure structure = pair(0);
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t r = 0; r < 2; r++)
        structure.mode[r] = joint(50 * (1 + apart[_i % 3] * (double)r), zeta[r], 0, 0, 1);
    structure.sensors = sensors;
    strike_structure(&structure, 0.005, random);
    analyse_first((size_t)((BLOW_S + 1.6) * RATE_HZ), sensors, &found);
    assert_pair_told(&found, &structure, zeta, 0.05);
    gsl_rng_free(random);
}
END_TEST

/* Of every sensor: whoever saw the hammer leave before. */
START_TEST(what_one_sensor_clips_no_sensor_is_fitted_by)
{
    static const double noises[] = {0.001, 0.005, 0.02};
    const struct structure structure = pair(0.03);
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t k = 0; k < 9; k++) {
        struct ring_down found;
        size_t last = 0;
        strike_structure(&structure, noises[k % 3], random);
        double *clipped = samples[1], most = 0;
        for (size_t i = (size_t)((BLOW_S + 0.01) * RATE_HZ); i < COUNT; i++)
            most = fmax(most, fabs(clipped[i]));
        const double limit = (0.3 + 0.2 * (double)(k / 3)) * most;
        for (size_t i = 0; i < COUNT; i++)
            if (fabs(clipped[i]) > limit) {
                clipped[i] = copysign(limit, clipped[i]);
                last = i;
            }
        analyse(structure.sensors, &found);
        ck_assert(found.clipped);
        ck_assert_double_gt(found.start_s * RATE_HZ, (double)last + 0.5);
    }
    gsl_rng_free(random);
}
END_TEST

/* Two sensors side by side see the same motion, each with its own noise; a column in another scale, rounded, has the
 * noise of the first. */
START_TEST(a_copy_is_told_from_a_second_sensor)
{
    static const double noise[] = {1e-6, 1e-4, 1e-3, 0.03};
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    struct structure structure = pair(0.3);
    bool is;
    structure.shape[0][1] = structure.shape[1][0] = structure.shape[1][1] = 1;
    for (size_t record = 0; record < 40; record++) {
        strike_structure(&structure, noise[record % 4], random);
        const double step = 0.2 * noise[record % 4] * fabs(samples[0][700]);
        for (size_t i = 0; i < COUNT; i++)
            samples[2][i] = step * round((-3 * samples[0][i] + 0.1) / step);
        ck_assert_int_eq(copied_sensor(samples[0], samples[1], COUNT, &is), 0);
        ck_assert(!is);
        ck_assert_int_eq(copied_sensor(samples[0], samples[2], COUNT, &is), 0);
        ck_assert(is);
    }
    gsl_rng_free(random);
}
END_TEST

/* Where there is no noise, nothing tells a copy from a sensor in the same place. */
START_TEST(sensors_of_a_calculated_record_are_no_copies)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    struct structure structure = pair(0.3);
    bool is;
    structure.shape[0][1] = structure.shape[1][1] = -0.6;
    structure.shape[1][0] = 1;
    strike_structure(&structure, 0, random);
    ck_assert_int_eq(copied_sensor(samples[0], samples[1], COUNT, &is), 0);
    ck_assert(!is);
    gsl_rng_free(random);
}
END_TEST

/* A multiplexer samples the second sensor later: its shape has no angle, and would have one of forty standard errors or
 * more if nobody knew. */
START_TEST(what_is_sampled_later_is_turned_back)
{
    static struct ring_down found;
    static const double late_s[] = {0, 1e-4};
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    const struct structure structure = pair(1.3);
    memset(samples, 0, sizeof samples);
    for (size_t m = 0; m < 2; m++) {
        for (size_t r = 0; r < 2; r++) {
            static double motion[COUNT];
            memset(motion, 0, sizeof motion);
            struck_joint_add(structure.mode[r], BLOW_S - late_s[m], 0.002, 1000, RATE_HZ, COUNT, motion);
            for (size_t i = 0; i < COUNT; i++)
                samples[m][i] += structure.shape[r][m] * motion[i];
        }
        for (size_t i = 0; i < COUNT; i++)
            samples[m][i] += gsl_ran_gaussian(random, 1);
    }
    for (int known = 0; known < 2; known++) {
        analyse_late(COUNT, 2, known ? late_s : NULL, &found);
        ck_assert_uint_eq(found.mode_count, 2);
        for (size_t r = 0; r < 2; r++) {
            const struct mode_sensor *shape = found.mode[r].shape, *other = &shape[isnan(shape[0].se_im) ? 1 : 0];
            const double turned = (other == &shape[1] ? -1e-4 : 1e-4) * found.mode[r].omega_0.value * other->re;
            if (known)
                ck_assert_double_le(fabs(other->im), 4.5 * other->se_im);
            else
                ck_assert_double_eq_tol(other->im, -turned, 0.1 * fabs(turned));
            ck_assert_double_gt(fabs(turned), 40 * other->se_im);
        }
    }
    gsl_rng_free(random);
}
END_TEST

/* Its cable tears while the hammer is still there, or soon behind it, and its samples stand still from then on, at zero
 * or at the end of its range: what the others see stays known, as without it, be it the strongest or not. */
START_TEST(a_sensor_that_the_blow_tore_off_is_left_out)
{
    static struct ring_down found;
    static const struct {
        size_t sensor;
        double behind_s, rests_at;
    } tears[] = {{2, 0.01, 0.7}, {2, 0.01, 40}, {0, 0.004, 0}, {0, 0.025, 0}, {0, 0.025, 400}};
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    struct structure structure = pair(1.3);
    structure.sensors = 3;
    structure.shape[0][2] = structure.shape[1][2] = 0.5;
    for (size_t k = 0; k < sizeof tears / sizeof tears[0]; k++) {
        const size_t torn = tears[k].sensor;
        strike_structure(&structure, 0.01, random);
        for (size_t i = (size_t)((BLOW_S + tears[k].behind_s) * RATE_HZ); i < COUNT; i++)
            samples[torn][i] = tears[k].rests_at;
        analyse(structure.sensors, &found);
        ck_assert_str_eq(verdict_name(found.verdict), "ok");
        ck_assert_uint_eq(found.dead_count, 1);
        ck_assert_str_eq(found.dead[0].name, torn == 0 ? "a" : "c");
        ck_assert_str_eq(verdict_name(found.dead[0].verdict), "dead_sensor");
        ck_assert_double_eq_tol(found.dead[0].since_s, BLOW_S + tears[k].behind_s, 1.01 / RATE_HZ);
        ck_assert_uint_eq(found.mode_count, 2);
        for (size_t r = 0; r < 2; r++) {
            const struct ring_down_mode *mode = &found.mode[r];
            ck_assert_uint_eq(mode->sensors, 2);
            ck_assert_double_eq_tol(mode->omega_0.value, structure.mode[r].omega_0, 4 * mode->omega_0.se);
        }
    }
    gsl_rng_free(random);
}
END_TEST

/* What the modes of the third record are as without its second sensor. */
static void assert_as_without(const struct ring_down *found, const struct ring_down *without)
{
    ck_assert_str_eq(verdict_name(found->verdict), "ok");
    ck_assert_double_eq(found->end_s, without->end_s);
    ck_assert_uint_eq(found->mode_count, without->mode_count);
    for (size_t r = 0; r < found->mode_count; r++) {
        ck_assert_uint_eq(found->mode[r].sensors, 2);
        ck_assert_double_eq(found->mode[r].omega_0.value, without->mode[r].omega_0.value);
        ck_assert_double_eq(found->mode[r].zeta_0.se, without->mode[r].zeta_0.se);
    }
}

/* At zero, at its last value or at the end of its range, before the blow, midway or late: the others are identified as
 * if it were not there, to the end of the record. */
START_TEST(a_sensor_that_dies_costs_the_others_nothing)
{
    static struct ring_down found, without;
    static double seen[COUNT];
    static const struct {
        double dies_s, rests_at;
    } deaths[] = {{0.2, 4000}, {0.7, 0}, {0.7, 4000}, {2.8, NAN}};
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    struct structure structure = pair(1.3);
    structure.sensors = 3;
    structure.shape[0][2] = structure.shape[1][2] = 1.2;
    strike_structure(&structure, 0.01, random);
    memcpy(seen, samples[2], sizeof seen);
    analyse(2, &without);
    ck_assert_uint_eq(without.mode_count, 2);
    for (size_t k = 0; k < sizeof deaths / sizeof deaths[0]; k++) {
        const size_t dies = (size_t)(deaths[k].dies_s * RATE_HZ);
        memcpy(samples[2], seen, sizeof seen);
        for (size_t i = dies; i < COUNT; i++)
            samples[2][i] = isnan(deaths[k].rests_at) ? seen[dies] : deaths[k].rests_at;
        analyse(3, &found);
        assert_as_without(&found, &without);
        ck_assert_uint_eq(found.dead_count, 1);
        ck_assert_str_eq(found.dead[0].name, "c");
        ck_assert_str_eq(verdict_name(found.dead[0].verdict), "dead_sensor");
        ck_assert_double_eq_tol(found.dead[0].since_s, (double)dies / RATE_HZ, 1e-9);
    }
    gsl_rng_free(random);
}
END_TEST

/* One channel behind the other: that is a recorder that stopped, and no sensor's fault. */
START_TEST(where_all_die_the_record_ends)
{
    static struct ring_down found;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    const struct structure structure = pair(1.3);
    strike_structure(&structure, 0.01, random);
    for (size_t m = 0; m < 2; m++)
        for (size_t i = 4000 + 7 * m; i < COUNT; i++)
            samples[m][i] = 0;
    analyse(2, &found);
    ck_assert_str_eq(verdict_name(found.verdict), "ok");
    ck_assert_uint_eq(found.dead_count, 0);
    ck_assert_double_eq_tol(found.end_s, 3999 / RATE_HZ, 1e-9);
    ck_assert_uint_eq(found.mode[0].sensors, 2);
    gsl_rng_free(random);
}
END_TEST

/* Both died out below the steps of a coarse converter, the weaker one long before the other, and for the last time with
 * a spike: it rests, which is no death. */
START_TEST(a_motion_that_dies_out_below_the_steps_is_no_dead_sensor)
{
    static struct ring_down found;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    const struct structure structure = {1, 2, {joint(60, 0.006, 0, 0, 1)}, {{1, 0.1}}};
    double most = 0;
    strike_structure(&structure, 0, random);
    for (size_t i = (size_t)((BLOW_S + 0.01) * RATE_HZ); i < COUNT; i++)
        most = fmax(most, fabs(samples[0][i]));
    for (size_t m = 0; m < 2; m++)
        for (size_t i = 0; i < COUNT; i++)
            samples[m][i] = most / 128 * (round(128 * samples[m][i] / most) + (m == 1 && i == 4000 ? 5 : 0));
    analyse(2, &found);
    ck_assert_str_eq(verdict_name(found.verdict), "ok");
    ck_assert_uint_eq(found.dead_count, 0);
    ck_assert_uint_eq(found.mode[0].sensors, 2);
    gsl_rng_free(random);
}
END_TEST

/* Its noise is larger than the motion: the others tell when the blow was. */
START_TEST(a_broken_sensor_hides_no_blow)
{
    static struct ring_down found;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    struct structure structure = pair(1.3);
    double most = 0;
    strike_structure(&structure, 0.01, random);
    for (size_t i = 0; i < COUNT; i++)
        most = fmax(most, fabs(samples[0][i]));
    for (size_t i = 0; i < COUNT; i++)
        samples[2][i] = gsl_ran_gaussian(random, 3 * most);
    analyse(3, &found);
    ck_assert_str_eq(verdict_name(found.verdict), "ok");
    ck_assert_uint_eq(found.blows, 1);
    ck_assert_double_eq_tol(found.blow_s, BLOW_S, 0.005);
    ck_assert_uint_eq(found.mode_count, 2);
    for (size_t r = 0; r < 2; r++)
        ck_assert_double_eq_tol(found.mode[r].omega_0.value, structure.mode[r].omega_0, 4 * found.mode[r].omega_0.se);
    gsl_rng_free(random);
}
END_TEST

START_TEST(a_pair_that_the_record_does_not_tell_apart_is_named)
{
    static struct ring_down found;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    struct structure structure = pair(0.001);
    strike_structure(&structure, 0.01, random);
    analyse(2, &found);
    ck_assert_uint_eq(found.mode_count, 1);
    ck_assert_str_eq(verdict_name(found.mode[0].verdict), "modes_too_near");
    gsl_rng_free(random);
}
END_TEST

/* A shaker does not stop: what does not decay oscillates, for two sensors as for one. */
START_TEST(a_forced_sine_oscillates)
{
    static struct ring_down found;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (size_t i = 0; i < COUNT; i++)
        for (size_t m = 0; m < 2; m++)
            samples[m][i] = (m == 0 ? 1 : 0.6) * sin(0.4 * (double)i) + gsl_ran_gaussian(random, 0.002);
    analyse(2, &found);
    ck_assert_msg(found.verdict == VERDICT_NO_BLOW || found.verdict == VERDICT_NOT_DECAYING, "%s",
                  verdict_name(found.verdict));
    for (size_t r = 0; r < found.mode_count; r++)
        ck_assert_str_eq(verdict_name(found.mode[r].verdict), "not_decaying");
    gsl_rng_free(random);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("several sensors");
    TCase *tests = tcase_create("several sensors");
    suite_add_tcase(suite, tests);
    tcase_set_timeout(tests, 120);
    seed_of_run();
    tcase_add_test(tests, modes_far_apart_are_at_the_limit);
    add_thinned_loop_test(tests, close_pairs_are_at_the_limit, 4);
    tcase_add_test(tests, modes_of_a_pair_learn_from_each_other);
    tcase_add_test(tests, a_weak_mode_beside_a_strong_one_is_told);
    tcase_add_test(tests, three_close_modes_are_none_but_themselves);
    tcase_add_test(tests, what_two_bands_tell_is_one_mode);
    tcase_add_test(tests, a_third_mode_that_hides_in_a_pair_spoils_both);
    tcase_add_test(tests, what_is_fitted_with_what_is_no_mode_is_doubted);
    tcase_add_test(tests, a_pair_that_rings_to_the_end_is_at_the_limit);
    tcase_add_test(tests, a_pair_of_nearly_one_shape_beats);
    tcase_add_loop_test(tests, neighbours_in_a_short_record_are_both_told, 0, 6);
    tcase_add_test(tests, a_forced_sine_oscillates);
    tcase_add_test(tests, what_one_sensor_clips_no_sensor_is_fitted_by);
    tcase_add_test(tests, a_copy_is_told_from_a_second_sensor);
    tcase_add_test(tests, sensors_of_a_calculated_record_are_no_copies);
    tcase_add_test(tests, what_is_sampled_later_is_turned_back);
    tcase_add_test(tests, a_sensor_that_the_blow_tore_off_is_left_out);
    tcase_add_test(tests, a_sensor_that_dies_costs_the_others_nothing);
    tcase_add_test(tests, where_all_die_the_record_ends);
    tcase_add_test(tests, a_motion_that_dies_out_below_the_steps_is_no_dead_sensor);
    tcase_add_test(tests, a_broken_sensor_hides_no_blow);
    tcase_add_test(tests, a_pair_that_the_record_does_not_tell_apart_is_named);
    return run_suite(suite);
}
