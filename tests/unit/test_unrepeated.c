/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A computer whose memory was restored has the random numbers of before. Linked with --wrap for getrandom. */
#include "proto/unrepeated.h"
#include "run_suite.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/random.h>

static bool has_numbers;

ssize_t __wrap_getrandom(void *bytes, size_t size, unsigned flags);
ssize_t __wrap_getrandom(void *bytes, size_t size, unsigned flags)
{
    (void)flags;
    errno = ENOSYS;
    return has_numbers ? (memset(bytes, 0x5a, size), (ssize_t)size) : -1;
}

START_TEST(what_is_drawn_is_not_drawn_again)
{
    uint64_t first[2], second[2];
    has_numbers = _i != 0;
    for (int turn = 0; turn < 1000; turn++) {
        ck_assert_int_eq(draw_unrepeated(first), has_numbers ? 0 : -ENOSYS);
        ck_assert_int_eq(draw_unrepeated(second), has_numbers ? 0 : -ENOSYS);
        ck_assert_uint_ne(first[0], second[0]);
        ck_assert_uint_eq(first[1], has_numbers ? 0x5a5a5a5a5a5a5a5aU : 0);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("unrepeated");
    TCase *tcase = tcase_create("drawn");
    tcase_add_loop_test(tcase, what_is_drawn_is_not_drawn_again, 0, 2);
    suite_add_tcase(suite, tcase);
    return run_suite(suite);
}
