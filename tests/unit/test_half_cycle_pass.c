/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The fast passes against the direct form, sample by sample, for every kind of processor that this one can be. */
#include "closed_form_decay.h"
#include "identify/common/sample_pass.h"
#include "identify/decay/half_cycle_pass.h"
#include "identify/decay/half_cycle_walk.h"
#include "run_suite.h"

#include <string.h>

static const double relative = 1e-12;

/* J'J, J'r and r'r as written on paper. */
static struct normal_equations direct(const struct scaled_record *scaled, const double *parameters, size_t first,
                                      size_t last)
{
    struct normal_equations normal = {0};
    for (size_t i = first; i < last; i++) {
        double row[FIT_PARAMETERS] = {0};
        if (!scaled_usable(scaled, i))
            continue;
        double r = scaled_value(scaled, i) - decay_value(parameters, scaled_time(scaled, i), row);
        for (int p = 0; p < FIT_PARAMETERS; p++) {
            normal.gradient[p] += row[p] * r;
            for (int q = 0; q < FIT_PARAMETERS; q++)
                normal.matrix[p][q] += row[p] * row[q];
        }
        normal.sum_of_squares += r * r;
        normal.samples++;
    }
    return normal;
}

/* Sums of terms of both signs are compared by what their terms can reach. */
static void check_same(const struct normal_equations *fast, const struct normal_equations *paper)
{
    ck_assert_uint_eq(fast->samples, paper->samples);
    ck_assert_double_eq_tol(fast->sum_of_squares, paper->sum_of_squares, relative * paper->sum_of_squares);
    for (int p = 0; p < FIT_PARAMETERS; p++) {
        double reach = sqrt(paper->matrix[p][p] * paper->sum_of_squares);
        ck_assert_double_eq_tol(fast->gradient[p], paper->gradient[p], relative * reach);
        for (int q = 0; q < FIT_PARAMETERS; q++)
            ck_assert_double_eq_tol(fast->matrix[p][q], paper->matrix[p][q],
                                    relative * sqrt(paper->matrix[p][p] * paper->matrix[q][q]));
    }
}

static void check_kinds(const struct scaled_record *scaled, const double *parameters, size_t first, size_t last)
{
    struct normal_equations paper = direct(scaled, parameters, first, last), fast;
    for (enum lanes_kind kind = LANES_OF_2; kind <= lanes_widest(); kind++) {
        closed_form_normal_equations_with(kind, scaled, parameters, first, last, &fast);
        check_same(&fast, &paper);
    }
    closed_form_normal_equations(scaled, parameters, first, last, &fast);
    check_same(&fast, &paper);
}

/* A noisy record and parameters that are a little off, scaled. */
static struct decay_record off_record(double per_cycle, size_t count, double parameters[FIT_PARAMETERS], double **y)
{
    struct true_decay truth = {31.0, 0.02, 0.01, 0.0, -1.3, 0.4, 0.013};
    struct sampling sampling = {.period_s = 2 * M_PI / 31.0 / per_cycle, .count = count, .noise = 0.01};
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    struct decay_record record = measured_record(&truth, &sampling, rng, y);
    gsl_rng_free(rng);
    const double values[FIT_PARAMETERS] = {31.02, 0.021, 0.009, -1.31, 0.39, 0.0131};
    memcpy(parameters, values, sizeof values);
    return record;
}

START_TEST(every_length_and_density_is_summed_right)
{
    static const double per_cycle[] = {5.3, 20.0, 97.0, 2000.0};
    for (size_t d = 0; d < 4; d++) {
        double *y, values[FIT_PARAMETERS], parameters[FIT_PARAMETERS];
        struct scaled_record scaled;
        struct decay_record record = off_record(per_cycle[d], 3000, values, &y);
        ck_assert_int_eq(scaled_record_from(&record, 7, &scaled), VERDICT_OK);
        scaled_from_record(&scaled, values, parameters);
        for (size_t length = 1; length < 70; length++)
            check_kinds(&scaled, parameters, 11, 11 + length);
        check_kinds(&scaled, parameters, 0, 3000);
        free(y);
    }
}
END_TEST

START_TEST(flagged_samples_and_stamps_are_summed_right)
{
    double *y, values[FIT_PARAMETERS], parameters[FIT_PARAMETERS], stamps[2000];
    uint8_t flags[2000] = {0};
    struct scaled_record scaled;
    struct decay_record record = off_record(60.0, 2000, values, &y);
    for (size_t i = 0; i < 2000; i++)
        stamps[i] = record.period_s * ((double)i + 0.3 * sin((double)(i * i)));
    for (size_t i = 5; i < 2000; i += 1 + i % 37) {
        flags[i] = SAMPLE_SPIKE;
        y[i] = i % 3 ? NAN : 1e300;
    }
    record.flags = flags;
    for (int stamped = 0; stamped < 2; stamped++) {
        record.time_s = stamped ? stamps : NULL;
        ck_assert_int_eq(scaled_record_from(&record, 7, &scaled), VERDICT_OK);
        ck_assert_int_eq(scaled.uniform, !stamped);
        scaled_from_record(&scaled, values, parameters);
        check_kinds(&scaled, parameters, 0, 2000);
        check_kinds(&scaled, parameters, 700, 703);
    }
    free(y);
}
END_TEST

