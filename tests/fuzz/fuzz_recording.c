/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a recording: read at once and row by row, which must agree. */
#include "fuzz.h"

#include "proto/recording.h"
#include "proto/recording_clock.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 7, MANNERS = 6 };

/* What may be said beside a file. */
static const struct recording_manner manners[MANNERS] = {{.decimal = 0},           {.timing.unit_s = 1e-3},
                                                         {.timing.rate_hz = 1000}, {.decimal = ','},
                                                         {.columns = "1,3"},       {.timing.mean_rate = true}};

/* What a reader promises of the rows that it gives. */
static void check_recording(const struct recording *recording)
{
    fuzz_require(recording->count >= 2, "a recording has at least two rows");
    fuzz_require(recording->channel_count >= 1 && recording->channel_count <= RECORDING_MAX_CHANNELS,
                 "a recording has 1 to 64 channels");
    for (size_t i = 0; i < recording->count; i++) {
        fuzz_require(isfinite(recording->time_s[i]), "a time stamp is finite");
        fuzz_require(i == 0 || recording->time_s[i] > recording->time_s[i - 1], "time stamps increase");
        for (size_t c = 0; c < recording->channel_count; c++)
            fuzz_require(isfinite(recording->displacement[c][i]), "a displacement is finite");
    }
    fuzz_require(recording->period_s > 0 && isfinite(recording->period_s), "a recording has a period");
    for (size_t r = 0; r < recording->run_count; r++)
        fuzz_require(recording->runs[r].period_s > 0 && isfinite(recording->runs[r].origin_s), "and so has each run");
}

/* Reads a few rows at a time and compares with what was read at once (NULL: that was refused). Returns how it ended. */
static long compare_rows(struct recording_reader *reader, size_t rows, const struct recording *whole,
                         struct complaint *complaint)
{
    static double time_s[MOST_ROWS], values[RECORDING_MAX_CHANNELS][MOST_ROWS];
    double *displacement[RECORDING_MAX_CHANNELS];
    size_t channels = recording_channel_count(reader), done = 0;
    const bool even = recording_is_even(reader); /* then the whole has other times than its rows */
    struct recording_clock clock;
    long got;
    recording_clock_begin(&clock, recording_declared(reader), even);
    for (size_t c = 0; c < channels; c++)
        displacement[c] = values[c];
    while ((got = recording_read(reader, rows, time_s, displacement, NULL, complaint)) > 0) {
        fuzz_require((size_t)got <= rows, "no more rows than asked for");
        for (size_t i = 0; whole && i < (size_t)got; i++) {
            fuzz_require(done + i < whole->count && (even || time_s[i] == whole->time_s[done + i]),
                         "the same time stamps");
            for (size_t c = 0; c < channels; c++)
                fuzz_require(values[c][i] == whole->displacement[c][done + i], "the same displacements");
        }
        recording_clock_take(&clock, time_s, (size_t)got);
        done += (size_t)got;
    }
    fuzz_require(!whole || (got == 0 && done == whole->count), "all rows of a good recording are read");
    return got < 0 ? got : recording_check_whole(reader, done, recording_clock_is_batched(&clock), complaint);
}

static void read_by_rows(const char *path, const struct recording_manner *manner, size_t rows,
                         const struct recording *whole, int error)
{
    struct recording_reader *reader = NULL;
    struct complaint complaint = {{0}};
    long end = recording_open(path, manner, &reader, &complaint);
    if (end == 0) {
        end = compare_rows(reader, rows, whole, &complaint);
        fuzz_require(recording_rewind(reader, &complaint) == 0, "a file can be read again");
        long again = compare_rows(reader, 1, whole, &complaint);
        fuzz_require(again == end, "reading again ends in the same way");
    }
    fuzz_require(end == error, "the same error at once and row by row");
    fuzz_require(end == 0 || complaint.text[0], "a refusal has a sentence");
    recording_close(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    struct recording recording;
    struct complaint complaint = {{0}};
    if (count == 0)
        return 0;
    size_t rows = 1 + bytes[count - 1] % MOST_ROWS;
    const struct recording_manner *manner = &manners[bytes[count - 1] / MOST_ROWS % MANNERS];
    const char *path = fuzz_file(bytes, count);
    int error = recording_load(path, manner, &recording, &complaint);
    if (error == 0)
        check_recording(&recording);
    else
        fuzz_require(complaint.text[0], "a refusal has a sentence");
    read_by_rows(path, manner, rows, error == 0 ? &recording : NULL, error);
    if (error == 0)
        recording_clear(&recording);
    return 0;
}
