/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The coefficient of restitution against its definition, and files of bounces. */
#include "identify/bounce/restitution.h"
#include "report/kinds/table_file.h"
#include "run_suite.h"

#include <check.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A mass on spring and damper that meets a wall leaves it after half a cycle with e^(-beta pi) of its speed. */
START_TEST(zeta_of_a_rebound_is_that_of_the_contact)
{
    for (double zeta = 0.01; zeta < 0.6; zeta += 0.07) {
        const double e = exp(-M_PI * zeta / sqrt(1 - zeta * zeta));
        double per_e = NAN;
        ck_assert_double_eq_tol(restitution_zeta(e, &per_e), zeta, 1e-14);
        const double difference = (restitution_zeta(e + 1e-6, NULL) - restitution_zeta(e - 1e-6, NULL)) / 2e-6;
        ck_assert_double_eq_tol(per_e, difference, 1e-6 * fabs(difference));
    }
    ck_assert_double_eq(restitution_zeta(1.0, NULL), 0.0);
}
END_TEST

START_TEST(all_ways_of_measuring_agree)
{
    const double e = 0.8;
    const struct impact velocities[2] = {{-3.0, 3.0 * e}, {2.0, -2.0 * e}};
    const struct impact heights[2] = {{1.0, e * e}, {e * e, e * e * e * e}};
    const struct impact times[2] = {{0.5, 0.5 * e}, {0.5 * e, 0.5 * e * e}};
    const struct impact *measured[3] = {velocities, heights, times};
    for (int kind = 0; kind < 3; kind++) {
        struct restitution found;
        ck_assert_int_eq(restitution_of((enum restitution_kind)kind, measured[kind], 2, 2.0, 800.0, &found),
                         VERDICT_OK);
        ck_assert_double_eq_tol(found.e.value, e, 1e-14);
        ck_assert_double_eq_tol(found.sd, 0.0, 1e-14);
        const double loss = log(1 / e), zeta = loss / sqrt(M_PI * M_PI + loss * loss);
        ck_assert_double_eq_tol(found.zeta.value, zeta, 1e-14);
        /* c = 2 sqrt(k m) ln(1/e)/sqrt(pi² + ln²(1/e)) */
        ck_assert_double_eq_tol(found.c_n_s_per_m.value, 2 * sqrt(2.0 * 800.0) * zeta, 1e-12);
    }
}
END_TEST

START_TEST(repeats_give_the_uncertainty)
{
    const struct impact impacts[5] = {{1, 0.81}, {1, 0.64}, {1, 0.7225}, {1, 1.1}, {1, 0}};
    struct restitution found;
    ck_assert_int_eq(restitution_of(RESTITUTION_HEIGHTS, impacts, 5, NAN, NAN, &found), VERDICT_OK);
    /* 0.9, 0.8 and 0.85; a ball that gains height or stays lying is no rebound. */
    ck_assert_uint_eq(found.impacts, 3);
    ck_assert_uint_eq(found.left_out, 2);
    ck_assert_double_eq_tol(found.e.value, 0.85, 1e-14);
    ck_assert_double_eq_tol(found.sd, 0.05, 1e-14);
    ck_assert_double_eq_tol(found.e.se, 0.05 / sqrt(3), 1e-14);
    /* Student's t with two degrees of freedom. */
    ck_assert_double_eq_tol(found.e.high - found.e.value, fmin(4.3026527 * 0.05 / sqrt(3), 0.15), 1e-7);
    ck_assert_double_nan(found.c_n_s_per_m.value);
    ck_assert_int_eq(restitution_of(RESTITUTION_HEIGHTS, impacts, 1, NAN, NAN, &found), VERDICT_OK);
    ck_assert_double_nan(found.e.se);
    ck_assert_int_eq(restitution_of(RESTITUTION_HEIGHTS, impacts + 3, 2, NAN, NAN, &found), VERDICT_NOT_DECAYING);
    ck_assert_int_eq(restitution_of(RESTITUTION_HEIGHTS, impacts, 0, NAN, NAN, &found), VERDICT_TOO_FEW_SAMPLES);
}
END_TEST

