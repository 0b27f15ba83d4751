/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the ladder takes of records that are too long for it. */
#include "identify/loop/friction_ladder.h"
#include "identify/loop/ladder_excerpt.h"
#include "run_suite.h"

#include <math.h>
#include <stdlib.h>

enum { MOST = FRICTION_LADDER_SAMPLES_MOST };

START_TEST(no_more_is_left_out_than_a_ladder_cannot_take)
{
    static const struct {
        size_t samples, loops, every, taken, left_out;
    } rows[] = {
        {MOST, 10, 1, MOST, 0},                     /* not too long */
        {MOST + 1, 1000, 1, MOST, 1},               /* of 300 a loop each is wanted */
        {2 * MOST, 20, 2, MOST, 0},                 /* of 30,000 a loop every second is enough */
        {2 * MOST + 1, 20, 3, MOST * 2 / 3 + 1, 0}, /* and the last one is in it */
        {6 * MOST, 450, 2, MOST, 4 * MOST},         /* of 4000 a loop no fewer than 2000 are taken */
    };
    const size_t count = rows[_i].samples;
    double *room = calloc(3 * count, sizeof *room);
    ck_assert_ptr_nonnull(room);
    for (size_t i = 0; i < count; i++) {
        room[i] = (double)i;
        room[count + i] = sin(2 * M_PI * (double)(i * rows[_i].loops) / (double)count);
        room[2 * count + i] = -(double)i;
    }
    const struct loop_signal signal = {
        .time_s = room, .displacement = room + count, .force = room + 2 * count, .count = count};
    struct ladder_excerpt excerpt;
    ck_assert_int_eq(ladder_excerpt_make(&signal, rows[_i].loops, &excerpt), 0);
    ck_assert_uint_eq(excerpt.every, rows[_i].every);
    ck_assert_uint_eq(excerpt.signal.count, rows[_i].taken);
    ck_assert_uint_eq(excerpt.left_out, rows[_i].left_out);
    for (size_t i = 0; i < excerpt.signal.count; i += 1000) {
        ck_assert_double_eq(excerpt.signal.time_s[i], (double)(i * excerpt.every));
        ck_assert_double_eq(excerpt.signal.displacement[i], signal.displacement[i * excerpt.every]);
        ck_assert_double_eq(excerpt.signal.force[i], -(double)(i * excerpt.every));
    }
    ck_assert(!excerpt.signal.normal && !excerpt.signal.velocity);
    ladder_excerpt_clear(&excerpt);
    free(room);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ladder_excerpt");
    TCase *tests = tcase_create("ladder_excerpt");
    tcase_add_loop_test(tests, no_more_is_left_out_than_a_ladder_cannot_take, 0, 5);
    suite_add_tcase(suite, tests);
    return run_suite(suite);
}
