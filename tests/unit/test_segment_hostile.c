/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Signals and time stamps that no rig makes: what the sample history holds is all that is looked at, and what can be
 * identified is. */

#include "identify/decay/record.h"
#include "run_suite.h"
#include "segment/decay_law.h"
#include "segment/half_cycle.h"
#include "segment/sample_history.h"
#include "segment/segmenter.h"

#include <check.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { HELD = 300, GROWING = 6000, MOST = HELD + GROWING, SAMPLES = 2000 };

/* A history of SAMPLES samples whose value is their number, the first of them out of sight. */
static struct sample_history counted(bool stamped, uint64_t floor)
{
    static double value[SAMPLES];
    struct sample_history history;
    const struct stretch stretch = {.stamped = stamped, .period_s = 1};
    for (int i = 0; i < SAMPLES; i++)
        value[i] = i;
    sample_history_init(&history);
    sample_history_restart(&history, &stretch);
    ck_assert_int_eq(sample_history_reserve(&history, SAMPLES, SAMPLES), 0);
    sample_history_append(&history, value, stamped ? value : NULL, NULL, SAMPLES);
    sample_history_raise_floor(&history, floor);
    return history;
}

/* What of it is in memory still must not matter. */
static void let_front_go(struct sample_history *history)
{
    ck_assert_int_eq(sample_history_reserve(history, history->capacity, SIZE_MAX / 32), 0);
    ck_assert_uint_gt(history->first, 0);
}

START_TEST(hands_out_the_nearest_sample_in_sight)
{
    static const uint64_t floor = 700;
    for (int gone = 0; gone < 4; gone++) {
        struct sample_history history = counted(gone % 2, floor);
        if (gone >= 2)
            let_front_go(&history);
        static const uint64_t asked[] = {0, 699, 700, 1234, 1999, 2000, UINT64_MAX};
        static const double given[] = {700, 700, 700, 1234, 1999, 1999, 1999};
        for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
            ck_assert_double_eq(sample_history_value(&history, asked[i]), given[i]);
            ck_assert_double_eq(sample_history_position(&history, asked[i]), given[i]);
            ck_assert_uint_eq(sample_history_flags(&history, asked[i]), 0);
        }
        ck_assert_uint_eq(sample_history_at(&history, -1e300), floor);
        ck_assert_uint_eq(sample_history_at(&history, 1e300), SAMPLES);
        ck_assert_uint_eq(sample_history_at(&history, 1233.5), 1234);
        sample_history_clear(&history);
    }
}
END_TEST

START_TEST(hands_out_a_span_only_if_all_of_it_is_in_sight)
{
    struct sample_history history = counted(false, 700);
    ck_assert_ptr_null(sample_history_span(&history, 699, 800).displacement);
    ck_assert_ptr_null(sample_history_span(&history, 1900, 2001).displacement);
    ck_assert_ptr_null(sample_history_span(&history, 900, 800).displacement);
    ck_assert_ptr_null(sample_history_span(&history, UINT64_MAX - 2, 800).displacement);
    const struct sample_span span = sample_history_span(&history, 700, 2000);
    ck_assert_double_eq(span.displacement[0], 700);
    ck_assert_ptr_null(span.time_s);
    sample_history_clear(&history);
}
END_TEST

START_TEST(marks_nothing_out_of_sight)
{
    struct sample_history history = counted(false, 700);
    sample_history_mark(&history, 699, SAMPLE_CLIPPED);
    sample_history_mark(&history, 2000, SAMPLE_CLIPPED);
    ck_assert(!sample_history_clipped_within(&history, 0, UINT64_MAX));
    ck_assert(!sample_history_flagged_within(&history, 0, UINT64_MAX));
    sample_history_mark(&history, 701, SAMPLE_CLIPPED);
    ck_assert(sample_history_clipped_within(&history, 0, 702));
    ck_assert(!sample_history_clipped_within(&history, 702, 2000));
    sample_history_clear(&history);
}
END_TEST

/* Of samples that have come already but are not to be looked at yet, because other calls would have brought them later.
 */
/* Of two streams one is fed ahead: then there is a flag behind the half cycle already. Sums of the same samples are the
 * same to the last bit only if they are added up in one order. */
