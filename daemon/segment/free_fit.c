/* SPDX-License-Identifier: GPL-3.0-or-later */

/* For given start, half period and beta a decay is linear in centre, X_0 and x_k, so that three unknowns are left to
 * be searched for: in shrinking steps, from a good guess. That is costly, and done only for short candidates
 * that have passed all else. */

#include "segment/free_fit.h"

#include "motion/half_cycle_law.h"
#include "motion/small_cholesky.h"
#include "segment/decay_law.h"
#include "segment/free_fit_loops.h"
#include "segment/motion_walk.h"
#include "segment/tolerances.h"

#include <math.h>
#include <stdbool.h>

enum { MEANS_A_HALF_CYCLE = 32, MOST_MEANS = 2 * MEANS_A_HALF_CYCLE * FREE_FIT_MOST, LINEAR = 3, SEARCHED = 3 };
/* Rounds of the search, each with half the step of the one before, and moves in each. */
enum { ROUNDS = 9, MOVES = 6 };

struct means {
    size_t count, half_cycles;
    double size;
    double position[MOST_MEANS], value[MOST_MEANS]; /* value: from the first one */
};

static void take_means(const struct sample_history *history, const struct free_span *span, struct means *means)
{
    double end = span->start + (double)span->half_cycles * span->length;
    uint64_t from = sample_history_at(history, span->start), to = sample_history_at(history, end);
    double position = 0, sum = 0, in_mean = 0;
    means->size = fmax(floor(span->length / MEANS_A_HALF_CYCLE), 1);
    means->half_cycles = span->half_cycles;
    means->count = 0;
    for (uint64_t i = from; i < to && means->count < MOST_MEANS; i++) {
        if (sample_history_flags(history, i))
            continue;
        position += sample_history_position(history, i);
        sum += sample_history_value(history, i) - sample_history_value(history, from);
        if (++in_mean < means->size)
            continue;
        means->position[means->count] = position / in_mean;
        means->value[means->count++] = sum / in_mean;
        position = sum = in_mean = 0;
    }
}

/* This is y = centre + X_0 base[1] + x_k base[2] in the half cycle that theta lies in. */
struct basis_walk {
    double start, length, beta, q;
    size_t half;
    struct law_extremum from; /* by its derivatives, in which the motion is linear */
};

static void base_at(struct basis_walk *walk, double position, size_t half_cycles, double base[LINEAR])
{
    double at = (position - walk->start) / walk->length;
    while (at >= (double)(walk->half + 1) && walk->half + 1 < half_cycles) {
        walk->from = law_next_extremum(&walk->from, walk->q, 0);
        walk->half++;
    }
    double g = law_bases_at(walk->beta, M_PI * (at - (double)walk->half)).g;
    base[0] = 1;
    base[1] = motion_per_x0(&walk->from, g);
    base[2] = motion_per_x_k(&walk->from, g);
}

/* It tells what the best combination of the bases leaves, with friction or without. The last row and column of the
 * matrix are the products with the values. */
static double left_by(double matrix[LINEAR + 1][LINEAR + 1], bool friction, bool *negative_friction)
{
    const bool chosen[LINEAR + 1] = {true, true, friction, false};
    struct small_cholesky cholesky;
    double best[LINEAR + 1] = {0};
    if (!cholesky_factorise(&matrix[0][0], LINEAR + 1, chosen, 0, CHOLESKY_LEAST_PIVOT, &cholesky))
        return INFINITY;
    double left = matrix[LINEAR][LINEAR] - cholesky_solve(&cholesky, matrix[LINEAR], best);
    *negative_friction = best[2] * best[1] < 0;
    return fmax(left, 0);
}

/* It returns the sum of squares that a motion leaves; searched: start, end, beta. */
static double squares_at(const struct means *means, const double searched[SEARCHED])
{
    double matrix[LINEAR + 1][LINEAR + 1] = {{0}}, row[LINEAR + 1];
    double length = (searched[1] - searched[0]) / (double)means->half_cycles, beta = searched[2];
    struct basis_walk walk = {
        .start = searched[0], .length = length, .beta = beta, .q = law_q(beta), .from = {.sigma = 1, .per_x0 = 1}};
    if (!(length > 0) || beta > MOST_BETA)
        return INFINITY;
    for (size_t n = 0; n < means->count; n++) {
        base_at(&walk, means->position[n], means->half_cycles, row);
        row[LINEAR] = means->value[n];
        for (int i = 0; i <= LINEAR; i++)
            for (int j = 0; j <= LINEAR; j++)
                matrix[i][j] += row[i] * row[j];
    }
    bool negative_friction = false;
    double left = left_by(matrix, true, &negative_friction);
    return negative_friction ? left_by(matrix, false, &negative_friction) : left;
}