/* A scatter of nothing says that the measure was coarse, not that e is exact. */
START_TEST(what_does_not_scatter_tells_no_uncertainty)
{
    static const struct impact alike[][3] = {
        {{1, 0.5}, {1, 0.5}, {2, 1}}, {{0.3, 0.1}, {3, 1}, {0.6, 0.2}}, {{1, 1}, {2, 2}, {3, 3}}};
    static const struct impact differing[] = {{1, 0.5}, {1, 0.5}, {1, 0.500001}};
    struct restitution found;
    for (size_t i = 0; i < 3; i++) {
        ck_assert_int_eq(restitution_of(RESTITUTION_HEIGHTS, alike[i], 3, 2, 800, &found), VERDICT_OK);
        ck_assert_uint_eq(found.impacts, 3);
        ck_assert_double_eq_tol(found.e.value, sqrt(alike[i][0].after / alike[i][0].before), 1e-15);
        ck_assert_double_eq_tol(found.sd, 0, 1e-15);
        const struct estimate *estimates[] = {&found.e, &found.zeta, &found.c_n_s_per_m};
        for (size_t k = 0; k < 3; k++) {
            ck_assert(isfinite(estimates[k]->value));
            ck_assert_double_nan(estimates[k]->se);
            ck_assert_double_nan(estimates[k]->low);
            ck_assert_double_nan(estimates[k]->high);
        }
    }
    ck_assert_int_eq(restitution_of(RESTITUTION_HEIGHTS, differing, 3, 2, 800, &found), VERDICT_OK);
    ck_assert_double_gt(found.e.se, 1e-7);
}
END_TEST

/* An impact that loses less than was resolved counts; leaving it out would make the others' mean too small. */
START_TEST(a_loss_below_the_resolution_counts)
{
    static const struct impact impacts[] = {{100, 100}, {100, 98.01}, {100, 101}};
    struct restitution found;
    ck_assert_int_eq(restitution_of(RESTITUTION_HEIGHTS, impacts, 3, NAN, NAN, &found), VERDICT_OK);
    ck_assert_uint_eq(found.impacts, 2);
    ck_assert_uint_eq(found.left_out, 1);
    ck_assert_double_eq_tol(found.e.value, 0.995, 1e-14);
    ck_assert_double_le(found.e.high, 1);
}
END_TEST

/* Nothing before an impact, or nothing after it, is no rebound; and only a velocity has a direction. */
START_TEST(what_is_no_rebound_is_left_out)
{
    static const struct impact none[] = {{0, 0},     {0, 1},        {1, 0},        {-0.0, 0.5}, {NAN, 0.5},
                                         {1, NAN},   {INFINITY, 1}, {1, INFINITY}, {1, 2},      {INFINITY, INFINITY},
                                         {5e-324, 1}};
    static const struct impact negative[] = {{-2, -1}, {-2, 1}, {2, -1}};
    enum { NONE = sizeof none / sizeof *none, NEGATIVE = sizeof negative / sizeof *negative };
    static const enum restitution_kind kinds[] = {RESTITUTION_VELOCITIES, RESTITUTION_HEIGHTS, RESTITUTION_TIMES};
    struct restitution found;
    for (size_t kind = 0; kind < 3; kind++) {
        ck_assert_int_eq(restitution_of(kinds[kind], none, NONE, NAN, NAN, &found), VERDICT_NOT_DECAYING);
        ck_assert_uint_eq(found.left_out, NONE);
        const bool directed = kinds[kind] == RESTITUTION_VELOCITIES;
        ck_assert_int_eq(restitution_of(kinds[kind], negative, NEGATIVE, NAN, NAN, &found),
                         directed ? VERDICT_OK : VERDICT_NOT_DECAYING);
        ck_assert_uint_eq(found.impacts, directed ? NEGATIVE : 0);
    }
}
END_TEST

/* A file with the given text; the caller removes it. */
static void write_file(char path[64], const char *text)
{
    strcpy(path, "/tmp/fricid-bounces-XXXXXX");
    const int descriptor = mkstemp(path);
    ck_assert_int_ge(descriptor, 0);
    ck_assert_int_eq(write(descriptor, text, strlen(text)), (ssize_t)strlen(text));
    close(descriptor);
}

