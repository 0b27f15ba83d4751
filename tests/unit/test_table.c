/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "client/table.h"
#include "client/text_width.h"

#include "run_suite.h"

#include <locale.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void use_utf8(void)
{
    ck_assert_ptr_nonnull(setlocale(LC_CTYPE, "C.UTF-8"));
}

/* What the table prints; free(). */
static char *printed_in(const struct table *table, size_t width)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    ck_assert_ptr_nonnull(out);
    ck_assert_int_eq(table_print(table, "  ", width, out), 0);
    fclose(out);
    return text;
}

static char *printed(const struct table *table)
{
    return printed_in(table, SIZE_MAX);
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

/* No word is broken: what is wider than the terminal goes on below. */
START_TEST(a_cell_wider_than_all_is_wrapped)
{
    struct table *table = table_create();
    table_cell(table, "lvdt");
    table_cell(table, "held at 10.3 mm, noise floor 0.009 mm");
    table_cell(table, "10 kS/s");
    table_end_row(table);
    table_cell(table, "%s", "");
    table_span(table, "looks for three half cycles");
    table_cell(table, "encoder");
    table_cell(table, "idle");
    char *text = printed_in(table, 24), *line;
    ck_assert_ptr_nonnull(strstr(text, "floor"));
    ck_assert_ptr_nonnull(strstr(text, "\n      10 kS/s\n      looks for"));
    ck_assert_ptr_nonnull(strstr(text, "\n  encoder  idle\n"));
    for (char *rest = text; (line = strsep(&rest, "\n"));)
        ck_assert_msg(text_width(line) <= 24, "%s", line);
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
    /* Three characters a column, and the end of the line. */
    ck_assert_uint_eq(strlen(text), (size_t)3 * TABLE_MAX_COLUMNS + 1);
    ck_assert_int_eq(strncmp(text, "  0  1  2  3", 12), 0);
    ck_assert_int_eq(text[3 * TABLE_MAX_COLUMNS - 1], '0' + (TABLE_MAX_COLUMNS - 1) % 10);
    free(text);
    table_destroy(table);
}
END_TEST

START_TEST(colours_take_no_room_and_columns_can_be_dropped)
{
    struct table *table = table_create();
    table_cell(table, "one");
    table_painted_cell(table, "\033[32m", "ok");
    table_cell(table, "end");
    table_end_row(table);
    table_cell(table, "a");
    table_painted_cell(table, "", "x");
    table_span(table, "as long as it likes");
    ck_assert_uint_eq(table_width(table), strlen("one  ok  end"));
    char *text = printed(table);
    ck_assert_str_eq(text, "  one  \033[32mok\033[0m  end\n  a    x   as long as it likes\n");
    free(text);
    table_drop_column(table, 0);
    table_drop_column(table, TABLE_MAX_COLUMNS);
    ck_assert_uint_eq(table_width(table), strlen("ok  end"));
    text = printed(table);
    ck_assert_str_eq(text, "  \033[32mok\033[0m  end\n  x   as long as it likes\n");
    free(text);
    table_destroy(table);
}
END_TEST

START_TEST(a_table_that_could_not_be_made_is_harmless)
{
    table_cell(NULL, "x");
    table_span(NULL, "x");
    table_end_row(NULL);
    ck_assert_int_lt(table_print(NULL, "", SIZE_MAX, stdout), 0);
    table_destroy(NULL);
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

START_TEST(what_does_not_fit_goes_on_below)
{
    struct table *table = table_create();
    table_cell(table, "a");
    table_span(table, "a problem that takes many words");
    char *text = printed_in(table, 21);
    ck_assert_str_eq(text, "  a  a problem that\n     takes many words\n");
    free(text);
    table_destroy(table);
}
END_TEST

START_TEST(columns_that_do_not_fit_are_named_in_every_row)
{
    static const char *const cells[2][4] = {{"ID", "LEVEL", "f_n", "CAUSE"}, {"7", "0.25 mm", "", "no limit"}};
    struct table *table = table_create();
    for (size_t row = 0; row < 2; row++) {
        for (size_t column = 0; column < 4; column++)
            table_cell(table, "%s", cells[row][column]);
        table_end_row(table);
    }
    table_name_columns(table);
    char *text = printed_in(table, 80);
    ck_assert_str_eq(text, "  ID  LEVEL    f_n  CAUSE\n  7   0.25 mm       no limit\n");
    free(text);
    text = printed_in(table, 22);
    ck_assert_str_eq(text, "  ID 7  LEVEL 0.25 mm\n      CAUSE no limit\n");
    free(text);
    table_destroy(table);
}
END_TEST

START_TEST(a_colour_takes_no_room)
{
    use_utf8();
    ck_assert_uint_eq(text_width("\033[32mok\033[0m"), 2);
    ck_assert_uint_eq(text_fit("\033[32mok\033[0m!", 2), strlen("\033[32mok\033[0m"));
    /* Nothing else that a terminal obeys is known here. */
    ck_assert_uint_eq(text_width("\033[2J"), 4);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("table");
    TCase *table = tcase_create("table");
    tcase_add_checked_fixture(table, use_utf8, NULL);
    tcase_add_test(table, columns_are_aligned_by_what_is_seen);
    tcase_add_test(table, colours_take_no_room_and_columns_can_be_dropped);
    tcase_add_test(table, long_remarks_do_not_widen_columns);
    tcase_add_test(table, no_line_ends_in_spaces);
    tcase_add_test(table, a_cell_wider_than_all_is_wrapped);
    tcase_add_test(table, cells_beyond_the_last_column_are_left_out);
    tcase_add_test(table, a_table_that_could_not_be_made_is_harmless);
    tcase_add_test(table, text_is_cut_to_the_columns_there_are);
    tcase_add_test(table, what_does_not_fit_goes_on_below);
    tcase_add_test(table, columns_that_do_not_fit_are_named_in_every_row);
    tcase_add_test(table, a_colour_takes_no_room);
    suite_add_tcase(suite, table);
    return run_suite(suite);
}