/* A half cycle of a million samples: what the rotations gather by rounding stays out of the sums. */
START_TEST(rotations_do_not_drift)
{
    enum { N = 1000000 };
    double parameters[FIT_PARAMETERS] = {0.9 * M_PI / N, 0.1, 0.0, 1.0, 0.0, 0.0};
    struct decay_shape shape = decay_shape(parameters);
    double *g = malloc(N * sizeof *g), *s = malloc(N * sizeof *s);
    ck_assert(g && s);
    for (enum lanes_kind kind = LANES_OF_2; kind <= lanes_widest(); kind++) {
        struct half_cycle_pass pass = half_cycle_pass_with(kind, &shape, 0.0, 1.0);
        half_cycle_bases(&pass, 0.1, N, g, s);
        for (size_t i = 0; i < N; i += 999) {
            double base[DECAY_BASES];
            decay_base_at(&shape, 0.1 + (double)i * shape.omega_d, base);
            ck_assert_double_eq_tol(g[i], base[BASE_G], 1e-13);
            ck_assert_double_eq_tol(s[i], base[BASE_S], 1e-13);
        }
    }
    free(g);
    free(s);
}
END_TEST

START_TEST(rounding_is_summed_right)
{
    const struct rounded_curve curve = {0.7, 93.1, -0.31};
    for (enum lanes_kind kind = LANES_OF_2; kind <= lanes_widest(); kind++)
        for (size_t count = 1; count <= ROUNDED_MOST; count += 1 + count / 8) {
            struct rounded_samples samples = {.count = (count + 7) / 8 * 8};
            double fast[DECAY_BASES], paper[DECAY_BASES] = {0};
            for (size_t i = 0; i < count; i++) {
                double theta = 0.003 + 0.012 * (double)i, g = cos(theta), s = sin(theta);
                const double base[DECAY_BASES] = {1.0, g, s, theta * g, theta * s};
                double m = curve.constant + curve.g_part * g + curve.s_part * s;
                samples.g[i] = g;
                samples.s[i] = s;
                samples.theta[i] = theta;
                samples.weight[i] = 1.0;
                for (int b = 0; b < DECAY_BASES; b++)
                    paper[b] += base[b] * (round(m) - m);
            }
            rounding_sums(kind, &samples, &curve, fast);
            for (int b = 0; b < DECAY_BASES; b++)
                ck_assert_double_eq_tol(fast[b], paper[b], 1e-11 * (double)count);
        }
}
END_TEST

START_TEST(lagged_products_are_summed_right)
{
    enum { N = 203, LAGS = 25 };
    double values[LAGS + N];
    for (size_t i = 0; i < LAGS + N; i++)
        values[i] = sin((double)(i * i));
    for (enum lanes_kind kind = LANES_OF_2; kind <= lanes_widest(); kind++)
        for (size_t count = 0; count < N; count += 7) {
            double fast[LAGS] = {0};
            lagged_products(kind, values + LAGS, count, 0, LAGS, fast);
            for (size_t lag = 0; lag < LAGS; lag++) {
                double paper = 0;
                for (size_t i = 0; i < count; i++)
                    paper += values[LAGS + i] * values[LAGS + i - lag];
                ck_assert_double_eq_tol(fast[lag], paper, 1e-12);
            }
        }
}
END_TEST

/* Values whose extremes and steepest step are where they are put, in every place of every length. */
START_TEST(plain_samples_are_looked_at_right)
{
    double values[40];
    for (enum lanes_kind kind = LANES_OF_2; kind <= lanes_widest(); kind++)
        for (size_t count = 1; count < 40; count++)
            for (size_t at = 0; at < count; at++) {
                double sum = 0, squares = 0;
                for (size_t i = 0; i < count; i++)
                    values[i] = 5.0 + sin((double)(i * i));
                values[at] = at % 2 ? 9.0 : -3.0;
                struct sample_extremes extremes = sample_extremes_of(kind, values, count);
                double low = INFINITY, high = -INFINITY, step = 0;
                for (size_t i = 0; i < count; i++) {
                    low = fmin(low, values[i]);
                    high = fmax(high, values[i]);
                    step = i ? fmax(step, fabs(values[i] - values[i - 1])) : 0;
                    sum += values[i] - 4.0;
                    if (i >= 6) {
                        const double *y = values + i - 6;
                        squares += pow(y[0] - 6 * y[1] + 15 * y[2] - 20 * y[3] + 15 * y[4] - 6 * y[5] + y[6], 2);
                    }
                }
                ck_assert(extremes.finite);
                ck_assert_double_eq(extremes.lowest, low);
                ck_assert_double_eq(extremes.highest, high);
                ck_assert_double_eq_tol(extremes.largest_step, step, 1e-14);
                double blocks[2];
                sample_block_sums(kind, values, count, 1, 4.0, 2.0, blocks);
                ck_assert_double_eq_tol(blocks[0], 2.0 * sum, 1e-12);
                sample_block_sums(kind, values, count / 2, 2, 0.0, 1.0, blocks);
                ck_assert_double_eq_tol(blocks[0] + blocks[1],
                                        sum + 4.0 * (double)count - (count % 2 ? values[count - 1] : 0), 1e-12);
                ck_assert_double_eq_tol(sixth_difference_squares(kind, values, count), squares, 1e-12 * (1 + squares));
                values[at] = at % 3 ? NAN : -INFINITY;
                ck_assert(!sample_extremes_of(kind, values, count).finite);
            }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("half cycle pass");
    TCase *tests = tcase_create("passes");
    suite_add_tcase(suite, tests);
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, every_length_and_density_is_summed_right);
    tcase_add_test(tests, flagged_samples_and_stamps_are_summed_right);
    tcase_add_test(tests, rotations_do_not_drift);
    tcase_add_test(tests, rounding_is_summed_right);
    tcase_add_test(tests, plain_samples_are_looked_at_right);
    tcase_add_test(tests, lagged_products_are_summed_right);
    return run_suite(suite);
}
