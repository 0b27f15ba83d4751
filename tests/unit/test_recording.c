/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recordings come from other people's programs: what is written must be read to the last bit, and what is wrong must be
 * named with its line. */
#include "config.h"

#include "proto/decimal.h"
#include "proto/recording.h"
#include "proto/recording_calibration.h"
#include "proto/recording_clock.h"
#include "run_suite.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Formats come from tables here. */
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

/* --- files --- */

struct file {
    char path[64];
};

static struct file write_file(const void *bytes, size_t count)
{
    struct file file = {"/tmp/fricid-recording-XXXXXX"};
    int fd = mkstemp(file.path);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, bytes, count), (ssize_t)count);
    ck_assert_int_eq(close(fd), 0);
    return file;
}

static int load_timed(const char *text, const struct recording_manner *manner, struct recording *recording,
                      struct complaint *complaint)
{
    struct file file = write_file(text, strlen(text));
    int error = recording_load(file.path, manner, recording, complaint);
    unlink(file.path);
    return error;
}

/* Loads a recording out of a text; it must be good. */
static struct recording load_bytes(const void *bytes, size_t count)
{
    struct file file = write_file(bytes, count);
    struct recording recording;
    struct complaint complaint = {""};
    int error = recording_load(file.path, NULL, &recording, &complaint);
    unlink(file.path);
    ck_assert_msg(error == 0, "%s", complaint.text);
    return recording;
}

/* Rows without a value are refused unless somebody asks for them; then each channel tells where its first one stands.
 */
START_TEST(holes_are_told_where_they_are_asked_for)
{
    static const struct recording_manner asked = {.holes = true};
    static const char text[] = "time_s,a_mm,b_mm,c_mm\n0,1,2,3\n1,4,NaN,6\n2,7,8,9\n3,1,-inf,\n4,5,,7\n";
    struct recording recording;
    struct complaint complaint;
    ck_assert_int_eq(load_timed(text, NULL, &recording, &complaint), -EBADMSG);
    ck_assert_ptr_nonnull(strstr(complaint.text, ":3: the value of b is NaN"));
    ck_assert_msg(load_timed(text, &asked, &recording, &complaint) == 0, "%s", complaint.text);
    ck_assert_uint_eq(recording.count, 5);
    ck_assert_uint_eq(recording.hole[0], 0);
    ck_assert_uint_eq(recording.hole[1], 3);
    ck_assert_uint_eq(recording.hole[2], 5);
    for (size_t i = 0; i < 5; i++) {
        ck_assert_int_eq(isnan(recording.displacement[1][i]) != 0, i == 1 || i >= 3);
        ck_assert_int_eq(isnan(recording.displacement[2][i]) != 0, i == 3);
    }
    recording_drop_channel(&recording, 1);
    ck_assert_uint_eq(recording.channel_count, 2);
    ck_assert_str_eq(recording.columns[1].name, "c");
    ck_assert_double_eq(recording.displacement[1][2], 9);
    ck_assert_uint_eq(recording.hole[1], 5);
    recording_clear(&recording);
    ck_assert_int_eq(load_timed("time_s,a_mm\n0,1\nnan,2\n2,3\n", &asked, &recording, &complaint), -EBADMSG);
    ck_assert_ptr_nonnull(strstr(complaint.text, ":3: the value of time is nan"));
    ck_assert_int_eq(load_timed("time_s,a_mm\n0,1\n1,none\n2,3\n", &asked, &recording, &complaint), -EBADMSG);
    ck_assert_int_eq(load_timed("time_s,a_mm,b_mm\n0,1,2\n1,3\n2,3,4\n", &asked, &recording, &complaint), -EBADMSG);
}
END_TEST

static struct recording load_text(const char *text)
{
    return load_bytes(text, strlen(text));
}

/* The text must be refused with a sentence that begins with ":LINE: " behind the file and contains `words`. */
static void expect_complaint(const void *bytes, size_t count, const char *line, const char *words)
{
    struct file file = write_file(bytes, count);
    struct recording recording;
    struct complaint complaint = {""};
    int error = recording_load(file.path, NULL, &recording, &complaint);
    unlink(file.path);
    ck_assert_msg(error < 0, "accepted, but should say: %s", words);
    ck_assert_msg(strncmp(complaint.text, file.path, strlen(file.path)) == 0, "no file: %s", complaint.text);
    const char *rest = complaint.text + strlen(file.path);
    ck_assert_msg(strncmp(rest, line, strlen(line)) == 0, "wanted line %s: %s", line, complaint.text);
    ck_assert_msg(strstr(rest, words), "wanted \"%s\": %s", words, complaint.text);
    ck_assert_uint_eq(recording.count, 0);
    ck_assert_ptr_null(recording.time_s);
}

static void expect_text_complaint(const char *text, const char *line, const char *words)
{
    expect_complaint(text, strlen(text), line, words);
}

/* --- good recordings --- */

