/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines that go on through a blow, of known frequencies and amplitudes, and motions that are none. */
#include "identify/ring_down/calm_lines.h"
#include "identify/ring_down/steady_lines.h"
#include "identify/ring_down/stretch.h"
#include "run_suite.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <string.h>

enum { BEFORE = 2048, COUNT = 4096 };
#define RATE_HZ 1024.0

static double record[BEFORE + COUNT], level[COUNT];
static gsl_rng *source;

static void set_up(void)
{
    source = gsl_rng_alloc(gsl_rng_mt19937);
    memset(record, 0, sizeof record);
}

static void tear_down(void)
{
    gsl_rng_free(source);
}

/* From the record's first sample on; fall: of its logarithm over the ring-down. */
static void add(double f_hz, double amplitude, double fall)
{
    const double phase = 2 * M_PI * gsl_rng_uniform(source);
    for (size_t i = 0; i < BEFORE + COUNT; i++) {
        const double t = ((double)i - BEFORE) / COUNT;
        record[i] += amplitude * exp(-fall * t) * cos(2 * M_PI * f_hz * (double)i / RATE_HZ + phase);
    }
}

static void add_noise(double sd)
{
    for (size_t i = 0; i < BEFORE + COUNT; i++)
        record[i] += gsl_ran_gaussian(source, sd);
}

static struct ring_down_samples ring_down(size_t count)
{
    return (struct ring_down_samples){.sensed = SENSED_DISPLACEMENT,
                                      .sensors = 1,
                                      .name = {"a"},
                                      .raw = {record + BEFORE},
                                      .level = {level},
                                      .count = count,
                                      .rate_hz = RATE_HZ};
}

static size_t look_behind(struct calm_before calm, const struct ring_down_samples *samples,
                          struct steady_line lines[STEADY_LINES])
{
    size_t found;
    stretch_level(samples->raw[0], samples->count, level);
    ck_assert_int_eq(steady_lines_of(samples, calm, NULL, 0, NULL, lines, &found), VERDICT_OK);
    return found;
}

static size_t look(const struct ring_down_samples *samples, struct steady_line lines[STEADY_LINES])
{
    return look_behind((struct calm_before){BEFORE, BEFORE}, samples, lines);
}

static struct ring_down_mode not_decaying(double f_hz)
{
    return (struct ring_down_mode){.verdict = VERDICT_NOT_DECAYING, .band_hz = {0.75 * f_hz, 1.25 * f_hz}};
}

/* What does not decay is hum where it has the hum's frequency; a mode whose band has the hum as well stays. */
START_TEST(a_mode_beside_a_line_stays)
{
    const struct ring_down_samples samples = ring_down(COUNT);
    struct steady_line lines[STEADY_LINES];
    add(50, 1, 0);
    add_noise(0.01);
    const size_t found = look(&samples, lines);
    ck_assert_uint_eq(found, 1);
    struct ring_down_mode modes[3] = {not_decaying(45), not_decaying(50), not_decaying(52)};
    size_t count = 3;
    steady_lines_remove(&samples, lines, found, modes, &count);
    ck_assert_uint_eq(count, 2);
    ck_assert_double_eq(ring_down_mode_centre(&modes[0]), 45);
    ck_assert_double_eq(ring_down_mode_centre(&modes[1]), 52);
}
END_TEST

/* White noise of a fifth of the line, or less: frequency and amplitude are off by their errors. */
START_TEST(a_line_is_told_with_its_errors)
{
    enum { RECORDS = 300 };
    double f_squares = 0, amplitude_squares = 0;
    for (int k = 0; k < RECORDS; k++) {
        const double f_hz = 20 + 400 * gsl_rng_uniform(source), amplitude = 0.5 + gsl_rng_uniform(source);
        struct ring_down_samples samples = ring_down(COUNT);
        struct steady_line lines[STEADY_LINES];
        samples.sensed = (enum sensed)_i;
        memset(record, 0, sizeof record);
        add(f_hz, amplitude, 0);
        add_noise(0.02 + 0.08 * gsl_rng_uniform(source));
        ck_assert_uint_eq(look(&samples, lines), 1);
        f_squares += pow((lines[0].f_hz - f_hz) / lines[0].se_f_hz, 2);
        amplitude_squares +=
            pow((lines[0].amplitude - amplitude / pow(2 * M_PI * f_hz, _i)) / lines[0].se_amplitude, 2);
    }
    printf("over their errors: f %.3f, amplitude %.3f\n", sqrt(f_squares / RECORDS), sqrt(amplitude_squares / RECORDS));
    ck_assert_double_eq_tol(sqrt(f_squares / RECORDS), 1.025, 0.225);
    ck_assert_double_eq_tol(sqrt(amplitude_squares / RECORDS), 1.025, 0.225);
}
END_TEST

