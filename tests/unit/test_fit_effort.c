/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a fit costs beside its answer: memory, passes over the samples; and that an answer at a bound is the reduced
 * model's own. */
#include "decay_grid.h"
#include "identify/decay/identify.h"
#include "run_suite.h"

#include <malloc.h>
#include <pthread.h>

/* The linker leads all allocations here. */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

void __real_free(void *memory);
void __wrap_free(void *memory);

static size_t allocations, allocated; /* ever, even what was given back */
static size_t held, most_held;        /* at a time */

static void *hold(void *memory)
{
    held += malloc_usable_size(memory);
    most_held = held > most_held ? held : most_held;
    return memory;
}

void __wrap_free(void *memory)
{
    held -= malloc_usable_size(memory);
    __real_free(memory);
}

void *__wrap_malloc(size_t size)
{
    allocations++;
    allocated += size;
    return hold(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    allocations++;
    allocated += count * size;
    return hold(__real_calloc(count, size));
}

void *__wrap_realloc(void *memory, size_t size)
{
    allocations++;
    allocated += size;
    /* Both may be there for a while. */
    const size_t before = malloc_usable_size(memory);
    void *moved = hold(__real_realloc(memory, size));
    held -= moved ? before : 0;
    return moved;
}

static struct decay_record record_of(const struct grid_decay *decay, const double *y)
{
    return (struct decay_record){.displacement = y,
                                 .count = decay->sampling.count,
                                 .period_s = decay->sampling.period_s,
                                 .first_extremum_s = NAN};
}

/* Two seconds of 20 Hz, sampled `count` times. */
static struct grid_decay twenty_hertz(size_t count, double zeta, double x_k)
{
    return (struct grid_decay){.truth = {.omega_n = 40 * M_PI, .zeta = zeta, .x_k = x_k, .x0 = 1.0, .bias = 0.2},
                               .sampling = {.period_s = 2.0 / (double)count, .count = count, .noise = 0.01},
                               .half_cycles = 80};
}

/* What a fit in a thread of its own works on. */
struct job {
    struct decay_record record;
    struct full_record_options options;
    struct full_record_fit fit;
};

static void *run_job(void *argument)
{
    struct job *job = argument;
    full_record_fit(&job->record, &job->options, &job->fit);
    return NULL;
}

/* Of the 1 MiB, half or less is the stack: a thread that needs more ends in a fault. */
static void run_with_little_stack(void *(*run)(void *), struct job *job, size_t stack)
{
    pthread_attr_t attributes;
    pthread_t thread;
    ck_assert_int_eq(pthread_attr_init(&attributes), 0);
    ck_assert_int_eq(pthread_attr_setstacksize(&attributes, stack), 0);
    ck_assert_int_eq(pthread_create(&thread, &attributes, run, job), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
}

START_TEST(a_fit_needs_little_memory_and_allocates_none)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    allocated = 0;
    struct job job = {.options = {.model = DAMPING_VISCOUS_COULOMB, .workspace = full_record_workspace_create()}};
    ck_assert_ptr_nonnull(job.options.workspace);
    ck_assert_uint_gt(allocated, 0);
    ck_assert_uint_lt(allocated, 512 * 1024);
    for (size_t count = 1000; count <= 1000000; count *= 10) {
        struct grid_decay decay = twenty_hertz(count, 0.01, 0.001);
        double *y = decay_samples(&decay);
        measure_samples(y, &decay, rng, y);
        job.record = record_of(&decay, y);
        run_with_little_stack(run_job, &job, 512 * 1024);
        ck_assert_str_eq(verdict_name(job.fit.verdict), "ok");
        allocations = 0;
        full_record_fit(&job.record, &job.options, &job.fit);
        ck_assert_uint_eq(allocations, 0);
        free(y);
    }
    free(job.options.workspace);
    gsl_rng_free(rng);
}
END_TEST

/* A length takes no more passes than another: the cost grows with the samples and with nothing else. */
static void *run_all_sections(void *argument)
{
    struct job *job = argument;
    const struct identify_settings settings = {
        .physical = {.linearity_percent = 0.25, .full_scale = 3.0, .mass_kg = NAN, .stiffness_n_per_m = NAN}};
    struct identification *found = malloc(sizeof *found);
    identify(&job->record, NULL, &settings, found);
    job->fit = found->fit;
    identification_clear(found);
    free(found);
    return NULL;
}

/* All that is ever allocated counts, even what was given back, and the stack: both stay far below 1 MiB, and the record
 * is copied nowhere, whether it is uniform, flagged or stamped. */
START_TEST(all_sections_need_little_memory_whatever_the_record)
{
    enum { SAMPLES = 1000000 };
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    struct grid_decay decay = twenty_hertz(SAMPLES, 0.01, 0.001);
    double *y = decay_samples(&decay), *time_s = malloc(SAMPLES * sizeof *time_s);
    uint8_t *flags = calloc(SAMPLES, 1);
    ck_assert(time_s && flags);
    measure_samples(y, &decay, rng, y);
    for (size_t i = 0; i < SAMPLES; i++) {
        time_s[i] = ((double)i + 0.3 * sin((double)i)) * decay.sampling.period_s;
        flags[i] = i % 997 == 0;
    }
    for (int kind = 0; kind < 3; kind++) {
        struct job job = {.record = record_of(&decay, y)};
        job.record.flags = kind == 1 ? flags : NULL;
        job.record.time_s = kind == 2 ? time_s : NULL;
        allocated = 0;
        run_with_little_stack(run_all_sections, &job, 512 * 1024);
        ck_assert_uint_lt(allocated, 512 * 1024);
        ck_assert_str_eq(verdict_name(job.fit.verdict), "ok");
    }
    free(y);
    free(time_s);
    free(flags);
    gsl_rng_free(rng);
}
END_TEST

/* Twenty samples a cycle and tens of thousands of half cycles: what is held at a time, and a stack that makes it up to
 * 1 MiB. */
START_TEST(memory_does_not_grow_with_the_half_cycles)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    const double half_cycles[] = {4000, 12000, 60000};
    for (size_t k = 0; k < sizeof half_cycles / sizeof half_cycles[0]; k++) {
        struct grid_decay decay = {
            .truth = {.omega_n = 40 * M_PI, .zeta = 0.5 / half_cycles[k], .x_k = 0.1 / half_cycles[k], .x0 = 1.0},
            .sampling = {.period_s = 0.0025, .count = (size_t)(10 * half_cycles[k]), .noise = 0.001},
            .half_cycles = half_cycles[k]};
        double *y = decay_samples(&decay);
        measure_samples(y, &decay, rng, y);
        struct job job = {.record = record_of(&decay, y)};
        const size_t before = most_held = held;
        run_with_little_stack(run_all_sections, &job, 384 * 1024);
        printf("%.0f half cycles: %zu KiB\n", half_cycles[k], (most_held - before) / 1024);
        ck_assert_uint_le(most_held - before, 640 * 1024);
        ck_assert_str_eq(verdict_name(job.fit.verdict), "ok");
        free(y);
    }
    gsl_rng_free(rng);
}
END_TEST

