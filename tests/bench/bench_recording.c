/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many rows a second of processor time a recording is read with, beside the plain way with getline() and strtod()
 * on the same file. usage: bench_recording [ROWS] */
#include "config.h"

#include "proto/recording.h"

#if HAVE_HDF5
#include <hdf5.h>
#endif
#include <malloc.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#if HAVE_ZLIB
#include <zlib.h>
#endif

/* What this build reads. */
#ifndef HAVE_SNDFILE
#define HAVE_SNDFILE 0
#endif
#ifndef HAVE_MATIO
#define HAVE_MATIO 0
#endif
#ifndef HAVE_HDF5
#define HAVE_HDF5 0
#endif

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Three columns: at the resolution of the sensors, or with every digit that a double has. */
static bool write_rows(const char *path, long rows, bool all_digits)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    fputs("time_s,lvdt_mm,encoder_mm\n", file);
    for (long i = 0; i < rows; i++) {
        double time_s = (double)i * 1e-4, x = 12 * cos(34.7 * time_s) * exp(-time_s / 50);
        if (all_digits)
            fprintf(file, "%.17g,%.17g,%.17g\n", time_s, x, x / 3);
        else
            fprintf(file, "%.4f,%.2f,%.5f\n", time_s, x, x);
    }
    return fclose(file) == 0;
}

static double read_as_recording(const char *path, long rows)
{
    struct recording recording;
    struct complaint complaint;
    double began_s = now_s();
    if (recording_load(path, NULL, &recording, &complaint) != 0) {
        fprintf(stderr, "%s\n", complaint.text);
        exit(EXIT_FAILURE);
    }
    double taken_s = now_s() - began_s;
    if ((long)recording.count != rows)
        exit(EXIT_FAILURE);
    recording_clear(&recording);
    return taken_s;
}

/* How the bytes of a text come into a file. */
static bool put_plain(const char *path, const char *text, size_t length)
{
    FILE *file = fopen(path, "w");
    const bool written = file && fwrite(text, 1, length, file) == length;
    return file && fclose(file) == 0 && written;
}

static bool put_wide(const char *path, const char *text, size_t length)
{
    char *wide = calloc(length + 1, 2);
    for (size_t i = 0; wide && i < length; i++)
        wide[2 * i] = text[i];
    const bool written = wide && put_plain(path, wide, 2 * length);
    free(wide);
    return written;
}

#if HAVE_ZLIB

static bool put_packed(const char *path, const char *text, size_t length)
{
    gzFile file = gzopen(path, "wb6");
    const bool written = file && gzwrite(file, text, (unsigned)length) == (int)length;
    return file && gzclose(file) == Z_OK && written;
}

#endif

#define NAMES "time_s%slvdt_mm%sencoder_mm\n"
#define LABVIEW                                                                                                        \
    "LabVIEW Measurement\nSeparator\tTab\nDecimal_Separator\t.\nX_Columns\tOne\n***End_of_Header***\nChannels\t2\n"    \
    "***End_of_Header***\n"

/* Dialects, which are translated on the way; the peer cannot read them. */
static const struct form {
    const char *what, *delimiter, *quote;
    bool commas, day_times, grouped;
    const char *header; /* with the delimiter twice; NULL: NAMES */
    bool (*put)(const char *path, const char *text, size_t length);
} forms[] = {
    {.what = "semicolons, decimal commas:", .delimiter = ";", .commas = true},
    {.what = "tabs:", .delimiter = "\t"},
    {.what = "tabs, decimal commas:", .delimiter = "\t", .commas = true},
    {.what = "blanks:", .delimiter = "   "},
    {.what = "blanks, decimal commas:", .delimiter = " ", .commas = true},
    {.what = "quotes:", .delimiter = ",", .quote = "\""},
    {.what = "quotes, decimal commas:", .delimiter = ",", .quote = "\"", .commas = true},
    {.what = "quotes, semicolons, commas:", .delimiter = ";", .quote = "\"", .commas = true},
    {.what = "thousands in groups:", .delimiter = ";", .grouped = true, .commas = true},
    {.what = "times of the day:", .delimiter = ";", .day_times = true},
    {.what = "times of the day, commas:", .delimiter = ",", .day_times = true},
    {.what = "units below the names:", .delimiter = ";", .header = "time%sx%sy\ns;mm;mm\n"},
    {.what = "UTF-16:", .delimiter = ",", .put = put_wide},
    {.what = "UTF-16, tabs, commas:", .delimiter = "\t", .commas = true, .put = put_wide},
    {.what = "Latin-1:", .delimiter = ";", .commas = true, .header = "t [s]%sL\xe4nge [\xb5m]%sy [\xb5m]\n"},
#if HAVE_ZLIB
    {.what = "gzip:", .delimiter = ",", .put = put_packed},
    {.what = "gzip, semicolons, commas:", .delimiter = ";", .commas = true, .put = put_packed},
#endif
    {.what = "LabVIEW (.lvm):", .delimiter = "\t", .header = LABVIEW "X_Value%sx_mm%sy_mm\n"},
};

