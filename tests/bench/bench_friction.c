/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How long LuGre takes that is fitted to a record of 10,000 samples, and the whole ladder of friction models, against
 * SciPy doing the same from the same start. Processor time of one core. A goal that is missed is no error of the
 * program's. */

#include "fit_peers.h"
#include "identify/loop/friction_climb.h"
#include "identify/loop/friction_ladder.h"
#include "identify/loop/friction_model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CYCLES = 10, A_CYCLE = 1000, COUNT = CYCLES * A_CYCLE + 1, ROUNDS = 10 };

static const double goal_search_s = 0.012, goal_ladder_s = 0.5, goal_steps = 40, goal_solver = 1000;

/* F_C = x_d = 1, 1 Hz. */
static const struct friction_model truth = {.shape = FRICTION_DAHL,
                                            .f_c = 1,
                                            .x_d = 1,
                                            .f_s = 1.5,
                                            .v_s = 50,
                                            .stribeck_exponent = 2,
                                            .sigma_1 = 0.002,
                                            .sigma_2 = 0.0004};

struct record {
    struct contact_sample motion[COUNT];
    double time_s[COUNT], displacement[COUNT], force[COUNT];
    struct loop_signal signal;
};

/* A sine whose amplitude falls from 50 x_d to 15 x_d, with noise of 1 % of F_C. */
static void make_record(struct record *record)
{
    struct friction_state state = {.deflection = 0};
    unsigned seed = 5;
    for (int i = 0; i < COUNT; i++) {
        const double t = (double)i / A_CYCLE, amplitude = 50 * (1 - 0.7 * t / CYCLES), rate = -3.5;
        record->motion[i] = (struct contact_sample){
            t, -amplitude * cos(2 * M_PI * t), 2 * M_PI * amplitude * sin(2 * M_PI * t) - rate * cos(2 * M_PI * t)};
    }
    friction_force(&truth, record->motion, COUNT, PATH_PIECES, &state, record->force);
    for (int i = 0; i < COUNT; i++) {
        double normal = -6;
        for (int k = 0; k < 12; k++)
            normal += (double)rand_r(&seed) / RAND_MAX;
        record->time_s[i] = record->motion[i].time_s;
        record->displacement[i] = record->motion[i].displacement;
        record->force[i] += 0.01 * normal;
    }
    record->signal = (struct loop_signal){
        .time_s = record->time_s, .displacement = record->displacement, .force = record->force, .count = COUNT};
}

static const struct friction_row lugre = {NULL, FRICTION_DAHL,
                                          FRICTION_BIT(FRICTION_VISCOUS) | FRICTION_BIT(FRICTION_STRIBECK) |
                                              FRICTION_BIT(FRICTION_BRISTLE)};

/* Off the truth by a fifth to a half. */
static const double start_x_d = 1.5, start_ratio = 0.3, start_v_s = 70;

/* With what SciPy begins too. */
static bool write_record(const struct record *record, const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    fprintf(file, "1.2 %g %g %g 0.003 0.0006 0.1 0\n", start_ratio, start_v_s, start_x_d);
    for (int i = 0; i < COUNT; i++)
        fprintf(file, "%.17g %.17g %.17g %.17g\n", record->time_s[i], record->displacement[i],
                record->motion[i].velocity, record->force[i]);
    return fclose(file) == 0;
}

struct times {
    double prepare, fit, search, ladder; /* s */
    size_t passes;
    double squares; /* in the record's units */
};

static double fit_once(const struct friction_motion *motion, struct friction_fit *fit)
{
    const struct friction_point start = {.row = lugre,
                                         .value = {[COLUMN_EXPONENT] = 2,
                                                   [COLUMN_X_D] = start_x_d / motion->unit_displacement,
                                                   [COLUMN_RATIO] = start_ratio,
                                                   [COLUMN_V_S] = start_v_s / motion->unit_velocity}};
    const double begin = processor_seconds();
    friction_fit_from(motion, &start, fit);
    return processor_seconds() - begin;
}

