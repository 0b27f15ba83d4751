/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recordings that say more than their rows: written and read back to the last bit, and what is wrong with bad ones. */
#include "proto/base64.h"
#include "proto/recording.h"
#include "proto/recording_writer.h"
#include "run_suite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct recording_column columns[] = {{"lvdt_a", "mm"}, {"an, \"odd\" one", "N_m"}};

static const struct recording_declaration uniform = {
    .given = true,
    .rig = "bearing",
    .device = "/dev/comedi0",
    .uniform = true,
    .origin_s = 0.1,
    .period_s = 1.0 / 3e3,
    .tells_gaps = true,
    .clock_ppm = 12.3,
    .time_error_s = 1.0 / 7e5,
    .channel_count = 2,
    .channels = {{"lvdt_a", "mm", 1.0 / 3, 0}, {"an, \"odd\" one", "N_m", 0, 1e-5 / 3}},
};

struct file {
    char path[32];
    FILE *stream;
};

static struct file make_file(void)
{
    struct file file = {.path = "/tmp/fricid-marks-XXXXXX"};
    int fd = mkstemp(file.path);
    ck_assert_int_ge(fd, 0);
    file.stream = fdopen(fd, "w");
    ck_assert_ptr_nonnull(file.stream);
    return file;
}

static void load(struct file *file, struct recording *recording)
{
    struct complaint complaint = {""};
    ck_assert_int_eq(fclose(file->stream), 0);
    ck_assert_msg(recording_load(file->path, NULL, recording, &complaint) == 0, "%s", complaint.text);
    unlink(file->path);
}

static double stamp(uint64_t index)
{
    return uniform.origin_s + (double)index * uniform.period_s;
}

static double value(size_t i, size_t c)
{
    return sin((double)(i + 1000 * c)) / 3;
}

static void write_rows(FILE *stream, uint64_t index, size_t first, size_t count)
{
    for (size_t i = first; i < first + count; i++) {
        const double values[] = {value(i, 0), value(i, 1)};
        recording_write_row(stream, stamp(index + i - first), values, 2);
    }
}

/* Ten scans, ten lost ones, ten more, a break that no index tells, ten more with five clipped. */
static void write_all(FILE *stream)
{
    struct recording_run run = {.first_index = 1000000007};
    ck_assert_int_eq(recording_write_head(stream, &uniform, "for people", columns, 2), 0);
    ck_assert_int_eq(recording_write_run(stream, &run, false, columns, 2), 0);
    write_rows(stream, run.first_index, 0, 10);
    run.first_index += 20;
    ck_assert_int_eq(recording_write_run(stream, &run, false, columns, 2), 0);
    write_rows(stream, run.first_index, 10, 10);
    run = (struct recording_run){.first_index = run.first_index + 10, .broken = 2};
    ck_assert_int_eq(recording_write_run(stream, &run, false, columns, 2), 0);
    write_rows(stream, run.first_index, 20, 3);
    ck_assert_int_eq(recording_write_clipped(stream, columns[1].name, 5), 0);
    write_rows(stream, run.first_index + 3, 23, 7);
}