START_TEST(names_units_and_values)
{
    struct recording recording = load_text("# pulled by hand\n#\n\ntime_s,lvdt_mm,shaft_angle_µrad,plain\n"
                                           "0,1.5,-2,3\n0.001,1.25,-2e-3,+4.\n# a pause\n0.002,.125,0,5\n");
    ck_assert_uint_eq(recording.channel_count, 3);
    ck_assert_str_eq(recording.columns[0].name, "lvdt");
    ck_assert_str_eq(recording.columns[0].unit, "mm");
    ck_assert_str_eq(recording.columns[1].name, "shaft_angle");
    ck_assert_str_eq(recording.columns[1].unit, "µrad");
    ck_assert_str_eq(recording.columns[2].name, "plain");
    ck_assert_str_eq(recording.columns[2].unit, "1");
    ck_assert_uint_eq(recording.count, 3);
    const double expected[3][3] = {{1.5, 1.25, 0.125}, {-2, -2e-3, 0}, {3, 4, 5}};
    for (size_t c = 0; c < 3; c++)
        ck_assert_mem_eq(recording.displacement[c], expected[c], sizeof expected[c]);
    ck_assert_mem_eq(recording.time_s, ((double[]){0, 0.001, 0.002}), 3 * sizeof(double));
    recording_clear(&recording);
}
END_TEST

START_TEST(without_header_time_and_one_channel)
{
    const struct recording_manner seconds = {.timing.unit_s = 1};
    struct recording recording;
    struct complaint complaint = {""};
    ck_assert_msg(load_timed("0.5,1\n1.0,2\n", &seconds, &recording, &complaint) == 0, "%s", complaint.text);
    ck_assert_uint_eq(recording.channel_count, 1);
    ck_assert_str_eq(recording.columns[0].name, "displacement");
    ck_assert_str_eq(recording.columns[0].unit, "1");
    ck_assert(recording.uniform);
    ck_assert_double_eq(recording.start_s, 0.5);
    ck_assert_double_eq(recording.period_s, 0.5);
    recording_clear(&recording);
}
END_TEST

START_TEST(what_other_programs_write_around_the_values)
{
    struct recording recording = load_text("\xEF\xBB\xBF# from a spreadsheet\r\n\"time_s\" ,\t\"x_mm\"\r\n 0 , 1 "
                                           "\r\n\t0.5,\t2\r\n\r\n1,3\r\n  \r\n\r\n1.5,4");
    ck_assert_str_eq(recording.columns[0].name, "x");
    ck_assert_str_eq(recording.columns[0].unit, "mm");
    ck_assert_uint_eq(recording.count, 4);
    ck_assert_mem_eq(recording.displacement[0], ((double[]){1, 2, 3, 4}), 4 * sizeof(double));
    recording_clear(&recording);
}
END_TEST

/* More rows than any buffer holds, with line lengths that put the cuts everywhere. */
START_TEST(rows_across_buffers)
{
    enum { ROWS = 60000 };
    char *text = malloc(ROWS * 40), *at = text;
    ck_assert_ptr_nonnull(text);
    at += sprintf(at, "t_s,x\n");
    for (int i = 0; i < ROWS; i++)
        at += sprintf(at, "%d.%d,%.*f\n", i / 8, i % 8 * 125, i % 17, i * 0.001953125);
    struct recording recording = load_bytes(text, (size_t)(at - text));
    ck_assert_uint_eq(recording.count, ROWS);
    for (int i = 0; i < ROWS; i++) {
        ck_assert_double_eq(recording.time_s[i], i * 0.125);
        ck_assert_double_le(fabs(recording.displacement[0][i] - i * 0.001953125), 0.501 * pow(10, -(i % 17)));
    }
    recording_clear(&recording);
    free(text);
}
END_TEST

START_TEST(the_longest_line_passes)
{
    static const char head[] = "t_s,x\n0,1\n";
    const size_t before = sizeof head - 1, end = before + RECORDING_MAX_LINE;
    char *text = malloc(end + 8);
    ck_assert_ptr_nonnull(text);
    memset(text, ' ', end + 8);
    memcpy(text, head, before);
    memcpy(text + before, "1,", 2);
    text[end - 1] = '2';
    text[end] = '\n';
    struct recording recording = load_bytes(text, end + 1);
    ck_assert_double_eq(recording.displacement[0][1], 2);
    recording_clear(&recording);
    memcpy(text + end - 1, " 2\n", 3);
    expect_complaint(text, end + 2, ":3: ", "longer than");
    free(text);
}
END_TEST

