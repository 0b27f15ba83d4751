/* SPDX-License-Identifier: GPL-3.0-or-later */
/* HDF5 files as recordings. They are written here by the library itself, as NumPy and MATLAB lay them out. (Sound and
 * older files of MATLAB: tests/service/test_number_files.py.) */
#include "config.h"

#include "proto/recording.h"
#include "run_suite.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#if HAVE_HDF5
#include <hdf5.h>

enum { ROWS = 5000, CHUNK = 512 };
#define PERIOD_S 2e-3

struct file {
    char path[64];
    hid_t hdf5;
};

static double position_at(size_t row)
{
    return 10 * cos(0.06 * (double)row) * exp(-1e-3 * (double)row);
}

static struct file begin_file(void)
{
    struct file file = {"/tmp/fricid-numbers-XXXXXX", -1};
    const int descriptor = mkstemp(file.path);
    ck_assert_int_ge(descriptor, 0);
    close(descriptor);
    file.hdf5 = H5Fcreate(file.path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    ck_assert_int_ge(file.hdf5, 0);
    return file;
}

static void add_text(hid_t set, const char *name, const char *value)
{
    const hid_t space = H5Screate(H5S_SCALAR), type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, strlen(value));
    const hid_t attribute = H5Acreate2(set, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    ck_assert_int_ge(H5Awrite(attribute, type, value), 0);
    H5Aclose(attribute);
    H5Tclose(type);
    H5Sclose(space);
}

/* Packed in chunks where `chunks`; the caller closes what it gets. */
static hid_t add_set(const struct file *file, const char *name, hid_t type, int rank, const hsize_t *dims, bool chunks,
                     const double *values)
{
    const hid_t space = H5Screate_simple(rank, dims, NULL), made = H5Pcreate(H5P_DATASET_CREATE),
                link = H5Pcreate(H5P_LINK_CREATE);
    const hsize_t chunk[2] = {CHUNK, 1};
    H5Pset_create_intermediate_group(link, 1);
    if (chunks) {
        H5Pset_chunk(made, rank, chunk);
        H5Pset_deflate(made, 6);
    }
    const hid_t set = H5Dcreate2(file->hdf5, name, type, space, link, made, H5P_DEFAULT);
    ck_assert_int_ge(set, 0);
    if (values)
        ck_assert_int_ge(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), 0);
    H5Pclose(link);
    H5Pclose(made);
    H5Sclose(space);
    return set;
}

static double times[ROWS], positions[ROWS];

static void fill(void)
{
    for (size_t i = 0; i < ROWS; i++) {
        times[i] = (double)i * PERIOD_S;
        positions[i] = position_at(i);
    }
}

static void add_vector(const struct file *file, const char *name, hid_t type, bool chunks, const double *values)
{
    const hsize_t rows = ROWS;
    H5Dclose(add_set(file, name, type, 1, &rows, chunks, values));
}

/* Closes the file, reads it, and removes it. */
static int load(struct file *file, const struct recording_manner *manner, struct recording *recording,
                struct complaint *complaint)
{
    H5Fclose(file->hdf5);
    const int error = recording_load(file->path, manner, recording, complaint);
    unlink(file->path);
    return error;
}

static void expect_decay(struct file *file, const struct recording_manner *manner, const char *unit, double within)
{
    struct recording recording;
    struct complaint complaint;
    ck_assert_msg(load(file, manner, &recording, &complaint) == 0, "%s", complaint.text);
    ck_assert_uint_eq(recording.count, ROWS);
    ck_assert_uint_eq(recording.channel_count, 1);
    ck_assert_str_eq(recording.columns[0].name, "lvdt");
    ck_assert_str_eq(recording.columns[0].unit, unit);
    ck_assert(recording.uniform);
    ck_assert_double_eq_tol(recording.period_s, PERIOD_S, 1e-9);
    for (size_t i = 0; i < ROWS; i++)
        ck_assert_double_le(fabs(recording.displacement[0][i] - position_at(i)), within);
    recording_clear(&recording);
}

static void expect_refusal(struct file *file, const char *words)
{
    struct recording recording;
    struct complaint complaint;
    ck_assert_int_lt(load(file, NULL, &recording, &complaint), 0);
    ck_assert_msg(strstr(complaint.text, words), "%s", complaint.text);
}

