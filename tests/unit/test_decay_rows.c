/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is made of the closed form sample by sample, against the closed form itself. */
#include "closed_form_decay.h"
#include "identify/decay/decay_residuals.h"
#include "identify/decay/decay_rows.h"
#include "identify/decay/quantisation.h"
#include "identify/decay/residual_statistics.h"
#include "run_suite.h"

#include <string.h>

static const double STEP = 0.01;

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

/* Residual and derivatives of a sample as written on paper; 0 where it is flagged. */
static double on_paper(const struct material *made, size_t i, double row[FIT_PARAMETERS])
{
    memset(row, 0, sizeof(double[FIT_PARAMETERS]));
    if (!scaled_usable(&made->scaled, i))
        return 0.0;
    return scaled_value(&made->scaled, i) - decay_value(made->parameters, scaled_time(&made->scaled, i), row);
}

struct seen {
    const struct material *made;
    size_t next;
};

static void check_block(void *taker, const struct decay_block *block)
{
    struct seen *seen = taker;
    ck_assert_uint_eq(block->first, seen->next);
    for (size_t k = 0; k < block->count; k++, seen->next++) {
        double row[FIT_PARAMETERS];
        const double time = scaled_time(&seen->made->scaled, seen->next);
        ck_assert_double_eq_tol(block->value[k], decay_value(seen->made->parameters, time, row), 1e-12);
        for (int p = 0; p < FIT_PARAMETERS; p++)
            ck_assert_double_eq_tol(block->row[k][p], row[p], 1e-11 * (1.0 + fabs(row[p])));
    }
}

START_TEST(rows_are_those_of_the_closed_form)
{
    struct material made;
    make(&made, _i & 1, _i & 2);
    struct seen seen = {&made, made.first};
    ck_assert(decay_rows_walk(&made.scaled, made.parameters, made.first, made.last, check_block, &seen));
    ck_assert_uint_eq(seen.next, made.last);
    clear(&made);
}
END_TEST

static void never(void *taker, const struct decay_block *block)
{
    (void)taker, (void)block;
    ck_abort_msg("a block of a decay that no record can have");
}

START_TEST(impossible_parameters_have_no_rows)
{
    struct material made;
    make(&made, false, false);
    made.parameters[FIT_T0] = 1e9;
    ck_assert(!decay_rows_walk(&made.scaled, made.parameters, made.first, made.last, never, NULL));
    clear(&made);
}
END_TEST

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

START_TEST(residuals_are_what_the_closed_form_leaves)
{
    static struct taken taken;
    const double unit = 1.31;
    double values[FIT_PARAMETERS], row[FIT_PARAMETERS];
    struct material made;
    size_t next = 0;
    make(&made, _i & 1, _i & 2);
    taken.count = 0;
    scaled_to_record(&made.scaled, made.parameters, values);
    decay_residuals(&made.record, values, made.first, made.last, unit, take, &taken);
    for (size_t i = made.first; i < made.last; i++)
        if (scaled_usable(&made.scaled, i))
            ck_assert_double_eq_tol(taken.residual[next++] * unit * made.scaled.scale, on_paper(&made, i, row), 1e-12);
    ck_assert_uint_eq(taken.count, next);
    clear(&made);
}
END_TEST

/* Residuals of flagged samples count as 0, in their place. */
START_TEST(statistics_are_those_of_the_residuals)
{
    static double residual[SAMPLES];
    double squares = 0.0, row[FIT_PARAMETERS];
    struct residual_statistics found;
    struct material made;
    size_t samples = 0;
    make(&made, _i & 1, _i & 2);
    closed_form_statistics(&made.scaled, made.parameters, made.first, made.last, AR_MOST, &found);
    for (size_t i = made.first; i < made.last; i++) {
        residual[i] = on_paper(&made, i, row);
        squares += residual[i] * residual[i];
        samples += scaled_usable(&made.scaled, i);
    }
    ck_assert_uint_eq(found.samples, samples);
    ck_assert_double_eq_tol(found.sum_of_squares, squares, 1e-11 * squares);
    for (size_t lag = 0; lag <= AR_MOST; lag++) {
        double sum = 0.0;
        for (size_t i = made.first + lag; i < made.last; i++)
            sum += residual[i] * residual[i - lag];
        ck_assert_double_eq_tol(found.autocovariance[lag] * (double)samples, sum, 1e-11 * squares);
    }
    clear(&made);
}
END_TEST

/* J'(Q(m) - m) of one place on the grid and between the samples, chance's. */
static void rounded_once(const struct material *made, gsl_rng *rng, double sums[FIT_PARAMETERS])
{
    double moved[FIT_PARAMETERS], row[FIT_PARAMETERS];
    memcpy(moved, made->parameters, sizeof moved);
    moved[FIT_BIAS] += (gsl_rng_uniform(rng) - 0.5) * STEP;
    moved[FIT_X0] += (gsl_rng_uniform(rng) - 0.5) * STEP;
    moved[FIT_T0] += gsl_rng_uniform(rng) - 0.5;
    memset(sums, 0, sizeof(double[FIT_PARAMETERS]));
    for (size_t i = made->first; i < made->last; i++) {
        if (!scaled_usable(&made->scaled, i))
            continue;
        const double time = scaled_time(&made->scaled, i), m = decay_value(moved, time, NULL);
        (void)decay_value(made->parameters, time, row);
        for (int p = 0; p < FIT_PARAMETERS; p++)
            sums[p] += row[p] * (rint(m / STEP) * STEP - m);
    }
}

/* 64 places leave a mean square uncertain by sqrt(2/64) = 18 %, 400 by 7 %: together by 19 %; four of these. */
START_TEST(an_encoder_s_rounding_is_that_of_random_places)
{
    enum { PLACES = 400 };
    double found[FIT_PARAMETERS][FIT_PARAMETERS], square[FIT_PARAMETERS] = {0}, sums[FIT_PARAMETERS];
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    struct material made;
    make(&made, _i & 1, _i & 2);
    closed_form_quantisation(&made.scaled, made.parameters, made.first, made.last, STEP, NULL, found);
    for (int k = 0; k < PLACES; k++) {
        rounded_once(&made, rng, sums);
        for (int p = 0; p < FIT_PARAMETERS; p++)
            square[p] += sums[p] * sums[p] / PLACES;
    }
    for (int p = 0; p < FIT_PARAMETERS; p++)
        ck_assert_double_eq_tol(found[p][p], square[p], 0.76 * square[p]);
    gsl_rng_free(rng);
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
    Suite *suite = suite_create("decay rows");
    TCase *cases = tcase_create("cases");
    tcase_add_loop_test(cases, rows_are_those_of_the_closed_form, 0, 4);
    tcase_add_test(cases, impossible_parameters_have_no_rows);
    tcase_add_loop_test(cases, residuals_are_what_the_closed_form_leaves, 0, 4);
    tcase_add_loop_test(cases, statistics_are_those_of_the_residuals, 0, 4);
    tcase_add_loop_test(cases, an_encoder_s_rounding_is_that_of_random_places, 0, 4);
    tcase_add_test(cases, parameters_follow_the_units_of_the_record);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
