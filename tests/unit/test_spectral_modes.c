/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The modes of structures that were struck, by their spectra. */
#include "identify/ring_down/spectral_modes.h"
#include "ring_down_bench.h"
#include "run_suite.h"
#include "struck_structure.h"
#include "thinning.h"

enum { MOST = 40000, MODES = 12 };
#define RATE_HZ 5000.0
static double samples[MOST];

static void clear(gsl_rng *random, double noise)
{
    for (size_t i = 0; i < MOST; i++)
        samples[i] = noise > 0 ? gsl_ran_gaussian(random, noise) : 0;
}

/* 42 ring-downs of one to three modes, twice to five times apart, with noise of 0.1 to 5 % of the blow's peak: every
 * mode, to a small part of its width, and no other. */
START_TEST(every_mode_is_found_once)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (int stream = 0; stream < 42; stream++) {
        static const double share[3] = {0.001, 0.01, 0.05};
        const size_t count = 1 + (size_t)stream % 3;
        const double zeta = 0.001 + 0.005 * gsl_rng_uniform(random);
        double f_hz[3] = {20 + 40 * gsl_rng_uniform(random)};
        for (size_t r = 1; r < 3; r++)
            f_hz[r] = f_hz[r - 1] * (2 + 3 * gsl_rng_uniform(random));
        struct push push = {0.0001, 0.0008, 1};
        struct spectral_mode modes[MODES];
        clear(NULL, 0);
        strike(&push, 1, f_hz, count, zeta, RATE_HZ, MOST, samples);
        for (size_t i = 0; i < MOST; i++)
            samples[i] += gsl_ran_gaussian(random, share[stream / 3 % 3] * (double)count);
        if (is_left_out(stream))
            continue;
        const size_t left_out = 10; /* the hammer's */
        const int found = spectral_modes_of((const double *const[]){samples + left_out}, 1, MOST - left_out, RATE_HZ,
                                            MODE_FALLS, modes, MODES, NULL);
        ck_assert_int_eq(found, (int)count);
        for (size_t r = 0; r < count; r++) {
            ck_assert_double_eq_tol(modes[r].f_hz / f_hz[r], 1, 0.5 * zeta + 0.0005);
            ck_assert_double_le(modes[r].stop_hz, 0.25 * modes[r].f_hz * 1.000001);
        }
    }
    gsl_rng_free(random);
}
END_TEST

START_TEST(no_mode_is_invented)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    struct spectral_mode modes[MODES];
    for (int record = 0; record < 60; record++) {
        clear(random, 1);
        if (is_left_out(record))
            continue;
        ck_assert_int_eq(
            spectral_modes_of((const double *const[]){samples}, 1, MOST, RATE_HZ, MODE_FALLS, modes, MODES, NULL), 0);
    }
    /* Hum goes on; it is no mode, beside one either. */
    for (size_t i = 0; i < MOST; i++)
        samples[i] += sin(2 * M_PI * 50 * (double)i / RATE_HZ);
    ck_assert_int_eq(
        spectral_modes_of((const double *const[]){samples}, 1, MOST, RATE_HZ, MODE_FALLS, modes, MODES, NULL), 0);
    const struct push push = {0.0001, 0.0008, 100};
    const double f_hz = 180;
    strike(&push, 1, &f_hz, 1, 0.002, RATE_HZ, MOST, samples);
    ck_assert_int_eq(
        spectral_modes_of((const double *const[]){samples + 10}, 1, MOST - 10, RATE_HZ, MODE_FALLS, modes, MODES, NULL),
        1);
    ck_assert_double_eq_tol(modes[0].f_hz, f_hz, 0.2);
    ck_assert_int_eq(
        spectral_modes_of((const double *const[]){samples}, 1, 50, RATE_HZ, MODE_FALLS, modes, MODES, NULL), 0);
    gsl_rng_free(random);
}
END_TEST

/* A mode of 2 % damping between two that ring ten times as high and for ten times as long; and one that hardly falls in
 * the record beside one that is gone soon, which hum of the same strength is not. */