/* A mode that rang before the blow as well is none, though its mean is that of the calm. */
START_TEST(what_decays_is_no_line)
{
    static const double falls[] = {0.5, 1, 2};
    for (int k = 0; k < 20; k++) {
        const struct ring_down_samples samples = ring_down(COUNT);
        struct steady_line lines[STEADY_LINES];
        const double before = (1 - exp(-falls[_i])) / falls[_i];
        memset(record, 0, sizeof record);
        add(60 + 5 * k, 1, falls[_i]);
        for (size_t i = 0; i < BEFORE; i++)
            record[i] = before * cos(2 * M_PI * (60 + 5 * k) * (double)i / RATE_HZ);
        add_noise(0.01);
        ck_assert_uint_eq(look(&samples, lines), 0);
    }
}
END_TEST

/* A record that begins with its blow, or a tenth of a second before: the ring-down alone tells hum above three times
 * the noise. */
START_TEST(hum_without_a_calm_is_told_with_its_errors)
{
    enum { RECORDS = 300 };
    static const struct calm_before calms[] = {{0, 0}, {60, 50}};
    double f_squares = 0, amplitude_squares = 0;
    for (int k = 0; k < RECORDS; k++) {
        const double f_hz = 40 + 40 * gsl_rng_uniform(source);
        const struct ring_down_samples samples = ring_down(COUNT);
        struct steady_line lines[STEADY_LINES];
        memset(record, 0, sizeof record);
        add(f_hz, 1, 0);
        add_noise(0.02 + 0.08 * gsl_rng_uniform(source));
        ck_assert_uint_eq(look_behind(calms[_i], &samples, lines), 1);
        f_squares += pow((lines[0].f_hz - f_hz) / lines[0].se_f_hz, 2);
        amplitude_squares += pow((lines[0].amplitude - 1) / lines[0].se_amplitude, 2);
    }
    printf("over their errors: f %.3f, amplitude %.3f\n", sqrt(f_squares / RECORDS), sqrt(amplitude_squares / RECORDS));
    ck_assert_double_eq_tol(sqrt(f_squares / RECORDS), 1.025, 0.225);
    ck_assert_double_eq_tol(sqrt(amplitude_squares / RECORDS), 1.025, 0.225);
}
END_TEST

/* Of a damping ratio as small as that of metal in one piece, or larger, in noise of all sizes. */
START_TEST(a_mode_that_decays_slowly_is_no_line)
{
    static const double zetas[] = {1e-4, 2e-4, 5e-4};
    const struct calm_before none = {0, 0};
    for (int k = 0; k < 300; k++) {
        const double f_hz = 20 + 400 * gsl_rng_uniform(source);
        const struct ring_down_samples samples = ring_down(COUNT);
        struct steady_line lines[STEADY_LINES];
        memset(record, 0, sizeof record);
        add(f_hz, 1, zetas[_i] * 2 * M_PI * f_hz * COUNT / RATE_HZ);
        add_noise(0.001 * pow(1000, gsl_rng_uniform(source)));
        ck_assert_uint_eq(look_behind(none, &samples, lines), 0);
    }
}
END_TEST

/* Of more lines than are told, the strongest are, though one is of the highest frequency and moves least. */
START_TEST(the_strongest_lines_stay)
{
    struct ring_down_samples samples = ring_down(COUNT);
    struct steady_line lines[STEADY_LINES];
    samples.sensed = SENSED_ACCELERATION;
    for (int k = 0; k < 9; k++)
        add(30 + 50 * k, k == 8 ? 1 : k == 3 ? 0.1 : 0.2, 0);
    add_noise(0.01);
    ck_assert_uint_eq(look(&samples, lines), STEADY_LINES);
    for (int k = 0; k < 8; k++)
        ck_assert_double_eq_tol(lines[k].f_hz, 30 + 50 * (k < 3 ? k : k + 1), 0.05);
}
END_TEST

/* A blow just before the record's end leaves a few samples. */
START_TEST(a_few_samples_have_no_line)
{
    struct steady_line lines[STEADY_LINES];
    add(100, 1, 0);
    for (size_t count = 3; count < 100; count++) {
        const struct ring_down_samples samples = ring_down(count);
        ck_assert_uint_eq(look(&samples, lines), 0);
    }
}
END_TEST