START_TEST(everything_comes_back_to_the_last_bit)
{
    struct file file = make_file();
    struct recording recording;
    write_all(file.stream);
    load(&file, &recording);
    const struct recording_declaration *declared = &recording.declaration;
    ck_assert(declared->given && declared->uniform && declared->tells_gaps);
    ck_assert_str_eq(declared->rig, uniform.rig);
    ck_assert_str_eq(declared->device, uniform.device);
    ck_assert_double_eq(declared->origin_s, uniform.origin_s);
    ck_assert_double_eq(declared->period_s, uniform.period_s);
    ck_assert_double_eq(declared->clock_ppm, uniform.clock_ppm);
    ck_assert_double_eq(declared->time_error_s, uniform.time_error_s);
    for (size_t c = 0; c < 2; c++) {
        ck_assert_str_eq(recording.columns[c].name, columns[c].name);
        ck_assert_str_eq(recording.columns[c].unit, columns[c].unit);
        const struct recording_channel_facts facts = recording_facts(declared, columns[c].name);
        ck_assert_double_eq(facts.resolution, uniform.channels[c].resolution);
        ck_assert_double_eq(facts.delay_s, uniform.channels[c].delay_s);
    }
    ck_assert_uint_eq(recording.count, 30);
    ck_assert_uint_eq(recording.run_count, 3);
    ck_assert(recording.uniform);
    const uint64_t index[] = {1000000007, 1000000027, 1000000037}, broken[] = {0, 0, 2};
    for (size_t r = 0; r < 3; r++) {
        ck_assert_uint_eq(recording.run_rows[r], 10 * r);
        ck_assert_uint_eq(recording.runs[r].first_index, index[r]);
        ck_assert_uint_eq(recording.runs[r].broken, broken[r]);
    }
    for (size_t i = 0; i < 30; i++) {
        ck_assert_double_eq(recording.time_s[i], stamp(index[i / 10] + i % 10));
        for (size_t c = 0; c < 2; c++) {
            ck_assert_double_eq(recording.displacement[c][i], value(i, c));
            ck_assert_uint_eq(recording.flags[c][i], c == 1 && i >= 23 && i < 28 ? RECORDING_CLIPPED : 0);
        }
    }
    recording_clear(&recording);
}
END_TEST

/* The same rows, however few are read at a time: never two runs at once. */
START_TEST(reading_stops_before_a_gap)
{
    struct file file = make_file();
    struct recording_reader *reader;
    struct complaint complaint;
    write_all(file.stream);
    fclose(file.stream);
    ck_assert_int_eq(recording_open(file.path, NULL, &reader, &complaint), 0);
    for (size_t rows = 1; rows <= 32; rows += 31) {
        double time_s[32], a[32], b[32], *values[] = {a, b};
        uint8_t x[32], y[32], *flags[] = {x, y};
        size_t done = 0;
        long got;
        while ((got = recording_read(reader, rows, time_s, values, flags, &complaint)) > 0) {
            uint64_t end;
            const struct recording_run *run = recording_run(reader, &end);
            ck_assert_int_eq(got, rows == 1 ? 1 : 10);
            ck_assert_uint_eq(end, done % 10 + (size_t)got);
            ck_assert_double_eq(time_s[0], stamp(run->first_index + end - (uint64_t)got));
            ck_assert_double_eq(b[got - 1], value(done + (size_t)got - 1, 1));
            done += (size_t)got;
        }
        ck_assert_int_eq(got, 0);
        ck_assert_uint_eq(done, 30);
        ck_assert_int_eq(recording_rewind(reader, &complaint), 0);
    }
    recording_close(reader);
    unlink(file.path);
}
END_TEST

static const char head[] =
    "#fricid {\"recording\":1,\"origin_s\":0.5,\"period_s\":0.25,\"channels\":[]}\ntime_s,a_mm\n";

static int load_text(const char *text, struct recording *recording, struct complaint *complaint)
{
    struct file file = make_file();
    fputs(text, file.stream);
    fclose(file.stream);
    int error = recording_load(file.path, NULL, recording, complaint);
    unlink(file.path);
    return error;
}

/* Who cuts rows out with an editor leaves a gap, and nothing else. */
START_TEST(rows_may_be_cut_out)
{
    char text[512];
    struct recording recording;
    struct complaint complaint;
    snprintf(text, sizeof text, "%s1,1\n1.25,2\n1.5,3\n3,4\n3.25,5\n", head);
    ck_assert_msg(load_text(text, &recording, &complaint) == 0, "%s", complaint.text);
    ck_assert_uint_eq(recording.run_count, 2);
    ck_assert_uint_eq(recording.runs[0].first_index, 2);
    ck_assert_uint_eq(recording.runs[1].first_index, 10);
    ck_assert_uint_eq(recording.run_rows[1], 3);
    ck_assert_uint_eq(recording.runs[1].broken, 0);
    recording_clear(&recording);
}
END_TEST