static const struct record_kind *bounces(void)
{
    return record_kind_named("bounces");
}

static void check_record(const struct table_record *record, const char *name, const double *numbers, size_t rows)
{
    ck_assert_str_eq(record->name, name);
    ck_assert_uint_eq(record->rows, rows);
    for (size_t i = 0; i < rows; i++)
        ck_assert_double_eq(record->numbers[i], numbers[i]);
}

static struct restitution of_record(const struct table_file *table, size_t i)
{
    const struct identify_settings unknown = {.physical = {.mass_kg = NAN, .stiffness_n_per_m = NAN}};
    const struct record_trace series = {.quantity = table->form->column[0].quantity,
                                        .values = table->records[i].numbers,
                                        .count = table->records[i].rows,
                                        .stride = 1};
    const struct record record = {&series, 1, NULL};
    struct restitution result;
    ck_assert_int_eq(analyse_bounces(&record, VERDICT_OK, &unknown, &result), result.verdict);
    return result;
}

START_TEST(a_series_ends_where_the_throw_does)
{
    char path[64];
    write_file(path, "# balls\nball,drop_cm,throw,n,event_s,interval_s\n"
                     "golf,30,1,0,0.5,0.4\ngolf,30,1,1,0.9,0.36\ngolf,30,1,2,1.26,0\n"
                     "golf,30,2,0,0.5,0.4\ngolf,30,2,1,0.9,0.32\n"
                     "tennis,30,1,0,0.5,0.4\ntennis,30,1,1,0.9,\ntennis,30,1,2,1.2,0.2\n");
    static const double golf[] = {0.4, 0.36, 0, 0, 0.4, 0.32}, tennis[] = {0.4, 0, 0.2};
    struct table_file table;
    struct complaint complaint;
    ck_assert_ptr_eq(table_file_kind(path, NULL), bounces());
    ck_assert_int_eq(table_file_load(path, NULL, &table, &complaint), 0);
    ck_assert_str_eq(table.form->column[0].quantity, QUANTITY_TIME);
    ck_assert_str_eq(table.unit, "s");
    ck_assert_uint_eq(table.count, 2);
    check_record(&table.records[0], "golf, 30", golf, sizeof golf / sizeof golf[0]);
    check_record(&table.records[1], "tennis, 30", tennis, sizeof tennis / sizeof tennis[0]);
    struct restitution result = of_record(&table, 0);
    ck_assert_int_eq(result.verdict, VERDICT_OK);
    ck_assert_uint_eq(result.impacts, 2);
    ck_assert_double_eq_tol(result.e.value, (0.9 + 0.8) / 2, 1e-15);
    ck_assert_int_eq(of_record(&table, 1).verdict, VERDICT_TOO_FEW_SAMPLES);
    table_file_clear(&table);
    unlink(path);
}
END_TEST

START_TEST(mistakes_are_told_with_their_line)
{
    static const char *const mistakes[][2] = {
        {"ball,h0_cm,h1_cm\ngolf,30,20\ngolf,30,2o\n", ":3: `2o` is not a number"},
        {"ball,h0_cm,h1_cm\ngolf,30\n", ":2: 2 columns where the header has 3"},
        {"# balls\nball,h0_mm,h1_cm\ngolf,30,2\n", ":2: the header does not name the columns"},
        {"h0_cm,h1_cm,h0_cm\n1,1,1\n", "each once, and all in one unit"},
        {"ball,height_cm,interval_s\ngolf,1,1\n", "columns of one kind of record"},
        {"ball,h0_cm,h1_cm\n", ":1: the file ends without a single row of numbers"},
        {"ball,h0_cm,h1_cm\n\n# none\n", ":3: the file ends without a single row of numbers"}};
    char path[64];
    struct table_file table;
    struct complaint complaint;
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        write_file(path, mistakes[i][0]);
        ck_assert_msg(table_file_kind(path, NULL) == bounces(), "%s", mistakes[i][0]);
        ck_assert_int_eq(table_file_load(path, NULL, &table, &complaint), -EINVAL);
        ck_assert_msg(strstr(complaint.text, mistakes[i][1]), "%s", complaint.text);
        table_file_clear(&table);
        unlink(path);
    }
}
END_TEST

