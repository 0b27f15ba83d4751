/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A ladder that is not wanted any more ends at once, wherever it is. */
#include "driven_contact.h"
#include "identify/loop/friction_ladder.h"
#include "run_suite.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

/* Samples far from each other beside the presliding length: walks of the shapes without a closed form are long. */
enum { SAMPLES = 60000, SAMPLES_A_CYCLE = 2000 };
static const double amplitude = 1e-3, noise = 0.01, samples_a_second = 2000;

struct ladder_thread {
    struct loop_signal signal;
    atomic_bool cancel;
    enum verdict verdict;
};

/* Of the processor, which other programs do not use up. */
static double processor_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void *climb(void *of)
{
    struct ladder_thread *thread = of;
    static struct friction_ladder ladder;
    thread->verdict = friction_ladder_identify(&thread->signal, &thread->cancel, &ladder);
    return NULL;
}

static void wait_s(double seconds)
{
    const struct timespec time = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))};
    ck_assert_int_eq(nanosleep(&time, NULL), 0);
}

/* Friction with a dip, so that no shape is exact. */
static void make(struct loop_signal *signal, double *room)
{
    double *time_s = room, *displacement = room + SAMPLES, *force = displacement + SAMPLES;
    unsigned seed = 3;
    for (size_t i = 0; i < SAMPLES; i++) {
        const double phase = 2 * M_PI * (double)i / SAMPLES_A_CYCLE, v = sin(phase);
        time_s[i] = (double)i / samples_a_second;
        displacement[i] = -amplitude * cos(phase);
        force[i] = tanh(100 * v) * (1 + 0.5 * exp(-25 * v * v)) + noise * driven_noise(&seed);
    }
    *signal = (struct loop_signal){.time_s = time_s, .displacement = displacement, .force = force, .count = SAMPLES};
    ck_assert_int_eq(loop_signal_look(signal), 0);
}

/* The project's limit for all that can be stopped is a second; a machine may be half as fast as another, and a
 * sanitizer slower. */
static double limit_s(void)
{
    const char *slowness = getenv("TEST_SLOWNESS");
    return 2 * (slowness ? atof(slowness) : 1.0);
}

START_TEST(a_cancelled_ladder_ends_within_a_second)
{
    static const double after_s[] = {0, 0.1, 0.4, 1.2};
    double *room = calloc(3 * SAMPLES, sizeof *room);
    struct ladder_thread thread = {.verdict = VERDICT_OK};
    pthread_t id;
    ck_assert_ptr_nonnull(room);
    make(&thread.signal, room);
    ck_assert_int_eq(pthread_create(&id, NULL, climb, &thread), 0);
    wait_s(after_s[_i]);
    const double asked_s = processor_s();
    atomic_store(&thread.cancel, true);
    ck_assert_int_eq(pthread_join(id, NULL), 0);
    ck_assert_double_lt(processor_s() - asked_s, limit_s());
    ck_assert_int_eq(thread.verdict, VERDICT_CANCELLED);
    free(room);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("friction_cancel");
    TCase *tests = tcase_create("friction_cancel");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, a_cancelled_ladder_ends_within_a_second, 0, 4);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
