/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How long the ladder of models takes, and one pass of its richest rung against SciPy doing the same. Processor time of
 * one core. A goal that is missed is no error of the program's. */

#include "fit_peers.h"
#include "ladder_campaign.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { RECORDS = 5 };

static const double goal_s = 0.25;

struct times {
    double whole, pass; /* s: all rungs and the choice; the richest one's pass over the samples */
    size_t samples, half_cycles;
    double until, parameters[LADDER_PARAMETERS]; /* the record's length in its own time, and its richest rung */
};

static bool measure(const struct ladder_record *made, size_t half_cycles, struct times *times)
{
    static struct ladder_rung rungs[LADDER_RUNGS];
    static struct ladder ladder;
    struct extremum *extrema = NULL;
    struct ladder_data data;
    struct ladder_normal normal;
    size_t count = 0;
    bool measured = extrema_find(&made->record, NULL, &extrema, &count) == VERDICT_OK && count > half_cycles &&
                    ladder_data_from(&made->record, extrema, half_cycles + 1, &data) == VERDICT_OK;
    free(extrema);
    if (!measured)
        return false;
    const double begin = processor_seconds();
    ladder_fit(&data, NULL, rungs);
    ladder_choose(&data, rungs, &ladder);
    times->whole = processor_seconds() - begin;
    const struct ladder_rung *richest = &rungs[LADDER_RUNGS - 1];
    times->pass = INFINITY;
    for (int round = 0; round < 10; round++) {
        const double before = processor_seconds();
        ladder_sample_pass(&data, richest->terms, richest->parameters, &normal);
        times->pass = fmin(times->pass, processor_seconds() - before);
    }
    times->samples = data.count;
    times->half_cycles = data.extrema - 1;
    times->until = richest->parameters[LADDER_OMEGA_N] * data.time[data.count - 1];
    for (enum ladder_parameter p = 0; p < LADDER_PARAMETERS; p++)
        times->parameters[p] = richest->parameters[p];
    ladder_data_clear(&data);
    return true;
}

/* Random decays of all rungs with so many half cycles, about a hundred samples each. */
static struct times ladders_of(size_t half_cycles)
{
    const struct ladder_range range = {.half_cycles_most = 1.5 * (double)half_cycles, .samples_a_cycle = 200};
    struct times times = {0}, sum = {0};
    size_t measured = 0;
    for (unsigned seed = 0; measured < RECORDS; seed++) {
        struct ladder_record made = ladder_record_make(seed, &range);
        if (made.record.count > 100 * half_cycles && measure(&made, half_cycles, &times)) {
            measured++;
            sum.whole += times.whole / RECORDS;
            sum.pass += times.pass / RECORDS;
            sum.samples += times.samples / RECORDS;
        }
        ladder_record_clear(&made);
    }
    times.whole = sum.whole;
    times.pass = sum.pass;
    times.samples = sum.samples;
    return times;
}

/* The script integrates the last record's richest rung. */
static void against_scipy(const struct times *times)
{
    const char *python = getenv("BENCH_PYTHON"), *scripts = getenv("TOP_SRCDIR");
    char command[1024], line[256], name[32];
    double seconds, least = INFINITY;
    const double *p = times->parameters;
    if (!python || !scripts) {
        puts("  SciPy skipped: python3-scipy is not installed");
        return;
    }
    snprintf(command, sizeof command,
             "'%s' '%s/tests/bench/scipy_ladder.py' %.17g %zu %.17g %.17g %.17g %.17g %.17g %.17g %.17g", python,
             scripts, times->until, times->samples, p[LADDER_ZETA], p[LADDER_X_K], p[LADDER_DRAG], p[LADDER_CUBIC],
             p[LADDER_SQUARE], fmax(p[LADDER_X_D], 0.003), p[LADDER_X0]);
    FILE *output = popen(command, "r");
    while (output && fgets(line, sizeof line, output)) {
        if (sscanf(line, "%31s %lf", name, &seconds) != 2)
            continue;
        printf("    SciPy's solve_ivp, right-hand side %-9s %9.3f ms\n", name, 1e3 * seconds);
        least = fmin(least, seconds);
    }
    if (output)
        pclose(output);
    printf("    the faster one takes %.0f times as long\n", least / times->pass);
}

int main(void)
{
    static const size_t lengths[] = {50, 100, 200};
    puts("The ladder of models: 40 rungs, their errors and the choice");
    for (size_t n = 0; n < sizeof lengths / sizeof lengths[0]; n++) {
        const struct times times = ladders_of(lengths[n]);
        printf("  %zu samples, %zu half cycles: %.0f ms", times.samples, times.half_cycles, 1e3 * times.whole);
        if (lengths[n] != 100) {
            puts("");
            continue;
        }
        printf(" (goal %.0f: %s)\n  one pass of the richest rung with all derivatives: %.3f ms\n", 1e3 * goal_s,
               times.whole <= goal_s ? "met" : "MISSED", 1e3 * times.pass);
        against_scipy(&times);
    }
    return 0;
}