START_TEST(a_mode_shows_beside_stronger_ones)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    const struct push push = {0.0001, 0.0008, 1};
    for (int record = 0; record < 12; record++) {
        const double light_hz[2] = {60 + 20 * gsl_rng_uniform(random), 300 + 100 * gsl_rng_uniform(random)};
        const double heavy_hz = light_hz[0] * (1.3 + 2 * gsl_rng_uniform(random));
        struct spectral_mode modes[MODES];
        double nearest = INFINITY;
        clear(NULL, 0);
        strike(&push, 1, light_hz, 2, 0.002, RATE_HZ, MOST, samples);
        for (size_t i = 0; i < MOST; i++)
            samples[i] *= 10;
        strike(&push, 1, &heavy_hz, 1, 0.02, RATE_HZ, MOST, samples);
        for (size_t i = 0; i < MOST; i++)
            samples[i] += gsl_ran_gaussian(random, 0.02);
        const int found = spectral_modes_of((const double *const[]){samples + 10}, 1, MOST - 10, RATE_HZ, MODE_FALLS,
                                            modes, MODES, NULL);
        ck_assert_int_eq(found, 3);
        for (int r = 0; r < found; r++)
            nearest = fmin(nearest, fabs(modes[r].f_hz / heavy_hz - 1));
        ck_assert_double_le(nearest, 0.01);
    }
    /* It falls by a third in these 2 s. */
    enum { SHORT = 10000 };
    const double slow_hz = 25, soon_hz = 90;
    struct spectral_mode modes[MODES];
    for (int hums = 0; hums < 2; hums++) {
        clear(random, 1e-3);
        strike(&push, 1, &soon_hz, 1, 0.01, RATE_HZ, SHORT, samples);
        if (hums)
            for (size_t i = 0; i < SHORT; i++)
                samples[i] += sin(2 * M_PI * slow_hz * (double)i / RATE_HZ);
        else
            strike(&push, 1, &slow_hz, 1, 0.0013, RATE_HZ, SHORT, samples);
        ck_assert_int_eq(spectral_modes_of((const double *const[]){samples + 10}, 1, SHORT - 10, RATE_HZ, MODE_FALLS,
                                           modes, MODES, NULL),
                         hums ? 1 : 2);
    }
    gsl_rng_free(random);
}
END_TEST

/* A joint's odd harmonics, and its frequency that rises as the motion falls, make no more modes of one. */
START_TEST(a_mode_with_a_joint_is_one)
{
    static const struct modal_iwan *const open[2] = {&bench_mild, &bench_strong};
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (int which = 0; which < 2; which++) {
        const struct modal_iwan mode = bench_mode(open[which]);
        struct spectral_mode modes[MODES];
        for (size_t i = 0; i < BENCH_SAMPLES; i++)
            samples[i] = gsl_ran_gaussian(random, 1e-5 * bench_first(&mode));
        bench_add(&mode, 0, samples);
        ck_assert_int_eq(spectral_modes_of((const double *const[]){samples}, 1, BENCH_SAMPLES, BENCH_RATE_HZ,
                                           MODE_FALLS, modes, MODES, NULL),
                         1);
        ck_assert_double_eq_tol(modes[0].f_hz * 2 * M_PI / bench_omega_0(&mode), 1, 0.03);
    }
    gsl_rng_free(random);
}
END_TEST

/* From where the whole joint slips the third harmonic stands out of the noise for a few cycles. */
static void let_go(const struct modal_iwan *mode, double ratio, double noise, gsl_rng *random)
{
    const double amplitude = ratio * mode->phi_max, first = amplitude * modal_iwan_secant(mode, amplitude);
    struct joint_motion *motion = joint_motion_create(mode, amplitude, 0);
    ck_assert_ptr_nonnull(motion);
    for (size_t i = 0; i < BENCH_SAMPLES; i++) {
        struct joint_state at;
        ck_assert_int_eq(joint_motion_to(motion, (double)i / BENCH_RATE_HZ, &at), 0);
        samples[i] = at.acceleration + gsl_ran_gaussian(random, noise * first);
    }
    joint_motion_free(motion);
}

START_TEST(a_mode_whose_joint_slips_as_a_whole_is_one)
{
    static const double ratio[3] = {1.5, 2, 3}, noise[3] = {0.001, 0.003, 0.01};
    const struct modal_iwan mode = bench_mode(&bench_strong);
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    int more = 0;
    for (int record = 0; record < 36; record++) {
        struct spectral_mode modes[MODES];
        let_go(&mode, ratio[record % 3], noise[record / 3 % 3], random);
        const int found = spectral_modes_of((const double *const[]){samples}, 1, BENCH_SAMPLES, BENCH_RATE_HZ,
                                            MODE_FALLS, modes, MODES, NULL);
        ck_assert_int_ge(found, 1);
        more += found > 1;
    }
    ck_assert_int_le(more, 2);
    gsl_rng_free(random);
}
END_TEST