START_TEST(a_flag_that_comes_later_changes_no_fit)
{
    struct sample_history history = counted(false, 0);
    for (double length = 50.5; length < 700; length += 33) {
        struct half_cycle before, after;
        half_cycle_fit(&history, 10.3, length, 0.03, &before);
        sample_history_mark(&history, 1900, SAMPLE_SPIKE);
        half_cycle_fit(&history, 10.3, length, 0.03, &after);
        ck_assert(before.usable && after.usable);
        ck_assert_double_eq(before.swing, after.swing);
        ck_assert_double_eq(before.shift, after.shift);
        ck_assert_double_eq(before.residual, after.residual);
        history.flagged = 0;
    }
    sample_history_clear(&history);
}
END_TEST

START_TEST(what_comes_later_is_out_of_sight)
{
    struct sample_history history = counted(false, 700);
    sample_history_show(&history, 1000);
    ck_assert_double_eq(sample_history_value(&history, 1000), 999);
    ck_assert_uint_eq(sample_history_at(&history, 1500), 1000);
    ck_assert_ptr_null(sample_history_span(&history, 900, 1001).displacement);
    sample_history_show(&history, 10);
    ck_assert_double_eq(sample_history_value(&history, 1000), 700);
    sample_history_show(&history, UINT64_MAX);
    ck_assert_double_eq(sample_history_value(&history, 1000), 1000);
    sample_history_clear(&history);
}
END_TEST

START_TEST(keeps_the_newest_sample_in_sight)
{
    struct sample_history history = counted(false, UINT64_MAX);
    ck_assert_double_eq(sample_history_value(&history, 0), SAMPLES - 1);
    sample_history_clear(&history);
}
END_TEST

/* The nominal period that 24 time stamps teach: one a millisecond, but for the distances in `leaps`. */
static double learnt_period(const double *leaps, size_t count, double *last_position)
{
    enum { STAMPS = 24 };
    double time_s[STAMPS] = {0}, value[STAMPS] = {0};
    struct sample_history history;
    const struct stretch stretch = {.stamped = true};
    for (size_t i = 1; i < STAMPS; i++)
        time_s[i] = time_s[i - 1] + (i <= count ? leaps[i - 1] : 0.001);
    sample_history_init(&history);
    sample_history_restart(&history, &stretch);
    ck_assert_int_eq(sample_history_reserve(&history, STAMPS, STAMPS), 0);
    sample_history_append(&history, value, time_s, NULL, STAMPS);
    sample_history_learn_period(&history);
    double period_s = history.period_s;
    *last_position = sample_history_position(&history, STAMPS - 1);
    sample_history_clear(&history);
    return period_s;
}

START_TEST(holes_do_not_stretch_the_period)
{
    static const double even[] = {0.001}, far[] = {100}, farther[] = {1e9, 0.001, 1e5, 0.001, 1e7},
                        jitter[] = {0.0004, 0.0016, 0.003};
    double last;
    ck_assert_double_eq_tol(learnt_period(even, 1, &last), 0.001, 1e-15);
    ck_assert_double_eq_tol(last, 23, 1e-9);
    ck_assert_double_eq_tol(learnt_period(far, 1, &last), 0.001, 1e-12);
    ck_assert_double_eq_tol(learnt_period(farther, 5, &last), 0.001, 1e-5);
    /* Jitter and a late sample are no holes: the pace is the mean. */
    ck_assert_double_eq_tol(learnt_period(jitter, 3, &last), 0.025 / 23, 1e-12);
}
END_TEST

START_TEST(positions_are_finite_whatever_the_stamps)
{
    static const double far[] = {DBL_MAX}, huge[] = {1e300};
    double last;
    ck_assert_double_gt(learnt_period(far, 1, &last), 0);
    ck_assert_double_le(last, MOST_POSITION);
    ck_assert_double_gt(learnt_period(huge, 1, &last), 0);
    ck_assert_double_le(last, MOST_POSITION);
}
END_TEST

/* The line through pairs of such swings falls by just as much as it goes on. */
START_TEST(a_law_of_swings_that_are_large_and_small_by_turns)
{
    static const double swing[] = {1, 2, 1, 2, 1, 2, 1};
    const struct decay_law law = decay_law_fit(swing, sizeof swing / sizeof *swing);
    ck_assert(law.q > 0 && law.q <= 1);
    ck_assert_double_eq(law.x_k, 0);
}
END_TEST

/* A swing of which rounding leaves nothing is a ratio of 0, and none below. */
START_TEST(a_law_of_a_swing_that_leaves_nothing)
{
    static const double swing[] = {0.3, 1e-30, 1e-60};
    for (size_t count = 2; count <= sizeof swing / sizeof *swing; count++) {
        const struct decay_law law = decay_law_fit(swing, count);
        ck_assert(law.q >= 0 && law.q < 1e-15);
        ck_assert_double_lt(decay_law_next(&law, 0.3), 1e-15);
    }
}
END_TEST

