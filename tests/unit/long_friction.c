/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What takes long: random contacts of every kind, in white noise and in noise that is hardly another one from sample to
 * sample. The environment's FRICTION_RECORDS and FRICTION_SEED ask for another number of them, and for others. */
#include "asked.h"
#include "friction_campaign.h"
#include "run_suite.h"

#include <math.h>
#include <stdio.h>

/* Three standard deviations of a count out of n of which each is there with that probability: what few records may be
 * off by chance. */
static double chance(double probability, size_t n)
{
    return 3 * sqrt(probability * (1 - probability) * (double)n);
}

static void ask(const char *about, double count, double least, double most)
{
    ck_assert_msg(count >= least && count <= most, "%s: %.0f, not %.1f to %.1f", about, count, least, most);
}

/* Noise of memory leaves fewer independent samples than any formula knows of: the limits are wider there. */
struct limits {
    double correlation, least_right, least_covered, most_covered;
};

static void judge(enum friction_kind kind, const struct limits *limits, unsigned first, unsigned records)
{
    struct friction_tally tally = {.records = 0};
    char name[64];
    for (unsigned n = 0; n < records; n++) {
        struct friction_record record = friction_record_make(kind, limits->correlation, first + n);
        friction_record_judge(&record, &tally);
        friction_record_clear(&record);
    }
    snprintf(name, sizeof name, "%s, correlation %g", friction_kind_name(kind), limits->correlation);
    friction_tally_print(name, &tally);
    const double n = (double)tally.records, estimates = (double)tally.all.estimates, judged = (double)tally.judged;
    ask("without answer", (double)tally.unanswered, 0, 0);
    ask("away from the optimum", (double)tally.missed, 0, 0.003 * n + chance(0.003, tally.records));
    ask("choices that are right", (double)tally.right,
        limits->least_right * judged - chance(limits->least_right, tally.judged), judged);
    ask("false bristle damping", (double)tally.false_bristle, 0, 0.05 * n + chance(0.05, tally.records));
    ask("false dips", (double)tally.false_dip, 0, 0.05 * n + chance(0.05, tally.records));
    /* The figures of one record lean on each other: as many as there are records are independent. */
    const double slack = chance(0.05, tally.records) / n * estimates;
    ask("covered", (double)tally.all.covered, limits->least_covered * estimates - slack,
        limits->most_covered * estimates + slack);
}

START_TEST(random_contacts)
{
    static const struct limits limits[] = {{0, 0.98, 0.93, 0.97}, {0.9, 0.94, 0.88, 0.97}};
    const unsigned records = (unsigned)asked("FRICTION_RECORDS", 200), first = (unsigned)asked("FRICTION_SEED", 0);
    judge((enum friction_kind)(_i / 2), &limits[_i % 2], first, records);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("friction, long");
    /* A case that fails shows its figures, too. */
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    for (enum friction_kind kind = 0; kind < FRICTION_KINDS; kind++) {
        TCase *tcase = tcase_create(friction_kind_name(kind));
        tcase_set_timeout(tcase, 36000);
        tcase_add_loop_test(tcase, random_contacts, 2 * (int)kind, 2 * (int)kind + 2);
        suite_add_tcase(suite, tcase);
    }
    return run_suite(suite);
}
