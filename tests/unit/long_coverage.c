/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Coverage of the stated 95 % intervals over the grid: white noise, autoregressive noise, encoders without noise. */
#include "coverage_campaign.h"
#include "run_suite.h"

enum { SEED = 20150731 };

static void print_cell(const struct coverage_cell *cell, const struct coverage *coverage)
{
    printf("zeta %g x_k %g, %zu half cycles of %g a cycle, noise %g rho %g, %g counts:", cell->zeta, cell->x_k,
           cell->half_cycles, cell->per_cycle, cell->noise, cell->rho, cell->counts);
    for (int p = 0; p < FIT_PARAMETERS; p++)
        printf(" %.3f", coverage->share[p]);
    printf(" (flagged %.2f, refused %d)\n", coverage->flagged, coverage->refused);
}

START_TEST(white_noise)
{
    const double zeta[] = {0.0, 0.002, 0.02, 0.1, 0.25}, x_k[] = {0.0, 0.001, 0.01, 0.05, 0.15};
    const double noise[] = {1e-4, 1e-2, 0.05}, per_cycle[] = {20.0, 100.0};
    const size_t half_cycles[] = {3, 8, 40};
    gsl_rng *rng = seeded_rng(SEED);
    double sum = 0, count = 0;
    for (size_t k = 0; k < 5u * 5u * 3u * 2u * 3u; k++) {
        const struct coverage_cell cell = {
            zeta[k % 5], x_k[k / 5 % 5], half_cycles[k / 25 % 3], per_cycle[k / 75 % 2], noise[k / 150], 0.0, 0.0};
        if ((!(cell.zeta > 0) && !(cell.x_k > 0)) || usable_half_cycles(&cell) < cell.half_cycles)
            continue;
        const struct coverage coverage = coverage_of(&cell, 400, rng);
        print_cell(&cell, &coverage);
        /* A truth at its bound is covered in 97.5 %; one between 1.64 and 1.96 standard errors of it in 92.5 %, since
         * the limit at the bound is one-sided. */
        expect_coverage(&cell, &coverage, 0.925, 0.98);
        for (int p = 0; p < FIT_PARAMETERS; p++) {
            const bool absent = (p == FIT_ZETA && !(cell.zeta > 0)) || (p == FIT_X_K && !(cell.x_k > 0));
            sum += absent ? 0 : coverage.share[p] * coverage.records;
            count += absent ? 0 : coverage.records;
        }
    }
    gsl_rng_free(rng);
    printf("white noise: %.4f of %.0f intervals\n", sum / count, count);
    ck_assert_double_ge(sum / count, 0.94);
    ck_assert_double_le(sum / count, 0.96);
}
END_TEST

START_TEST(autoregressive_noise)
{
    const double rho[] = {0.3, 0.5, 0.8, 0.9}, per_cycle[] = {20.0, 60.0, 200.0};
    const size_t half_cycles[] = {3, 6, 12, 24, 48};
    gsl_rng *rng = seeded_rng(SEED + 1);
    for (size_t k = 0; k < 4u * 3u * 5u; k++) {
        const size_t wanted = half_cycles[k / 12];
        const struct coverage_cell cell = {
            wanted > 12 ? 0.01 : 0.02, wanted > 12 ? 0.003 : 0.01, wanted, per_cycle[k / 4 % 3], 0.003, rho[k % 4], 0};
        const double samples = (double)wanted * cell.per_cycle / 2.0;
        const double effective = samples * (1.0 - cell.rho) / (1.0 + cell.rho);
        const struct coverage coverage = coverage_of(&cell, 500, rng);
        printf("%.0f effective: ", effective);
        print_cell(&cell, &coverage);
        if (wanted >= 24 && effective >= 60.0) {
            expect_coverage(&cell, &coverage, 0.93, 0.97);
        } else if (effective >= 6.0) {
            expect_coverage(&cell, &coverage, 0.85, 0.98);
            ck_assert_double_ge(coverage.flagged, 0.95);
        } else {
            /* Fewer effective samples than unknowns: nothing is promised but the flag. */
            ck_assert_double_ge(coverage.flagged, 0.95);
        }
    }
    gsl_rng_free(rng);
}
END_TEST

START_TEST(encoder_without_noise)
{
    const double counts[] = {20.0, 50.0, 100.0, 300.0, 1000.0, 2000.0}, per_cycle[] = {40.0, 164.0, 600.0};
    const size_t half_cycles[] = {4, 10, 20};
    gsl_rng *rng = seeded_rng(SEED + 2);
    for (size_t k = 0; k < 6u * 3u * 3u; k++) {
        const struct coverage_cell cell = {0.0184, 0.0112, half_cycles[k / 18], per_cycle[k / 6 % 3],
                                           0.0,    0.0,    counts[k % 6]};
        const struct coverage coverage = coverage_of(&cell, 400, rng);
        print_cell(&cell, &coverage);
        expect_coverage(&cell, &coverage, 0.92, 0.98);
    }
    gsl_rng_free(rng);
}
END_TEST

int main(void)
{
    printf("seed %d\n", SEED);
    Suite *suite = suite_create("coverage, long");
    TCase *tests = tcase_create("long");
    suite_add_tcase(suite, tests);
    tcase_set_timeout(tests, 3600);
    tcase_add_test(tests, white_noise);
    tcase_add_test(tests, autoregressive_noise);
    tcase_add_test(tests, encoder_without_noise);
    return run_suite(suite);
}