/* One step to either side along one of the unknowns. */
static bool take_better_step(const struct means *means, double searched[SEARCHED], int which, double step,
                             double *least)
{
    for (int side = -1; side <= 1; side += 2) {
        double kept = searched[which];
        searched[which] = fmax(kept + side * step, which == 2 ? 0 : -INFINITY);
        double squares = squares_at(means, searched);
        if (squares < *least) {
            *least = squares;
            return true;
        }
        searched[which] = kept;
    }
    return false;
}

struct free_fit free_fit_of(const struct sample_history *history, const struct free_span *span)
{
    struct means means;
    take_means(history, span, &means);
    if (means.count < LINEAR + SEARCHED + SPARE_MEANS)
        return (struct free_fit){.rms = INFINITY, .mean_size = means.size, .means = means.count};
    double searched[SEARCHED] = {span->start, span->start + (double)span->half_cycles * span->length, FIRST_BETA};
    double uncertainty = EXTREMUM_UNCERTAINTY * span->length, step[SEARCHED] = {uncertainty, uncertainty, BETA_GRID};
    double least = squares_at(&means, searched);
    for (int round = 0; round < ROUNDS; round++) {
        bool better = true;
        for (int move = 0; move < MOVES && better; move++) {
            better = false;
            for (int which = 0; which < SEARCHED; which++)
                better = take_better_step(&means, searched, which, step[which], &least) || better;
        }
        for (int which = 0; which < SEARCHED; which++)
            step[which] /= 2;
    }
    double freedom = (double)means.count - LINEAR - SEARCHED;
    return (struct free_fit){.rms = sqrt(least / freedom), .mean_size = means.size, .means = means.count};
}

/* Chebyshev's polynomials, which keep the normal equations well conditioned, times a cosine and a sine. */
static void modulated_row(const struct free_span *span, double position, double row[MODULATED])
{
    double at = (position - span->start) / span->length, u = 2 * at / (double)span->half_cycles - 1;
    double cosine = cos(M_PI * at), sine = sin(M_PI * at), before = u, polynomial = 1;
    for (int power = 0; power <= MODULATED_DEGREE; power++) {
        double next = 2 * u * polynomial - before;
        row[2 * power] = polynomial * cosine;
        row[2 * power + 1] = polynomial * sine;
        before = polynomial;
        polynomial = next;
    }
    row[MODULATED - 1] = 1;
}

struct free_fit modulated_fit_of(const struct sample_history *history, const struct free_span *span)
{
    struct means means;
    double matrix[MODULATED_ROW][MODULATED_ROW] = {{0}}, row[MODULATED_ROW], best[MODULATED_ROW] = {0};
    bool chosen[MODULATED_ROW] = {false};
    struct small_cholesky cholesky;
    const struct free_fit_loops *loops = free_fit_loops_of(lanes_widest());
    take_means(history, span, &means);
    struct free_fit fit = {.rms = INFINITY, .mean_size = means.size, .means = means.count};
    for (size_t n = 0; n < means.count; n++) {
        modulated_row(span, means.position[n], row);
        row[MODULATED] = means.value[n];
        loops->add_products(row, matrix);
    }
    for (int i = 0; i < MODULATED; i++)
        chosen[i] = true;
    if (means.count <= MODULATED ||
        !cholesky_factorise(&matrix[0][0], MODULATED_ROW, chosen, 0, CHOLESKY_LEAST_PIVOT, &cholesky))
        return fit;
    double left = matrix[MODULATED][MODULATED] - cholesky_solve(&cholesky, matrix[MODULATED], best);
    fit.rms = sqrt(fmax(left, 0) / (double)(means.count - MODULATED));
    return fit;
}
