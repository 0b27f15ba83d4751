/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The peers get the model as their users would write it, but not a slow one: one exponential and one cosine-sine pair a
 * sample, extrema by recursion. */

#include "config.h"

#include "fit_peers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#if HAVE_CMINPACK
#include <cminpack.h>
#endif
#if HAVE_FFTW
#include <fftw3.h>
#endif

enum { OMEGA_N, ZETA, X_K, X0, BIAS };

double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* SHK 2007 Eqs. 2-5, written down again: residuals of all samples. */
static void residuals_of(const struct peer_problem *problem, const double *p, double *residual)
{
    double root = sqrt(1 - p[ZETA] * p[ZETA]), omega_d = p[OMEGA_N] * root, beta = p[ZETA] / root;
    double q = exp(-beta * M_PI), x = p[X0], sigma = x < 0 ? -1 : 1;
    size_t half_cycle = 0;
    bool resting = false;
    for (size_t i = 0; i < problem->count; i++) {
        double phase = omega_d * problem->period_s * (double)i;
        while (!resting && phase >= (double)(half_cycle + 1) * M_PI) {
            x = -(x - sigma * p[X_K]) * q + sigma * p[X_K];
            sigma = -sigma;
            half_cycle++;
            resting = problem->rests && fabs(x) <= p[X_K];
        }
        if (resting) {
            residual[i] = problem->displacement[i] - p[BIAS] - x;
            continue;
        }
        double theta = phase - (double)half_cycle * M_PI, sine, cosine;
        sincos(theta, &sine, &cosine);
        double g = exp(-beta * theta) * (cosine + beta * sine);
        residual[i] = problem->displacement[i] - p[BIAS] - sigma * p[X_K] - (x - sigma * p[X_K]) * g;
    }
}

double sum_of_squares_of(const struct peer_problem *problem, const double parameters[PEER_PARAMETERS])
{
    double sum = 0, *residual = malloc(problem->count * sizeof *residual);
    if (!residual)
        return NAN;
    residuals_of(problem, parameters, residual);
    for (size_t i = 0; i < problem->count; i++)
        sum += residual[i] * residual[i];
    free(residual);
    return sum;
}

/* Where the record crosses its middle for the n-th time, s; the last crossing when there are fewer. */
static double crossing(const struct peer_problem *problem, double middle, int n, int *found)
{
    double at = 0;
    *found = 0;
    for (size_t i = 1; i < problem->count && *found < n; i++) {
        double before = problem->displacement[i - 1] - middle, now = problem->displacement[i] - middle;
        if ((before > 0) == (now > 0))
            continue;
        at = problem->period_s * ((double)i - now / (now - before));
        /* Noise crosses several times at once. */
        i += (size_t)(0.02 / problem->period_s);
        (*found)++;
    }
    return at;
}

void peer_start(struct peer_problem *problem)
{
    double *start = problem->start, low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < problem->count; i++) {
        low = fmin(low, problem->displacement[i]);
        high = fmax(high, problem->displacement[i]);
    }
    double middle = 0.5 * (low + high);
    int first, eighth;
    double from = crossing(problem, middle, 1, &first), to = crossing(problem, middle, 9, &eighth);
    start[OMEGA_N] = M_PI * (double)(eighth - first) / (to - from);
    start[BIAS] = middle;
    start[X0] = problem->displacement[0] - middle;
    /* The swing after four cycles, against the first. */
    double late = 0, after = 4 * 2 * M_PI / start[OMEGA_N];
    for (size_t i = (size_t)(after / problem->period_s); i < problem->count; i++)
        late = fmax(late, fabs(problem->displacement[i] - middle));
    start[ZETA] = log(fabs(start[X0]) / late) / (8 * M_PI);
    start[X_K] = 0.01 * fabs(start[X0]);
}

#if HAVE_CMINPACK
static int cminpack_residuals(void *context, int m, int n, const double *parameters, double *residual, int flag)
{
    const struct peer_problem *problem = context;
    (void)m;
    (void)n;
    (void)flag;
    residuals_of(problem, parameters, residual);
    return 0;
}

