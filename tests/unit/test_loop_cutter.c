/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops out of a stream: each is found once, and told soon after it closed. */

#include "run_suite.h"
#include "segment/loop_cutter.h"

#include <check.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { LOOPS = 40 };

/* Scans of period 1, which closes a loop at every whole number. */
struct stream {
    double now_s, latest_late;
    size_t told;
};

static void on_loop(void *context, struct loop_cut *loop)
{
    struct stream *stream = context;
    const double closed_s = (double)loop->number;
    stream->told++;
    stream->latest_late = fmax(stream->latest_late, stream->now_s - closed_s);
    ck_assert_msg(stream->now_s > closed_s - 0.01, "loop %d is told %g of a period before it closed", (int)loop->number,
                  closed_s - stream->now_s);
    free(loop->rows);
}

static void on_run(void *context, struct loop_cut *run)
{
    (void)context;
    free(run->rows);
}

static void on_given_up(void *context, const char *reason)
{
    (void)context;
    ck_abort_msg("%s", reason);
}

static double sine(double phase)
{
    return -cos(2 * M_PI * phase);
}

static double triangle(double phase)
{
    return 4 * fabs(phase - floor(phase + 0.5)) - 1;
}

/* Of that many samples a period, with noise as a share of the half stroke. */
static struct stream cut(double (*shape)(double phase), int samples, double noise, gsl_rng *random)
{
    struct stream stream = {.latest_late = -INFINITY};
    const struct loop_cutter_settings settings = {.columns = 3, .most_rows = (size_t)samples * 60};
    const struct loop_cutter_listener listener = {on_loop, on_run, on_given_up, &stream};
    struct loop_cutter *cutter = loop_cutter_create(&settings, &listener);
    ck_assert_ptr_nonnull(cutter);
    const double start = gsl_rng_uniform(random) / samples;
    for (int i = -samples / 2; i <= (LOOPS + 0.4) * samples; i++) {
        stream.now_s = start + (double)i / samples;
        const double x = shape(stream.now_s);
        const struct loop_scan scan = {
            .displacement = x + gsl_ran_gaussian(random, noise), .force = x, .time_s = stream.now_s, .motion = x};
        loop_cutter_feed(cutter, &scan);
    }
    ck_assert_uint_eq(loop_cutter_loops(cutter), LOOPS);
    loop_cutter_destroy(cutter);
    return stream;
}

START_TEST(a_loop_is_told_soon_after_it_closed)
{
    static double (*const shapes[])(double phase) = {sine, triangle};
    static const int samples[] = {50, 150, 500, 2000, 5000};
    static const double noises[] = {0, 0.003, 0.01, 0.03};
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    ck_assert_ptr_nonnull(random);
    for (size_t s = 0; s < 2; s++)
        for (size_t k = 0; k < 5; k++)
            for (size_t n = 0; n < 4; n++) {
                const struct stream stream = cut(shapes[s], samples[k], noises[n], random);
                /* So few samples in so much noise say later that the displacement comes back. */
                const bool scarce = noises[n] > 0.01 && samples[k] < 2000;
                const double most = scarce ? 0.2 : 0.05 + 2.0 / samples[k];
                ck_assert_uint_eq(stream.told, LOOPS);
                ck_assert_msg(stream.latest_late <= most, "shape %zu, %d samples, noise %g: %g of a period", s,
                              samples[k], noises[n], stream.latest_late);
            }
    gsl_rng_free(random);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("loop_cutter");
    TCase *tests = tcase_create("loops");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, a_loop_is_told_soon_after_it_closed);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
