/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a channel's releases say together about a term that each of them leaves open. */
#include "identify/ladder/earlier_releases.h"
#include "run_suite.h"

#include <math.h>

#define BOTH (LADDER_BIT(LADDER_ZETA) | LADDER_BIT(LADDER_X_K))

/* A ladder that chose viscous damping and friction, and whose rung with drag has this one. */
static struct ladder ladder_with_drag(double drag, double spread)
{
    static struct ladder ladder;
    ladder_not_made(&ladder, VERDICT_NOT_COMPUTED);
    ladder.verdict = VERDICT_OK;
    for (size_t n = 0; n < LADDER_RUNGS; n++) {
        struct ladder_model *model = &ladder.models[n];
        if (model->terms == BOTH) {
            ladder.chosen = n;
            model->verdict = VERDICT_OK;
        } else if (model->terms == (BOTH | LADDER_BIT(LADDER_DRAG))) {
            model->verdict = VERDICT_OK;
            model->unbounded[LADDER_DRAG] = drag;
            model->spread[LADDER_DRAG] = spread;
        }
    }
    return ladder;
}

static void add(struct earlier_releases *earlier, uint64_t id, double drag)
{
    const struct ladder ladder = ladder_with_drag(drag, 1);
    earlier_releases_add(earlier, id, &ladder);
}

START_TEST(without_any_a_release_counts_by_itself)
{
    const struct earlier_releases none = {.count = 0};
    struct ladder ladder = ladder_with_drag(0.5, 1);
    earlier_releases_ask(&none, &ladder);
    ck_assert_uint_eq(ladder.unseen.releases, 0);
    ck_assert_double_eq(ladder.unseen.share[LADDER_DRAG], 1);
}
END_TEST

/* Three and this one: mean (1 + 0 - 1 + 2)/4, variance 1/4, beside 2 and 1; a drag below 0 counts as none. */
START_TEST(the_mean_and_its_variance_count)
{
    struct earlier_releases earlier = {.count = 0};
    struct ladder ladder = ladder_with_drag(2, 1), below = ladder_with_drag(-2, 1);
    add(&earlier, 1, 1);
    add(&earlier, 2, 0);
    add(&earlier, 3, -1);
    earlier_releases_ask(&earlier, &ladder);
    ck_assert_uint_eq(ladder.unseen.releases, 3);
    ck_assert_double_eq_tol(ladder.unseen.share[LADDER_DRAG], (0.25 + 0.25) / (4 + 1), 1e-12);
    ck_assert_double_eq(ladder.unseen.share[LADDER_CUBIC], 1);
    earlier_releases_ask(&earlier, &below);
    ck_assert_double_eq_tol(below.unseen.share[LADDER_DRAG], 0.25, 1e-12);
}
END_TEST

START_TEST(a_rig_that_changed_is_asked_anew)
{
    struct earlier_releases earlier = {.count = 0};
    struct ladder changed = ladder_with_drag(9, 1);
    for (uint64_t id = 1; id <= 5; id++)
        add(&earlier, id, 0);
    earlier_releases_ask(&earlier, &changed);
    ck_assert_uint_eq(changed.unseen.releases, 0);
    ck_assert_double_eq(changed.unseen.share[LADDER_DRAG], 1);
    earlier_releases_add(&earlier, 6, &changed);
    ck_assert_uint_eq(earlier.count, 1);
}
END_TEST

START_TEST(a_release_counts_once_and_those_behind_it_do_not)
{
    struct earlier_releases earlier = {.count = 0}, before;
    for (uint64_t id = 1; id <= EARLIER_RELEASES_MOST + 3; id++)
        add(&earlier, id, 0);
    ck_assert_uint_eq(earlier.count, EARLIER_RELEASES_MOST);
    ck_assert_uint_eq(earlier.release[0].id, 4);
    add(&earlier, 10, 0.1);
    add(&earlier, 2, 0.1);
    ck_assert_uint_eq(earlier.count, EARLIER_RELEASES_MOST);
    ck_assert_uint_eq(earlier.release[0].id, 4);
    ck_assert_double_eq(earlier.release[6].value[LADDER_DRAG], 0.1);
    earlier_releases_before(&earlier, 10, &before);
    ck_assert_uint_eq(before.count, 6);
}
END_TEST

START_TEST(another_rung_is_not_asked)
{
    struct earlier_releases earlier = {.count = 0};
    struct ladder ladder = ladder_with_drag(0, 1);
    add(&earlier, 1, 0);
    earlier.release[0].terms[LADDER_DRAG] = LADDER_BIT(LADDER_ZETA) | LADDER_BIT(LADDER_DRAG);
    earlier_releases_ask(&earlier, &ladder);
    ck_assert_uint_eq(ladder.unseen.releases, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("earlier releases");
    TCase *tests = tcase_create("terms");
    suite_add_tcase(suite, tests);
    tcase_add_test(tests, without_any_a_release_counts_by_itself);
    tcase_add_test(tests, the_mean_and_its_variance_count);
    tcase_add_test(tests, a_rig_that_changed_is_asked_anew);
    tcase_add_test(tests, a_release_counts_once_and_those_behind_it_do_not);
    tcase_add_test(tests, another_rung_is_not_asked);
    return run_suite(suite);
}
