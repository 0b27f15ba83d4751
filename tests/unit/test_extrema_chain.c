/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records of more extrema than are kept: what the methods say of the thinned chain must be true of the decay. */
#include "decay_grid.h"
#include "identify/decay/decay_model.h"
#include "identify/decay/extrema_chain.h"
#include "identify/decay/identify.h"
#include "run_suite.h"

#include <string.h>

enum { SEED = 20070426 };

/* Twenty samples a cycle, from a third of a half cycle before the first extremum. */
static struct grid_decay long_decay(double half_cycles, double zeta, double x_k)
{
    struct grid_decay decay = {
        .truth = {.omega_n = 10.0 * M_PI, .zeta = zeta, .x_k = x_k, .x0 = -1.0, .bias = 0.2},
        .sampling = {.noise = 0.001},
        .half_cycles = half_cycles,
    };
    const double half_period = M_PI / true_omega_d(&decay.truth);
    decay.truth.t0 = 0.3 * half_period;
    decay.sampling.period_s = half_period / 10.0;
    decay.sampling.count = (size_t)((half_cycles + 0.5) * 10.0);
    return decay;
}

static struct decay_record record_of(const struct grid_decay *decay, const double *y)
{
    return (struct decay_record){.displacement = y,
                                 .count = decay->sampling.count,
                                 .period_s = decay->sampling.period_s,
                                 .first_extremum_s = NAN};
}

static double *measured(const struct grid_decay *decay)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
    double *y = decay_samples(decay);
    gsl_rng_set(rng, SEED);
    measure_samples(y, decay, rng, y);
    gsl_rng_free(rng);
    return y;
}

/* Each one `stride` half cycles behind the other, on the other side, to the record's end: none was missed or counted
 * twice where parts of the record meet. */
START_TEST(none_is_missed_or_counted_twice)
{
    const double half_cycles[] = {3000, 6000, 14000, 40000};
    const size_t stride[] = {1, 3, 9, 27};
    for (size_t k = 0; k < 4; k++) {
        const struct grid_decay decay = long_decay(half_cycles[k], 0.5 / half_cycles[k], 0.05 / half_cycles[k]);
        const double half_period = M_PI / true_omega_d(&decay.truth);
        double *y = measured(&decay);
        const struct decay_record record = record_of(&decay, y);
        struct extrema_chain chain;
        ck_assert_int_eq(extrema_chain_find(&record, NULL, &chain), VERDICT_OK);
        ck_assert_uint_le(chain.count, EXTREMA_MOST);
        ck_assert_uint_eq(chain.stride, stride[k]);
        for (size_t n = 0; n < chain.count; n++) {
            const double time = decay.truth.t0 + (double)(n * chain.stride) * half_period;
            ck_assert_double_eq_tol(chain.extrema[n].time_s, time, 0.05 * half_period);
            ck_assert_double_le(fabs((double)chain.extrema[n].index * record.period_s - time), 0.1 * half_period);
        }
        ck_assert_uint_gt(chain.count * chain.stride + chain.stride, (size_t)half_cycles[k] - 1);
        extrema_chain_clear(&chain);
        free(y);
    }
}
END_TEST

/* With times of their own, and some samples that do not count: the same extrema as without. */
START_TEST(parts_know_their_times_and_flags)
{
    const struct grid_decay decay = long_decay(12000, 4e-5, 5e-6);
    const size_t count = decay.sampling.count;
    double *y = measured(&decay), *time_s = malloc(count * sizeof *time_s);
    uint8_t *flags = calloc(count, 1);
    ck_assert(time_s && flags);
    const struct decay_record plain = record_of(&decay, y);
    for (size_t i = 0; i < count; i++)
        time_s[i] = 1000.0 + (double)i * plain.period_s;
    struct decay_record stamped = plain;
    stamped.time_s = time_s;
    stamped.start_s = 1000.0;
    stamped.flags = flags;
    for (size_t i = 500; i < count; i += 997) {
        flags[i] = SAMPLE_SPIKE;
        y[i] = 50.0;
    }
    struct decay_record flagged = plain;
    flagged.flags = flags;
    struct extrema_chain one, other;
    ck_assert_int_eq(extrema_chain_find(&flagged, NULL, &one), VERDICT_OK);
    ck_assert_int_eq(extrema_chain_find(&stamped, NULL, &other), VERDICT_OK);
    ck_assert_uint_eq(one.stride, 3);
    ck_assert_uint_eq(one.count, other.count);
    ck_assert_uint_ge(one.count, 3999);
    for (size_t n = 0; n < one.count; n++) {
        ck_assert_uint_eq(one.extrema[n].index, other.extrema[n].index);
        ck_assert_double_eq_tol(one.extrema[n].time_s + 1000.0, other.extrema[n].time_s, 1e-3 * plain.period_s);
    }
    extrema_chain_clear(&one);
    extrema_chain_clear(&other);
    free(flags);
    free(time_s);
    free(y);
}
END_TEST