/* Where nothing softens, a mode 1 % below three times a strong one's frequency is a mode; and what the skirts of both
 * add up to through the shortest windows is none. */
START_TEST(a_weak_mode_near_a_third_harmonic_stays)
{
    const struct push loud = {0.0001, 0.0008, 1}, soft = {0.0001, 0.0008, 0.03};
    const double strong_hz = 100, weak_hz = 297;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (int record = 0; record < 40; record++) {
        struct spectral_mode modes[MODES];
        clear(random, 1e-3);
        strike(&loud, 1, &strong_hz, 1, 0.002, RATE_HZ, MOST, samples);
        strike(&soft, 1, &weak_hz, 1, 0.002, RATE_HZ, MOST, samples);
        const int found = spectral_modes_of((const double *const[]){samples + 10}, 1, MOST - 10, RATE_HZ, MODE_FALLS,
                                            modes, MODES, NULL);
        ck_assert_int_eq(found, 2);
        ck_assert_double_eq_tol(modes[1].f_hz, weak_hz, 0.5);
    }
    gsl_rng_free(random);
}
END_TEST

/* One that dies out soon, and shows in short windows alone, has a wide peak. */
START_TEST(a_weak_mode_of_much_damping_near_a_third_harmonic_stays)
{
    const struct push loud = {0.0001, 0.0008, 1}, soft = {0.0001, 0.0008, 0.03};
    const double strong_hz = 100, weak_hz = 293;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (int record = 0; record < 6; record++) {
        struct spectral_mode modes[MODES];
        clear(random, 2e-4);
        strike(&loud, 1, &strong_hz, 1, 0.002, RATE_HZ, MOST, samples);
        strike(&soft, 1, &weak_hz, 1, 0.04, RATE_HZ, MOST, samples);
        const int found = spectral_modes_of((const double *const[]){samples + 10}, 1, MOST - 10, RATE_HZ, MODE_FALLS,
                                            modes, MODES, NULL);
        ck_assert_int_ge(found, 2);
        ck_assert_double_eq_tol(modes[1].f_hz, weak_hz, 10);
    }
    gsl_rng_free(random);
}
END_TEST

/* A weak mode whose frequency is that of no line that two strong ones would make, though near to one, is a mode. */
START_TEST(a_weak_mode_near_a_sum_stays)
{
    const struct push loud = {0.0001, 0.0008, 1}, soft = {0.0001, 0.0008, 0.015};
    const double strong_hz[2] = {100, 237};
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (int at = 0; at < 3; at++) {
        static const double off_hz[3] = {-1.3, 0, 1.3};
        const double weak_hz = strong_hz[0] + strong_hz[1] + off_hz[at];
        struct spectral_mode modes[MODES];
        clear(random, 1e-3);
        strike(&loud, 1, strong_hz, 2, 0.0005, RATE_HZ, MOST, samples);
        strike(&soft, 1, &weak_hz, 1, 0.0005, RATE_HZ, MOST, samples);
        const int found = spectral_modes_of((const double *const[]){samples + 10}, 1, MOST - 10, RATE_HZ, MODE_FALLS,
                                            modes, MODES, NULL);
        ck_assert_int_eq(found, off_hz[at] == 0 ? 2 : 3);
        ck_assert(found == 2 || fabs(modes[2].f_hz - weak_hz) < 0.1);
    }
    gsl_rng_free(random);
}
END_TEST

/* More modes than there is room for: the highest stay. Bands do not meet a neighbour. */
START_TEST(the_highest_modes_stay)
{
    const struct push push = {0.0001, 0.0008, 1};
    const double f_hz[4] = {60, 90, 400, 900};
    struct spectral_mode all[MODES], some[2];
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    clear(random, 1e-3);
    strike(&push, 1, f_hz, 4, 0.002, RATE_HZ, MOST, samples);
    ck_assert_int_eq(
        spectral_modes_of((const double *const[]){samples + 10}, 1, MOST - 10, RATE_HZ, MODE_FALLS, all, MODES, NULL),
        4);
    for (size_t r = 0; r < 4; r++)
        for (size_t other = 0; other < 4; other++)
            ck_assert(r == other || fabs(all[r].f_hz - all[other].f_hz) > all[r].stop_hz);
    ck_assert_int_eq(
        spectral_modes_of((const double *const[]){samples + 10}, 1, MOST - 10, RATE_HZ, MODE_FALLS, some, 2, NULL), 2);
    for (size_t r = 0; r < 4; r++) {
        const bool kept = all[r].f_hz == some[0].f_hz || all[r].f_hz == some[1].f_hz;
        ck_assert(kept || all[r].height <= fmin(some[0].height, some[1].height));
    }
    gsl_rng_free(random);
}
END_TEST

