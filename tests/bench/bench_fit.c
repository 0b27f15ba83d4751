/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How long an identification takes, and against what. All times are processor time of one core, medians over records
 * that differ in their noise. Prints which goals are met; a goal that is missed is no error of the program's. */

#include "bench_records.h"
#include "fit_peers.h"
#include "identify/decay/identify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Records a length; SciPy takes seconds for the longest. */
enum { RECORDS = 5, MOST_REPEATS = 1000 };

static const double tolerance = 1e-8;

static int compare_doubles(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static double median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, compare_doubles);
    return 0.5 * (values[(count - 1) / 2] + values[count / 2]);
}

/* The decay starts at t = 0, which all programs are told. */
static struct full_record_options five_parameters = {.model = DAMPING_VISCOUS_COULOMB, .fixed = 1u << FIT_T0};

/* Shortest of several runs of about a hundredth of a second each: what the processor needs, not what disturbs it. */
static double fit_seconds(const struct decay_record *record, const struct full_record_options *options,
                          struct full_record_fit *fit)
{
    double least = INFINITY, once = processor_seconds();
    full_record_fit(record, options, fit);
    once = processor_seconds() - once;
    int repeats = (int)fmin(fmax(0.01 / fmax(once, 1e-7), 1.0), MOST_REPEATS);
    for (int round = 0; round < 5; round++) {
        double begin = processor_seconds();
        for (int n = 0; n < repeats; n++)
            full_record_fit(record, options, fit);
        least = fmin(least, (processor_seconds() - begin) / repeats);
    }
    return least;
}

static double identify_seconds(const struct decay_record *record)
{
    const struct identify_settings settings = {.physical = {0}};
    double least = INFINITY;
    for (int round = 0; round < 12; round++) {
        struct identification identification;
        double begin = processor_seconds();
        identify(record, NULL, &settings, &identification);
        least = fmin(least, processor_seconds() - begin);
        identification_clear(&identification);
    }
    return least;
}

/* One peer on records of one length. */
struct peer {
    const char *name, *package;
    bool (*fit)(const struct peer_problem *, double, struct peer_answer *);
    double goal;                            /* times fricid's time; 0: none */
    double moving[RECORDS], whole[RECORDS]; /* s, on the samples in motion and on the whole record; NAN: not run */
    double excess; /* largest of fricid's sum of squares over the peer's, less 1, on the samples in motion */
    int evaluations;
};

/* The peer gets the samples that fricid's fit took, from the first extremum to the end of the motion, so that the sums
 * of squares are of the same samples; then the whole record, with a model that comes to rest. fricid itself always gets
 * the whole record and has to find the end of the motion. */
static void run_peer(struct peer *peer, const struct bench_record *made, const struct full_record_fit *fit, size_t n)
{
    struct peer_problem problem = {made->displacement, fit->range.last, made->record.period_s, false, {0}};
    struct peer_answer answer;
    double parameters[PEER_PARAMETERS]; /* fricid's first ones */
    for (int p = 0; p < PEER_PARAMETERS; p++)
        parameters[p] = fit->estimate[p].value;
    peer_start(&problem);
    peer->moving[n] = peer->whole[n] = NAN;
    if (!peer->fit(&problem, tolerance, &answer))
        return;
    peer->moving[n] = answer.seconds;
    peer->evaluations = answer.evaluations;
    peer->excess = fmax(peer->excess, sum_of_squares_of(&problem, parameters) / answer.sum_of_squares - 1.0);
    problem.count = made->record.count;
    problem.rests = true;
    if (peer->fit(&problem, tolerance, &answer))
        peer->whole[n] = answer.seconds;
}

static const char *judged(double value, double goal, bool at_least)
{
    return (at_least ? value >= goal : value <= goal) ? "met" : "MISSED";
}

static void print_ratio(const char *what, double seconds, double fricid, double goal)
{
    printf("    %-24s %10.3f ms, %7.1f times fricid's time", what, 1e3 * seconds, seconds / fricid);
    if (goal > 0.0)
        printf(" (goal %g: %s)", goal, judged(seconds / fricid, goal, true));
    printf("\n");
}

static void print_peer(struct peer *peer, double fricid)
{
    if (isnan(peer->moving[0])) {
        printf("  %s skipped: %s is not installed\n", peer->name, peer->package);
        return;
    }
    printf("  %s, %d evaluations; fricid's sum of squares is %s (%+.1e relative)\n", peer->name, peer->evaluations,
           peer->excess <= 1e-9 ? "equal or smaller" : "LARGER", peer->excess);
    print_ratio("on the same samples", median(peer->moving, RECORDS), fricid, peer->goal);
    print_ratio("on the whole record", median(peer->whole, RECORDS), fricid, peer->goal);
}