START_TEST(good_rows_before_a_bad_one_come_first)
{
    struct file file = write_file("t_s,x\n0,1\n1,2\n2,x\n3,4\n", 22);
    struct recording_reader *reader;
    struct complaint complaint = {""};
    ck_assert_int_eq(recording_open(file.path, NULL, &reader, &complaint), 0);
    double time_s[8], values[8], *columns[] = {values};
    for (int pass = 0; pass < 2; pass++) {
        ck_assert_int_eq(recording_read(reader, 8, time_s, columns, NULL, &complaint), 2);
        ck_assert_double_eq(values[1], 2);
        ck_assert_int_lt(recording_read(reader, 8, time_s, columns, NULL, &complaint), 0);
        ck_assert_ptr_nonnull(strstr(complaint.text, ":4: "));
        ck_assert_int_lt(recording_read(reader, 8, time_s, columns, NULL, &complaint), 0);
        ck_assert_int_eq(recording_rewind(reader, &complaint), 0);
    }
    recording_close(reader);
    unlink(file.path);
}
END_TEST

/* --- numbers --- */

static void expect_as_strtod(locale_t c_locale, const char *text)
{
    char line[128];
    snprintf(line, sizeof line, "%s\n", text);
    struct decimal decimal;
    double expected = strtod(text, NULL);
    ck_assert_msg(decimal_read(line, c_locale, &decimal) == DECIMAL_OK, "refused: %s", text);
    ck_assert_msg(memcmp(&decimal.value, &expected, sizeof expected) == 0, "%s: %a instead of %a", text, decimal.value,
                  expected);
    ck_assert_msg(*decimal.next == '\n', "%s: not read to its end", text);
}

/* The middle between two doubles, and its neighbours in the last of many digits. */
static void expect_middles(locale_t c_locale, double value)
{
    char text[96];
    long double middle = ((long double)value + (long double)nextafter(value, INFINITY)) / 2;
    for (int digits = 15; digits <= 30; digits++) {
        snprintf(text, sizeof text, "%.*Lg", digits, middle);
        expect_as_strtod(c_locale, text);
    }
}

START_TEST(numbers_are_those_of_strtod_to_the_last_bit)
{
    unsigned short seed[3] = {(unsigned short)time(NULL), (unsigned short)getpid(), 1};
    printf("seed %u %u\n", seed[0], seed[1]);
    locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    const char *formats[] = {"%.17g", "%.16e", "%.6f", "%.2f", "%.19g", "%.25g", "%g", "%.0f"};
    char text[512];
    for (int i = 0; i < 40000; i++) {
        double value = (erand48(seed) - 0.5) * pow(10, (int)(erand48(seed) * 50) - 25);
        snprintf(text, 100, formats[i % 8], value);
        expect_as_strtod(c_locale, text);
        if (i % 8 == 0)
            expect_middles(c_locale, value);
    }
    const char *fixed[] = {"0",
                           "-0",
                           "0.000",
                           "1e22",
                           "1e23",
                           "9007199254740993",
                           "9007199254740992e22",
                           "123456789e-22",
                           "18446744073709551615",
                           "99999999999999999999",
                           "4.9e-324",
                           "2.2250738585072011e-308",
                           "1.7976931348623157e308",
                           "0e999",
                           "1e-999",
                           "00000000000000000000000001.5",
                           "1e+2",
                           "5.",
                           ".5",
                           "0.000000000000000000000000000001234567890123456789",
                           "6.02214076E23"};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        expect_as_strtod(c_locale, fixed[i]);
    freelocale(c_locale);
}
END_TEST

START_TEST(last_decimal_places)
{
    const struct {
        const char *text;
        int place;
    } cases[] = {{"1.500\n", -3}, {"12\n", 0}, {"1e-3\n", -3}, {"1.5e-3\n", -4}, {"0.884,\n", -3}, {"25e2\n", 2}};
    locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct decimal decimal;
        ck_assert_int_eq(decimal_read(cases[i].text, c_locale, &decimal), DECIMAL_OK);
        ck_assert_int_eq(decimal.last_place, cases[i].place);
    }
    freelocale(c_locale);
}
END_TEST

START_TEST(a_decimal_comma_in_the_locale_changes_nothing)
{
    locale_t german = newlocale(LC_ALL_MASK, "de_DE.UTF-8", (locale_t)0);
    if (german == (locale_t)0)
        printf("this machine has no de_DE.UTF-8: tested in its own locale\n");
    else
        uselocale(german);
    struct recording recording = load_text("time_s,x_mm\n0.5,1.25\n1.5,0.1234567890123456789\n");
    uselocale(LC_GLOBAL_LOCALE);
    if (german != (locale_t)0)
        freelocale(german);
    ck_assert_double_eq(recording.displacement[0][0], 1.25);
    ck_assert_double_eq(recording.displacement[0][1], 0.1234567890123456789);
    recording_clear(&recording);
}
END_TEST

/* --- the time of files that have another unit, or none --- */

