/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Coverage of the stated 95 % intervals over the grid: white noise, autoregressive noise, encoders without noise. */
#include "coverage_campaign.h"
#include "identify/decay/model_choice.h"
#include "identify/decay/rung_of_model.h"
#include "run_suite.h"

enum { SEED = 20150731 };

static void print_cell(const struct coverage_cell *cell, const struct coverage *coverage)
{
    printf("zeta %g x_k %g, %zu half cycles of %g a cycle, noise %g rho %g, %g counts:", cell->zeta, cell->x_k,
           cell->half_cycles, cell->per_cycle, cell->noise, cell->rho, cell->counts);
    for (int p = 0; p < FIT_PARAMETERS; p++)
        printf(" %.3f", coverage->share[p]);
    printf(" (flagged %.2f, widened %.3f, refused %d)\n", coverage->flagged, coverage->widened, coverage->refused);
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

static double log_uniform(gsl_rng *rng, double low, double high)
{
    return low * pow(high / low, gsl_rng_uniform(rng));
}

/* A random decay with the wanted damping, of three half cycles or more, and how it is sampled. */
static void random_decay(gsl_rng *rng, unsigned want, struct true_decay *truth, struct sampling *sampling)
{
    double half_cycles, per_cycle;
    do {
        *truth = (struct true_decay){.omega_n = log_uniform(rng, 1.0, 100.0), .x0 = 1.0};
        truth->zeta = want & LADDER_BIT(LADDER_ZETA) ? log_uniform(rng, 5e-4, 0.25) : 0.0;
        truth->x_k = want & LADDER_BIT(LADDER_X_K) ? log_uniform(rng, 2e-4, 0.15) : 0.0;
        half_cycles = floor(log_uniform(rng, 3.0, 150.0));
        per_cycle = log_uniform(rng, 20.0, 400.0);
        for (; half_cycles >= 3.0; half_cycles--) {
            const double x = fabs(true_extremum(truth, (size_t)half_cycles, NULL));
            if (x > 1.5 * truth->x_k && x > 0.02)
                break;
        }
    } while (half_cycles < 3.0 || half_cycles * per_cycle > 30000.0);
    const double half_period = M_PI / true_omega_d(truth);
    sampling->period_s = 2.0 * half_period / per_cycle;
    truth->t0 = -0.99 * gsl_rng_uniform(rng) * sampling->period_s;
    sampling->count = (size_t)((half_cycles * half_period + truth->t0) / sampling->period_s);
    sampling->noise = log_uniform(rng, 1e-4, 0.1);
}

/* Whether a true damping term is four standard errors from zero, by the covariance of the record itself. */
static bool clear_of_zero(const struct full_record_fit *fit, const struct true_decay *truth)
{
    const double zeta_se =
        fit->estimate[FIT_ZETA].at_bound ? fit->estimate[FIT_ZETA].high / 1.645 : fit->estimate[FIT_ZETA].se;
    const double x_k_se =
        fit->estimate[FIT_X_K].at_bound ? fit->estimate[FIT_X_K].high / 1.645 : fit->estimate[FIT_X_K].se;
    return !(truth->zeta > 0 && truth->zeta < 4.0 * zeta_se) && !(truth->x_k > 0 && truth->x_k < 4.0 * x_k_se);
}

/* The damping is named rightly in 95 % of the records where it is clear, and a term that is not there in at most 5 % of
 * all. */
START_TEST(the_damping_is_named)
{
    const double rho[] = {0.0, 0.6, 0.9};
    gsl_rng *rng = seeded_rng(SEED + 3);
    for (size_t k = 0; k < 9; k++) {
        const unsigned want = (unsigned)(k % 3) + 1; /* viscous, Coulomb, both */
        int all = 0, clear = 0, right = 0, with_false_term = 0;
        for (int n = 0; n < 1500; n++) {
            struct true_decay truth;
            struct sampling sampling = {0};
            random_decay(rng, want, &truth, &sampling);
            struct sampling quiet = sampling;
            quiet.noise = 0.0;
            double *y;
            struct decay_record record = measured_record(&truth, &quiet, rng, &y);
            add_noise(y, &sampling, rho[k / 3], rng);
            struct full_record_fit fit;
            if (full_record_fit(&record, &six_unknowns, &fit) == VERDICT_OK) {
                const struct damping_choice choice = damping_choice_from(fit.model, fit.likelihood_ratio);
                const bool named = choice.verdict == VERDICT_OK, is_clear = clear_of_zero(&fit, &truth);
                all++;
                clear += is_clear;
                right += is_clear && named && choice.terms == want;
                with_false_term += named && (choice.terms & ~want) != 0;
            }
            free(y);
        }
        printf("rho %g, damping %u: %d records, %d clear, %d of these named rightly, %d with a false term\n",
               rho[k / 3], want, all, clear, right, with_false_term);
        ck_assert_int_ge(right * 100, clear * 95);
        ck_assert_int_le(with_false_term * 100, all * 5);
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
    tcase_add_test(tests, the_damping_is_named);
    return run_suite(suite);
}
