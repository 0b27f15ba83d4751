/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "client/plain_text.h"
#include "client/table.h"

#include "run_suite.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

static void use_utf8(void)
{
    ck_assert_ptr_nonnull(setlocale(LC_CTYPE, "C.UTF-8"));
}

/* What the table prints; free(). */
static char *printed(const struct table *table)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    ck_assert_ptr_nonnull(out);
    ck_assert_int_eq(table_print(table, "  ", out), 0);
    fclose(out);
    return text;
}

START_TEST(columns_are_aligned_by_what_is_seen)
{
    struct table *table = table_create();
    table_cell(table, "ζ");
    table_cell(table, "%d", 1);
    table_end_row(table);
    table_cell(table, "zeta");
    table_cell(table, "%d", 2);
    table_end_row(table);
    table_cell(table, "摩擦"); /* two characters, four columns */
    table_cell(table, "3");
    table_end_row(table);
    table_cell(table, "e\xCC\x81"); /* two characters, one column */
    table_cell(table, "4");
    char *text = printed(table);
    ck_assert_str_eq(text, "  ζ     1\n  zeta  2\n  摩擦  3\n  e\xCC\x81     4\n");
    free(text);
    table_destroy(table);
}
END_TEST

START_TEST(long_remarks_do_not_widen_columns)
{
    struct table *table = table_create();
    table_cell(table, "a");
    table_span(table, "! a problem that takes many words");
    table_cell(table, "b");
    table_cell(table, "now");
    table_cell(table, "last");
    table_end_row(table);
    char *text = printed(table);
    ck_assert_str_eq(text, "  a  ! a problem that takes many words\n  b  now  last\n");
    free(text);
    table_destroy(table);
}
END_TEST

START_TEST(no_line_ends_in_spaces)
{
    struct table *table = table_create();
    table_cell(table, "long word");
    table_cell(table, "x");
    table_end_row(table);
    table_cell(table, "a");
    table_cell(table, "%s", "");
    table_end_row(table);
    char *text = printed(table);
    ck_assert_str_eq(text, "  long word  x\n  a\n");
    free(text);
    table_destroy(table);
}
END_TEST

START_TEST(cells_beyond_the_last_column_are_left_out)
{
    struct table *table = table_create();
    for (int i = 0; i < TABLE_MAX_COLUMNS + 3; i++)
        table_cell(table, "%d", i % 10);
    table_end_row(table);
    char *text = printed(table);
    ck_assert_str_eq(text, "  0  1  2  3  4  5  6  7  8  9  0  1  2  3  4  5\n");
    free(text);
    table_destroy(table);
}
END_TEST

START_TEST(a_table_that_could_not_be_made_is_harmless)
{
    table_cell(NULL, "x");
    table_span(NULL, "x");
    table_end_row(NULL);
    ck_assert_int_lt(table_print(NULL, "", stdout), 0);
    table_destroy(NULL);
}
END_TEST

struct plain_case {
    const char *text, *unicode, *ascii;
};

static const struct plain_case plain_cases[] = {
    {"bearing", "bearing", "bearing"},
    {"\033[31mred", "?[31mred", "?[31mred"},
    {"two\nlines\tof\rtext", "two lines of?text", "two lines of?text"},
    {"bell\a del\x7f", "bell? del?", "bell? del?"},
    {"C1 \xC2\x9B"
     "2J",
     "C1 ?2J", "C1 ?2J"},
    {"\xE2\x80\xAEgnp.exe", "?gnp.exe", "?gnp.exe"},
    {"5 µm ± 1 °", "5 µm ± 1 °", "5 um +/- 1 deg"},
    {"broken \xC3", "broken ?", "broken ?"},
    {"broken \xFF\xFE", "broken ??", "broken ??"},
    {"摩擦", "摩擦", "??"},
    {"", "", ""},
};

START_TEST(nothing_is_left_that_a_terminal_would_obey)
{
    const struct plain_case *expected = &plain_cases[_i];
    char *unicode = plain_text(expected->text, false);
    char *ascii = plain_text(expected->text, true);
    ck_assert_str_eq(unicode, expected->unicode);
    ck_assert_str_eq(ascii, expected->ascii);
    free(unicode);
    free(ascii);
}
END_TEST

START_TEST(every_string_of_a_reply_is_made_plain)
{
    json_t *reply =
        json_pack("{s:s, s:[s, {s:s}], s:i}", "name", "a\033b", "list", "\ac", "deep", "d\x7f", "number", 4);
    ck_assert_int_eq(plain_tree(reply, false), 0);
    json_t *wanted = json_pack("{s:s, s:[s, {s:s}], s:i}", "name", "a?b", "list", "?c", "deep", "d?", "number", 4);
    ck_assert(json_equal(reply, wanted));
    json_decref(wanted);
    json_decref(reply);
}
END_TEST

START_TEST(text_is_cut_to_the_columns_there_are)
{
    ck_assert_uint_eq(text_fit("abcdef", 4), 4);
    ck_assert_uint_eq(text_fit("abc", 4), 3);
    ck_assert_uint_eq(text_fit("ζζζ", 2), 4);
    ck_assert_uint_eq(text_fit("摩擦", 3), 3); /* half a character does not fit */
    ck_assert_uint_eq(text_fit("abc", 0), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("table");
    TCase *table = tcase_create("table");
    tcase_add_checked_fixture(table, use_utf8, NULL);
    tcase_add_test(table, columns_are_aligned_by_what_is_seen);
    tcase_add_test(table, long_remarks_do_not_widen_columns);
    tcase_add_test(table, no_line_ends_in_spaces);
    tcase_add_test(table, cells_beyond_the_last_column_are_left_out);
    tcase_add_test(table, a_table_that_could_not_be_made_is_harmless);
    tcase_add_loop_test(table, nothing_is_left_that_a_terminal_would_obey, 0,
                        sizeof plain_cases / sizeof plain_cases[0]);
    tcase_add_test(table, every_string_of_a_reply_is_made_plain);
    tcase_add_test(table, text_is_cut_to_the_columns_there_are);
    suite_add_tcase(suite, table);
    return run_suite(suite);
}
