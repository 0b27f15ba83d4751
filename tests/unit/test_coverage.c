/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stated 95 % intervals against the truth, in the corners where a naive interval fails: next to a bound, with few
 * effective samples, and on an encoder without noise. long_coverage.c has the whole grid. */
#include "coverage_campaign.h"
#include "identify/decay/model_choice.h"
#include "identify/decay/rung_of_model.h"
#include "run_suite.h"

enum { SEED = 20071211, RECORDS = 250 };

/* x_k between 0 and two standard errors: the estimate is often at the bound, and zeta's reduced model is then wrong. */
START_TEST(a_small_friction_is_not_taken_for_none)
{
    const double x_k[] = {0.0, 0.0005, 0.001, 0.002, 0.003};
    gsl_rng *rng = seeded_rng(SEED);
    for (size_t k = 0; k < sizeof x_k / sizeof x_k[0]; k++) {
        const struct coverage_cell cell = {0.02, x_k[k], 6, 60.0, 0.01, 0.0, 0.0};
        const struct coverage coverage = coverage_of(&cell, RECORDS, rng);
        ck_assert_int_eq(coverage.refused, 0);
        /* A truth at the bound is covered in 97.5 %. */
        expect_coverage(&cell, &coverage, 0.94, 0.98);
    }
    gsl_rng_free(rng);
}
END_TEST

START_TEST(a_small_viscous_damping_is_not_taken_for_none)
{
    const double zeta[] = {0.0, 0.0005, 0.001, 0.002};
    gsl_rng *rng = seeded_rng(SEED + 1);
    for (size_t k = 0; k < sizeof zeta / sizeof zeta[0]; k++) {
        const struct coverage_cell cell = {zeta[k], 0.01, 8, 60.0, 0.01, 0.0, 0.0};
        const struct coverage coverage = coverage_of(&cell, RECORDS, rng);
        expect_coverage(&cell, &coverage, 0.94, 0.98);
    }
    gsl_rng_free(rng);
}
END_TEST

/* Correlated noise with many effective samples, and with few: then flagged. */
START_TEST(correlated_noise_is_paid_for)
{
    const struct coverage_cell many = {0.01, 0.003, 48, 60.0, 0.003, 0.9, 0.0};
    const struct coverage_cell few[] = {
        {0.02, 0.01, 3, 60.0, 0.003, 0.5, 0.0}, {0.02, 0.01, 3, 200.0, 0.003, 0.9, 0.0},
        {0.02, 0.01, 6, 60.0, 0.003, 0.8, 0.0}, {0.02, 0.01, 12, 60.0, 0.003, 0.9, 0.0},
        {0.02, 0.01, 4, 20.0, 0.003, 0.5, 0.0},
    };
    gsl_rng *rng = seeded_rng(SEED + 2);
    const struct coverage enough = coverage_of(&many, RECORDS, rng);
    expect_coverage(&many, &enough, 0.93, 0.97);
    for (size_t k = 0; k < sizeof few / sizeof few[0]; k++) {
        const struct coverage coverage = coverage_of(&few[k], RECORDS, rng);
        expect_coverage(&few[k], &coverage, 0.85, 0.98);
        ck_assert_double_ge(coverage.flagged, 0.95);
    }
    gsl_rng_free(rng);
}
END_TEST

/* Noise that is slow against the decay: few of its samples are independent, yet at the decay's own frequency it is
 * known well, and intervals need not be wider for that. */
START_TEST(slow_noise_is_not_paid_for_twice)
{
    const struct coverage_cell slow[] = {{0.02, 0.01, 12, 20.0, 0.003, 0.9, 0.0},
                                         {0.01, 0.003, 24, 20.0, 0.003, 0.9, 0.0}};
    gsl_rng *rng = seeded_rng(SEED + 7);
    for (size_t k = 0; k < sizeof slow / sizeof slow[0]; k++) {
        const struct coverage coverage = coverage_of(&slow[k], 4 * RECORDS, rng);
        for (int p = 0; p < FIT_PARAMETERS; p++) {
            ck_assert_double_ge(coverage.share[p], 0.85);
            ck_assert_double_le(coverage.share[p], 0.98);
        }
    }
    gsl_rng_free(rng);
}
END_TEST

/* White noise and many samples raise no flag. */
START_TEST(white_noise_raises_no_flag)
{
    const struct coverage_cell cell = {0.02, 0.01, 12, 60.0, 0.01, 0.0, 0.0};
    gsl_rng *rng = seeded_rng(SEED + 3);
    const struct coverage coverage = coverage_of(&cell, RECORDS, rng);
    gsl_rng_free(rng);
    expect_coverage(&cell, &coverage, 0.94, 0.96);
    ck_assert_double_le(coverage.flagged, 0.1);
}
END_TEST

START_TEST(an_encoder_without_noise_is_covered)
{
    const struct coverage_cell cells[] = {
        {0.0184, 0.0112, 20, 164.0, 0.0, 0.0, 20.0},
        {0.0184, 0.0112, 10, 164.0, 0.0, 0.0, 300.0},
        {0.0184, 0.0112, 10, 40.0, 0.0, 0.0, 2000.0},
    };
    gsl_rng *rng = seeded_rng(SEED + 4);
    for (size_t k = 0; k < sizeof cells / sizeof cells[0]; k++) {
        const struct coverage coverage = coverage_of(&cells[k], RECORDS / 2, rng);
        expect_coverage(&cells[k], &coverage, 0.92, 0.98);
        ck_assert_double_ge(coverage.quantised, 0.95);
    }
    gsl_rng_free(rng);
}
END_TEST

