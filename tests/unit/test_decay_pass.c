/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A model that knows nothing but to walk along the samples is fitted like one in closed form. */
#include "closed_form_decay.h"
#include "identify/decay/damping_model.h"
#include "identify/decay/decay_minimiser.h"
#include "run_suite.h"

#include <string.h>

static const double STEP = 0.01;

/* The closed form, asked for its blocks and extrema alone. */
static struct decay_pass walking_pass(void)
{
    return (struct decay_pass){.walk = closed_form_pass.walk, .extrema = closed_form_pass.extrema};
}

/* A noisy record, flagged and stamped where asked for, and parameters that are a little off. */
struct material {
    double *y, *time_s;
    unsigned char *flags;
    struct decay_record record;
    struct scaled_record scaled;
    double parameters[FIT_PARAMETERS];
    size_t first, last;
};

enum { SAMPLES = 2600 };

static void make(struct material *made, bool stamped, bool flagged)
{
    const struct true_decay truth = {31.0, 0.004, 0.002, 0.0, -1.3, 0.4, 0.013};
    const struct sampling sampling = {.period_s = 2 * M_PI / 31.0 / 97.0, .count = SAMPLES, .noise = 0.01};
    const double values[FIT_PARAMETERS] = {31.02, 0.0041, 0.0019, -1.31, 0.39, 0.0131};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    *made = (struct material){.first = 7, .last = SAMPLES - 5};
    made->record = measured_record(&truth, &sampling, rng, &made->y);
    made->time_s = malloc(SAMPLES * sizeof *made->time_s);
    made->flags = calloc(SAMPLES, 1);
    ck_assert(made->time_s && made->flags);
    for (size_t i = 0; i < SAMPLES; i++) {
        made->time_s[i] = decay_record_time(&made->record, i) + 0.2 * sampling.period_s * gsl_rng_uniform(rng);
        made->flags[i] = i % 37 < 3;
    }
    gsl_rng_free(rng);
    made->record.time_s = stamped ? made->time_s : NULL;
    made->record.flags = flagged ? made->flags : NULL;
    ck_assert_int_eq(scaled_record_from(&made->record, 7, &made->scaled), VERDICT_OK);
    scaled_from_record(&made->scaled, values, made->parameters);
}

static void clear(struct material *made)
{
    free(made->y);
    free(made->time_s);
    free(made->flags);
}

static void check_matrix(double matrix[FIT_PARAMETERS][FIT_PARAMETERS], double of[FIT_PARAMETERS][FIT_PARAMETERS],
                         double relative)
{
    for (int p = 0; p < FIT_PARAMETERS; p++)
        for (int r = 0; r < FIT_PARAMETERS; r++)
            ck_assert_double_eq_tol(matrix[p][r], of[p][r], relative * sqrt(of[p][p] * of[r][r]));
}

static void check_sums(const struct decay_pass *pass, struct material *made)
{
    struct normal_equations walked, closed;
    pass_normal_equations(pass, &made->scaled, made->parameters, made->first, made->last, &walked);
    pass_normal_equations(&closed_form_pass, &made->scaled, made->parameters, made->first, made->last, &closed);
    ck_assert_uint_eq(walked.samples, closed.samples);
    ck_assert_double_eq_tol(walked.sum_of_squares, closed.sum_of_squares, 1e-11 * closed.sum_of_squares);
    check_matrix(walked.matrix, closed.matrix, 1e-11);
    for (int p = 0; p < FIT_PARAMETERS; p++)
        ck_assert_double_eq_tol(walked.gradient[p], closed.gradient[p],
                                1e-11 * sqrt(closed.matrix[p][p] * closed.sum_of_squares));
}

static void check_statistics(const struct decay_pass *pass, struct material *made)
{
    struct residual_statistics walked, closed;
    pass_statistics(pass, &made->scaled, made->parameters, made->first, made->last, AR_MOST, &walked);
    pass_statistics(&closed_form_pass, &made->scaled, made->parameters, made->first, made->last, AR_MOST, &closed);
    ck_assert_uint_eq(walked.samples, closed.samples);
    ck_assert_uint_eq(walked.half_cycles, closed.half_cycles);
    ck_assert_double_eq_tol(walked.sum_of_squares, closed.sum_of_squares, 1e-11 * closed.sum_of_squares);
    ck_assert_double_eq_tol(walked.total_squares, closed.total_squares, 1e-11 * closed.total_squares);
    for (int k = 0; k <= AR_MOST; k++)
        ck_assert_double_eq_tol(walked.autocovariance[k], closed.autocovariance[k], 1e-11 * closed.autocovariance[0]);
    ck_assert_double_eq_tol(walked.phase_squares, closed.phase_squares, 1e-9 * closed.sum_of_squares);
    ck_assert_double_eq_tol(walked.phase_coherence, closed.phase_coherence, 1e-9 * closed.sum_of_squares);
    /* The rate of the phase is omega_n for the one and omega_d for the other. */
    ck_assert_double_eq_tol(walked.per_radian_squares, closed.per_radian_squares, 1e-4 * closed.per_radian_squares);
}