/* lmdif with forward differences; its work arrays count as set-up, not as time. */
bool cminpack_fit(const struct peer_problem *problem, double tolerance, struct peer_answer *answer)
{
    enum { N = PEER_PARAMETERS };
    int m = (int)problem->count, index[N];
    double scale[N], qtf[N], work[4][N];
    struct peer_problem mutable_problem = *problem;
    double *rows = calloc((size_t)m * (N + 2), sizeof *rows);
    if (!rows)
        return false;
    double *jacobian = rows, *residual = rows + (size_t)m * N, *work_m = residual + m;
    memcpy(answer->parameters, problem->start, sizeof answer->parameters);
    double begin = processor_seconds();
    lmdif(cminpack_residuals, &mutable_problem, m, N, answer->parameters, residual, tolerance, tolerance, 0.0, 2000,
          0.0, scale, 1, 100.0, 0, &answer->evaluations, jacobian, m, index, qtf, work[0], work[1], work[2], work_m);
    answer->seconds = processor_seconds() - begin;
    answer->sum_of_squares = sum_of_squares_of(problem, answer->parameters);
    free(rows);
    return true;
}
#else
bool cminpack_fit(const struct peer_problem *problem, double tolerance, struct peer_answer *answer)
{
    (void)problem;
    (void)tolerance;
    (void)answer;
    return false;
}
#endif

#if HAVE_FFTW
bool fftw_seconds(size_t count, double *seconds)
{
    double *in = fftw_alloc_real(count);
    fftw_complex *out = fftw_alloc_complex(count / 2 + 1);
    fftw_plan plan = in && out ? fftw_plan_dft_r2c_1d((int)count, in, out, FFTW_MEASURE | FFTW_PRESERVE_INPUT) : NULL;
    for (size_t i = 0; plan && i < count; i++)
        in[i] = cos((double)i);
    *seconds = INFINITY;
    for (int round = 0; plan && round < 7; round++) {
        int repeats = (int)(2e6 / (double)count) + 1;
        double begin = processor_seconds();
        for (int n = 0; n < repeats; n++)
            fftw_execute(plan);
        *seconds = fmin(*seconds, (processor_seconds() - begin) / repeats);
    }
    bool measured = plan != NULL;
    if (plan)
        fftw_destroy_plan(plan);
    fftw_free(in);
    fftw_free(out);
    return measured;
}
#else
bool fftw_seconds(size_t count, double *seconds)
{
    (void)count;
    (void)seconds;
    return false;
}
#endif

/* The samples go to the script as a file of doubles. */
static bool write_samples(const struct peer_problem *problem, char *path)
{
    int fd = mkstemp(path);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "wb");
    if (!file)
        return false;
    bool written = fwrite(problem->displacement, sizeof(double), problem->count, file) == problem->count;
    return fclose(file) == 0 && written;
}

bool scipy_fit(const struct peer_problem *problem, double tolerance, struct peer_answer *answer)
{
    const char *python = getenv("BENCH_PYTHON"), *script = getenv("BENCH_SCIPY");
    char path[] = "/tmp/fricid-bench-XXXXXX", command[1024], line[512] = "";
    if (!python || !script || !write_samples(problem, path))
        return false;
    const double *s = problem->start;
    snprintf(command, sizeof command, "'%s' '%s' %s %d %.17g %.17g %.17g %.17g %.17g %.17g %.17g", python, script, path,
             problem->rests, problem->period_s, tolerance, s[0], s[1], s[2], s[3], s[4]);
    FILE *output = popen(command, "r");
    bool read = output && fgets(line, sizeof line, output);
    read = output && pclose(output) == 0 && read;
    unlink(path);
    double *p = answer->parameters;
    if (!read || sscanf(line, "%lf %d %lf %lf %lf %lf %lf", &answer->seconds, &answer->evaluations, &p[0], &p[1], &p[2],
                        &p[3], &p[4]) != 7)
        return false;
    answer->sum_of_squares = sum_of_squares_of(problem, p);
    return true;
}