/* In days: the last one is too large, or two tiny ones are the same in seconds. */
START_TEST(a_time_that_no_clock_has_is_refused)
{
    static const double lasts[] = {1e306, 1e101, 2e-323};
    for (size_t i = 0; i < sizeof lasts / sizeof lasts[0]; i++) {
        const struct recording_manner manner = {.timing = {.unit_s = i < 2 ? 86400 : 1e-3}};
        const hsize_t rows = 2;
        const double two_times[] = {i < 2 ? 0 : 1e-323, lasts[i]}, two_positions[] = {1, 2};
        struct file file = begin_file();
        struct recording recording;
        struct complaint complaint = {""};
        H5Dclose(add_set(&file, "time", H5T_NATIVE_DOUBLE, 1, &rows, false, two_times));
        H5Dclose(add_set(&file, "lvdt", H5T_NATIVE_DOUBLE, 1, &rows, false, two_positions));
        ck_assert_int_eq(load(&file, &manner, &recording, &complaint), -EBADMSG);
        ck_assert_msg(strstr(complaint.text, i < 2 ? "row 2: the time is" : "row 2: the time does not increase"), "%s",
                      complaint.text);
    }
}
END_TEST

START_TEST(test_vectors)
{
    struct file file = begin_file();
    add_vector(&file, "time", H5T_IEEE_F64LE, false, times);
    add_vector(&file, "lvdt_mm", H5T_IEEE_F64BE, false, positions);
    expect_decay(&file, NULL, "mm", 0);
    file = begin_file();
    add_vector(&file, "lvdt_mm", H5T_IEEE_F32LE, true, positions);
    add_vector(&file, "time", H5T_IEEE_F32LE, true, times);
    expect_decay(&file, NULL, "mm", 1e-6);
}
END_TEST

/* Nanoseconds since 1970, which doubles would round to 256 ns: a step of 1001 ns is one. */
START_TEST(test_counts_of_64_bits_lose_no_digit)
{
    static int64_t counts[ROWS];
    const hsize_t rows = ROWS;
    struct recording recording;
    struct complaint complaint;
    struct file file = begin_file();
    for (size_t i = 0; i < ROWS; i++)
        counts[i] = INT64_C(1715983198123456789) + 1001 * (int64_t)i;
    const hid_t set = add_set(&file, "t_ns", H5T_STD_I64LE, 1, &rows, true, NULL);
    ck_assert_int_ge(H5Dwrite(set, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, counts), 0);
    H5Dclose(set);
    add_vector(&file, "lvdt_mm", H5T_IEEE_F64LE, false, positions);
    ck_assert_msg(load(&file, NULL, &recording, &complaint) == 0, "%s", complaint.text);
    ck_assert(recording.uniform);
    ck_assert_double_eq_tol(recording.period_s, 1001e-9, 1e-18);
    recording_clear(&recording);
}
END_TEST

START_TEST(test_units_stand_beside_the_numbers)
{
    struct file file = begin_file();
    const hsize_t rows = ROWS;
    double milliseconds[ROWS];
    for (size_t i = 0; i < ROWS; i++)
        milliseconds[i] = 1e3 * times[i];
    hid_t set = add_set(&file, "monday/time", H5T_IEEE_F64LE, 1, &rows, false, milliseconds);
    add_text(set, "units", "ms");
    H5Dclose(set);
    set = add_set(&file, "monday/lvdt", H5T_IEEE_F64LE, 1, &rows, true, positions);
    add_text(set, "unit", "um");
    H5Dclose(set);
    expect_decay(&file, NULL, "um", 0);
}
END_TEST

static void add_number(hid_t set, const char *name, double value)
{
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t attribute = H5Acreate2(set, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT);
    ck_assert_int_ge(H5Awrite(attribute, H5T_NATIVE_DOUBLE, &value), 0);
    H5Aclose(attribute);
    H5Sclose(space);
}

/* netCDF packs positions into integers. */
START_TEST(test_numbers_are_scaled_as_the_file_says)
{
    static double codes[ROWS];
    const hsize_t rows = ROWS;
    fill();
    for (size_t i = 0; i < ROWS; i++)
        codes[i] = round((positions[i] - 2) / 1e-3);
    for (int broken = 0; broken < 2; broken++) {
        struct file file = begin_file();
        add_vector(&file, "time", H5T_IEEE_F64LE, false, times);
        const hid_t set = add_set(&file, "lvdt", H5T_STD_I16LE, 1, &rows, false, codes);
        add_text(set, "units", "mm");
        add_number(set, "add_offset", 2);
        if (broken)
            add_text(set, "scale_factor", "0.001");
        else
            add_number(set, "scale_factor", 1e-3);
        H5Dclose(set);
        if (broken)
            expect_refusal(&file, "the scale_factor or the add_offset of lvdt is no number");
        else
            expect_decay(&file, NULL, "mm", 0.51e-3);
    }
}
END_TEST

