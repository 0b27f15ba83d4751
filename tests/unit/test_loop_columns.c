/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that somebody took for ones of friction loops are told what their headers lack. */
#include "report/kinds/loop_columns.h"
#include "run_suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Two rows with as many values as the header has names. */
static void write_rows(FILE *file, const char *header)
{
    fprintf(file, "%s\n", header);
    for (int row = 0; row < 2; row++) {
        fprintf(file, "0.00%d", row);
        for (const char *comma = header; (comma = strchr(comma, ',')); comma++)
            fprintf(file, ",%d", row);
        fputc('\n', file);
    }
}

/* What is lacking to the loop; "": nothing is said. */
static struct complaint lacking_to(const char *header)
{
    char path[] = "/tmp/fricid-columns-XXXXXX";
    FILE *file = fdopen(mkstemp(path), "w");
    ck_assert_ptr_nonnull(file);
    write_rows(file, header);
    ck_assert_int_eq(fclose(file), 0);
    struct recording recording;
    struct complaint lacking = {""};
    const int error = recording_load(path, NULL, &recording, &lacking);
    unlink(path);
    ck_assert_msg(error == 0, "%s", lacking.text);
    loop_columns_lacking(&recording, &lacking);
    recording_clear(&recording);
    return lacking;
}

/* NULL: nothing is asked of that column. */
static const struct {
    const char *header, *motion, *load;
} asked[] = {
    {"time_s,angle_rad", NULL, "have a column torque_nm"},
    {"time_s,displacement_mm", NULL, "have a column force_n"},
    {"time_s,force_n", "have a column displacement_m", NULL},
    {"time_s,x,f", "say displacement_m for `x`", "say force_n for `f`"},
    {"t,x,F", "say displacement_m for `x`", "say force_n for `F`"},
    {"time_s,lvdt_mm,loadcell_n", "say displacement_m for `lvdt`", "say force_n for `loadcell`"},
    {"time_s,displacement_mm,loadcell_n", NULL, "say force_n for `loadcell`"},
    {"time_s,displacement_mm,torque_nm", NULL, "have a column force_n"},
    {"time_s,angle_rad,force_n", "have a column displacement_m", NULL},
};

START_TEST(a_loop_without_a_unit_or_a_partner_is_told_what_it_lacks)
{
    const struct complaint lacking = lacking_to(asked[_i].header);
    const char *motion = asked[_i].motion, *load = asked[_i].load;
    char expected[512];
    snprintf(expected, sizeof expected, "for a friction loop its header must %s%s%s, or so in another unit",
             motion ? motion : "", motion && load ? " and " : "", load ? load : "");
    ck_assert_str_eq(lacking.text, expected);
}
END_TEST

/* Sensors of free decays, and what fricidctl recorded, where a configuration gave the names. */
static const char *const silent[] = {
    "time_s,lvdt_mm",
    "time_s,lvdt_mm,probe_mm",
    "time_s,x",
    "time_s,x_n",
    "#fricid {\"recording\":1}\ntime_s,displacement_mm",
};

START_TEST(other_recordings_are_told_nothing)
{
    ck_assert_str_eq(lacking_to(silent[_i]).text, "");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("loop columns");
    TCase *tests = tcase_create("loop columns");
    suite_add_tcase(suite, tests);
    tcase_add_loop_test(tests, a_loop_without_a_unit_or_a_partner_is_told_what_it_lacks, 0,
                        sizeof asked / sizeof asked[0]);
    tcase_add_loop_test(tests, other_recordings_are_told_nothing, 0, sizeof silent / sizeof silent[0]);
    return run_suite(suite);
}