/* Three rows, half a second apart. */
static void expect_half_seconds(const char *text, const struct recording_manner *manner, const char *name, double first)
{
    struct recording recording;
    struct complaint complaint = {""};
    ck_assert_msg(load_timed(text, manner, &recording, &complaint) == 0, "%s: %s", text, complaint.text);
    ck_assert_str_eq(recording.columns[0].name, name);
    ck_assert_uint_eq(recording.count, 3);
    for (size_t i = 0; i < 3; i++)
        ck_assert_double_eq_tol(recording.time_s[i], recording.start_s + 0.5 * (double)i, 1e-12);
    ck_assert(recording.uniform);
    ck_assert_double_eq_tol(recording.period_s, 0.5, 1e-12);
    ck_assert_double_eq(recording.displacement[0][0], first);
    recording_clear(&recording);
}

START_TEST(a_time_in_any_unit_is_read_in_seconds)
{
    expect_half_seconds("Time (ms),LVDT (mm)\n1000,4\n1500,5\n2000,6\n", NULL, "LVDT", 4);
    expect_half_seconds("t/us,x\n0,4\n5e5,5\n1000000,6\n", NULL, "x", 4);
    expect_half_seconds("Zeit [min],x\n0,4\n0.0083333333333333,5\n0.0166666666666667,6\n", NULL, "x", 4);
    expect_half_seconds("\"t [h]\",x\n1,4\n1.000138888888889,5\n1.000277777777778,6\n", NULL, "x", 4);
}
END_TEST

START_TEST(what_is_said_of_the_time_counts_more_than_the_file)
{
    const struct recording_manner ms = {.timing.unit_s = 1e-3};
    expect_half_seconds("t,x\n0,4\n500,5\n1000,6\n", &ms, "x", 4);
    expect_half_seconds("foo,x\n0,4\n500,5\n1000,6\n", &ms, "x", 4);
    expect_half_seconds("time_s,x\n0,4\n500,5\n1000,6\n", &ms, "x", 4);
    expect_half_seconds("0,4\n500,5\n1000,6\n", &ms, "displacement", 4);
}
END_TEST

START_TEST(rows_that_come_evenly_need_no_time)
{
    const struct recording_manner rate = {.timing.rate_hz = 2};
    expect_half_seconds("Sample no.,x\n7,4\n8,5\n9,6\n", &rate, "x", 4);
    expect_half_seconds("t,x\n0.1,4\n0.1,5\n0.2,6\n", &rate, "x", 4);
    expect_half_seconds("Displacement,Velocity\n4,1\n5,2\n3,3\n", &rate, "Displacement", 4);
    expect_half_seconds("x_mm\n4\n5\n3\n", &rate, "x", 4);
    expect_half_seconds("4\n5\n3\n", &rate, "displacement", 4);
    expect_half_seconds("1,4\n2,5\n3,3\n", &rate, "displacement", 4);
    struct recording recording;
    struct complaint complaint;
    ck_assert_int_eq(load_timed("t,x\n3,4\n2,5\n1,6\n", &rate, &recording, &complaint), -EBADMSG);
    ck_assert_ptr_nonnull(strstr(complaint.text, ":3: the first column goes back"));
    ck_assert_int_eq(load_timed("t,x\n3,4\n4\n", &rate, &recording, &complaint), -EBADMSG);
    ck_assert_ptr_nonnull(strstr(complaint.text, ":3: 1 value where the header in line 1 names 2 columns"));
    ck_assert_int_eq(load_timed("x,y\n3,4\n4,oops\n", &rate, &recording, &complaint), -EBADMSG);
    ck_assert_ptr_nonnull(strstr(complaint.text, ":3: the value of y is not a number"));
}
END_TEST

/* A configuration has keys where a command line has options. */
START_TEST(a_refusal_names_the_way_out)
{
    const struct recording_manner keys = {.timing.configured = true};
    struct recording recording;
    struct complaint complaint;
    ck_assert_int_eq(load_timed("index,x\n0,1\n1,2\n", &keys, &recording, &complaint), -EBADMSG);
    ck_assert_ptr_nonnull(strstr(complaint.text,
                                 "with the key time_unit, or, of rows that come evenly, how many a second "
                                 "with the key sample_rate_hz"));
    ck_assert_ptr_null(strstr(complaint.text, "--"));
}
END_TEST

START_TEST(a_recording_of_our_own_tells_its_time_itself)
{
    static const char text[] =
        "#fricid {\"recording\": 1, \"origin_s\": 0, \"period_s\": 0.5}\ntime_s,x_mm\n0,4\n0.5,5\n1,6\n";
    const struct recording_manner seconds = {.timing.unit_s = 1}, ms = {.timing.unit_s = 1e-3},
                                  rate = {.timing.rate_hz = 2};
    const struct recording_manner *const others[] = {&ms, &rate};
    expect_half_seconds(text, &seconds, "x", 4);
    for (size_t i = 0; i < 2; i++) {
        struct recording recording;
        struct complaint complaint;
        ck_assert_int_eq(load_timed(text, others[i], &recording, &complaint), -EINVAL);
        ck_assert_ptr_nonnull(strstr(complaint.text, "leave --time-unit and --rate out"));
    }
}
END_TEST