/* Spreadsheets put a mark before the text, and people blanks around their words. */
START_TEST(what_stands_around_the_words_matters_not)
{
    static const char *const texts[] = {("\xEF\xBB\xBF"
                                         "ball,h0_mm,h1_mm\r\ngolf,30,20\r\n"),
                                        "\xEF\xBB\xBF# balls\nball,h0_mm,h1_mm\ngolf,30,20\n",
                                        "ball , h0_mm , h1_mm\t\ngolf , 30 , 20 \n",
                                        "ball,h0_mm,h1_mm \r\n golf\t,30,20 \r\n"};
    static const double row[] = {30, 20};
    char path[64];
    struct table_file table;
    struct complaint complaint;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        write_file(path, texts[i]);
        ck_assert_msg(table_file_kind(path, NULL) == bounces(), "%s", texts[i]);
        ck_assert_msg(table_file_load(path, NULL, &table, &complaint) == 0, "%s", complaint.text);
        ck_assert_str_eq(table.unit, "mm");
        ck_assert_uint_eq(table.count, 1);
        check_record(&table.records[0], "golf", row, 1);
        table_file_clear(&table);
        unlink(path);
    }
}
END_TEST

/* One table of two throws in every dialect that recordings have, too. */
START_TEST(tables_of_other_programs_are_read_alike)
{
    static const struct {
        const char *text, *read_as;
    } tables[] = {
        {"ball;h0_cm;h1_cm\ngolf;30,5;20,25\ngolf;30;20\n", "semicolon, decimal comma"},
        {"ball\th0_cm\th1_cm\ngolf\t30.5\t20.25\ngolf\t30\t20\n", "tab, decimal point"},
        {"ball\th0_cm\th1_cm\r\ngolf\t30,5\t20,25\r\ngolf\t30\t20\r\n", "tab, decimal comma"},
        {"ball h0_cm  h1_cm\ngolf 30.5  20.25\ngolf 30    20\n", "blank, decimal point"},
        {"ball,h0_cm,h1_cm\ngolf,\"30,5\",\"20,25\"\ngolf,30,20\n", "comma, decimal comma"},
        {"\"ball\",\"h0_cm\",\"h1_cm\"\n\"golf\",\"30.5\",\"20.25\"\n\"golf\",\"30\",\"20\"\n", ""},
        {"ball,h0 (cm),h1 [cm]\ngolf,30.5,20.25\ngolf,30,20\n", ""},
        {"ball;h0 / cm;h1 in cm;\ngolf;30,5;20,25;\ngolf;30;20;\n", "semicolon, decimal comma"},
        {"Measured by Karl; hall 3\n% by hand\n\nball;h0_cm;h1_cm\n// two throws\ngolf;30,5;20,25\ngolf;30;20\n",
         "semicolon, decimal comma"},
        {"ball,h0_cm,h1_cm\rgolf,30.5,20.25\rgolf,30,20\r", "lines end in carriage returns, comma, decimal point"},
        {"\xEF\xBB\xBF"
         "ball;h0_cm;h1_cm\ngolf;30,5;20,25\ngolf;30;20\n",
         "semicolon, decimal comma"},
        {"# 20 \xB0"
         "C\nball;h0_cm;h1_cm\ngolf;30,5;20,25\ngolf;30;20\n",
         "ISO-8859-1, semicolon, decimal comma"},
    };
    static const double rows[] = {30.5, 20.25, 30, 20};
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        char path[64];
        struct table_file table;
        struct complaint complaint = {""};
        write_file(path, tables[i].text);
        ck_assert_msg(table_file_kind(path, NULL) == bounces(), "%s", tables[i].text);
        ck_assert_msg(table_file_load(path, NULL, &table, &complaint) == 0, "%s", complaint.text);
        ck_assert_str_eq(table.read_as, tables[i].read_as);
        ck_assert_str_eq(table.unit, "cm");
        ck_assert_uint_eq(table.count, 1);
        check_record(&table.records[0], "golf", rows, 2);
        table_file_clear(&table);
        unlink(path);
    }
}
END_TEST

