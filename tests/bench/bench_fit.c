/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How long an identification takes, and against what. All times are processor time of one core, medians over records
 * that differ in their noise. Prints which goals are met; a goal that is missed is no error of the program's. */

#include "bench_records.h"
#include "fit_peers.h"
#include "identify/identify.h"

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

/* One length's figures, filled record by record. */
struct comparison {
    double fricid[RECORDS], scipy[RECORDS], cminpack[RECORDS]; /* s; NAN: not run */
    double scipy_excess, cminpack_excess; /* largest of fricid's sum of squares over theirs, less 1 */
    int passes, scipy_evaluations, cminpack_evaluations;
};

static double excess(double fricid, double peer)
{
    return fricid / peer - 1.0;
}

/* The peers get the samples that fricid's fit took, from the first extremum to the end of the motion, and no others:
 * the sums of squares are then of the same samples. fricid itself gets the whole record and has to find that out. */
static void compare(size_t count, unsigned long seed, size_t n, struct comparison *comparison)
{
    struct bench_record made = bench_record_make(count, &ecp_case, seed);
    struct full_record_fit fit;
    comparison->fricid[n] = fit_seconds(&made.record, &five_parameters, &fit);
    comparison->passes = fit.iterations;
    struct peer_problem problem = {made.displacement, fit.range.last, made.record.period_s, {0}};
    peer_start(&problem);
    double parameters[PEER_PARAMETERS] = {fit.omega_n.value, fit.zeta.value, fit.x_k.value, fit.x0.value,
                                          fit.bias.value};
    double sum = sum_of_squares_of(&problem, parameters);
    struct peer_answer answer;
    comparison->scipy[n] = comparison->cminpack[n] = NAN;
    if (cminpack_fit(&problem, tolerance, &answer)) {
        comparison->cminpack[n] = answer.seconds;
        comparison->cminpack_evaluations = answer.evaluations;
        comparison->cminpack_excess = fmax(comparison->cminpack_excess, excess(sum, answer.sum_of_squares));
    }
    if (scipy_fit(&problem, tolerance, &answer)) {
        comparison->scipy[n] = answer.seconds;
        comparison->scipy_evaluations = answer.evaluations;
        comparison->scipy_excess = fmax(comparison->scipy_excess, excess(sum, answer.sum_of_squares));
    }
    bench_record_free(&made);
}

static const char *judged(double value, double goal, bool at_least)
{
    return (at_least ? value >= goal : value <= goal) ? "met" : "MISSED";
}

static void print_peer(const char *name, const char *package, double seconds, double fricid, int evaluations,
                       double excess_over, double goal)
{
    if (isnan(seconds)) {
        printf("  %-9s skipped: %s is not installed\n", name, package);
        return;
    }
    printf("  %-9s %10.3f ms  %5d evaluations   %7.1f times fricid's time", name, 1e3 * seconds, evaluations,
           seconds / fricid);
    if (goal > 0.0)
        printf(" (goal %g: %s)", goal, judged(seconds / fricid, goal, true));
    printf("\n            fricid's sum of squares is %s (%+.1e relative)\n",
           excess_over <= 1e-9 ? "equal or smaller" : "LARGER", excess_over);
}

static void compare_at(size_t count, double scipy_goal, double cminpack_goal)
{
    struct comparison comparison = {.scipy_excess = -INFINITY, .cminpack_excess = -INFINITY};
    for (size_t n = 0; n < RECORDS; n++)
        compare(count, 1998 + n, n, &comparison);
    double fricid = median(comparison.fricid, RECORDS);
    printf("%zu samples\n  fricid    %10.3f ms  %5d passes  (%.2f ns a sample)\n", count, 1e3 * fricid,
           comparison.passes, 1e9 * fricid / (double)count);
    print_peer("SciPy", "python3-scipy", median(comparison.scipy, RECORDS), fricid, comparison.scipy_evaluations,
               comparison.scipy_excess, scipy_goal);
    print_peer("cminpack", "libcminpack-dev", median(comparison.cminpack, RECORDS), fricid,
               comparison.cminpack_evaluations, comparison.cminpack_excess, cminpack_goal);
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