/* What is called so in a rig keeps its name on the way through a file. */
START_TEST(a_recording_of_our_own_has_its_names_as_they_are)
{
    struct recording recording =
        load_text("#fricid {\"recording\": 1}\ntime_s,pos in x_mm,left / right_V,a (b)_rad\n0,1,2,3\n1,1,2,3\n");
    static const char *const expected[][2] = {{"pos in x", "mm"}, {"left / right", "V"}, {"a (b)", "rad"}};
    ck_assert_uint_eq(recording.channel_count, 3);
    for (size_t c = 0; c < 3; c++) {
        ck_assert_str_eq(recording.columns[c].name, expected[c][0]);
        ck_assert_str_eq(recording.columns[c].unit, expected[c][1]);
    }
    recording_clear(&recording);
}
END_TEST

/* --- bad recordings --- */

START_TEST(bad_rows_are_named)
{
    expect_text_complaint("time_s,x_mm,y_mm\n0,1,2\n1,1\n", ":3: ", "2 values where the header in line 1 names 3");
    expect_text_complaint("time_s,x_mm\n0,1\n1,1,7\n", ":3: ", "3 values");
    expect_text_complaint("t_s,x\n0,1\n1\n", ":3: ", "1 value where the header");
    expect_text_complaint("0.1\n0.2\n", ":1: ", "say how many a second: --rate HZ");
    expect_text_complaint("t_s,x\n0,1\n1,\n", ":3: ", "missing");
    expect_text_complaint("t_s,x\n0,1\n,1\n", ":3: ", "value of time is missing");
    expect_text_complaint("t_s,x\n0,1\n1,abc\n", ":3: ", "not a number: \"abc\"");
    expect_text_complaint("# hi\ntime_s,x_mm\n\n0,1\n1,1abc\n", ":5: ", "not a number: \"1abc\"");
    expect_text_complaint("t_s,x\n0,1\n1,0x10\n", ":3: ", "not a number");
    expect_text_complaint("t_s,x\n0,1\n1,1 2\n", ":3: ", "not a number: \"1 2\"");
    expect_text_complaint("time_s,x_mm\n0,1\n1,nan\n", ":3: ", "x is nan");
    expect_text_complaint("t_s,x\n0,1\n1,-Infinity\n", ":3: ", "is -Infinity");
    expect_text_complaint("t_s,x\n0,1\n1,1e999\n", ":3: ", "too large");
    expect_text_complaint("t_s,x\n0,1\n1,-1e200\n", ":3: ", "too large");
    expect_text_complaint("t_s,x\n0,1\n1,\xC3\xA4\xFF\n", ":3: ", "not a number: \"ä?\"");
    expect_text_complaint("t_s,x\n0,1\nNaN,1\n", ":3: ", "time is NaN");
    expect_text_complaint("t_s,x\nnan,1\n0,1\n", ":2: ", "time is nan");
}
END_TEST

START_TEST(time_that_does_not_increase)
{
    expect_text_complaint("t_s,x\n0,1\n1,1\n1,1\n", ":4: ", "time does not increase");
    expect_text_complaint("time_s,x_mm\n0,1\n1,1\n0.5,1\n", ":4: ", "time does not increase");
}
END_TEST

START_TEST(bad_headers)
{
    expect_text_complaint("x_mm,time_s\n0,1\n1,2\n", ":1: ", "\"x_mm\", is not known to be a time");
    expect_text_complaint("timestamp,x_mm\n0,1\n1,2\n", ":1: ",
                          "\"timestamp\", is a time without a unit: say its unit of time with "
                          "--time-unit UNIT, or, of rows that come evenly, how many a "
                          "second with --rate HZ");
    expect_text_complaint("time_s\n0\n1\n", ":1: ", "at least one channel");
    expect_text_complaint("time_s,x_mm,x_V\n0,1,2\n", ":1: ", "two columns are called \"x\"");
    expect_text_complaint("time_s,x_mm,\n0,1,2\n", ":1: ", "column 3 has no name");
    expect_text_complaint("0,1,2\n1,2,3\n", ":1: ", "no header");
    expect_text_complaint("0,1\n0.002,2\n", ":1: ", "no header tells whether the first column is a time");
    expect_text_complaint("#,x_mm\n0,1\n1,2\n", ":2: ", "no header tells");
    expect_text_complaint("encoder,t_ms,x_mm\n0,0,1\n1,2,2\n",
                          ":1: ", "column 2, \"t_ms\", is a time: --columns says which");
    expect_text_complaint("time,x_mm\n0,1\n2,2\n", ":1: ", "in seconds its rows would be 2 s apart");
    char text[1024] = "time_s,";
    memset(text + 7, 'n', 200);
    strcat(text, "\n0,1\n1,2\n");
    expect_text_complaint(text, ":1: ", "too long");
    strcpy(text, "time_s");
    for (int c = 0; c <= RECORDING_MAX_CHANNELS; c++)
        sprintf(text + strlen(text), ",c%d", c);
    strcat(text, "\n0,1\n");
    expect_text_complaint(text, ":1: ", "more than 64 channels");
}
END_TEST