START_TEST(a_line_without_end_is_refused)
{
    static char text[3 * RECORDING_MAX_LINE];
    char path[64];
    struct table_file table;
    struct complaint complaint = {""};
    const int begun = snprintf(text, sizeof text, "ball,h0_mm,h1_mm\ngolf,30,20\n");
    memset(text + begun, '1', sizeof text - 1 - (size_t)begun);
    write_file(path, text);
    ck_assert_int_eq(table_file_load(path, NULL, &table, &complaint), -E2BIG);
    ck_assert_msg(strstr(complaint.text, ":3: the line is longer than 65536 bytes"), "%s", complaint.text);
    table_file_clear(&table);
    memset(text, 'b', sizeof text - 1);
    unlink(path);
    write_file(path, text);
    ck_assert_ptr_null(table_file_kind(path, NULL));
    unlink(path);
}
END_TEST

START_TEST(flight_times_have_any_unit_of_time)
{
    static const char *const texts[] = {"ball,interval_ms\ngolf,400\ngolf,360\n",
                                        "ball;interval [ms]\ngolf;400\ngolf;360\n",
                                        "interval (\xC2\xB5s);ball\n400000;golf\n360000;golf\n"};
    static const double seconds[] = {0.4, 0.36};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        char path[64];
        struct table_file table;
        struct complaint complaint = {""};
        write_file(path, texts[i]);
        ck_assert_msg(table_file_load(path, NULL, &table, &complaint) == 0, "%s", complaint.text);
        ck_assert_str_eq(table.unit, "s");
        ck_assert_ptr_nonnull(strstr(table.read_as, "times brought to seconds"));
        ck_assert_double_eq_tol(table.records[0].numbers[0], seconds[0], 1e-15);
        ck_assert_double_eq_tol(table.records[0].numbers[1], seconds[1], 1e-15);
        table_file_clear(&table);
        unlink(path);
    }
}
END_TEST

START_TEST(a_mark_that_nobody_can_know_is_asked_for)
{
    char path[64];
    struct table_file table;
    struct complaint complaint = {""};
    const struct recording_manner comma = {.decimal = ','}, point = {.decimal = '.'}, tab = {.delimiter = '\t'};
    write_file(path, "ball;h0_mm;h1_mm\ngolf;1,250;1,125\n");
    ck_assert_int_eq(table_file_load(path, NULL, &table, &complaint), -EINVAL);
    ck_assert_ptr_nonnull(
        strstr(complaint.text, ":2: `1,250` may be a thousand or a fraction: say which with --decimal"));
    table_file_clear(&table);
    ck_assert_int_eq(table_file_load(path, &comma, &table, &complaint), 0);
    ck_assert_double_eq(table.records[0].numbers[0], 1.25);
    table_file_clear(&table);
    ck_assert_int_eq(table_file_load(path, &point, &table, &complaint), 0);
    ck_assert_double_eq(table.records[0].numbers[0], 1250);
    table_file_clear(&table);
    ck_assert_ptr_null(table_file_kind(path, &tab));
    unlink(path);
}
END_TEST

/* How many records a file has, of which each has that many rows, zeros between its series included. */
static size_t records_of(const char *text, size_t rows)
{
    char path[64];
    struct table_file table;
    struct complaint complaint;
    write_file(path, text);
    ck_assert_msg(table_file_load(path, NULL, &table, &complaint) == 0, "%s", complaint.text);
    const size_t count = table.count;
    for (size_t i = 0; i < count; i++)
        ck_assert_uint_eq(table.records[i].rows, rows);
    table_file_clear(&table);
    unlink(path);
    return count;
}

START_TEST(a_series_is_called_so)
{
    static const char *const series[] = {"throw", "throw_no", "throw2"}, *const labels[] = {"thrower", "throws",
                                                                                            "ball"};
    char text[128];
    for (size_t i = 0; i < 3; i++) {
        snprintf(text, sizeof text, "%s,flight_s\n1,0.4\n2,0.4\n", series[i]);
        ck_assert_uint_eq(records_of(text, 3), 1);
        snprintf(text, sizeof text, "%s,flight_s\n1,0.4\n2,0.4\n", labels[i]);
        ck_assert_uint_eq(records_of(text, 1), 2);
    }
}
END_TEST