static void write_cell(FILE *file, const struct form *form, const char *delimiter, double value, int decimals)
{
    const char *quote = form->quote ? form->quote : "";
    char cell[32];
    /* All values are above a thousand where they are grouped. */
    if (form->grouped && delimiter[0])
        snprintf(cell, sizeof cell, "%d.%03d.%0*d", 1 + (int)fabs(value), (int)(1e6 * fabs(value)) % 1000, decimals, 0);
    else
        snprintf(cell, sizeof cell, "%.*f", decimals, value);
    for (char *c = cell; form->commas && !(form->grouped && delimiter[0]) && *c; c++)
        *c = *c == '.' ? ',' : *c;
    if (form->grouped && delimiter[0])
        *strrchr(cell, '.') = ',';
    fprintf(file, "%s%s%s%s", delimiter, quote, cell, quote);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static void write_names(FILE *file, const struct form *form)
{
    fprintf(file, form->header ? form->header : NAMES, form->delimiter, form->delimiter);
}
#pragma GCC diagnostic pop

static bool write_form(const char *path, const struct form *form, long rows)
{
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    if (!file)
        return false;
    write_names(file, form);
    for (long i = 0; i < rows; i++) {
        double time_s = (double)i * 1e-4, x = 12 * cos(34.7 * time_s) * exp(-time_s / 50);
        if (form->day_times)
            fprintf(file, "2024-05-17 12:%02ld:%02ld.%04ld", i / 600000, i / 10000 % 60, i % 10000);
        else
            write_cell(file, form, "", time_s, 4);
        write_cell(file, form, form->delimiter, x, 2);
        write_cell(file, form, form->delimiter, x, 5);
        fputc('\n', file);
    }
    const bool written = fclose(file) == 0 && (form->put ? form->put : put_plain)(path, text, length);
    free(text);
    return written;
}

static void measure_form(const char *path, const struct form *form, long rows)
{
    double best = INFINITY;
    if (!write_form(path, form, rows))
        exit(EXIT_FAILURE);
    for (int i = 0; i < 3; i++)
        best = fmin(best, read_as_recording(path, rows));
    printf("%-28s %6.2f million rows/s\n", form->what, 1e-6 * (double)rows / best);
}

/* The peer: no checks at all, nothing kept. */
static double read_plainly(const char *path, long rows)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t capacity = 0;
    double sum = 0;
    long lines = -1;
    if (!file)
        exit(EXIT_FAILURE);
    double began_s = now_s();
    for (; getline(&line, &capacity, file) > 0; lines++) {
        char *at = line;
        for (int column = 0; column < 3; column++, at++)
            sum += strtod(at, &at);
    }
    double taken_s = now_s() - began_s;
    free(line);
    fclose(file);
    if (lines != rows || !isfinite(sum))
        exit(EXIT_FAILURE);
    return taken_s;
}

static void compare(const char *path, const char *what, long rows, bool all_digits)
{
    if (!write_rows(path, rows, all_digits))
        exit(EXIT_FAILURE);
    double best = INFINITY, plain = INFINITY;
    for (int i = 0; i < 3; i++) {
        best = fmin(best, read_as_recording(path, rows));
        plain = fmin(plain, read_plainly(path, rows));
    }
    printf("%-28s %6.2f million rows/s; getline and strtod %6.2f\n", what, 1e-6 * (double)rows / best,
           1e-6 * (double)rows / plain);
}

/* Files of numbers. */

static bool write_sound(const char *path, long rows)
{
    const uint32_t bytes = (uint32_t)(4 * rows), rate = 10000;
    const struct {
        char riff[4];
        uint32_t size;
        char wave[8];
        uint32_t form_size;
        uint16_t coding, channels;
        uint32_t rate, bytes_a_second;
        uint16_t bytes_a_frame, bits;
        char data[4];
        uint32_t data_size;
    } head = {
        {'R', 'I', 'F', 'F'}, 36 + bytes, {'W', 'A', 'V', 'E', 'f', 'm', 't', ' '}, 16, 1, 2, rate, 4 * rate, 4, 16,
        {'d', 'a', 't', 'a'}, bytes};
    FILE *file = fopen(path, "w");
    if (!file || fwrite(&head, sizeof head, 1, file) != 1)
        return false;
    for (long i = 0; i < rows; i++) {
        const int16_t x = (int16_t)(12000 * cos(34.7e-4 * (double)i) * exp(-(double)i * 2e-6)), both[2] = {x, x};
        fwrite(both, sizeof both, 1, file);
    }
    return fclose(file) == 0;
}