static void agrees(const struct estimate *estimate, double truth)
{
    ck_assert_double_gt(estimate->se, 0);
    ck_assert_double_le(fabs(estimate->value - truth), 5 * estimate->se);
}

/* The standard errors are those of the extrema that are kept, and not of more. */
START_TEST(the_methods_answer_for_the_decay)
{
    const struct grid_decay decay = long_decay(14000, 4e-5, 5e-6);
    double *y = measured(&decay);
    const struct decay_record record = record_of(&decay, y);
    const struct identify_settings settings = {.physical = physical_default_settings()};
    struct identification found;
    ck_assert_int_eq(identify(&record, NULL, &settings, &found), VERDICT_OK);
    const struct extrema_fit *fit = &found.extrema_fit;
    ck_assert_int_eq(fit->verdict, VERDICT_OK);
    agrees(&fit->estimate[FIT_ZETA], decay.truth.zeta);
    agrees(&fit->estimate[FIT_X_K], decay.truth.x_k);
    agrees(&fit->estimate[FIT_OMEGA_N], decay.truth.omega_n);
    agrees(&fit->estimate[FIT_X0], decay.truth.x0);
    agrees(&fit->estimate[FIT_BIAS], decay.truth.bias);
    ck_assert_double_lt(fit->estimate[FIT_ZETA].se, 0.01 * decay.truth.zeta);
    ck_assert_int_eq(found.jacobsen_ayre.verdict, VERDICT_OK);
    agrees(&found.jacobsen_ayre.zeta, decay.truth.zeta);
    agrees(&found.jacobsen_ayre.x_k, decay.truth.x_k);
    const struct decrement *decrement = &found.decrement;
    ck_assert_int_eq(decrement->verdict, VERDICT_OK);
    ck_assert_double_le(fabs(decrement->beta - true_beta(&decay.truth)), decrement->bound_beta);
    ck_assert_uint_gt(decrement->m, 10000);
    ck_assert_double_le(fabs(decrement->zeta.mean - decay.truth.zeta),
                        5 * decrement->zeta.sd / sqrt((double)decrement->zeta.count));
    size_t half_cycles = 0;
    for (size_t n = 0; n < found.windows.count; n++)
        half_cycles += found.windows.window[n].half_cycles;
    ck_assert_uint_ge(half_cycles, 13900);
    ck_assert_uint_le(half_cycles, 14001);
    identification_clear(&found);
    free(y);
}
END_TEST

/* Without noise the answers are the decay's own: beta is taken down by the stride, and friction by what s half cycles
 * of it add up to. */
START_TEST(exact_chains_give_exact_answers)
{
    const size_t strides[] = {3, 9, 27};
    for (size_t k = 0; k < 3; k++) {
        const size_t stride = strides[k];
        const double parameters[FIT_PARAMETERS] = {
            [FIT_OMEGA_N] = 10.0, [FIT_ZETA] = 4e-4, [FIT_X_K] = 1e-4, [FIT_X0] = 1.0};
        enum { COUNT = 40 };
        double all[COUNT * 27];
        struct extremum extrema[COUNT];
        decay_extrema(parameters, 0.0, all, COUNT * stride);
        for (size_t n = 0; n < COUNT; n++)
            extrema[n] = (struct extremum){.time_s = (double)(n * stride) * decay_shape(parameters).half_period,
                                           .displacement = all[n * stride]};
        struct extrema_fit fit;
        struct decrement decrement;
        struct jacobsen_ayre jacobsen;
        ck_assert_int_eq(extrema_fit(extrema, COUNT, &fit), VERDICT_OK);
        extrema_fit_of_decay(stride, &fit);
        ck_assert_double_eq_tol(fit.estimate[FIT_ZETA].value / parameters[FIT_ZETA], 1.0, 1e-6);
        ck_assert_double_eq_tol(fit.estimate[FIT_X_K].value / parameters[FIT_X_K], 1.0, 1e-6);
        ck_assert_double_eq_tol(fit.estimate[FIT_OMEGA_N].value / parameters[FIT_OMEGA_N], 1.0, 1e-9);
        ck_assert_int_eq(decrement_identify(extrema, COUNT, 1e-9, &decrement), VERDICT_OK);
        decrement_of_decay(stride, &decrement);
        ck_assert_double_eq_tol(decrement.zeta_m / parameters[FIT_ZETA], 1.0, 1e-6);
        ck_assert_double_eq_tol(decrement.x_k_m / parameters[FIT_X_K], 1.0, 1e-6);
        ck_assert_double_eq_tol(decrement.zeta.mean / parameters[FIT_ZETA], 1.0, 1e-6);
        ck_assert_double_eq_tol(decrement.x_k.mean / parameters[FIT_X_K], 1.0, 1e-6);
        decrement_clear(&decrement);
        ck_assert_int_eq(jacobsen_ayre(extrema, COUNT, &jacobsen), VERDICT_OK);
        jacobsen_ayre_of_decay(stride, &jacobsen);
        ck_assert_double_eq_tol(jacobsen.zeta.value / parameters[FIT_ZETA], 1.0, 1e-6);
        ck_assert_double_eq_tol(jacobsen.x_k.value / parameters[FIT_X_K], 1.0, 1e-6);
    }
}
END_TEST

