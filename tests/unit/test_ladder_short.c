/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Short decays of every rung: what they do not show is in the combined uncertainty, and their extrema agree with their
 * samples. */
#include "identify/decay/identify_ladder.h"
#include "identify/decay/rung_of_model.h"
#include "ladder_campaign.h"
#include "run_suite.h"

#include <stdio.h>

/* What a campaign counts. */
struct count {
    int records, estimates, held; /* combined intervals of recommended figures, and those that hold the truth */
    int compared, contradicted;   /* friction of the extrema with that of the samples */
};

static const struct estimate *recommended(const struct identification *found, enum fit_parameter p)
{
    return found->recommended == RECOMMENDED_LADDER ? &found->ladder->estimate[ladder_parameter_of(p)]
                                                    : &found->fit.estimate[p];
}

/* Whether a term that generated the record was not chosen: it is too faint. */
static bool lacks_term(const struct ladder_record *record, const struct ladder *ladder)
{
    return record->terms & ~ladder->models[ladder->chosen].terms;
}

static void count_intervals(const struct ladder_record *record, const struct identification *found, struct count *count)
{
    static const enum fit_parameter figures[] = {FIT_OMEGA_N, FIT_ZETA, FIT_X_K};
    for (size_t k = 0; k < sizeof figures / sizeof *figures; k++) {
        const struct estimate *estimate = recommended(found, figures[k]);
        const double truth = record->truth[ladder_parameter_of(figures[k])];
        ck_assert(estimate->combined.known);
        count->estimates++;
        count->held += estimate->combined.low <= truth && truth <= estimate->combined.high;
    }
}

static void count_record(unsigned seed, const struct ladder_range *range, bool unseen, struct count *count)
{
    const struct identify_settings settings = {.physical = physical_default_settings()};
    struct identification found;
    struct ladder_record record = ladder_record_make(seed, range);
    identify(&record.record, NULL, &settings, &found);
    ck_assert_int_eq(identify_ladder(&record.record, &settings, &found), VERDICT_OK);
    const struct ladder_consistency *consistency = &found.ladder->consistency;
    count->records++;
    count->compared += consistency->errors >= 0;
    count->contradicted += consistency->contradicts;
    if (!unseen || lacks_term(&record, found.ladder))
        count_intervals(&record, &found, count);
    identification_clear(&found);
    ladder_record_clear(&record);
}

/* In half of these records a term is not significant. Another one takes its place, by as much as ten of its own
 * standard errors. */
START_TEST(a_term_that_is_not_seen_is_in_the_combined_uncertainty)
{
    static const struct ladder_range faint = {
        .half_cycles_most = 21, .samples_a_cycle = 40, .half_cycles_least = 14, .faintness = 0.1};
    struct count count = {0};
    for (unsigned seed = 300; seed < 350; seed++)
        count_record(seed, &faint, true, &count);
    printf("%d of %d intervals hold the truth\n", count.held, count.estimates);
    ck_assert_int_ge(count.estimates, 50);
    ck_assert_double_ge(count.held, 0.9 * count.estimates);
}
END_TEST

/* Extrema are placed by the closed form's bend, and presliding, drag and unsteady springs bend otherwise. */
START_TEST(extrema_agree_with_the_samples)
{
    static const struct ladder_range whole = {.half_cycles_most = 21, .samples_a_cycle = 80, .half_cycles_least = 14};
    struct count count = {0};
    for (unsigned seed = 314; seed < 356; seed++)
        count_record(seed, &whole, false, &count);
    printf("%d of %d contradict\n", count.contradicted, count.compared);
    ck_assert_int_ge(count.compared, 20);
    ck_assert_int_eq(count.contradicted, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ladder on short decays");
    TCase *cases = tcase_create("cases");
    tcase_set_timeout(cases, 120);
    tcase_add_test(cases, a_term_that_is_not_seen_is_in_the_combined_uncertainty);
    tcase_add_test(cases, extrema_agree_with_the_samples);
    suite_add_tcase(suite, cases);
    return run_suite(suite);
}