/* What a segmenter told. */
struct told {
    size_t decays, holes;
    struct decay *latest;
};

static void on_decay(void *context, struct decay *decay)
{
    struct told *told = context;
    decay_destroy(told->latest);
    told->latest = decay;
    told->decays++;
}

static void on_hole(void *context, uint64_t lost, double at_s)
{
    struct told *told = context;
    (void)lost;
    (void)at_s;
    told->holes++;
}

static struct told told_of(const double *displacement, const double *time_s, size_t count, bool tells_gaps)
{
    struct told told = {0};
    const struct segment_listener listener = {.decay = on_decay, .hole = on_hole, .context = &told};
    struct segment_settings settings = segment_default_settings();
    settings.stamps_tell_holes = !tells_gaps;
    struct segmenter *segmenter = segmenter_create(&settings, &listener);
    ck_assert_ptr_nonnull(segmenter);
    segmenter_feed(segmenter, 0, displacement, time_s, NULL, count, 0, 0.001);
    segmenter_finish(segmenter, DECAY_END_END_OF_SOURCE);
    struct segment_state state;
    segmenter_state(segmenter, &state);
    ck_assert_uint_ge(state.samples + state.lost_samples, count);
    segmenter_destroy(segmenter);
    return told;
}

/* Nobody's decay, but nobody's crash either: half cycle after half cycle the motion begins anew, and where its first
 * turning points were has long been let go. */
START_TEST(a_motion_that_grows_is_followed_to_its_end)
{
    static double signal[MOST], time_s[MOST];
    static const double growth[] = {8.84, 20, 4, 300}, cycles[] = {188, 300, 90, 500};
    for (int i = 0; i < MOST; i++) {
        double part = (double)(i - HELD) / GROWING;
        signal[i] = i < HELD ? 1 : exp(growth[_i] * part) * cos(2 * M_PI * cycles[_i] * part);
        time_s[i] = 0.001 * i;
    }
    ck_assert_uint_eq(told_of(signal, NULL, MOST, false).decays, 0);
    ck_assert_uint_eq(told_of(signal, time_s, MOST, false).decays, 0);
}
END_TEST

enum { DECAY = 3000 };

static void write_decay(double signal[DECAY])
{
    for (int i = 0; i < DECAY; i++)
        signal[i] = 10 * exp(-2e-3 * i) * cos(2 * M_PI * 5e-3 * i);
}

/* Its pace is that of the stamps that follow, and its end is where its motion's is. */
START_TEST(a_far_first_stamp_costs_no_decay)
{
    static const double first[] = {0, 99.9, -1e3, -1e9};
    static double signal[DECAY], time_s[DECAY];
    write_decay(signal);
    for (int i = 0; i < DECAY; i++)
        time_s[i] = i == 0 ? first[_i] : 100 + 0.001 * (i - 1);
    for (int tells_gaps = 0; tells_gaps < 2; tells_gaps++) {
        struct told told = told_of(signal, time_s, DECAY, tells_gaps);
        ck_assert_uint_eq(told.decays, 1);
        const struct decay_record *record = &told.latest->record;
        ck_assert_double_eq_tol(record->period_s, 0.001, 1e-9);
        ck_assert_double_gt(record->time_s[record->count - 1], 102.5);
        decay_destroy(told.latest);
    }
}
END_TEST

/* Of a source that tells its gaps itself a late stamp is no hole. */
START_TEST(a_hole_that_its_source_denies_ends_nothing_badly)
{
    static const int rows[] = {736, 100, 1, 23, 2};
    static const double late[] = {1e5, 100, 1e9, 1e300};
    static double signal[DECAY], time_s[DECAY];
    write_decay(signal);
    for (size_t k = 0; k < sizeof late / sizeof *late; k++) {
        for (int i = 0; i < DECAY; i++)
            time_s[i] = 0.001 * i + (i >= rows[_i] ? late[k] : 0);
        for (int tells_gaps = 0; tells_gaps < 2; tells_gaps++) {
            struct told told = told_of(signal, time_s, DECAY, tells_gaps);
            decay_destroy(told.latest);
        }
    }
}
END_TEST

