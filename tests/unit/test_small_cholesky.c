/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The small systems of all fits: solutions and inverses against their definitions, for some of the unknowns. */
#include "motion/small_cholesky.h"
#include "run_suite.h"

#include <gsl/gsl_rng.h>

enum { SIZE = 7, OBSERVATIONS = 20 };

/* Normal equations of random observations; unknowns differ by powers of ten, as their units do. */
struct system {
    double row[OBSERVATIONS][SIZE], value[OBSERVATIONS];
    double matrix[SIZE][SIZE], right[SIZE], squares;
};

static void make(gsl_rng *rng, struct system *system)
{
    *system = (struct system){.squares = 0};
    for (int n = 0; n < OBSERVATIONS; n++) {
        system->value[n] = gsl_rng_uniform(rng) - 0.5;
        system->squares += system->value[n] * system->value[n];
        for (int i = 0; i < SIZE; i++)
            system->row[n][i] = (gsl_rng_uniform(rng) - 0.5) * pow(10, 3 * i - 9);
        for (int i = 0; i < SIZE; i++) {
            system->right[i] += system->row[n][i] * system->value[n];
            for (int j = 0; j < SIZE; j++)
                system->matrix[i][j] += system->row[n][i] * system->row[n][j];
        }
    }
}

/* What these unknowns leave of the sum of squares. */
static double left_by(const struct system *system, const double x[SIZE])
{
    double left = 0;
    for (int n = 0; n < OBSERVATIONS; n++) {
        double miss = system->value[n];
        for (int i = 0; i < SIZE; i++)
            miss -= system->row[n][i] * x[i];
        left += miss * miss;
    }
    return left;
}

START_TEST(some_unknowns_are_solved_for)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    struct small_cholesky cholesky;
    struct system system;
    for (unsigned subset = 0; subset < 1u << SIZE; subset++) {
        bool chosen[SIZE];
        double x[SIZE] = {0}, inverse[SIZE][SIZE];
        for (unsigned i = 0; i < SIZE; i++)
            chosen[i] = subset >> i & 1u;
        make(rng, &system);
        ck_assert(cholesky_factorise(&system.matrix[0][0], SIZE, chosen, 0, 1e-13, &cholesky));
        const double explained = cholesky_solve(&cholesky, system.right, x);
        ck_assert_double_eq_tol(left_by(&system, x), system.squares - explained, 1e-12);
        cholesky_invert(&cholesky, SIZE, &inverse[0][0]);
        for (int i = 0; i < SIZE; i++) {
            double gradient = system.right[i];
            for (int j = 0; j < SIZE; j++) {
                double product = 0;
                gradient -= system.matrix[i][j] * x[j];
                for (int k = 0; k < SIZE; k++)
                    product += chosen[k] ? system.matrix[i][k] * inverse[k][j] : 0;
                /* In units of the unknowns, of which one and the other go by powers of ten. */
                const double unit = sqrt(system.matrix[i][i] / system.matrix[j][j]);
                ck_assert(!chosen[i] || !chosen[j] || fabs(product - (i == j)) < 1e-11 * fmax(unit, 1));
                ck_assert(chosen[i] || inverse[i][j] == 0);
            }
            ck_assert(!chosen[i] || fabs(gradient) < 1e-12 * sqrt(system.matrix[i][i]));
            ck_assert(chosen[i] || x[i] == 0);
        }
    }
    gsl_rng_free(rng);
}
END_TEST

/* Two unknowns that do the same, one that does nothing, and no number at all. */
START_TEST(what_cannot_be_told_apart_is_refused)
{
    static const bool all[3] = {true, true, true};
    const double alike[3][3] = {{1, 1e-6, 0}, {1e-6, 1e-12, 0}, {0, 0, 1}};
    const double nothing[3][3] = {{1, 0, 0}, {0, 0, 0}, {0, 0, 1}};
    const double none[3][3] = {{1, 0, 0}, {NAN, 1, 0}, {0, 0, 1}};
    const double endless[3][3] = {{1, 0, 0}, {0, INFINITY, 0}, {0, 0, 1}};
    struct small_cholesky cholesky;
    ck_assert(!cholesky_factorise(&alike[0][0], 3, all, 0, 1e-13, &cholesky));
    ck_assert(!cholesky_factorise(&nothing[0][0], 3, all, 0, 1e-13, &cholesky));
    ck_assert(!cholesky_factorise(&none[0][0], 3, all, 0, 1e-13, &cholesky));
    ck_assert(!cholesky_factorise(&endless[0][0], 3, all, 0, 1e-13, &cholesky));
    /* Damping makes the first two solvable. */
    ck_assert(cholesky_factorise(&alike[0][0], 3, all, 1e-3, 1e-13, &cholesky));
    ck_assert(cholesky_factorise(&nothing[0][0], 3, all, 1e-3, 1e-13, &cholesky));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("small Cholesky");
    TCase *cases = tcase_create("cases");
    tcase_add_test(cases, some_unknowns_are_solved_for);
    tcase_add_test(cases, what_cannot_be_told_apart_is_refused);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