static void check_quantisation(const struct decay_pass *pass, struct material *made)
{
    double walked[FIT_PARAMETERS][FIT_PARAMETERS], closed[FIT_PARAMETERS][FIT_PARAMETERS];
    pass_quantisation(pass, &made->scaled, made->parameters, made->first, made->last, STEP, NULL, walked);
    pass_quantisation(&closed_form_pass, &made->scaled, made->parameters, made->first, made->last, STEP, NULL, closed);
    check_matrix(walked, closed, 1e-9);
}

struct taken {
    double residual[SAMPLES];
    size_t count;
};

static void take(void *taker, const double *residual, size_t count)
{
    struct taken *taken = taker;
    memcpy(taken->residual + taken->count, residual, count * sizeof *residual);
    taken->count += count;
}

static void check_residuals(const struct decay_pass *pass, struct material *made)
{
    static struct taken walked, closed;
    double values[FIT_PARAMETERS];
    walked.count = closed.count = 0;
    scaled_to_record(&made->scaled, made->parameters, values);
    pass_residuals(pass, &made->record, values, made->first, made->last, 1.31, take, &walked);
    pass_residuals(&closed_form_pass, &made->record, values, made->first, made->last, 1.31, take, &closed);
    ck_assert_uint_eq(walked.count, closed.count);
    for (size_t i = 0; i < walked.count; i++)
        ck_assert_double_eq_tol(walked.residual[i], closed.residual[i], 1e-12);
}

START_TEST(blocks_say_what_the_closed_form_says)
{
    const struct decay_pass pass = walking_pass();
    struct material made;
    make(&made, _i & 1, _i & 2);
    check_sums(&pass, &made);
    check_statistics(&pass, &made);
    check_quantisation(&pass, &made);
    check_residuals(&pass, &made);
    clear(&made);
}
END_TEST

START_TEST(the_minimiser_needs_no_more_than_blocks)
{
    const struct decay_pass pass = walking_pass();
    const struct decay_pass *const passes[2] = {&closed_form_pass, &pass};
    double found[2][FIT_PARAMETERS];
    struct material made;
    make(&made, false, false);
    for (int k = 0; k < 2; k++) {
        struct decay_minimiser minimiser = {.pass = passes[k],
                                            .scaled = &made.scaled,
                                            .first = 30,
                                            .last = made.last,
                                            .free = {{true, true, true, true, true, true}},
                                            .passes_left = 100};
        struct normal_equations normal;
        memcpy(found[k], made.parameters, sizeof found[k]);
        ck_assert_int_eq(decay_minimise(&minimiser, 1e-8, found[k], &normal), VERDICT_OK);
    }
    for (int p = 0; p < FIT_PARAMETERS; p++)
        ck_assert_double_eq_tol(found[1][p], found[0][p], 1e-9);
    clear(&made);
}
END_TEST

START_TEST(impossible_parameters_have_no_finite_sum)
{
    const struct decay_pass pass = walking_pass();
    struct normal_equations normal;
    struct material made;
    make(&made, false, false);
    made.parameters[FIT_T0] = 1e9;
    pass_normal_equations(&pass, &made.scaled, made.parameters, made.first, made.last, &normal);
    ck_assert(isinf(normal.sum_of_squares));
    clear(&made);
}
END_TEST

/* A record in other units is the same record: what a parameter's kind of unit and origin say of it must be so. */
START_TEST(parameters_follow_the_units_of_the_record)
{
    struct material made;
    make(&made, false, false);
    struct scaled_record other = made.scaled;
    double values[FIT_PARAMETERS], others[FIT_PARAMETERS], units[FIT_PARAMETERS];
    other.scale = made.scaled.scale / 8.0; /* displacements eight times as large */
    other.unit_s = 4.0 * made.scaled.unit_s;
    other.offset = 0.0;
    other.origin_s = 0.0;
    scaled_to_record(&other, made.parameters, values);
    scaled_parameter_units(&other, units);
    for (int p = 0; p < FIT_PARAMETERS; p++)
        ck_assert_double_eq(values[p], made.parameters[p] * units[p]);
    scaled_to_record(&made.scaled, made.parameters, others);
    ck_assert_double_eq_tol(values[FIT_OMEGA_N], others[FIT_OMEGA_N] / 4.0, 1e-12);
    ck_assert_double_eq(values[FIT_ZETA], others[FIT_ZETA]);
    ck_assert_double_eq(values[FIT_X_K], 8.0 * others[FIT_X_K]);
    ck_assert_double_eq_tol(values[FIT_BIAS], 8.0 * (others[FIT_BIAS] - made.scaled.offset), 1e-12);
    ck_assert_double_eq_tol(values[FIT_T0], 4.0 * (others[FIT_T0] - made.scaled.origin_s), 1e-12);
    clear(&made);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("decay pass");
    TCase *cases = tcase_create("cases");
    tcase_add_loop_test(cases, blocks_say_what_the_closed_form_says, 0, 4);
    tcase_add_test(cases, the_minimiser_needs_no_more_than_blocks);
    tcase_add_test(cases, impossible_parameters_have_no_finite_sum);
    tcase_add_test(cases, parameters_follow_the_units_of_the_record);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