START_TEST(hardly_anything_in_the_file)
{
    expect_text_complaint("", ": ", "is empty");
    expect_text_complaint("\n\n# nothing\n", ": ", "is empty");
    expect_text_complaint("time_s,x_mm\n", ":1: ", "without a single row");
    expect_text_complaint("time_s,x_mm\n0,1\n", ":2: ", "at least two");
}
END_TEST

START_TEST(binary_junk_and_endless_lines)
{
    char junk[5000];
    for (size_t i = 0; i < sizeof junk; i++)
        junk[i] = (char)(i * 37 + i / 256);
    expect_complaint(junk, sizeof junk, ":1: ", "not a CSV recording");
    expect_complaint("t_s,x\n0,1\n1,\0002\n", 15, ":3: ", "zero bytes");
    expect_complaint("\xFF\xFEt\0i\0m\0e\0\n\0", 12, ":1: ", "at least one channel");
    size_t count = 5 * 1000 * 1000;
    char *line = malloc(count);
    ck_assert_ptr_nonnull(line);
    memset(line, '1', count);
    expect_complaint(line, count, ":1: ", "longer than 65536 bytes");
    memcpy(line, "t_s,x\n", 6);
    expect_complaint(line, count, ":2: ", "longer than 65536 bytes");
    free(line);
}
END_TEST

/* Damaged in a few places, or cut anywhere: either still a good recording, or a complaint with the file's name that is
 * fit to be shown. */
START_TEST(damaged_recordings)
{
    static const char good[] = "# hand\ntime_s,x_mm,y_mm\n0,1.5,-2\n0.001,1.25e0,3\r\n0.002,7,8\n\n0.003,9,1e-3\n";
    static const char splinters[] = ",;\n\r\0#-+.eE9\t\"x\xFF\xC3 ";
    unsigned short seed[3] = {(unsigned short)time(NULL), (unsigned short)getpid(), 2};
    printf("seed %u %u\n", seed[0], seed[1]);
    for (int i = 0; i < 2000; i++) {
        char bytes[sizeof good];
        memcpy(bytes, good, sizeof good);
        size_t count = sizeof good - 1 - (i % 4 == 0 ? (size_t)(erand48(seed) * (sizeof good - 1)) : 0);
        for (int damage = 0; damage <= i % 3; damage++)
            bytes[(size_t)(erand48(seed) * (sizeof good - 1))] =
                splinters[(size_t)(erand48(seed) * (sizeof splinters - 1))];
        struct file file = write_file(bytes, count);
        struct recording recording;
        struct complaint complaint = {""};
        if (recording_load(file.path, NULL, &recording, &complaint) == 0) {
            ck_assert_uint_ge(recording.count, 2);
            recording_clear(&recording);
        } else {
            ck_assert_msg(strncmp(complaint.text, file.path, strlen(file.path)) == 0, "%s", complaint.text);
            for (const char *c = complaint.text; *c; c++)
                ck_assert_msg((unsigned char)*c >= ' ' || *c == '\t', "%s", complaint.text);
        }
        unlink(file.path);
    }
}
END_TEST

static void expect_refused(const char *path, const char *words)
{
    struct recording recording;
    struct complaint complaint = {""};
    ck_assert_int_lt(recording_load(path, NULL, &recording, &complaint), 0);
    ck_assert_msg(strstr(complaint.text, words), "wanted \"%s\": %s", words, complaint.text);
}

START_TEST(what_is_not_a_file)
{
    expect_refused("/tmp", "/tmp: is a folder");
    expect_refused("/dev/zero", "pipe or a device");
    expect_refused("/tmp/there/is/no/such/recording.csv", "No such file");
    char path[64];
    snprintf(path, sizeof path, "/tmp/fricid-fifo-%ld", (long)getpid());
    ck_assert_int_eq(mkfifo(path, 0600), 0);
    expect_refused(path, "pipe or a device");
    unlink(path);
    char long_path[1000];
    memset(long_path, 'a', sizeof long_path);
    memcpy(long_path, "/tmp/\xFF\n", 7);
    strcpy(long_path + 990, "end.csv");
    expect_refused(long_path, "aend.csv: cannot be opened");
}
END_TEST

/* --- uniform sampling --- */

/* Whether stamps that are written with `format` and start at `start` count as uniform; sets the period. */
static bool written_uniformly(const char *format, double start, double period, int rows, double *found)
{
    char *text = malloc((size_t)rows * 64), *at = text;
    ck_assert_ptr_nonnull(text);
    at += sprintf(at, "t_s,x\n");
    for (int i = 0; i < rows; i++) {
        char stamp[40];
        snprintf(stamp, sizeof stamp, format, start + i * period);
        at += sprintf(at, "%s,1\n", stamp);
    }
    struct recording recording = load_bytes(text, (size_t)(at - text));
    bool uniform = recording.uniform;
    *found = recording.period_s;
    recording_clear(&recording);
    free(text);
    return uniform;
}