/* Two modes, of which there is room for one, the line at their sum, a mode of 0.4 % and hum: all are listed, with the
 * modes that make a line. */
START_TEST(what_is_left_out_is_listed)
{
    const struct push loud = {0.0001, 0.0008, 1}, soft = {0.0001, 0.0008, 0.015}, softer = {0.0001, 0.0008, 0.004};
    const double strong_hz[2] = {100, 237}, sum_hz = 337, weak_hz = 500, hum_hz = 800;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    struct spectral_mode mode;
    struct left_lines left = {.count = 0};
    clear(random, 1e-4);
    strike(&loud, 1, strong_hz, 2, 0.0005, RATE_HZ, MOST, samples);
    strike(&soft, 1, &sum_hz, 1, 0.0005, RATE_HZ, MOST, samples);
    strike(&softer, 1, &weak_hz, 1, 0.0005, RATE_HZ, MOST, samples);
    for (size_t i = 0; i < MOST; i++)
        samples[i] += 0.001 * sin(2 * M_PI * hum_hz * (double)i / RATE_HZ);
    const int found =
        spectral_modes_of((const double *const[]){samples + 10}, 1, MOST - 10, RATE_HZ, MODE_FALLS, &mode, 1, &left);
    ck_assert_int_eq(found, 1);
    const size_t other = fabs(mode.f_hz - strong_hz[0]) < 1;
    const double line_hz[4] = {strong_hz[other], sum_hz, weak_hz, hum_hz};
    const enum left_cause cause[4] = {LEFT_BEYOND_MOST, LEFT_COMBINATION, LEFT_WEAK, LEFT_NOT_FALLING};
    ck_assert_uint_eq(left.count, 4);
    for (size_t k = 0; k < 4; k++) {
        ck_assert_double_eq_tol(left.line[k].f_hz, line_hz[k], 0.5);
        ck_assert_int_eq(left.line[k].cause, cause[k]);
        ck_assert_str_eq(left.line[k].reason, left_cause_sentence(cause[k]));
        ck_assert_uint_eq(left.line[k].others, cause[k] == LEFT_COMBINATION ? 2 : 0);
    }
    ck_assert_double_eq_tol(left.line[1].other_hz[0] + left.line[1].other_hz[1], sum_hz, 1);
    gsl_rng_free(random);
}
END_TEST

/* More lines than there is room for: the highest stay, by frequency. */
START_TEST(the_highest_lines_left_out_stay)
{
    struct left_lines left = {.count = 0};
    for (size_t k = 0; k < 2 * LEFT_LINES; k++) {
        const double f_hz = (double)(7 * k % (2 * LEFT_LINES));
        left_lines_add(&left, &(struct left_line){.f_hz = f_hz, .height = 100 - f_hz, .cause = LEFT_WEAK});
    }
    ck_assert_uint_eq(left.count, LEFT_LINES);
    for (size_t k = 0; k < LEFT_LINES; k++)
        ck_assert_double_eq(left.line[k].f_hz, (double)k);
    left_lines_drop(&left, LEFT_NOT_FALLING, 5, 1.5);
    ck_assert_uint_eq(left.count, LEFT_LINES);
    left_lines_drop(&left, LEFT_WEAK, 5, 1.5);
    ck_assert_uint_eq(left.count, LEFT_LINES - 3);
    ck_assert_double_eq(left.line[4].f_hz, 7);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("modes of a spectrum");
    TCase *tests = tcase_create("modes of a spectrum");
    seed_of_run();
    suite_add_tcase(suite, tests);
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, every_mode_is_found_once);
    tcase_add_test(tests, no_mode_is_invented);
    tcase_add_test(tests, a_mode_shows_beside_stronger_ones);
    tcase_add_test(tests, a_mode_with_a_joint_is_one);
    tcase_add_test(tests, a_mode_whose_joint_slips_as_a_whole_is_one);
    tcase_add_test(tests, a_weak_mode_near_a_third_harmonic_stays);
    tcase_add_test(tests, a_weak_mode_of_much_damping_near_a_third_harmonic_stays);
    tcase_add_test(tests, a_weak_mode_near_a_sum_stays);
    tcase_add_test(tests, the_highest_modes_stay);
    tcase_add_test(tests, what_is_left_out_is_listed);
    tcase_add_test(tests, the_highest_lines_left_out_stay);
    return run_suite(suite);
}