static bool measure(const struct record *record, struct times *times)
{
    static struct friction_ladder ladder;
    struct friction_climb climb;
    struct friction_fit fit;
    *times = (struct times){INFINITY, INFINITY, INFINITY, INFINITY, 0, 0};
    for (int round = 0; round < ROUNDS; round++) {
        double begin = processor_seconds();
        const bool made = friction_climb_make(&record->signal, NULL, &climb) == 0;
        times->prepare = fmin(times->prepare, processor_seconds() - begin);
        if (made) {
            const struct friction_motions *motions = &climb.motions;
            times->fit = fmin(times->fit, fit_once(&motions->all, &fit));
            times->passes = fit.passes;
            times->squares = fit.squares * motions->all.unit_force * motions->all.unit_force;
            begin = processor_seconds();
            friction_search(motions, &lugre, 2, NULL, 0, &fit);
            times->search = fmin(times->search, processor_seconds() - begin);
        }
        friction_climb_clear(&climb);
        if (!made)
            return false;
    }
    for (int round = 0; round < 3; round++) {
        const double begin = processor_seconds();
        if (friction_ladder_identify(&record->signal, NULL, &ladder) != VERDICT_OK)
            return false;
        times->ladder = fmin(times->ladder, processor_seconds() - begin);
    }
    return true;
}

struct peer {
    double fit, evaluations, evaluation, squares, solver;
};

static bool ask_scipy(const char *path, struct peer *peer)
{
    const char *python = getenv("BENCH_PYTHON"), *scripts = getenv("TOP_SRCDIR");
    const struct {
        const char *name;
        double *value;
    } told[] = {{"fit", &peer->fit},
                {"evaluations", &peer->evaluations},
                {"evaluation", &peer->evaluation},
                {"squares", &peer->squares},
                {"solver", &peer->solver}};
    char command[1024], line[256], name[32];
    double value;
    *peer = (struct peer){NAN, NAN, NAN, NAN, NAN};
    if (!python || !scripts)
        return false;
    snprintf(command, sizeof command, "'%s' '%s/tests/bench/scipy_friction.py' '%s'", python, scripts, path);
    FILE *output = popen(command, "r");
    while (output && fgets(line, sizeof line, output))
        for (size_t k = 0; k < sizeof told / sizeof told[0] && sscanf(line, "%31s %lf", name, &value) == 2; k++)
            if (strcmp(name, told[k].name) == 0)
                *told[k].value = value;
    return output && pclose(output) == 0;
}

static const char *met(bool is)
{
    return is ? "met" : "MISSED";
}

static void against_scipy(const struct record *record, const struct times *times)
{
    char path[] = "/tmp/bench_friction.XXXXXX";
    struct peer peer;
    const int file = mkstemp(path);
    if (file < 0 || close(file) != 0 || !write_record(record, path) || !ask_scipy(path, &peer)) {
        puts("  SciPy skipped: python3-scipy is not installed");
    } else {
        const double steps = peer.fit / times->fit, solver = peer.solver * peer.evaluations / times->fit;
        printf(
            "  SciPy, exact steps in a loop: %.2f ms an evaluation, %.1f ms a fit of %.0f evaluations, sum of squares "
            "%.6f\n    %.0f times as long (goal %.0f: %s)\n",
            1e3 * peer.evaluation, 1e3 * peer.fit, peer.evaluations, peer.squares, steps, goal_steps,
            met(steps >= goal_steps));
        printf(
            "  SciPy, solve_ivp by LSODA: %.1f ms an evaluation, so %.2f s a fit\n    %.0f times as long (goal %.0f: "
            "%s)\n",
            1e3 * peer.solver, peer.solver * peer.evaluations, solver, goal_solver, met(solver >= goal_solver));
    }
    if (file >= 0)
        unlink(path);
}

int main(void)
{
    static struct record record;
    struct times times;
    make_record(&record);
    if (!measure(&record, &times)) {
        fputs("bench_friction: the record could not be fitted\n", stderr);
        return 1;
    }
    printf("Friction models of a record of loops, %d samples\n", COUNT);
    printf("  to prepare: %.2f ms; LuGre from one start: %.3f ms, %zu passes, sum of squares %.6f\n",
           1e3 * times.prepare, 1e3 * times.fit, times.passes, times.squares);
    printf("  LuGre from nothing: %.2f ms (goal %.0f: %s); the whole ladder: %.0f ms (goal %.0f: %s)\n",
           1e3 * times.search, 1e3 * goal_search_s, met(times.search < goal_search_s), 1e3 * times.ladder,
           1e3 * goal_ladder_s, met(times.ladder < goal_ladder_s));
    against_scipy(&record, &times);
    return 0;
}
