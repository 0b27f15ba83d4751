/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef FRICID_TESTS_THINNING_H
#define FRICID_TESTS_THINNING_H

#include <check.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* A test that tries one thing with many cases may try a part of them, others in every run: TEST_THINNING = n in the
 * environment asks for one case in n. FRICID_SEED says which, and what else is left to chance. */

/* The seed of this run, FRICID_SEED or a new one; prints it. For main(), before any of the functions below. */
static inline unsigned seed_of_run(void)
{
    char drawn[24];
    snprintf(drawn, sizeof drawn, "%ld", (long)getpid());
    setenv("FRICID_SEED", drawn, 0);
    printf("FRICID_SEED=%s\n", getenv("FRICID_SEED"));
    return (unsigned)strtoul(getenv("FRICID_SEED"), NULL, 10);
}

/* One case in so many is tried. */
static inline long thinning(void)
{
    const char *given = getenv("TEST_THINNING");
    return given ? atol(given) : 1;
}

/* The first case that a run tries which takes one in `step`. */
static inline long first_of(long step)
{
    return atol(getenv("FRICID_SEED")) % step;
}

/* Whether this run leaves out the case of this number. */
static inline bool is_left_out(long number)
{
    return number % thinning() != first_of(thinning());
}

/* The same of so many cases that one of them is tried in any run, if few. */
static inline bool is_left_out_of(long cases, long number)
{
    const long step = thinning() < cases ? thinning() : cases;
    return number % step != first_of(step);
}

/* Adds a test of so many cases, of which this run tries one in n, at least one. */
static inline void add_thinned_loop_test(TCase *tests, const TTest *test, int cases)
{
    const int tried = thinning() < cases ? cases / (int)thinning() : 1;
    const int first = (int)first_of(cases);
    for (int i = 0; i < tried; i++)
        tcase_add_loop_test(tests, test, (first + i) % cases, (first + i) % cases + 1);
}

/* The same for cases that take long under a sanitizer alone. */
static inline bool is_left_out_if_slow(long number)
{
    return getenv("TEST_SLOWNESS") && is_left_out(number);
}

#endif