static void compare_at(size_t count, double scipy_goal, double cminpack_goal)
{
    struct peer peers[] = {{"SciPy", "python3-scipy", scipy_fit, scipy_goal, {0}, {0}, -INFINITY, 0},
                           {"cminpack", "libcminpack-dev", cminpack_fit, cminpack_goal, {0}, {0}, -INFINITY, 0}};
    double seconds[RECORDS];
    struct full_record_fit fit;
    for (size_t n = 0; n < RECORDS; n++) {
        struct bench_record made = bench_record_make(count, &ecp_case, 1998 + n);
        seconds[n] = fit_seconds(&made.record, &five_parameters, &fit);
        for (size_t k = 0; k < sizeof peers / sizeof *peers; k++)
            run_peer(&peers[k], &made, &fit, n);
        bench_record_free(&made);
    }
    double fricid = median(seconds, RECORDS);
    printf("%zu samples, %zu of them in motion\n  fricid %.4f ms, %d passes (%.2f ns a sample)\n", count, fit.samples,
           1e3 * fricid, fit.iterations, 1e9 * fricid / (double)count);
    for (size_t k = 0; k < sizeof peers / sizeof *peers; k++)
        print_peer(&peers[k], fricid);
}

static double fit_median(size_t count, const struct bench_case *decay)
{
    double seconds[RECORDS];
    for (size_t n = 0; n < RECORDS; n++) {
        struct bench_record made = bench_record_make(count, decay, 2007 + n);
        struct full_record_fit fit;
        seconds[n] = fit_seconds(&made.record, &five_parameters, &fit);
        bench_record_free(&made);
    }
    return median(seconds, RECORDS);
}

static void against_transform(void)
{
    puts("\nThe fit against one real FFTW transform of the same record (goal: under 3)");
    for (size_t count = 1000; count <= 100000; count *= 10) {
        double transform, fit = fit_median(count, &ecp_case);
        if (!fftw_seconds(count, &transform)) {
            puts("  skipped: libfftw3-dev is not installed");
            return;
        }
        printf("  %7zu samples: fit %.4f ms, transform %.4f ms, ratio %.2f: %s\n", count, 1e3 * fit, 1e3 * transform,
               fit / transform, judged(fit / transform, 3.0, false));
    }
}

static void all_sections(void)
{
    puts("\nEverything of one result, all sections, 10,000 samples (goal: under 2 ms)");
    for (size_t k = 0; k < bench_case_count; k++) {
        double seconds[RECORDS];
        for (size_t n = 0; n < RECORDS; n++) {
            struct bench_record made = bench_record_make(10000, &bench_cases[k], 2020 + n);
            seconds[n] = identify_seconds(&made.record);
            bench_record_free(&made);
        }
        double middle = median(seconds, RECORDS);
        printf("  %-46s %7.3f ms: %s\n", bench_cases[k].name, 1e3 * middle, judged(1e3 * middle, 2.0, false));
    }
}

/* The same decay, sampled ever faster. */
static void by_length(void)
{
    puts("\nCost by length, full-record fit of the ECP case, six parameters");
    const struct full_record_options six = {.model = DAMPING_VISCOUS_COULOMB, .workspace = five_parameters.workspace};
    for (size_t count = 1000; count <= 10000000; count *= 10) {
        struct bench_record made = bench_record_make(count, &ecp_case, 2007);
        struct full_record_fit fit;
        double seconds = fit_seconds(&made.record, &six, &fit);
        printf("  %8zu samples: %10.3f ms, %6.2f ns a sample, %d passes, %s\n", count, 1e3 * seconds,
               1e9 * seconds / (double)count, fit.iterations, verdict_name(fit.verdict));
        bench_record_free(&made);
    }
}

int main(void)
{
    five_parameters.workspace = full_record_workspace_create();
    printf("ECP case: f_n 6.89 Hz, zeta 0.0184, x_k 0.0112, X_0 1.5, sigma 8.8e-4, 3.2 s; five parameters,\n"
           "medians of %d records, processor time of one core. Peers start from values read off the record\n"
           "(not counted as time) with tolerances of %g; fricid starts from nothing.\n\n",
           RECORDS, tolerance);
    compare_at(1000, 0, 0);
    compare_at(10000, 100, 50);
    compare_at(100000, 200, 150);
    against_transform();
    all_sections();
    by_length();
    free(five_parameters.workspace);
    return 0;
}