/* As netCDF says of values that are not there; they stand before their scale. */
START_TEST(test_missing_values_are_no_samples)
{
    static const char *const names[] = {"_FillValue", "missing_value"};
    static double codes[ROWS];
    const hsize_t rows = ROWS;
    fill();
    for (size_t n = 0; n < 2; n++) {
        struct file file = begin_file();
        for (size_t i = 0; i < ROWS; i++)
            codes[i] = i == 700 ? -9999 : round(positions[i] / 1e-3);
        add_vector(&file, "time", H5T_IEEE_F64LE, false, times);
        const hid_t set = add_set(&file, "lvdt", H5T_STD_I16LE, 1, &rows, false, codes);
        add_text(set, "units", "mm");
        add_number(set, "scale_factor", 1e-3);
        add_number(set, names[n], -9999);
        H5Dclose(set);
        expect_refusal(&file, "row 701: the value of lvdt is not a number (NaN)");
    }
}
END_TEST

/* MATLAB's N x 1 is HDF5's 1 x N; of a matrix each column is a row here. */
START_TEST(test_matrices_of_matlab)
{
    struct file file = begin_file();
    const hsize_t lying[2] = {1, ROWS}, both[2] = {2, ROWS};
    double matrix[2 * ROWS];
    memcpy(matrix, times, sizeof times);
    memcpy(matrix + ROWS, positions, sizeof positions);
    hid_t set = add_set(&file, "t", H5T_IEEE_F64LE, 2, lying, false, times);
    add_text(set, "MATLAB_class", "double");
    H5Dclose(set);
    set = add_set(&file, "lvdt_mm", H5T_IEEE_F64LE, 2, lying, false, positions);
    add_text(set, "MATLAB_class", "double");
    H5Dclose(set);
    set = add_set(&file, "note", H5T_STD_U16LE, 2, lying, false, NULL);
    add_text(set, "MATLAB_class", "char");
    H5Dclose(set);
    expect_decay(&file, NULL, "mm", 0);
    file = begin_file();
    set = add_set(&file, "lvdt", H5T_IEEE_F64LE, 2, both, false, matrix);
    add_text(set, "MATLAB_class", "double");
    H5Dclose(set);
    struct recording recording;
    struct complaint complaint;
    const struct recording_manner manner = {.columns = "1,2", .timing.unit_s = 1};
    ck_assert_msg(load(&file, &manner, &recording, &complaint) == 0, "%s", complaint.text);
    ck_assert_uint_eq(recording.count, ROWS);
    ck_assert_double_eq(recording.displacement[0][7], position_at(7));
    recording_clear(&recording);
}
END_TEST

START_TEST(test_what_cannot_be_known_is_refused)
{
    struct file file = begin_file();
    add_vector(&file, "monday/time", H5T_IEEE_F64LE, false, times);
    add_vector(&file, "monday/lvdt", H5T_IEEE_F64LE, false, positions);
    add_vector(&file, "tuesday/time", H5T_IEEE_F64LE, false, times);
    expect_refusal(&file, "more than one time: monday/lvdt (5000), monday/time (5000), tuesday/time (5000)");
    file = begin_file();
    expect_refusal(&file, "without vectors of numbers");
    file = begin_file();
    positions[10] = NAN;
    add_vector(&file, "time", H5T_IEEE_F64LE, false, times);
    add_vector(&file, "lvdt", H5T_IEEE_F64LE, true, positions);
    expect_refusal(&file, "row 11: the value of lvdt is not a number");
    fill();
}
END_TEST

static void add_giant(const struct file *file, const char *name)
{
    const hsize_t rows = (hsize_t)1 << 45, chunk = CHUNK;
    const hid_t space = H5Screate_simple(1, &rows, NULL), made = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(made, 1, &chunk);
    H5Dclose(H5Dcreate2(file->hdf5, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, made, H5P_DEFAULT));
    H5Pclose(made);
    H5Sclose(space);
}

/* A data set may claim any size where nothing was ever written into it. */
START_TEST(test_a_giant_header_takes_no_memory)
{
    struct file file = begin_file();
    add_giant(&file, "time");
    add_giant(&file, "lvdt");
    expect_refusal(&file, "without vectors of numbers");
}
END_TEST

/* A rate stands for the time, and so nothing would end such rows before memory does. */
START_TEST(test_a_giant_header_beside_a_rate_is_passed_over)
{
    struct file file = begin_file();
    struct recording recording;
    struct complaint complaint;
    const struct recording_manner manner = {.timing.rate_hz = 500};
    add_giant(&file, "temperature");
    add_vector(&file, "lvdt_mm", H5T_IEEE_F64LE, true, positions);
    ck_assert_msg(load(&file, &manner, &recording, &complaint) == 0, "%s", complaint.text);
    ck_assert_uint_eq(recording.count, ROWS);
    ck_assert_uint_eq(recording.channel_count, 1);
    ck_assert_ptr_nonnull(strstr(recording.read_as, "without 1 data sets that are empty or no vectors"));
    recording_clear(&recording);
    file = begin_file();
    add_giant(&file, "lvdt_mm");
    ck_assert_int_lt(load(&file, &manner, &recording, &complaint), 0);
    ck_assert_ptr_nonnull(strstr(complaint.text, "without vectors of numbers"));
}
END_TEST