/* Viscous damping alone for the one, friction alone for the other. */
START_TEST(the_classical_decrements_as_well)
{
    enum { COUNT = 50, STRIDE = 9 };
    for (int friction = 0; friction < 2; friction++) {
        const double parameters[FIT_PARAMETERS] = {[FIT_OMEGA_N] = 10.0,
                                                   [FIT_ZETA] = friction ? 0.0 : 1e-3,
                                                   [FIT_X_K] = friction ? 5e-4 : 0.0,
                                                   [FIT_X0] = 1.0};
        double all[COUNT * STRIDE];
        struct extremum extrema[COUNT];
        decay_extrema(parameters, 0.0, all, COUNT * STRIDE);
        for (size_t n = 0; n < COUNT; n++)
            extrema[n] = (struct extremum){.time_s = (double)n, .displacement = all[n * STRIDE]};
        struct logarithmic_decrement logarithmic;
        struct linear_decrement linear;
        if (friction) {
            ck_assert_int_eq(linear_decrement(extrema, COUNT, STRIDE, &linear), VERDICT_OK);
            ck_assert_double_eq_tol(linear.x_k.value / parameters[FIT_X_K], 1.0, 1e-9);
            ck_assert_double_eq_tol(linear.per_cycle / parameters[FIT_X_K], 4.0, 1e-8);
        } else {
            ck_assert_int_eq(logarithmic_decrement(extrema, COUNT, STRIDE, &logarithmic), VERDICT_OK);
            ck_assert_double_eq_tol(logarithmic.zeta.value / parameters[FIT_ZETA], 1.0, 1e-9);
            ck_assert_double_eq_tol(logarithmic.delta / (2.0 * M_PI * decay_shape(parameters).beta), 1.0, 1e-9);
        }
    }
}
END_TEST

/* Six thousand half cycles of friction alone, then rest where the last one ended. */
START_TEST(the_rest_behind_a_thinned_chain_is_seen)
{
    enum { HALF_CYCLES = 6000, AT_REST = 400 };
    struct grid_decay decay = long_decay(HALF_CYCLES, 0.0, 1.0 / (2.0 * HALF_CYCLES + 0.6));
    decay.truth.bias = 0.0;
    decay.sampling.noise = 1e-6;
    const double left = fabs(decay.truth.x0) - 2.0 * HALF_CYCLES * decay.truth.x_k;
    const size_t moving = (size_t)ceil((decay.truth.t0 / decay.sampling.period_s) + 10.0 * HALF_CYCLES);
    decay.sampling.count = moving + AT_REST;
    double *y = measured(&decay);
    for (size_t i = moving; i < decay.sampling.count; i++)
        y[i] = -left + 1e-6 * sin((double)(i * i)); /* an even number of half cycles: on the side of X_0 */
    const struct decay_record record = record_of(&decay, y);
    const struct identify_settings settings = {.physical = physical_default_settings()};
    struct identification found;
    ck_assert_int_eq(identify(&record, NULL, &settings, &found), VERDICT_OK);
    ck_assert_double_eq_tol(found.rest.position, -left, 1e-6);
    ck_assert_int_eq(found.static_friction.verdict, VERDICT_OK);
    ck_assert_double_le(found.static_friction.x_s_min, decay.truth.x_k * 1.01);
    identification_clear(&found);
    free(y);
}
END_TEST

int main(void)
{
    printf("seed %d\n", SEED);
    Suite *suite = suite_create("extrema chain");
    TCase *tests = tcase_create("chain");
    suite_add_tcase(suite, tests);
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, none_is_missed_or_counted_twice);
    tcase_add_test(tests, parts_know_their_times_and_flags);
    tcase_add_test(tests, the_methods_answer_for_the_decay);
    tcase_add_test(tests, exact_chains_give_exact_answers);
    tcase_add_test(tests, the_classical_decrements_as_well);
    tcase_add_test(tests, the_rest_behind_a_thinned_chain_is_seen);
    return run_suite(suite);
}
