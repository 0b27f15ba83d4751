/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the store costs: decays stored a second by the store alone, stored and identified a second, the time from the
 * end of a decay to its published result with the disk in between, and the bytes that a decay takes. The store stands
 * below $TMPDIR, else /var/tmp: a disk, as a rule. */

#include "closed_form_decay.h"
#include "pipeline/pipeline.h"

#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { SAMPLES = 1700, ALONE = 200, TOGETHER = 2000, STORED = 1024 };

static const double step_mm = 0.01;

struct bench {
    struct event_base *base;
    struct pipeline *pipeline;
    size_t published;
    double at_s; /* of the latest */
};

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void on_published(void *context, struct kept_result *result)
{
    struct bench *bench = context;
    (void)result;
    bench->published++;
    bench->at_s = now_s();
}

static struct decay *make_decay(unsigned seed)
{
    static const struct true_decay truth = {.omega_n = 34.7, .zeta = 0.0177, .x_k = 0.18, .x_s = 0.2, .x0 = 12};
    const struct sampling sampling = {.period_s = 1e-3, .count = SAMPLES, .noise = 0.01, .step = step_mm};
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    double *displacement;
    gsl_rng_set(random, seed);
    measured_record(&truth, &sampling, random, &displacement);
    struct decay *decay = decay_from_whole(displacement, NULL, NULL, SAMPLES, 0, 1e-3, step_mm);
    free(displacement);
    gsl_rng_free(random);
    return decay;
}

/* A card of 10 µm a code. */
static struct decay_origin make_origin(void)
{
    const struct decay_origin_names names = {.rig = "bearing",
                                             .channel = "lvdt",
                                             .source_kind = "simulated",
                                             .device = "bench",
                                             .config_id = "0000000000000000",
                                             .unit = "mm"};
    const struct physical_settings physical = physical_default_settings();
    struct decay_origin origin = decay_origin_make(&names, &physical, 1000);
    origin.calibration = calibration_identity();
    origin.codes = (struct code_scale){
        .terms = 2, .coefficients = {0, step_mm}, .divisor = 1, .calibration = calibration_identity()};
    return origin;
}

static void submit(struct bench *bench, unsigned seed)
{
    struct decay_origin origin = make_origin();
    struct decay *decay = make_decay(seed);
    if (!decay || pipeline_submit(bench->pipeline, &origin, decay, true, false) != 0)
        exit(EXIT_FAILURE);
}

static void run_until(struct bench *bench, size_t published)
{
    while (bench->published < published)
        event_base_loop(bench->base, EVLOOP_ONCE);
}

static void store_or_end(struct store *store, struct kept_decay *const *decays, size_t count)
{
    int error = store_begin(store);
    for (size_t i = 0; i < count && !error; i++)
        error = store_put_decay(store, decays[i]);
    if (error || store_commit(store) != 0)
        exit(EXIT_FAILURE);
}

/* Nothing but the store, raw decays, each transaction on the disk before the next: one decay at a time, as they come
 * from a rig, and as many as the writer takes at once when they wait. */
static void measure_storing(const char *directory)
{
    static struct kept_decay *decays[STORED];
    static const size_t at_once[] = {1, WORKER_BATCH_MOST};
    const struct decay_origin origin = make_origin();
    struct store *store;
    struct complaint complaint;
    if (store_open(directory, "bench", &store, &complaint) != 0)
        exit(EXIT_FAILURE);
    for (unsigned i = 0; i < STORED; i++)
        if (!(decays[i] = kept_decay_create(&origin, make_decay(1 + i))))
            exit(EXIT_FAILURE);
    for (size_t n = 0; n < 2; n++) {
        double start = now_s();
        for (size_t i = 0; i < STORED; i += at_once[n])
            store_or_end(store, decays + i, at_once[n]);
        printf("store: %.0f decays of %d samples stored a second, the store alone, %zu a transaction\n",
               STORED / (now_s() - start), SAMPLES, at_once[n]);
    }
    for (unsigned i = 0; i < STORED; i++)
        kept_decay_release(decays[i]);
    store_close(store);
}

static int by_size(const void *a, const void *b)
{
    const double *one = a, *other = b;
    return (*one > *other) - (*one < *other);
}

/* One decay at a time, as from a rig: nothing waits but for the disk and the identification. */
static void measure_latency(struct bench *bench)
{
    static double took[ALONE];
    for (unsigned i = 0; i < ALONE; i++) {
        double start = now_s();
        submit(bench, 1 + i);
        run_until(bench, i + 1);
        took[i] = bench->at_s - start;
    }
    qsort(took, ALONE, sizeof took[0], by_size);
    printf("store: end of a decay to its published result: median %.1f ms, p99 %.1f ms (%d decays of %d samples)\n",
           1e3 * took[ALONE / 2], 1e3 * took[ALONE * 99 / 100], ALONE, SAMPLES);
}

/* All at once: what waits shares its transactions. */
static void measure_rate(struct bench *bench)
{
    size_t before = bench->published;
    double start = now_s();
    for (unsigned i = 0; i < TOGETHER; i++)
        submit(bench, 1000 + i);
    run_until(bench, before + TOGETHER);
    printf("store: %.0f decays stored, identified and published a second (%d at once)\n", TOGETHER / (now_s() - start),
           TOGETHER);
}

static void print_size(const char *directory)
{
    char path[256];
    struct stat file;
    snprintf(path, sizeof path, "%s/fricid.db", directory);
    if (stat(path, &file) == 0)
        printf("store: %.0f bytes a decay in the file, of these 2 x %d of samples\n",
               (double)file.st_size / (ALONE + TOGETHER), 2 * SAMPLES);
}

static void remove_store(const char *directory)
{
    char path[256];
    static const char *const parts[] = {"", "-wal", "-shm"};
    for (size_t i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/fricid.db%s", directory, parts[i]);
        unlink(path);
    }
    rmdir(directory);
}

int main(void)
{
    const char *parent = getenv("TMPDIR");
    char directory[128];
    snprintf(directory, sizeof directory, "%s/fricid-bench-XXXXXX", parent ? parent : "/var/tmp");
    struct store *store;
    struct complaint complaint;
    if (!mkdtemp(directory))
        return EXIT_FAILURE;
    measure_storing(directory);
    remove_store(directory);
    if (mkdir(directory, 0700) != 0 || store_open(directory, "bench", &store, &complaint) != 0)
        return EXIT_FAILURE;
    struct bench bench = {.base = event_base_new()};
    const struct pipeline_settings settings = {.queue_max_bytes = (size_t)1 << 30, .job_deadline_s = 60};
    const struct pipeline_listener listener = {.published = on_published, .context = &bench};
    bench.pipeline = pipeline_create(bench.base, store, &settings, &listener);
    if (!bench.pipeline)
        return EXIT_FAILURE;
    measure_latency(&bench);
    measure_rate(&bench);
    pipeline_destroy(bench.pipeline);
    event_base_free(bench.base);
    print_size(directory);
    remove_store(directory);
    return EXIT_SUCCESS;
}
