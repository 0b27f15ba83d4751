/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_TESTS_RUN_SUITE_H
#define FRICID_TESTS_RUN_SUITE_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

/* An assertion that holds would write its line to a file each time, for the report of a test that dies of a signal: of
 * the tests that assert each of a million samples that is most of the time. A sanitizer tells the line of a death too.
 */
#define _mark_point(file, line) ((void)0)

/* What automake reads as "skipped"; a test that skips says why on standard output. */
enum { TEST_SKIPPED = 77 };

/* Runs a suite and returns what main() should return. Takes the suite over. */
static inline int run_suite(Suite *suite)
{
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