START_TEST(without_a_gap_the_declared_clock_is_the_time)
{
    char text[512];
    struct recording recording;
    struct complaint complaint;
    snprintf(text, sizeof text, "%s1,1\n1.25,2\n1.5,3\n", head);
    ck_assert_int_eq(load_text(text, &recording, &complaint), 0);
    ck_assert(recording.uniform);
    ck_assert_double_eq(recording.start_s, 1);
    ck_assert_double_eq(recording.period_s, 0.25);
    ck_assert_ptr_null(recording.flags);
    recording_clear(&recording);
}
END_TEST

/* Gaps of stamped rows are told, for no index could jump; their numbers count on. */
START_TEST(stamped_rows)
{
    struct recording recording;
    struct complaint complaint;
    ck_assert_int_eq(load_text("#fricid {\"recording\":1,\"tells_gaps\":true}\ntime_s,a_mm\n#fricid {\"scan\":7}\n"
                               "1,1\n1.3,2\n#fricid {\"scan\":19,\"gap\":10}\n9,3\n9.1,4\n",
                               &recording, &complaint),
                     0);
    ck_assert(!recording.uniform && !recording.declaration.uniform);
    ck_assert_uint_eq(recording.run_count, 2);
    ck_assert_uint_eq(recording.runs[0].first_index, 7);
    ck_assert_uint_eq(recording.runs[1].first_index, 19);
    ck_assert_uint_eq(recording.runs[1].lost, 10);
    ck_assert_uint_eq(recording.runs[1].broken & 1, 1);
    /* The mean distance of the stamps; a run without a period would be analysed on one that nobody chose. */
    for (size_t r = 0; r < 2; r++)
        ck_assert_double_eq_tol(recording.runs[r].period_s, 8.1 / 3, 1e-12);
    recording_clear(&recording);
}
END_TEST

/* A part of a stream with time stamps may tick evenly: its stamps are the time all the same, as in the stream. */
START_TEST(declared_stamps_stay_stamps)
{
    struct recording recording;
    struct complaint complaint;
    ck_assert_int_eq(load_text("#fricid {\"recording\":1}\ntime_s,a_mm\n#fricid {\"scan\":12345}\n"
                               "3,1\n3.5,2\n4,3\n4.5,4\n",
                               &recording, &complaint),
                     0);
    ck_assert(!recording.uniform);
    ck_assert_double_eq(recording.start_s, 3);
    ck_assert_double_eq(recording.period_s, 0.5);
    ck_assert_double_eq(recording.runs[0].origin_s, 3);
    ck_assert_double_eq(recording.runs[0].period_s, 0.5);
    recording_clear(&recording);
}
END_TEST