/* The same of stamps in memory, of a file that declares nothing. */
static bool is_uniform(const double *time_s, size_t count, double stamp_unit, double *period)
{
    const struct recording_declaration none = {.given = false};
    struct recording_clock clock;
    recording_clock_begin(&clock, &none, false);
    recording_clock_take(&clock, time_s, count);
    ck_assert(recording_clock_looks_again(&clock, stamp_unit));
    recording_clock_look(&clock, time_s, count);
    recording_clock_settle(&clock);
    *period = clock.period_s;
    return clock.uniform;
}

/* How stamps are spaced: `batch` rows `step_s` apart, then a longer step, that of every other batch `odd` times as
 * long.
 */
struct spacing {
    const char *name;
    size_t rows, batch;
    double step_s, pause_s, odd;
    bool batched;
};

static bool comes_in_batches(const struct spacing *spacing)
{
    const struct recording_declaration none = {.given = false};
    struct recording_clock clock;
    double now_s = 1.7e9;
    recording_clock_begin(&clock, &none, false);
    for (size_t i = 0; i < spacing->rows; i++) {
        recording_clock_take(&clock, &now_s, 1);
        const double longer_s = spacing->pause_s * (i / spacing->batch % 2 ? spacing->odd : 1);
        now_s += (i + 1) % spacing->batch == 0 ? longer_s : spacing->step_s;
    }
    return recording_clock_is_batched(&clock);
}

START_TEST(batches_are_told_from_pauses)
{
    static const struct spacing spacings[] = {
        {"batches of sixteen", 640, 16, 1e-5, 0.016, 1, true},
        {"late ones", 640, 16, 1e-4, 0.016, 1.5, true},
        {"of two", 200, 2, 1e-5, 0.002, 1, true},
        {"of fifty", 5000, 50, 1e-5, 0.05, 1, true},
        {"one pause among eighty rows", 80, 40, 0.01, 5, 1, false},
        {"twelve releases of eighty rows", 960, 80, 0.01, 20, 3, false},
        {"four releases of thirty rows", 120, 30, 0.01, 20, 1, false},
        {"whole seconds", 600, 600, 1, 1, 1, false},
        {"every other sample lost", 600, 2, 0.001, 0.002, 1, false},
    };
    for (size_t i = 0; i < sizeof spacings / sizeof spacings[0]; i++)
        ck_assert_msg(comes_in_batches(&spacings[i]) == spacings[i].batched, "%s", spacings[i].name);
}
END_TEST

START_TEST(a_calibration_is_read_as_it_is_written)
{
    static const struct {
        const char *text, *unit; /* unit NULL: it is refused */
        size_t terms;
        double first, second;
    } texts[] = {
        {"[1, 2.5] mm", "mm", 2, 1, 2.5}, {"2.5 mm", "mm", 2, 0, 2.5},       {"lvdt=-2.5e-1mm", "mm", 2, 0, -0.25},
        {"2.5 1/s", "1/s", 2, 0, 2.5},    {"[0 2.5] 1/s", "1/s", 2, 0, 2.5}, {"1 2.5 mm", NULL, 0, 0, 0},
        {"0x10 mm", NULL, 0, 0, 0},       {"[0, 0x10] mm", NULL, 0, 0, 0},   {"[0, 2.5] 3 mm", NULL, 0, 0, 0},
        {"inf mm", NULL, 0, 0, 0},
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct recording_calibration told;
        const int error = recording_calibration_read(texts[i].text, &told);
        ck_assert_msg(error == (texts[i].unit ? 0 : -EINVAL), "%s", texts[i].text);
        if (error)
            continue;
        ck_assert_str_eq(told.unit, texts[i].unit);
        ck_assert_uint_eq(told.polynomial.terms, texts[i].terms);
        ck_assert_double_eq(told.polynomial.coefficients[0], texts[i].first);
        ck_assert_double_eq(told.polynomial.coefficients[1], texts[i].second);
    }
}
END_TEST

START_TEST(rounded_stamps_are_uniform)
{
    double period;
    ck_assert(written_uniformly("%.6f", 0, 0.000884, 3000, &period));
    ck_assert_double_eq_tol(period, 0.000884, 1e-15);
    ck_assert(written_uniformly("%.6f", 12.5, 1.0 / 3000, 3000, &period));
    ck_assert_double_eq_tol(period, 1.0 / 3000, 1e-11);
    ck_assert(written_uniformly("%.17g", 0.1, 1.0 / 2048, 5000, &period));
    ck_assert_double_eq_tol(period, 1.0 / 2048, 1e-17);
}
END_TEST