/* Nothing can be said of what lies between two stamps of which the later one comes first, whoever tells the gaps. */
START_TEST(stamps_that_do_not_go_on_are_a_hole)
{
    static double signal[DECAY], time_s[DECAY];
    write_decay(signal);
    for (int tells_gaps = 0; tells_gaps < 2; tells_gaps++)
        for (int back = 0; back < 2; back++) {
            for (int i = 0; i < DECAY; i++)
                time_s[i] = 0.001 * (i < 1000 ? i : i - 1 - 500 * back);
            struct told told = told_of(signal, time_s, DECAY, tells_gaps);
            ck_assert_uint_eq(told.holes, 1);
            ck_assert_uint_eq(told.decays, 2);
            decay_destroy(told.latest);
        }
}
END_TEST

/* So small that a swing that is too small to see is no double at all: nothing is divided by it. */
START_TEST(tiny_motions_are_followed_like_others)
{
    static const double scales[] = {1e-300, 1e-308, 1e-310, 1e-320, 5e-324};
    static double signal[DECAY];
    for (int growing = -1; growing <= 1; growing++) {
        for (int i = 0; i < DECAY; i++)
            signal[i] = scales[_i] * exp(growing * 0.01 * i) * cos(2 * M_PI * 2.3e-2 * i);
        struct told told = told_of(signal, NULL, DECAY, false);
        decay_destroy(told.latest);
    }
}
END_TEST

/* One at each place of the chunks that the stream is looked at in: what is found behind it is what is found without. */
START_TEST(a_wild_reading_silences_no_channel)
{
    enum { BEFORE = 400 };
    static const double wild[] = {1e30, -1e30, FLT_MAX};
    static double signal[BEFORE + DECAY];
    for (size_t k = 0; k < sizeof wild / sizeof *wild; k++) {
        for (int i = 0; i < BEFORE; i++)
            signal[i] = 10;
        write_decay(signal + BEFORE);
        signal[100 + _i] = wild[k];
        struct told told = told_of(signal, NULL, BEFORE + DECAY, false);
        ck_assert_uint_eq(told.decays, 1);
        ck_assert_double_le(told.latest->record.first_extremum_s, 0.001 * (BEFORE + 200));
        decay_destroy(told.latest);
    }
}
END_TEST

/* Five samples, of which all stamps but the last are alike: they show no half cycle. */
START_TEST(bunched_stamps_show_no_half_cycle)
{
    static const double time_s[] = {0, 1, 1 + 1e-12, 1 + 2e-12, 1 + 3e-12, 1 + 4e-12, 2},
                        value[] = {0, 1, 2, 1, 3, 1, 0};
    enum { STAMPS = sizeof time_s / sizeof *time_s };
    struct sample_history history;
    struct half_cycle half;
    const struct stretch stretch = {.stamped = true, .period_s = 1};
    sample_history_init(&history);
    sample_history_restart(&history, &stretch);
    ck_assert_int_eq(sample_history_reserve(&history, STAMPS, STAMPS), 0);
    sample_history_append(&history, value, time_s, NULL, STAMPS);
    half_cycle_fit(&history, 0.9, 0.3, 0.03, &half);
    ck_assert(!half.usable);
    sample_history_clear(&history);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("hostile signals");
    TCase *tests = tcase_create("hostile signals");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, hands_out_the_nearest_sample_in_sight);
    tcase_add_test(tests, hands_out_a_span_only_if_all_of_it_is_in_sight);
    tcase_add_test(tests, marks_nothing_out_of_sight);
    tcase_add_test(tests, a_flag_that_comes_later_changes_no_fit);
    tcase_add_test(tests, what_comes_later_is_out_of_sight);
    tcase_add_test(tests, keeps_the_newest_sample_in_sight);
    tcase_add_test(tests, holes_do_not_stretch_the_period);
    tcase_add_test(tests, positions_are_finite_whatever_the_stamps);
    tcase_add_test(tests, a_law_of_swings_that_are_large_and_small_by_turns);
    tcase_add_test(tests, a_law_of_a_swing_that_leaves_nothing);
    tcase_add_loop_test(tests, a_motion_that_grows_is_followed_to_its_end, 0, 4);
    tcase_add_loop_test(tests, a_far_first_stamp_costs_no_decay, 0, 4);
    tcase_add_loop_test(tests, a_hole_that_its_source_denies_ends_nothing_badly, 0, 5);
    tcase_add_loop_test(tests, tiny_motions_are_followed_like_others, 0, 5);
    tcase_add_test(tests, stamps_that_do_not_go_on_are_a_hole);
    tcase_add_loop_test(tests, a_wild_reading_silences_no_channel, 0, 16);
    tcase_add_test(tests, bunched_stamps_show_no_half_cycle);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
