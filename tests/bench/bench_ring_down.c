/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How long the answers to one mode of a ring-down take, and against NumPy and SciPy doing the same: the first mode of a
 * bolted beam that a hammer hit. Processor time of one core, medians. A goal that is missed is no error of the
 * program's. */

#include "fit_peers.h"
#include "identify/ring_down/hilbert_route.h"
#include "identify/ring_down/law_start.h"
#include "identify/ring_down/mode_backbone.h"
#include "identify/ring_down/mode_fit.h"
#include "identify/ring_down/mode_laws.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 70000, RUNS = 9 };

/* Behind the hammer. */
#define FROM_S 0.0021

static double samples[MOST];

/* What is timed, in the order in which the script tells its own. */
enum work { LAW, FIT, HILBERT, WHOLE, WORKS };

struct bench {
    struct mode_record record;
    struct mode_band band;
    struct law_starts starts;
    struct law_fit law;
    struct mode_sum fitted;
};

static int compare_doubles(const void *a, const void *b)
{
    const double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static bool read_record(struct mode_record *record)
{
    char path[1024], line[256];
    double time_s, first_s = 0, last_s = 0;
    const char *top = getenv("TOP_SRCDIR");
    snprintf(path, sizeof path, "%s/../shared/data/ringdowns/brb_hammer_acc1_raw.csv", top ? top : ".");
    FILE *file = fopen(path, "r");
    *record = (struct mode_record){.sensed = SENSED_ACCELERATION, .samples = samples, .centre_hz = 80.5, .stop_hz = 20};
    while (file && record->count < MOST && fgets(line, sizeof line, file)) {
        if (sscanf(line, "%lf,%lf", &time_s, &samples[record->count]) != 2 || time_s < FROM_S)
            continue;
        first_s = record->count == 0 ? time_s : first_s;
        last_s = time_s;
        record->count++;
    }
    if (file)
        fclose(file);
    record->rate_hz = (double)(record->count - 1) / (last_s - first_s);
    return record->count > MOST / 2;
}

static void fit_alone(struct bench *bench)
{
    struct mode_fit fit;
    bench->fitted = (struct mode_sum){.modes = 1, .law = {bench->starts.law[0]}};
    mode_fit(&bench->band.samples, NULL, NULL, &bench->fitted, &fit);
    mode_fit_clear(&fit);
}

static void do_work(struct bench *bench, enum work work)
{
    static struct hilbert_route route;
    static struct mode_laws laws;
    static struct backbone backbone;
    if (work == LAW)
        law_fit(&bench->record, NULL, &bench->law);
    else if (work == FIT)
        fit_alone(bench);
    else if (work == HILBERT)
        hilbert_route(&bench->record, &bench->law, NULL, &route);
    if (work != WHOLE)
        return;
    mode_laws_of(&bench->record, NULL, &laws);
    mode_backbone(&bench->record, &laws.microslip, NULL, &backbone);
    hilbert_route(&bench->record, &laws.microslip, NULL, &route);
}

static double seconds_of(struct bench *bench, enum work work)
{
    double seconds[RUNS];
    for (int i = 0; i < RUNS; i++) {
        const double begin = processor_seconds();
        do_work(bench, work);
        seconds[i] = processor_seconds() - begin;
    }
    qsort(seconds, RUNS, sizeof *seconds, compare_doubles);
    return seconds[RUNS / 2];
}

/* The script's seconds; NAN: it did not run. */
static void ask_scipy(const struct bench *bench, double seconds[WORKS])
{
    static const char *const names[WORKS] = {"law", "fit", "hilbert", ""};
    const char *python = getenv("BENCH_PYTHON"), *scripts = getenv("TOP_SRCDIR");
    const double *p = bench->starts.law[0].parameter;
    char path[] = "/tmp/fricid-bench-XXXXXX", command[1024], line[256], name[32];
    double value;
    const int file = python && scripts ? mkstemp(path) : -1;
    if (file < 0)
        return;
    const size_t bytes = bench->record.count * sizeof *samples;
    if (write(file, samples, bytes) == (ssize_t)bytes) {
        snprintf(command, sizeof command,
                 "'%s' '%s/tests/bench/scipy_ring_down.py' %s %.17g %g %g %.17g %.17g %.17g %.17g", python, scripts,
                 path, bench->record.rate_hz, bench->record.centre_hz, bench->record.stop_hz, p[MICROSLIP_OMEGA_0],
                 p[MICROSLIP_C], exp(p[MICROSLIP_LOG_ZETA_J]), p[MICROSLIP_CHI]);
        FILE *output = popen(command, "r");
        while (output && fgets(line, sizeof line, output))
            for (int work = 0; work < WORKS; work++)
                if (sscanf(line, "%31s %lf", name, &value) == 2 && strcmp(name, names[work]) == 0)
                    seconds[work] = value;
        if (output)
            pclose(output);
    }
    close(file);
    unlink(path);
}

int main(void)
{
    static const char *const names[WORKS] = {
        "isolation and microslip law, from nothing", "fit alone, from the same start",
        "Hilbert transform, polynomials and their joint", "everything of one mode, with the grid of smooth deviations"};
    static const double goal_s[WORKS] = {0.010, 0.002, 0.1, 1};
    static struct bench bench;
    double peer[WORKS] = {NAN, NAN, NAN, NAN};
    if (!read_record(&bench.record) || mode_band_of(&bench.record, true, &bench.band) != VERDICT_OK) {
        puts("A ring-down: skipped, the measured record is not there");
        return 0;
    }
    printf("A ring-down of %zu samples: its first mode\n", bench.record.count);
    law_fit(&bench.record, NULL, &bench.law);
    law_start(&bench.band.samples, bench.law.noise, &bench.starts);
    ask_scipy(&bench, peer);
    for (int work = 0; work < WORKS; work++) {
        const double seconds = seconds_of(&bench, (enum work)work);
        printf("  %-58s %9.3f ms (goal %g: %s)", names[work], 1e3 * seconds, 1e3 * goal_s[work],
               seconds <= goal_s[work] ? "met" : "MISSED");
        if (isfinite(peer[work]))
            printf(", SciPy %.3f ms, %.1f times as long", 1e3 * peer[work], peer[work] / seconds);
        putchar('\n');
    }
    mode_band_clear(&bench.band);
    return 0;
}