/* Four decimals at 1131 samples a second, milliseconds at 300: a tenth and a third of a period. */
START_TEST(coarse_stamps_of_an_even_clock_are_uniform)
{
    double period;
    ck_assert(written_uniformly("%.4f", 0, 0.000884, 1000, &period));
    ck_assert_double_eq_tol(period, 0.000884, 2e-8);
    ck_assert(written_uniformly("%.3f", 3.7, 1.0 / 300, 5000, &period));
    ck_assert_double_eq_tol(period, 1.0 / 300, 1e-8);
}
END_TEST

/* Milliseconds at 1000 samples a second, with one sample missing, with a dozen, and with a pause. */
START_TEST(a_missing_sample_does_not_hide_behind_few_decimals)
{
    enum { COUNT = 2000 };
    static const int missing[][2] = {{1000, 1000}, {100, 13}, {1000, 1}};
    static const double jump_s[] = {0.001, 0.001, 0.5};
    for (int c = 0; c < 3; c++) {
        double time_s[COUNT], period, now = 0;
        for (int i = 0; i < COUNT; i++) {
            time_s[i] = round(now * 1e3) / 1e3;
            bool hole = i >= missing[c][0] && i < missing[c][0] + 12 * missing[c][1] && i % missing[c][1] == 0;
            now += 0.001 + (hole ? jump_s[c] : 0);
        }
        ck_assert_msg(!is_uniform(time_s, COUNT, 0.001, &period), "case %d", c);
    }
}
END_TEST

/* Around 1e9 s a double resolves 1.2e-7 s. */
START_TEST(stamps_since_1970_are_uniform)
{
    double period;
    ck_assert(written_uniformly("%.17g", 1e9, 0.001, 2000, &period));
    ck_assert_double_eq_tol(period, 0.001, 1e-11);
    ck_assert(written_uniformly("%.7f", 1.7e9, 0.0001, 2000, &period));
}
END_TEST

START_TEST(jitter_is_not_uniform)
{
    double time_s[] = {0, 0.001, 0.0021, 0.003, 0.004}, period;
    ck_assert(!is_uniform(time_s, 5, 1e-4, &period));
    ck_assert_double_eq_tol(period, 0.001, 1e-15);
    /* whole seconds, and one second missing */
    double seconds[] = {0, 1, 2, 4, 5};
    ck_assert(!is_uniform(seconds, 5, 1, &period));
    ck_assert(!is_uniform(seconds, 1, 1, &period));
    ck_assert(is_uniform(seconds, 2, 0, &period));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("recording");
    TCase *good = tcase_create("good");
    tcase_add_test(good, names_units_and_values);
    tcase_add_test(good, holes_are_told_where_they_are_asked_for);
    tcase_add_test(good, without_header_time_and_one_channel);
    tcase_add_test(good, what_other_programs_write_around_the_values);
    tcase_add_test(good, rows_across_buffers);
    tcase_add_test(good, the_longest_line_passes);
    tcase_add_test(good, good_rows_before_a_bad_one_come_first);
    suite_add_tcase(suite, good);
    TCase *numbers = tcase_create("numbers");
    tcase_add_test(numbers, numbers_are_those_of_strtod_to_the_last_bit);
    tcase_add_test(numbers, last_decimal_places);
    tcase_add_test(numbers, a_decimal_comma_in_the_locale_changes_nothing);
    suite_add_tcase(suite, numbers);
    TCase *time = tcase_create("time");
    tcase_add_test(time, a_time_in_any_unit_is_read_in_seconds);
    tcase_add_test(time, what_is_said_of_the_time_counts_more_than_the_file);
    tcase_add_test(time, rows_that_come_evenly_need_no_time);
    tcase_add_test(time, a_refusal_names_the_way_out);
    tcase_add_test(time, a_recording_of_our_own_tells_its_time_itself);
    tcase_add_test(time, a_recording_of_our_own_has_its_names_as_they_are);
    suite_add_tcase(suite, time);
    TCase *bad = tcase_create("bad");
    tcase_add_test(bad, bad_rows_are_named);
    tcase_add_test(bad, time_that_does_not_increase);
    tcase_add_test(bad, bad_headers);
    tcase_add_test(bad, hardly_anything_in_the_file);
    tcase_add_test(bad, binary_junk_and_endless_lines);
    tcase_add_test(bad, damaged_recordings);
    tcase_add_test(bad, what_is_not_a_file);
    suite_add_tcase(suite, bad);
    TCase *uniform = tcase_create("uniform");
    tcase_add_test(uniform, rounded_stamps_are_uniform);
    tcase_add_test(uniform, batches_are_told_from_pauses);
    tcase_add_test(uniform, a_calibration_is_read_as_it_is_written);
    tcase_add_test(uniform, coarse_stamps_of_an_even_clock_are_uniform);
    tcase_add_test(uniform, a_missing_sample_does_not_hide_behind_few_decimals);
    tcase_add_test(uniform, stamps_since_1970_are_uniform);
    tcase_add_test(uniform, jitter_is_not_uniform);
    suite_add_tcase(suite, uniform);
    return run_suite(suite);
}