START_TEST(mistakes_are_told_with_their_line)
{
    static const struct {
        const char *rows, *said;
    } cases[] = {
        {"1,1\n1.3,2\n", ":4: the time is not that of a scan"},
        {"1,1\n#fricid {\"scan\":\n1.25,2\n", ":4: what stands behind #fricid"},
        {"1,1\n#fricid {\"scan\":-1}\n1.25,2\n", ":4: the number of a scan"},
        {"1,1\n#fricid {\"origin_s\":0,\"period_s\":0}\n1.25,2\n", ":4: the clock is none"},
        {"1,1\n#fricid {\"recording\":1}\n1.25,2\n", ":4: a recording declares itself once"},
        {"1,1\n#fricid {\"scan\":2}\n0.75,2\n", ":4: the number of a scan goes back"},
        {"1,1\n#fricid {\"scan\":9}\n0.75,2\n", ":5: the time does not increase"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[512];
        struct recording recording;
        struct complaint complaint = {""};
        snprintf(text, sizeof text, "%s%s", head, cases[i].rows);
        ck_assert_int_lt(load_text(text, &recording, &complaint), 0);
        ck_assert_msg(strstr(complaint.text, cases[i].said), "%zu: %s", i, complaint.text);
    }
    struct recording recording;
    struct complaint complaint = {""};
    ck_assert_int_lt(load_text("time_s,a_mm\n#fricid {\"scan\":1}\n1,1\n2,2\n", &recording, &complaint), 0);
    ck_assert_ptr_nonnull(strstr(complaint.text, ":2: "));
    ck_assert_int_lt(load_text("#fricid {\"recording\":2}\ntime_s,a_mm\n1,1\n2,2\n", &recording, &complaint), 0);
    ck_assert_ptr_nonnull(strstr(complaint.text, "newer"));
}
END_TEST

/* A comment that only looks similar is a comment. */
START_TEST(other_comments_stay_comments)
{
    struct recording recording;
    struct complaint complaint;
    ck_assert_int_eq(load_text("#fricid rig {\ntime_s,a_mm\n1,1\n# fricid {\n2,2\n", &recording, &complaint), 0);
    ck_assert(!recording.declaration.given);
    ck_assert_uint_eq(recording.run_count, 1);
    ck_assert(recording.uniform);
    recording_clear(&recording);
}
END_TEST

START_TEST(base64_as_in_the_rfc)
{
    static const char *const pairs[][2] = {{"", ""},
                                           {"f", "Zg=="},
                                           {"fo", "Zm8="},
                                           {"foo", "Zm9v"},
                                           {"foob", "Zm9vYg=="},
                                           {"fooba", "Zm9vYmE="},
                                           {"foobar", "Zm9vYmFy"}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        char text[16], bytes[16];
        size_t length = strlen(pairs[i][0]);
        base64_encode(pairs[i][0], length, text);
        ck_assert_str_eq(text, pairs[i][1]);
        ck_assert_uint_eq(strlen(text), base64_length(length));
        ck_assert_int_eq(base64_decode(text, bytes, length), (ssize_t)length);
        ck_assert_int_eq(memcmp(bytes, pairs[i][0], length), 0);
        if (length > 0)
            ck_assert_int_eq(base64_decode(text, bytes, length - 1), -1);
    }
    static const char *const bad[] = {"Zg=", "Zg", "=Zg=", "Zg==Zg==", "Z===", "Zm9\n", "Zm=v", "\xc3\xa4zz"};
    char bytes[16];
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        ck_assert_int_eq(base64_decode(bad[i], bytes, sizeof bytes), -1);
}
END_TEST

START_TEST(doubles_in_base64)
{
    const double values[] = {0, -0.0, 1.0 / 3, INFINITY, 5e-324, -1.7e308};
    enum { COUNT = sizeof values / sizeof values[0] };
    unsigned char bytes[8 * COUNT];
    double back[COUNT];
    base64_pack_doubles(values, COUNT, bytes);
    /* IEEE 754, the least significant byte first: 1/3 is 0x3fd5555555555555. */
    ck_assert_uint_eq(bytes[23], 0x3f);
    ck_assert_uint_eq(bytes[22], 0xd5);
    base64_unpack_doubles(bytes, COUNT, back);
    ck_assert_int_eq(memcmp(values, back, sizeof values), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("recording_marks");
    TCase *marks = tcase_create("marks");
    tcase_add_test(marks, everything_comes_back_to_the_last_bit);
    tcase_add_test(marks, reading_stops_before_a_gap);
    tcase_add_test(marks, rows_may_be_cut_out);
    tcase_add_test(marks, without_a_gap_the_declared_clock_is_the_time);
    tcase_add_test(marks, stamped_rows);
    tcase_add_test(marks, declared_stamps_stay_stamps);
    tcase_add_test(marks, mistakes_are_told_with_their_line);
    tcase_add_test(marks, other_comments_stay_comments);
    suite_add_tcase(made, marks);
    TCase *text = tcase_create("base64");
    tcase_add_test(text, base64_as_in_the_rfc);
    tcase_add_test(text, doubles_in_base64);
    suite_add_tcase(made, text);
    return made;
}

int main(void)
{
    return run_suite(suite());
}
