/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names and units of columns as other people's programs write them. */
#include "proto/column_label.h"
#include "proto/label_doubt.h"
#include "proto/measured_unit.h"
#include "proto/time_unit.h"
#include "run_suite.h"

#include <locale.h>
#include <math.h>
#include <string.h>

static struct column_label label_of(const char *text)
{
    return column_label_read((struct text_piece){text, strlen(text)});
}

static void expect_piece(const char *field, struct text_piece piece, const char *expected)
{
    ck_assert_msg(piece.length == strlen(expected) &&
                      strncmp(piece.text ? piece.text : "", expected, piece.length) == 0,
                  "%s: \"%.*s\" instead of \"%s\"", field, (int)piece.length, piece.text, expected);
}

START_TEST(every_usual_spelling_of_a_unit)
{
    static const char *const cases[][3] = {
        {"lvdt_mm", "lvdt", "mm"},
        {"shaft_angle_\xc2\xb5rad", "shaft_angle", "\xc2\xb5rad"},
        {"LVDT (mm)", "LVDT", "mm"},
        {"LVDT(mm)", "LVDT", "mm"},
        {"LVDT [mm]", "LVDT", "mm"},
        {"LVDT[ mm ]", "LVDT", "mm"},
        {"displacement [\xc2\xb5m]", "displacement", "\xc2\xb5m"},
        {"displacement [\xce\xbcm]", "displacement", "\xce\xbcm"},
        {"left_lvdt (mm)", "left_lvdt", "mm"},
        {"x / mm", "x", "mm"},
        {"x/ mm", "x", "mm"},
        {"x/mm", "x", "mm"},
        {"velocity_x / mm", "velocity_x", "mm"},
        {"Weg s/mm", "Weg s", "mm"},
        {"Weg in mm", "Weg", "mm"},
        {"Weg  in  mm", "Weg", "mm"},
        {"velocity / (m/s)", "velocity", "m/s"},
        {"velocity (m/s)", "velocity", "m/s"},
        {"velocity in m/s", "velocity", "m/s"},
        {"acceleration_m/s2", "acceleration", "m/s2"},
        {"v_in_m_per_s", "v_in", "m_per_s"},
        {"acceleration_m_s2", "acceleration", "m_s2"},
        {"left_velocity_mm_s", "left_velocity", "mm_s"},
        {"velocity_km_h", "velocity", "km_h"},
        {"x_mm_h", "x_mm", "h"},
        {"omega_rad_s", "omega", "rad_s"},
        {"F_N_s", "F_N", "s"},
        {"t/ms", "t", "ms"},
        {"Zeit t/s", "Zeit t", "s"},
        {"Time(t) [ms]", "Time(t)", "ms"},
        {"LVDT {mm}", "LVDT", "mm"},
        {"LVDT <mm>", "LVDT", "mm"},
        {"Position (m) Run #1", "Position", "m"},
        {"x mm", "x", "mm"},
        {"x, m", "x", "m"},
        {"Motor N", "Motor N", ""},
        {"LVDT range 10 mm", "LVDT range 10 mm", ""},
        {"Curso em mm", "Curso", "mm"},
        {"Acceleration (m/s^2) Run #1", "Acceleration", "m/s^2"},
        {"Time, ms", "Time", "ms"},
        {"timeMs", "time", "Ms"},
        /* rates, not names with the unit of a time */
        {"m/s", "m/s", ""},
        {"Velocity m/s", "Velocity", "m/s"},
        {"a m/s^2", "a", "m/s^2"},
        {"a m/s\xc2\xb2", "a", "m/s\xc2\xb2"},
        {"Counts / min", "Counts / min", ""},
        /* without a unit */
        {"lvdt", "lvdt", ""},
        {"_mm", "_mm", ""},
        {"(mm)", "(mm)", ""},
        {"/mm", "/mm", ""},
        {"in mm", "in mm", ""},
        {"origin", "origin", ""},
        {"LVDT (left) raw", "LVDT (left) raw", ""},
        {"lvdt)", "lvdt)", ""},
        {"", "", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct column_label label = label_of(cases[i][0]);
        expect_piece(cases[i][0], label.name, cases[i][1]);
        expect_piece(cases[i][0], label.unit, cases[i][2]);
    }
}
END_TEST

START_TEST(times_and_their_units)
{
    static const struct {
        const char *text;
        double unit_s;
    } cases[] = {
        {"time_s", 1},
        {"t_s", 1},
        {"Time (s)", 1},
        {"TIME(S)", 1},
        {"Time (ms)", 1e-3},
        {"Zeit [ms]", 1e-3},
        {"t/ms", 1e-3},
        {"t / ms", 1e-3},
        {"t in ms", 1e-3},
        {"time_us", 1e-6},
        {"t [\xc2\xb5s]", 1e-6},
        {"t [\xce\xbcs]", 1e-6},
        {"t_\xc2\xb5s", 1e-6},
        {"timestamp_ns", 1e-9},
        {"t [min]", 60},
        {"Elapsed time (h)", 3600},
        {"time_min", 60},
        {"Time (sec)", 1},
        {"seconds", 1},
        {"Milliseconds", 1e-3},
        {"\xc4\x8c"
         "as [s]",
         1},
        {"uptime_ms", 1e-3},
        {"t", 1},
        {"T", 1},
        {"time", 1},
        {"Time", 1},
        {" Zeit ", 1},
        {"Time ms", 1e-3},
        {"Time mSec", 1e-3},
        {"Time, ms", 1e-3},
        {"Time: ms", 1e-3},
        {"time.ms", 1e-3},
        {"time-ms", 1e-3},
        {"t \xce\xbcs", 1e-6},
        {"Zeit s", 1},
        {"timeMs", 1e-3},
        {"timeUs", 1e-6},
        {"timestampNs", 1e-9},
        {"ElapsedMs", 1e-3},
        {"Time {ms}", 1e-3},
        {"Time <ms>", 1e-3},
        {"time [s] (rel)", 1},
        {"Time (s) Run #1", 1},
        {"X (ms)", 1e-3},
        {"x [s]", 1},
        {"ms", 1e-3},
        {"\xc2\xb5s", 1e-6},
        {"(hr)", 3600},
        {"[s]", 1},
        {"(min)", 60},
        {"Time (hrs)", 3600},
        {"Time (Sec.)", 1},
        {"Zeit (Sek.)", 1},
        {"Time (mins)", 60},
        {"Zeit (Std)", 3600},
        {"temps (secondes)", 1},
        {"Tiempo [segundos]", 1},
        {"time (millisecond)", 1e-3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct column_label label = label_of(cases[i].text);
        const struct column_time time = column_label_time(&label);
        ck_assert_msg(time.kind == LABEL_OF_TIME, "%s", cases[i].text);
        ck_assert_double_eq(time.unit_s, cases[i].unit_s);
    }
}
END_TEST

START_TEST(times_without_a_unit_and_what_is_no_time)
{
    static const char *const unitless[] = {"timestamp", "Elapsed Time", "t_rel_"};
    static const char *const others[] = {"index", "sample",        "encoder count", "Displacement", "lvdt_mm",
                                         "x_min", "y (h)",         "x_s",           "F_s",          "tms",
                                         "h",     "min",           "m/s",           "Velocity m/s", "Counts / s",
                                         "1/s",   "temperature_K", "lvdt ms",       "rate (1/s)",   ""};
    for (size_t i = 0; i < sizeof unitless / sizeof *unitless; i++) {
        const struct column_label label = label_of(unitless[i]);
        ck_assert_msg(column_label_time(&label).kind == LABEL_OF_TIME_WITHOUT_UNIT, "%s", unitless[i]);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const struct column_label label = label_of(others[i]);
        ck_assert_msg(column_label_time(&label).kind == LABEL_OF_SOMETHING_ELSE, "%s", others[i]);
    }
    const struct column_label days = label_of("Time (d)"), seconds = label_of("s");
    ck_assert_int_eq(column_label_time(&days).kind, LABEL_OF_TIME_IN_STRANGE_UNIT);
    ck_assert_int_eq(column_label_time(&seconds).kind, LABEL_OF_SECONDS_ALONE);
    ck_assert(!column_label_is_time(&seconds));
}
END_TEST

START_TEST(what_nothing_but_habit_makes_seconds)
{
    static const struct {
        const char *text;
        bool assumed;
    } cases[] = {{"t", true}, {"Time", true}, {"s", true}, {"t_s", false}, {"seconds", false}, {"[s]", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct column_label label = label_of(cases[i].text);
        ck_assert_msg(column_label_time(&label).assumed == cases[i].assumed, "%s", cases[i].text);
    }
}
END_TEST

static struct text_piece piece_of(const char *text)
{
    return (struct text_piece){text, strlen(text)};
}

START_TEST(units_that_are_known_and_that_agree)
{
    static const char *const known[] = {"mm",       "\xc2\xb5m", "um",    "m/s",  "m/s^2", "mm_per_s", "V",    "mV",
                                        "\xc2\xb0", "deg",       "g",     "kN",   "мм",    "см/с²",    "град", "кН",
                                        "ips",      "in/s",      "in/s2", "ft/s", "mmps",  "mm/s"};
    static const char *const unknown[] = {
        "",     "fps", "ms\xc2\xb2", "ms2", "rad.s2",
        "left", "min", "1",          "A",   "in",
        "s",    "с",   "ммм",        "mmm", "raw value of the left sensor, as it came"};
    static const char *const pairs[][2] = {
        {"\xc2\xb5m", "um"}, {"\xce\xbcm", "\xc2\xb5m"}, {"m/s2", "m/s\xc2\xb2"}, {"m/s^2", "m/s**2"},
        {"мкм", "um"},       {"мрад", "mrad"},           {"м/с", "m/s"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        ck_assert_msg(measured_unit_is_known(piece_of(known[i])), "%s", known[i]);
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        ck_assert_msg(!measured_unit_is_known(piece_of(unknown[i])), "%s", unknown[i]);
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        ck_assert(measured_units_agree(piece_of(pairs[i][0]), piece_of(pairs[i][1])));
    ck_assert(!measured_units_agree(piece_of("mm"), piece_of("um")));
}
END_TEST

START_TEST(spellings_get_the_usual_form)
{
    static const char *const cases[][2] = {{"mps2", "m/s2"},         {"m_per_sec2", "m/s2"},
                                           {"m/s/s", "m/s2"},        {"ms-2", "m/s2"},
                                           {"m s^-2", "m/s2"},       {"m\xc2\xb7s\xe2\x81\xbb\xc2\xb2", "m/s2"},
                                           {"mm/sec^2", "mm/s2"},    {"m_per_s_squared", "m/s2"},
                                           {"mps", "m/s"},           {"mm/sec", "mm/s"},
                                           {"m.s-1", "m/s"},         {"ips", "in/s"},
                                           {"rad_per_sec", "rad/s"}, {"\xc2\xb0/sec", "deg/s"},
                                           {"microns", "um"},        {"inches", "in"},
                                           {"Newtons", "N"},         {"degrees", "deg"}};
    static const char *const kept[] = {"m/s2",       "m_s2",   "mm",         "in",        "s",
                                       "ms",         "meter",  "cps",        "ps",        "left",
                                       "",           "in/s",   "fps",        "fps2",      "ms2",
                                       "ms\xc2\xb2", "ms^2",   "m*s2",       "m s2",      "m\xc2\xb7s\xc2\xb2",
                                       "rad.s2",     "mm.s^2", "camera fps", "frames fps"};
    char plain[32];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        ck_assert_msg(measured_unit_plain(piece_of(cases[i][0]), plain, sizeof plain) &&
                          strcmp(plain, cases[i][1]) == 0,
                      "%s", cases[i][0]);
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        ck_assert_msg(!measured_unit_plain(piece_of(kept[i]), plain, sizeof plain), "%s", kept[i]);
    ck_assert(!measured_unit_plain(piece_of("millimeters"), plain, 2));
}
END_TEST

/* A wrong unit gives a result, and no complaint later: what says more of its unit than one is not guessed, in whatever
 * locale. */
START_TEST(units_that_are_doubtful)
{
    ck_assert_ptr_nonnull(setlocale(LC_ALL, _i == 0 ? "C" : "C.UTF-8"));
    static const char *const factors[] = {"Zeit in 1/1000 s",
                                          "Time in 0.001 s",
                                          "t/1000 s",
                                          "Time [s]/1000",
                                          "Zeit [s] / 1000",
                                          "t / 10^-3 s",
                                          "t \xc3\x97 10\xe2\x81\xbb\xc2\xb3 s",
                                          "Time[s]*1e-3",
                                          "Time (s) 1e-3",
                                          "time [s] x 1000",
                                          "Time*1000 (s)",
                                          "Zeit in Hundertstel s",
                                          "Time [s], scale 0.001",
                                          "Time (s) [-3]",
                                          "t (ms) x10",
                                          "Time in 5 ms",
                                          "lvdt in 1/100 mm",
                                          "x (mm) x10",
                                          "LVDT [mm]*10",
                                          "LVDT/10 mm",
                                          "10^3 x/m",
                                          "10\xe2\x81\xbb\xc2\xb3 x/m",
                                          "10\xc2\xb3 x/m",
                                          "x (mm) \xc2\xb7 10",
                                          "frequency (Hz) x10",
                                          "velocity (m/s) x1000",
                                          "LVDT (0.01 mm)",
                                          "LVDT [10 mm]",
                                          "x (E-6 m)",
                                          "x (-mm)",
                                          "x (mm x 10)",
                                          "Zeit (0.001s)"};
    static const char *const two_units[] = {
        "time (s) [ms]",  "Zeit [s] in ms",         "Zeit(s) ms",           "Time(s)/ms",
        "Time [ms] s",    "force (kN) [N]",         "x (mm) [um]",          "LVDT (mm) um",
        "acc (m/s2) [g]", "displacement (um) [mm]", "velocity (m/s) [mm/s]"};
    static const char *const clear[] = {"Time (s)",
                                        "t/ms",
                                        "time_s",
                                        "Time(t) [ms]",
                                        "Position (m) Run #1",
                                        "x1 (mm)",
                                        "x10_mm",
                                        "Kanal 10 [mm]",
                                        "Force (N) 2",
                                        "v_in_m_per_s",
                                        "velocity / (m/s)",
                                        "acc [m/s^2]",
                                        "a (m/s\xc2\xb2)",
                                        "acc (m*s^-2)",
                                        "Dev1/ai10 (V)",
                                        "Time (s) [s]",
                                        "Weg s/mm",
                                        "LVDT range 10 mm",
                                        "2024/10/05",
                                        "sensor-2 [mm]",
                                        "Y[0]",
                                        "F_N",
                                        "omega (1/s)",
                                        "energy (eV)",
                                        "Cycle 1e5 [mm]"};
    for (size_t i = 0; i < sizeof factors / sizeof factors[0]; i++)
        ck_assert_msg(label_doubt((struct text_piece){factors[i], strlen(factors[i])}) != NULL, "%s", factors[i]);
    for (size_t i = 0; i < sizeof two_units / sizeof two_units[0]; i++)
        ck_assert_msg(label_doubt((struct text_piece){two_units[i], strlen(two_units[i])}) != NULL, "%s", two_units[i]);
    for (size_t i = 0; i < sizeof clear / sizeof clear[0]; i++)
        ck_assert_msg(!label_doubt((struct text_piece){clear[i], strlen(clear[i])}), "%s", clear[i]);
    setlocale(LC_ALL, "C");
}
END_TEST

START_TEST(columns_that_count_rows)
{
    static const char *const counting[] = {"index", "Sample", "Sample no.", "row number", "n", "Scan #"};
    static const char *const others[] = {"encoder count", "sample_mm", "lvdt", "t", "", "#", "sampled"};
    for (size_t i = 0; i < sizeof counting / sizeof *counting; i++) {
        const struct column_label label = label_of(counting[i]);
        ck_assert_msg(column_label_counts_rows(&label), "%s", counting[i]);
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const struct column_label label = label_of(others[i]);
        ck_assert_msg(!column_label_counts_rows(&label), "%s", others[i]);
    }
}
END_TEST

/* A name may be as long as a line, and a word in it as long as the name. */
START_TEST(names_of_any_length)
{
    char text[1000];
    for (size_t length = 1; length < sizeof text - 12; length++) {
        memset(text, length % 2 ? 'n' : '.', length);
        memcpy(text + length, " time (ms)", 11);
        const struct column_label label = label_of(text);
        const struct column_time time = column_label_time(&label);
        ck_assert_int_eq(time.kind, LABEL_OF_TIME);
        ck_assert_double_eq(time.unit_s, 1e-3);
        memset(text + length, 'n', sizeof text - 1 - length);
        text[sizeof text - 1] = '\0';
        const struct column_label other = label_of(text);
        ck_assert(!column_label_counts_rows(&other));
    }
}
END_TEST

START_TEST(the_usual_units_are_units)
{
    const char *name;
    size_t count = 0;
    for (; (name = time_unit_name_at(count)); count++) {
        ck_assert_ptr_nonnull(time_unit_find(name, strlen(name)));
        ck_assert_ptr_nonnull(strstr(TIME_UNITS, name));
    }
    ck_assert_uint_eq(count, 7);
    ck_assert_ptr_null(time_unit_find("", 0));
    ck_assert_ptr_null(time_unit_find("m", 1));
    ck_assert_str_eq(time_unit_name_of(time_unit_find("100ns", 5)->seconds), "100ns");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("column_label");
    TCase *labels = tcase_create("labels");
    tcase_add_test(labels, every_usual_spelling_of_a_unit);
    tcase_add_test(labels, times_and_their_units);
    tcase_add_test(labels, times_without_a_unit_and_what_is_no_time);
    tcase_add_test(labels, what_nothing_but_habit_makes_seconds);
    tcase_add_test(labels, spellings_get_the_usual_form);
    tcase_add_test(labels, units_that_are_known_and_that_agree);
    tcase_add_loop_test(labels, units_that_are_doubtful, 0, 2);
    tcase_add_test(labels, columns_that_count_rows);
    tcase_add_test(labels, names_of_any_length);
    tcase_add_test(labels, the_usual_units_are_units);
    suite_add_tcase(suite, labels);
    return run_suite(suite);
}