/* A vector of doubles. */
static void write_variable(FILE *file, const char name[4], long rows, double (*value)(long))
{
    const uint32_t bytes = (uint32_t)(8 * rows);
    const uint32_t head[] = {14, 48 + bytes, 6, 8, 6, 0, 5, 8, (uint32_t)rows, 1};
    const uint32_t tag[] = {9, bytes};
    const uint16_t name_tag[] = {1, 4};
    fwrite(head, sizeof head, 1, file);
    fwrite(name_tag, sizeof name_tag, 1, file);
    fwrite(name, 4, 1, file);
    fwrite(tag, sizeof tag, 1, file);
    for (long i = 0; i < rows; i++) {
        const double x = value(i);
        fwrite(&x, sizeof x, 1, file);
    }
}

static double time_of(long row)
{
    return (double)row * 1e-4;
}

static double position_of(long row)
{
    return 12 * cos(34.7 * time_of(row)) * exp(-time_of(row) / 50);
}

static bool write_matlab(const char *path, long rows)
{
    char head[128] = "MATLAB 5.0 MAT-file, written by a bench";
    head[125] = 1;
    head[126] = 'I';
    head[127] = 'M';
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    fwrite(head, sizeof head, 1, file);
    write_variable(file, "t_s\0", rows, time_of);
    write_variable(file, "x_mm", rows, position_of);
    write_variable(file, "y_mm", rows, position_of);
    return fclose(file) == 0;
}

#if HAVE_HDF5

static bool write_set(hid_t file, const char *name, long rows, double (*value)(long))
{
    const hsize_t dims = (hsize_t)rows;
    double *values = malloc((size_t)rows * sizeof *values);
    for (long i = 0; values && i < rows; i++)
        values[i] = value(i);
    const hid_t space = H5Screate_simple(1, &dims, NULL);
    const hid_t set = H5Dcreate2(file, name, H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const bool written = values && H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
    H5Dclose(set);
    H5Sclose(space);
    free(values);
    return written;
}

static bool write_hdf5(const char *path, long rows)
{
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    const bool written = write_set(file, "t_s", rows, time_of) && write_set(file, "x_mm", rows, position_of) &&
                         write_set(file, "y_mm", rows, position_of);
    return H5Fclose(file) >= 0 && written;
}

#else

static bool write_hdf5(const char *path, long rows)
{
    (void)path;
    (void)rows;
    return false;
}

#endif

static const struct number_form {
    const char *what;
    bool known; /* this build reads them */
    bool (*write)(const char *path, long rows);
} number_forms[] = {
    {"sound, 2 channels of 16 bit:", HAVE_SNDFILE, write_sound},
    {"MATLAB, 3 vectors:", HAVE_MATIO, write_matlab},
    {"HDF5, 3 vectors:", HAVE_HDF5, write_hdf5},
};

static void measure_numbers(const char *path, const struct number_form *form, long rows)
{
    double best = INFINITY;
    if (!form->known)
        return;
    if (!form->write(path, rows))
        exit(EXIT_FAILURE);
    for (int i = 0; i < 3; i++)
        best = fmin(best, read_as_recording(path, rows));
    printf("%-28s %6.2f million rows/s\n", form->what, 1e-6 * (double)rows / best);
}

int main(int argc, char **argv)
{
    long rows = argc > 1 ? atol(argv[1]) : 1000000;
    char path[] = "/tmp/fricid-bench-XXXXXX";
    int fd = mkstemp(path);
    if (fd < 0 || close(fd) != 0)
        return EXIT_FAILURE;
    /* What is read comes into fresh memory, as in a program that reads one file: the kernel's part is most of the time.
     */
    mallopt(M_MMAP_THRESHOLD, 128 * 1024);
    compare(path, "3 columns, sensor digits:", rows, false);
    compare(path, "3 columns, 17 digits:", rows, true);
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        measure_form(path, &forms[i], rows);
    for (size_t i = 0; i < sizeof number_forms / sizeof number_forms[0]; i++)
        measure_numbers(path, &number_forms[i], rows);
    unlink(path);
    return EXIT_SUCCESS;
}
