/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What takes long: random contacts of every kind, whose displacement is measured with noise or in an encoder's steps.
 * The environment's FRICTION_RECORDS and FRICTION_SEED ask for another number of them, and for others. */
#include "asked.h"
#include "friction_campaign.h"
#include "run_suite.h"

#include <math.h>
#include <stdio.h>

/* Noise and steps of a displacement move no figure of a contact by more than 4 % or 2.5 of its standard errors in the
 * mean of records. */
START_TEST(measured_displacements)
{
    static const double flaws[][2] = {{0.05, 0}, {0, 0.02}};
    const unsigned records = (unsigned)asked("FRICTION_RECORDS", 200), first = (unsigned)asked("FRICTION_SEED", 0);
    const enum friction_kind kind = (enum friction_kind)(_i / 2);
    struct friction_offset offset[FRICTION_PARAMETERS] = {{.records = 0}};
    for (unsigned n = 0; n < records; n++) {
        struct friction_record record = friction_record_measure(kind, flaws[_i % 2][0], flaws[_i % 2][1], first + n);
        friction_record_compare(&record, offset);
        friction_record_clear(&record);
    }
    for (enum friction_parameter p = 0; p < FRICTION_PARAMETERS; p++) {
        const double n = (double)offset[p].records, relative = offset[p].relative / n, errors = offset[p].errors / n;
        if (offset[p].records == 0)
            continue;
        printf("%s, noise %g, steps %g: %s off by %.2f %%, %.2f standard errors in the mean of %.0f\n",
               friction_kind_name(kind), flaws[_i % 2][0], flaws[_i % 2][1], friction_parameters[p].name,
               100 * relative, errors, n);
        ck_assert_msg(fabs(relative) < 0.04 || fabs(errors) < 2.5, "off by too much");
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("friction, displacement, long");
    /* A case that fails shows its figures, too. */
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    for (enum friction_kind kind = 0; kind < FRICTION_KINDS; kind++) {
        TCase *tcase = tcase_create(friction_kind_name(kind));
        tcase_set_timeout(tcase, 36000);
        tcase_add_loop_test(tcase, measured_displacements, 2 * (int)kind, 2 * (int)kind + 2);
        suite_add_tcase(suite, tcase);
    }
    return run_suite(suite);
}
