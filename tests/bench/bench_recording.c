/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How many rows a second a recording is read with, beside the plain way with getline() and strtod() on the same file.
 * usage: bench_recording [ROWS] */
#include "proto/recording.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
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

/* Dialects, which are translated on the way; the peer cannot read them. */
static const struct form {
    const char *what, *delimiter, *quote;
    bool commas, day_times;
} forms[] = {
    {"semicolons, decimal commas:", ";", "", true, false},
    {"tabs:", "\t", "", false, false},
    {"blanks:", "   ", "", false, false},
    {"quotes, decimal commas:", ",", "\"", true, false},
    {"times of the day:", ";", "", false, true},
};

static void write_cell(FILE *file, const struct form *form, const char *delimiter, double value, int decimals)
{
    char cell[32];
    snprintf(cell, sizeof cell, "%.*f", decimals, value);
    for (char *c = cell; form->commas && *c; c++)
        *c = *c == '.' ? ',' : *c;
    fprintf(file, "%s%s%s%s", delimiter, form->quote, cell, form->quote);
}

static bool write_form(const char *path, const struct form *form, long rows)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    fprintf(file, "time_s%slvdt_mm%sencoder_mm\n", form->delimiter, form->delimiter);
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
    return fclose(file) == 0;
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

int main(int argc, char **argv)
{
    long rows = argc > 1 ? atol(argv[1]) : 1000000;
    char path[] = "/tmp/fricid-bench-XXXXXX";
    int fd = mkstemp(path);
    if (fd < 0 || close(fd) != 0)
        return EXIT_FAILURE;
    compare(path, "3 columns, sensor digits:", rows, false);
    compare(path, "3 columns, 17 digits:", rows, true);
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        measure_form(path, &forms[i], rows);
    unlink(path);
    return EXIT_SUCCESS;
}