/* A header is made of the names, and quotes or commas in them must not move its columns. */
START_TEST(test_quotes_and_commas_in_names)
{
    static const struct {
        const char *names[2], *channels[2];
    } cases[] = {{{"\"a", "b\""}, {"'a", "b'"}}, {{"x\",y", "z"}, {"x',y", "z"}}, {{"a,\"", "\"\""}, {"a,'", "''"}}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct file file = begin_file();
        struct recording recording;
        struct complaint complaint;
        add_vector(&file, "t", H5T_IEEE_F64LE, false, times);
        for (size_t c = 0; c < 2; c++)
            add_vector(&file, cases[i].names[c], H5T_IEEE_F64LE, false, positions);
        ck_assert_msg(load(&file, NULL, &recording, &complaint) == 0, "%s", complaint.text);
        ck_assert_uint_eq(recording.channel_count, 2);
        for (size_t c = 0; c < 2; c++) {
            const bool swapped = strcmp(recording.columns[0].name, cases[i].channels[0]) != 0;
            ck_assert_str_eq(recording.columns[c].name, cases[i].channels[swapped ? 1 - c : c]);
            ck_assert_double_eq(recording.displacement[c][7], position_at(7));
        }
        recording_clear(&recording);
    }
}
END_TEST

/* "\xB5m" is the micrometre of Latin-1. */
START_TEST(test_a_unit_that_is_no_text_does_not_refuse_the_file)
{
    static const char *const units[][2] = {{"\xB5m", "\xC2\xB5m"}, {"mm\n", "mm"}, {"\xC2\xB5m", "\xC2\xB5m"}};
    const hsize_t rows = ROWS;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        struct file file = begin_file();
        add_vector(&file, "time", H5T_IEEE_F64LE, false, times);
        const hid_t set = add_set(&file, "lvdt", H5T_IEEE_F64LE, 1, &rows, false, positions);
        add_text(set, "units", units[i][0]);
        H5Dclose(set);
        expect_decay(&file, NULL, units[i][1], 0);
    }
}
END_TEST

static Suite *number_files_suite(void)
{
    Suite *suite = suite_create("number_files");
    TCase *hdf5 = tcase_create("hdf5");
    fill();
    tcase_add_test(hdf5, test_vectors);
    tcase_add_test(hdf5, a_time_that_no_clock_has_is_refused);
    tcase_add_test(hdf5, test_counts_of_64_bits_lose_no_digit);
    tcase_add_test(hdf5, test_units_stand_beside_the_numbers);
    tcase_add_test(hdf5, test_numbers_are_scaled_as_the_file_says);
    tcase_add_test(hdf5, test_missing_values_are_no_samples);
    tcase_add_test(hdf5, test_matrices_of_matlab);
    tcase_add_test(hdf5, test_what_cannot_be_known_is_refused);
    tcase_add_test(hdf5, test_a_giant_header_takes_no_memory);
    tcase_add_test(hdf5, test_a_giant_header_beside_a_rate_is_passed_over);
    tcase_add_test(hdf5, test_quotes_and_commas_in_names);
    tcase_add_test(hdf5, test_a_unit_that_is_no_text_does_not_refuse_the_file);
    suite_add_tcase(suite, hdf5);
    return suite;
}

#else

START_TEST(test_without_the_library)
{
    char path[] = "/tmp/fricid-numbers-XXXXXX";
    static const char signature[] = "\x89HDF\r\n\x1A\n";
    struct recording recording;
    struct complaint complaint;
    const int descriptor = mkstemp(path);
    ck_assert_int_eq(write(descriptor, signature, sizeof signature), sizeof signature);
    close(descriptor);
    ck_assert_int_eq(recording_load(path, NULL, &recording, &complaint), -ENOTSUP);
    ck_assert_ptr_nonnull(strstr(complaint.text, "fricid was built without HDF5"));
    unlink(path);
}
END_TEST

static Suite *number_files_suite(void)
{
    Suite *suite = suite_create("number_files");
    TCase *none = tcase_create("none");
    tcase_add_test(none, test_without_the_library);
    suite_add_tcase(suite, none);
    return suite;
}

#endif

int main(void)
{
    return run_suite(number_files_suite());
}