/* How often the damping of records like this one is named, and how often with a term that is not there. */
struct naming {
    int right, with_false_term;
};

static struct naming naming_of(double zeta, double x_k, double rho, gsl_rng *rng)
{
    struct naming naming = {0, 0};
    const unsigned want = (zeta > 0 ? LADDER_BIT(LADDER_ZETA) : 0u) | (x_k > 0 ? LADDER_BIT(LADDER_X_K) : 0u);
    for (int n = 0; n < RECORDS; n++) {
        const struct true_decay truth = {10.0 * M_PI, zeta, x_k, 0.0, 1.0, 0.2, -5e-4};
        const struct sampling sampling = {.period_s = 1e-3, .count = 1500, .noise = 0.01};
        struct sampling quiet = sampling;
        quiet.noise = 0.0;
        double *y;
        struct decay_record record = measured_record(&truth, &quiet, rng, &y);
        add_noise(y, &sampling, rho, rng);
        struct full_record_fit fit;
        full_record_fit(&record, &six_unknowns, &fit);
        const struct damping_choice choice = damping_choice_from(fit.model, fit.likelihood_ratio);
        naming.right += choice.verdict == VERDICT_OK && choice.terms == want;
        naming.with_false_term += choice.verdict == VERDICT_OK && (choice.terms & ~want) != 0;
        free(y);
    }
    return naming;
}

/* Both dampings are far more than four standard errors from zero here; 250 records: 95 % less three deviations of the
 * count. */
START_TEST(the_damping_that_is_there_is_named)
{
    const double zeta[] = {0.02, 0.0, 0.02}, x_k[] = {0.0, 0.02, 0.01}, rho[] = {0.0, 0.8};
    gsl_rng *rng = seeded_rng(SEED + 5);
    for (size_t k = 0; k < 6; k++) {
        const struct naming naming = naming_of(zeta[k % 3], x_k[k % 3], rho[k / 3], rng);
        ck_assert_int_ge(naming.right, RECORDS * 908 / 1000);
        ck_assert_int_le(naming.with_false_term, RECORDS * 92 / 1000);
    }
    gsl_rng_free(rng);
}
END_TEST

static struct damping_choice choice_from(double viscous_ratio, double coulomb_ratio)
{
    return damping_choice_from(DAMPING_VISCOUS_COULOMB,
                               (const double[FIT_PARAMETERS]){[FIT_ZETA] = viscous_ratio, [FIT_X_K] = coulomb_ratio});
}

/* Three half cycles in strong noise: either damping explains the record, and none is named for certain. */
START_TEST(what_cannot_be_told_is_not_named)
{
    ck_assert_int_eq(choice_from(1.0, 2.0).verdict, VERDICT_UNDECIDED);
    ck_assert_int_eq(choice_from(NAN, 2.0).verdict, VERDICT_NOT_COMPUTED);
    ck_assert_int_eq(choice_from(50.0, 3.8).terms, damping_model_terms(DAMPING_VISCOUS));
    ck_assert_int_eq(choice_from(3.8, 3.9).terms, damping_model_terms(DAMPING_COULOMB));
    ck_assert_int_eq(choice_from(3.9, 3.9).terms, damping_model_terms(DAMPING_VISCOUS_COULOMB));
    /* A model is asked for its own terms alone. */
    const double friction_alone[FIT_PARAMETERS] = {[FIT_ZETA] = NAN, [FIT_X_K] = 50.0};
    ck_assert_int_eq(damping_choice_from(DAMPING_COULOMB, friction_alone).verdict, VERDICT_OK);
    ck_assert_int_eq(damping_choice_from(DAMPING_COULOMB, friction_alone).terms, damping_model_terms(DAMPING_COULOMB));
    gsl_rng *rng = seeded_rng(SEED + 6);
    int named_wrongly = 0;
    for (int n = 0; n < RECORDS; n++) {
        const struct true_decay truth = {10.0 * M_PI, 0.02, 0.0, 0.0, 1.0, 0.0, -5e-4};
        const struct sampling sampling = {.period_s = 2e-3, .count = 150, .noise = 0.05};
        double *y;
        struct decay_record record = measured_record(&truth, &sampling, rng, &y);
        struct full_record_fit fit;
        full_record_fit(&record, &six_unknowns, &fit);
        const struct damping_choice choice = damping_choice_from(fit.model, fit.likelihood_ratio);
        named_wrongly += choice.verdict == VERDICT_OK && (choice.terms & LADDER_BIT(LADDER_X_K));
        free(y);
    }
    gsl_rng_free(rng);
    ck_assert_int_le(named_wrongly, RECORDS * 92 / 1000);
}
END_TEST

int main(void)
{
    printf("seed %d\n", SEED);
    Suite *suite = suite_create("coverage");
    TCase *tests = tcase_create("coverage");
    suite_add_tcase(suite, tests);
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, a_small_friction_is_not_taken_for_none);
    tcase_add_test(tests, a_small_viscous_damping_is_not_taken_for_none);
    tcase_add_test(tests, correlated_noise_is_paid_for);
    tcase_add_test(tests, slow_noise_is_not_paid_for_twice);
    tcase_add_test(tests, white_noise_raises_no_flag);
    tcase_add_test(tests, an_encoder_without_noise_is_covered);
    tcase_add_test(tests, the_damping_that_is_there_is_named);
    tcase_add_test(tests, what_cannot_be_told_is_not_named);
    return run_suite(suite);
}
