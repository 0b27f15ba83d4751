/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the fields of a result are called on paper, in Unicode and spelled out, and in which unit. */
#include "client/labels.h"

#include "run_suite.h"

#include <string.h>

START_TEST(labels_and_units_come_from_the_tables)
{
    const struct glyphs *unicode = glyphs_for(false), *spelled = glyphs_for(true);
    ck_assert_str_eq(labelled_named(&fit_table, "zeta", "mm", unicode).label, "ζ");
    ck_assert_str_eq(labelled_named(&fit_table, "zeta", "mm", spelled).label, "zeta");
    ck_assert_str_eq(labelled_named(&fit_table, "x0", "mm", spelled).label, "X_0");
    ck_assert_str_eq(labelled_named(&fit_table, "x_k", "mm", unicode).unit.text, "mm");
    ck_assert_str_eq(labelled_named(&fit_table, "f_n_hz", "mm", unicode).unit.text, "Hz");
    ck_assert_str_eq(labelled_named(&physical_table, "c_n_s_per_m", "mm", unicode).unit.text, "N·s/m");
    ck_assert_str_eq(labelled_named(&physical_table, "c_n_s_per_m", "mm", spelled).unit.text, "N s/m");
}
END_TEST

/* The budget of a newer daemon may have more lines. */
START_TEST(quantities_of_the_budget)
{
    const struct glyphs *glyphs = glyphs_for(true);
    ck_assert_str_eq(labelled_quantity("mu", "rad", glyphs).label, "mu");
    ck_assert_str_eq(labelled_quantity("bias", "rad", glyphs).unit.text, "rad");
    ck_assert_str_eq(labelled_quantity("wobble", "rad", glyphs).label, "wobble");
    ck_assert_str_eq(labelled_quantity("wobble", "rad", glyphs).unit.text, "");
}
END_TEST

/* A unit is a stranger's word: one that does not fit is cut between characters. */
START_TEST(a_long_unit_is_cut)
{
    char unit[200] = "";
    while (strlen(unit) < 190)
        strcat(unit, "µ");
    const struct labelled field = labelled_named(&fit_table, "x_k", unit, glyphs_for(false));
    ck_assert_uint_lt(strlen(field.unit.text), sizeof field.unit.text);
    ck_assert_uint_eq(strlen(field.unit.text) % strlen("µ"), 0);
}
END_TEST

START_TEST(headlines_of_a_model_that_lacks_a_term)
{
    json_t *fit = json_pack("{s:{}, s:{}}", "f_n_hz", "x_k");
    struct field_cursor cursor = {0};
    ck_assert(next_headline(&fit_table, fit, &cursor));
    ck_assert_str_eq(cursor.field.name, "f_n_hz");
    ck_assert(next_headline(&fit_table, fit, &cursor));
    ck_assert_str_eq(cursor.field.name, "x_k");
    ck_assert(!next_headline(&fit_table, fit, &cursor));
    json_decref(fit);
}
END_TEST

START_TEST(the_table_of_what_is_recommended)
{
    json_t *result =
        json_pack("{s:s, s:{}, s:{}, s:{}}", "recommended", "extrema_fit", "extrema_fit", "fit", "of_later");
    ck_assert_ptr_eq(recommended_table(result), &extrema_fit_table);
    json_object_set_new(result, "recommended", json_string("of_later"));
    ck_assert_ptr_eq(recommended_table(result), &fit_table);
    json_object_set_new(result, "recommended", json_null());
    ck_assert_ptr_null(recommended_table(result));
    json_decref(result);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("labels");
    TCase *labels = tcase_create("labels");
    tcase_add_test(labels, labels_and_units_come_from_the_tables);
    tcase_add_test(labels, quantities_of_the_budget);
    tcase_add_test(labels, a_long_unit_is_cut);
    tcase_add_test(labels, headlines_of_a_model_that_lacks_a_term);
    tcase_add_test(labels, the_table_of_what_is_recommended);
    suite_add_tcase(suite, labels);
    return run_suite(suite);
}