START_TEST(labels_count_to_their_end)
{
    char text[2048] = "ball,throw,flight_s\n", label[601];
    memset(label, 'b', sizeof label - 1);
    label[sizeof label - 1] = '\0';
    for (size_t i = 1; i <= 2; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%zu,1,0.4\n", label, i);
    ck_assert_uint_eq(records_of(text, 1), 2);
    /* Another series, told by what stands behind a long label. */
    snprintf(text, sizeof text, "ball,throw,flight_s\n%s,1,0.4\n%s,2,0.4\n", label, label);
    ck_assert_uint_eq(records_of(text, 3), 1);
}
END_TEST

START_TEST(a_header_that_says_two_things_is_of_no_kind)
{
    /* A channel of a recording may be called like a column of bounces, and a column not quite. */
    static const char *const texts[] = {"time_s,lvdt_mm\n0,1\n",
                                        "h0_cm,h0_cm\n1,1\n",
                                        "h0_cm,ball\n1,1\n",
                                        "interval_s,height_cm\n1,1\n",
                                        "time_s,height_mm\n0,1\n",
                                        "Time,height_mm\n0,1\n",
                                        "t,height_mm\n0,1\n",
                                        "zeit_s,height_mm\n0,1\n",
                                        "Time (ms),height_mm\n0,1\n",
                                        "t/ms,h0_mm,h1_mm\n0,1,1\n",
                                        "time_s,h0_mm,h1_mm\n0,1,1\n",
                                        "ball,interval_source\ngolf,1\n",
                                        "ball,interval_s_mean\ngolf,1\n",
                                        "ball,height\ngolf,1\n"};
    char path[64];
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        write_file(path, texts[i]);
        ck_assert_msg(!table_file_kind(path, NULL), "%s", texts[i]);
        unlink(path);
    }
    ck_assert_ptr_null(table_file_kind(path, NULL));
}
END_TEST

/* A column of times is one of bounces where the kind knows it, wherever it stands. */
START_TEST(a_header_that_begins_with_a_column_of_the_kind_is_of_it)
{
    static const char *const texts[] = {"interval_s,ball\n0.4,golf\n", "event_s,interval_s,ball\n0,0.4,golf\n",
                                        "flight_s\n0.4\n", "ball,time_s,height_cm\ngolf,0,1\n"};
    char path[64];
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        write_file(path, texts[i]);
        ck_assert_msg(table_file_kind(path, NULL) == bounces(), "%s", texts[i]);
        unlink(path);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("restitution");
    TCase *tests = tcase_create("restitution");
    suite_add_tcase(suite, tests);
    tcase_add_test(tests, zeta_of_a_rebound_is_that_of_the_contact);
    tcase_add_test(tests, all_ways_of_measuring_agree);
    tcase_add_test(tests, repeats_give_the_uncertainty);
    tcase_add_test(tests, what_is_no_rebound_is_left_out);
    tcase_add_test(tests, what_does_not_scatter_tells_no_uncertainty);
    tcase_add_test(tests, a_loss_below_the_resolution_counts);
    tcase_add_test(tests, a_series_ends_where_the_throw_does);
    tcase_add_test(tests, mistakes_are_told_with_their_line);
    tcase_add_test(tests, what_stands_around_the_words_matters_not);
    tcase_add_test(tests, tables_of_other_programs_are_read_alike);
    tcase_add_test(tests, a_line_without_end_is_refused);
    tcase_add_test(tests, flight_times_have_any_unit_of_time);
    tcase_add_test(tests, a_mark_that_nobody_can_know_is_asked_for);
    tcase_add_test(tests, a_series_is_called_so);
    tcase_add_test(tests, labels_count_to_their_end);
    tcase_add_test(tests, a_header_that_says_two_things_is_of_no_kind);
    tcase_add_test(tests, a_header_that_begins_with_a_column_of_the_kind_is_of_it);
    return run_suite(suite);
}