START_TEST(a_search_that_is_stopped_says_so)
{
    const struct ring_down_samples samples = ring_down(COUNT);
    const atomic_bool stop = true;
    struct steady_line lines[STEADY_LINES];
    size_t found;
    add(50, 1, 0);
    stretch_level(samples.raw[0], COUNT, level);
    ck_assert_int_eq(steady_lines_of(&samples, (struct calm_before){BEFORE, BEFORE}, NULL, 0, &stop, lines, &found),
                     VERDICT_CANCELLED);
    ck_assert_uint_eq(found, 0);
}
END_TEST

/* A mode at 120 Hz of which amplitudes of 1 and more are told. */
static void look_at_calm(size_t count, struct ring_down *found)
{
    const struct ring_down_samples samples = ring_down(COUNT);
    *found = (struct ring_down){.mode_count = 1,
                                .mode[0] = {.verdict = VERDICT_OK, .band_hz = {90, 150}, .amplitude_min = 1}};
    ck_assert_int_eq(calm_lines_doubt(&samples, (struct calm_before){BEFORE, count}, found), VERDICT_OK);
}

/* What the mode at 120 Hz hides behind the blow a calm of 0.3 or 2 s tells, if it is no less than a hundredth of the
 * mode. */
START_TEST(the_calm_tells_what_a_mode_hides)
{
    enum { RECORDS = 300 };
    static const size_t calm[2] = {307, BEFORE};
    static struct ring_down found;
    double f_squares = 0, amplitude_squares = 0;
    for (int k = 0; k < RECORDS; k++) {
        const double f_hz = 100 + 40 * gsl_rng_uniform(source);
        memset(record, 0, sizeof record);
        add(f_hz, 0.1, 0);
        add_noise(0.06);
        look_at_calm(calm[_i], &found);
        ck_assert_uint_eq(found.line_count, 1);
        ck_assert_ptr_nonnull(found.mode[0].reason[REASON_CALM]);
        f_squares += pow((found.line[0].f_hz - f_hz) / found.line[0].se_f_hz, 2);
        amplitude_squares += pow((found.line[0].amplitude - 0.1) / found.line[0].se_amplitude, 2);
    }
    printf("over their errors: f %.3f, amplitude %.3f\n", sqrt(f_squares / RECORDS), sqrt(amplitude_squares / RECORDS));
    ck_assert_double_eq_tol(sqrt(f_squares / RECORDS), 1, 0.4);
    ck_assert_double_eq_tol(sqrt(amplitude_squares / RECORDS), 1, 0.4);
    memset(record, 0, sizeof record);
    add(120, 0.005, 0);
    add_noise(0.001);
    look_at_calm(calm[_i], &found);
    ck_assert_uint_eq(found.line_count, 0);
}
END_TEST

/* White noise, and a wandering zero. */
START_TEST(a_calm_is_calm)
{
    static const size_t calm[2] = {307, BEFORE};
    static struct ring_down found;
    for (int k = 0; k < 1000; k++) {
        memset(record, 0, sizeof record);
        add(0.2, k % 2 ? 10 : 0, 0);
        add_noise(1);
        look_at_calm(calm[_i], &found);
        ck_assert_uint_eq(found.line_count, 0);
        ck_assert_ptr_null(found.mode[0].reason[REASON_CALM]);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("steady_lines");
    TCase *tests = tcase_create("steady_lines");
    suite_add_tcase(suite, tests);
    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, a_mode_beside_a_line_stays);
    tcase_add_loop_test(tests, a_line_is_told_with_its_errors, SENSED_DISPLACEMENT, SENSED_ACCELERATION + 1);
    tcase_add_loop_test(tests, what_decays_is_no_line, 0, 3);
    tcase_add_loop_test(tests, hum_without_a_calm_is_told_with_its_errors, 0, 2);
    tcase_add_loop_test(tests, a_mode_that_decays_slowly_is_no_line, 0, 3);
    tcase_add_loop_test(tests, the_calm_tells_what_a_mode_hides, 0, 2);
    tcase_add_loop_test(tests, a_calm_is_calm, 0, 2);
    tcase_add_test(tests, the_strongest_lines_stay);
    tcase_add_test(tests, a_few_samples_have_no_line);
    tcase_add_test(tests, a_search_that_is_stopped_says_so);
    return run_suite(suite);
}