START_TEST(passes_do_not_grow_with_the_record)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    const struct full_record_options options = {.model = DAMPING_VISCOUS_COULOMB};
    for (size_t count = 1000; count <= 1000000; count *= 10) {
        struct grid_decay decay = twenty_hertz(count, 0.01, 0.001);
        double *y = decay_samples(&decay);
        measure_samples(y, &decay, rng, y);
        struct decay_record record = record_of(&decay, y);
        struct full_record_fit fit;
        full_record_fit(&record, &options, &fit);
        ck_assert_str_eq(verdict_name(fit.verdict), "ok");
        ck_assert_int_le(fit.iterations, 15);
        free(y);
    }
    gsl_rng_free(rng);
}
END_TEST

static void check_reduced(const struct decay_record *record, const struct full_record_fit *fit,
                          enum damping_model model)
{
    const struct full_record_options options = {.model = model, .range = fit->range};
    struct full_record_fit reduced;
    full_record_fit(record, &options, &reduced);
    double x0 = fabs(reduced.estimate[FIT_X0].value);
    ck_assert_uint_eq(reduced.samples, fit->samples);
    ck_assert_double_eq_tol(fit->estimate[FIT_OMEGA_N].value / reduced.estimate[FIT_OMEGA_N].value, 1.0, 1e-8);
    ck_assert_double_eq_tol(fit->estimate[FIT_X0].value / reduced.estimate[FIT_X0].value, 1.0, 1e-8);
    ck_assert_double_eq_tol(fit->estimate[FIT_BIAS].value, reduced.estimate[FIT_BIAS].value, 1e-8 * x0);
    ck_assert_double_eq_tol(fit->estimate[FIT_T0].value * fit->estimate[FIT_OMEGA_N].value,
                            reduced.estimate[FIT_T0].value * fit->estimate[FIT_OMEGA_N].value, 1e-8);
    if (model == DAMPING_VISCOUS)
        ck_assert_double_eq_tol(fit->estimate[FIT_ZETA].value / reduced.estimate[FIT_ZETA].value, 1.0, 1e-8);
    else
        ck_assert_double_eq_tol(fit->estimate[FIT_X_K].value / reduced.estimate[FIT_X_K].value, 1.0, 1e-8);
}

