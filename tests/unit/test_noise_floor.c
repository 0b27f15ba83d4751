/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run_suite.h"
#include "segment/noise_floor.h"
#include "stream_generator.h"

#include <math.h>
#include <stdlib.h>

enum { SAMPLES = 8000 };

static double y[SAMPLES];

/* A swinging of amplitude 1 with noise, rounded to steps. */
static void swing(double noise_sd, double step, double samples_per_cycle)
{
    struct random random = {42};
    for (int i = 0; i < SAMPLES; i++) {
        y[i] = sin(2 * M_PI * i / samples_per_cycle) + noise_sd * random_normal(&random);
        if (step > 0)
            y[i] = step * rint(y[i] / step);
    }
}

/* All of it, chunk by chunk. */
static void look(struct noise_floor *noise)
{
    noise_floor_init(noise);
    for (int i = 4; i + CHUNK + 4 <= SAMPLES; i += CHUNK) {
        struct chunk chunk;
        chunk_look(y + i, &chunk);
        noise_floor_take(noise, &chunk, y + i);
    }
}

static void look_at(struct noise_floor *noise, double noise_sd, double step, double samples_per_cycle)
{
    swing(noise_sd, step, samples_per_cycle);
    look(noise);
}

START_TEST(sees_white_noise_through_the_motion)
{
    static const double sds[] = {0.003, 0.03};
    struct noise_floor noise;
    for (int i = 0; i < 2; i++)
        for (double samples_per_cycle = 20; samples_per_cycle < 3000; samples_per_cycle *= 4) {
            look_at(&noise, sds[i], 0, samples_per_cycle);
            ck_assert_double_eq_tol(noise.sd / sds[i], 1, 0.1);
        }
}
END_TEST

START_TEST(motion_alone_is_hardly_noise)
{
    struct noise_floor noise;
    look_at(&noise, 0, 0, 20);
    ck_assert_double_lt(noise.sd, 0.0015);
    ck_assert_double_eq(noise_floor_step(&noise), 0);
}
END_TEST

START_TEST(finds_the_step_of_an_encoder_and_of_an_adc)
{
    struct noise_floor noise;
    look_at(&noise, 0, 0.01, 300);
    ck_assert_double_eq_tol(noise_floor_step(&noise), 0.01, 1e-9);
    look_at(&noise, 0.005, 0.001, 300);
    ck_assert_double_eq_tol(noise_floor_step(&noise), 0.001, 1e-9);
    look_at(&noise, 0.005, 0, 300);
    ck_assert_double_eq(noise_floor_step(&noise), 0);
}
END_TEST

/* A limit lies between two steps, or somebody writes a reading of his own. */
START_TEST(a_reading_beside_the_steps_hides_them_for_a_while_only)
{
    struct noise_floor noise;
    swing(0, 0.01, 300);
    y[2000 + _i] += 0.003;
    look(&noise);
    ck_assert_double_eq_tol(noise_floor_step(&noise), 0.01, 1e-9);
}
END_TEST

/* So quick a motion that every chunk has a value near zero, and so even that its samples repeat to the last bit but for
 * rounding, which comes in steps as well. */
START_TEST(rounding_is_no_step_wherever_zero_is)
{
    enum { PHASES = 32 };
    static const double zeros[] = {0, 5, -5, 50};
    const double samples_per_cycle = 8 + _i / PHASES, phase = 2 * M_PI * (_i % PHASES) / PHASES;
    for (size_t zero = 0; zero < sizeof zeros / sizeof *zeros; zero++) {
        struct noise_floor noise;
        for (int i = 0; i < SAMPLES; i++)
            y[i] = zeros[zero] + 5 * sin(2 * M_PI * i / samples_per_cycle + phase);
        noise_floor_init(&noise);
        for (int i = 4; i + CHUNK + 4 <= SAMPLES; i += CHUNK) {
            struct chunk chunk;
            chunk_look(y + i, &chunk);
            noise_floor_take(&noise, &chunk, y + i);
            const double step = noise_floor_step(&noise);
            ck_assert(!(step > 0) || step > 1e-6);
        }
    }
}
END_TEST

/* Up and down in steps so high that the distance of the two ends is infinite. */
START_TEST(counts_no_steps_in_what_is_infinitely_far)
{
    enum { COUNT = 40, AT = 4, TURN = 8 };
    struct noise_floor noise;
    struct chunk chunk;
    for (int i = 0; i < COUNT; i++)
        y[i] = 8.5e307 * (abs((i + 1) % TURN - TURN / 2) - TURN / 4);
    ck_assert(isinf(y[AT + 3] - y[AT - 1]));
    noise_floor_init(&noise);
    chunk_look(y + AT, &chunk);
    noise_floor_take(&noise, &chunk, y + AT);
    ck_assert_double_eq(noise.ever.smallest, 8.5e307);
    ck_assert_double_eq(noise.ever.whole + noise.ever.broken, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("noise floor");
    TCase *tests = tcase_create("noise floor");
    tcase_add_test(tests, sees_white_noise_through_the_motion);
    tcase_add_test(tests, motion_alone_is_hardly_noise);
    tcase_add_test(tests, finds_the_step_of_an_encoder_and_of_an_adc);
    tcase_add_loop_test(tests, a_reading_beside_the_steps_hides_them_for_a_while_only, 0, CHUNK);
    tcase_add_loop_test(tests, rounding_is_no_step_wherever_zero_is, 0, 8 * 32);
    tcase_add_test(tests, counts_no_steps_in_what_is_infinitely_far);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
