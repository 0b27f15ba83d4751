/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every error code has words, and none of them are for developers of a kernel alone. */

#include "proto/cause.h"

#include "run_suite.h"

#include <errno.h>
#include <string.h>

START_TEST(every_code_has_words)
{
    static const char *const jargon[] = {"Protocol error", "No medium", "Structure needs", "Operation canceled",
                                         "Bad message",    "Bad file",  "temporarily",     "Success",
                                         "Invalid arg",    "Stale",     "No data",         "Unknown"};
    for (int error = 0; error <= EHWPOISON; error++) {
        char words[256];
        if (error == 41 || error == 58) /* numbers that Linux has left out */
            continue;
        snprintf(words, sizeof words, "%s", cause_of(error));
        ck_assert_uint_gt(strlen(words), 3);
        for (size_t i = 0; i < sizeof jargon / sizeof jargon[0]; i++)
            ck_assert_msg(!strstr(words, jargon[i]), "%d: %s", error, words);
        ck_assert_str_eq(cause_of(-error), words);
    }
}
END_TEST

START_TEST(what_the_system_says_well_stays)
{
    ck_assert_str_eq(cause_of(EACCES), strerror(EACCES));
    ck_assert_str_eq(cause_of(-ENOENT), strerror(ENOENT));
    ck_assert_str_eq(cause_of(-ENOMEM), "memory is short");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cause");
    TCase *cause = tcase_create("cause");
    tcase_add_test(cause, every_code_has_words);
    tcase_add_test(cause, what_the_system_says_well_stays);
    suite_add_tcase(suite, cause);
    return run_suite(suite);
}