/* About half of the records of a decay with one kind of damping: the other's estimate lies at its bound. */
START_TEST(an_answer_at_a_bound_is_the_reduced_models)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    const struct full_record_options options = {.model = DAMPING_VISCOUS_COULOMB};
    int at_bound = 0;
    for (int n = 0; n < 120; n++) {
        bool viscous = n % 2;
        struct grid_decay decay = twenty_hertz(300 + 97 * (size_t)n, viscous ? 0.008 : 0.0, viscous ? 0.0 : 0.004);
        double *y = decay_samples(&decay);
        measure_samples(y, &decay, rng, y);
        struct decay_record record = record_of(&decay, y);
        struct full_record_fit fit;
        full_record_fit(&record, &options, &fit);
        ck_assert_str_eq(verdict_name(fit.verdict), "ok");
        if (viscous ? fit.estimate[FIT_X_K].at_bound : fit.estimate[FIT_ZETA].at_bound) {
            check_reduced(&record, &fit, viscous ? DAMPING_VISCOUS : DAMPING_COULOMB);
            at_bound++;
        }
        free(y);
    }
    printf("%d of 120 at a bound\n", at_bound);
    ck_assert_int_ge(at_bound, 30);
    gsl_rng_free(rng);
}
END_TEST

/* A model with one kind of damping on a record that has both, from the fit with both and from nothing. */
static void check_started(const struct decay_record *record, const struct full_record_fit *fit,
                          enum damping_model model)
{
    const double start[FIT_PARAMETERS] = {fit->estimate[FIT_OMEGA_N].value, fit->estimate[FIT_ZETA].value,
                                          fit->estimate[FIT_X_K].value,     fit->estimate[FIT_X0].value,
                                          fit->estimate[FIT_BIAS].value,    fit->estimate[FIT_T0].value};
    struct full_record_options options = {.model = model, .range = fit->range};
    struct full_record_fit cold, started;
    full_record_fit(record, &options, &cold);
    options.start = start;
    full_record_fit(record, &options, &started);
    ck_assert_str_eq(verdict_name(started.verdict), verdict_name(cold.verdict));
    ck_assert_uint_eq(started.samples, cold.samples);
    ck_assert_double_le(started.sum_of_squares, cold.sum_of_squares * (1 + 1e-9));
    ck_assert_double_eq_tol(started.estimate[FIT_ZETA].value, cold.estimate[FIT_ZETA].value, 1e-6);
    ck_assert_double_eq_tol(started.estimate[FIT_X_K].value, cold.estimate[FIT_X_K].value, 1e-6);
    ck_assert_double_eq_tol(started.estimate[FIT_OMEGA_N].value / cold.estimate[FIT_OMEGA_N].value, 1.0, 1e-6);
}

START_TEST(a_start_from_another_fit_leads_to_the_same_optimum)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    const struct full_record_options options = {.model = DAMPING_VISCOUS_COULOMB};
    for (int n = 0; n < 40; n++) {
        struct grid_decay decay = twenty_hertz(1000 + 97 * (size_t)n, 0.001 * (1 + n % 4), 0.0005 * (1 + n % 3));
        double *y = decay_samples(&decay);
        measure_samples(y, &decay, rng, y);
        struct decay_record record = record_of(&decay, y);
        struct full_record_fit fit;
        full_record_fit(&record, &options, &fit);
        ck_assert_str_eq(verdict_name(fit.verdict), "ok");
        check_started(&record, &fit, DAMPING_VISCOUS);
        check_started(&record, &fit, DAMPING_COULOMB);
        free(y);
    }
    gsl_rng_free(rng);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fit effort");
    TCase *tests = tcase_create("effort");
    suite_add_tcase(suite, tests);
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, a_fit_needs_little_memory_and_allocates_none);
    tcase_add_test(tests, all_sections_need_little_memory_whatever_the_record);
    tcase_add_test(tests, memory_does_not_grow_with_the_half_cycles);
    tcase_add_test(tests, passes_do_not_grow_with_the_record);
    tcase_add_test(tests, an_answer_at_a_bound_is_the_reduced_models);
    tcase_add_test(tests, a_start_from_another_fit_leads_to_the_same_optimum);
    return run_suite(suite);
}
