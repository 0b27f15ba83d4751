/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A whole recording in memory, for whoever identifies files; the daemon's recording source reads chunk by chunk
 * instead. */

#include "proto/recording.h"
#include "proto/recording_clock.h"
#include "proto/utf8.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Rows read at a time. */
enum { ROWS = 4096 };

static bool grow(double **values, size_t capacity)
{
    double *grown = realloc(*values, capacity * sizeof *grown);
    if (grown)
        *values = grown;
    return grown;
}

static bool grow_flags(uint8_t **flags, size_t capacity)
{
    uint8_t *grown = realloc(*flags, capacity);
    if (grown)
        *flags = grown;
    return grown;
}

/* Doubling keeps the copying in proportion to the length of the recording. */
static bool make_room(struct recording *recording, size_t *capacity)
{
    if (recording->count + ROWS <= *capacity)
        return true;
    size_t wanted = 2 * *capacity + ROWS;
    if (!grow(&recording->time_s, wanted))
        return false;
    for (size_t c = 0; c < recording->channel_count; c++)
        if (!grow(&recording->displacement[c], wanted) ||
            (recording->flags && !grow_flags(&recording->flags[c], wanted)))
            return false;
    *capacity = wanted;
    return true;
}

/* Notes the run of the rows that were read last, when they are its first. */
static bool note_run(struct recording *recording, const struct recording_reader *reader, size_t rows)
{
    uint64_t end;
    const struct recording_run *run = recording_run(reader, &end);
    if (end != rows)
        return true;
    size_t count = recording->run_count;
    /* Doubling, at the powers of two. */
    if ((count & (count - 1)) == 0) {
        size_t room = count > 0 ? 2 * count : 1;
        struct recording_run *runs = realloc(recording->runs, room * sizeof *runs);
        if (runs)
            recording->runs = runs;
        size_t *run_rows = realloc(recording->run_rows, room * sizeof *run_rows);
        if (run_rows)
            recording->run_rows = run_rows;
        if (!runs || !run_rows)
            return false;
    }
    recording->runs[count] = *run;
    recording->run_rows[count] = recording->count;
    recording->run_count++;
    return true;
}

static int no_memory(const struct recording *recording, struct complaint *complaint)
{
    complaint_set(complaint, "memory is short for a recording of more than %zu rows", recording->count);
    return -ENOMEM;
}

/* Rows go straight into the final arrays, behind those that are there. */
static int read_rows(struct recording_reader *reader, struct recording *recording, struct complaint *complaint)
{
    size_t capacity = 0;
    double *rows[RECORDING_MAX_CHANNELS];
    uint8_t *flags[RECORDING_MAX_CHANNELS];
    for (;;) {
        if (!make_room(recording, &capacity))
            return no_memory(recording, complaint);
        for (size_t c = 0; c < recording->channel_count; c++) {
            rows[c] = recording->displacement[c] + recording->count;
            flags[c] = recording->flags ? recording->flags[c] + recording->count : NULL;
        }
        long got = recording_read(reader, ROWS, recording->time_s + recording->count, rows,
                                  recording->flags ? flags : NULL, complaint);
        if (got <= 0)
            return (int)got;
        if (!note_run(recording, reader, (size_t)got))
            return no_memory(recording, complaint);
        recording->count += (size_t)got;
    }
}

static void free_flags(struct recording *recording)
{
    for (size_t c = 0; recording->flags && c < recording->channel_count; c++)
        free(recording->flags[c]);
    free(recording->flags);
    recording->flags = NULL;
}

/* Most recordings have nothing clipped, and whoever reads them need not look. */
static void drop_empty_flags(struct recording *recording)
{
    for (size_t c = 0; recording->flags && c < recording->channel_count; c++)
        if (memchr(recording->flags[c], RECORDING_CLIPPED, recording->count))
            return;
    free_flags(recording);
}

/* The rows are all here, so both looks at them are one call each. */
static int settle_time(const struct recording_reader *reader, struct recording *recording, struct complaint *complaint)
{
    const bool even = recording_is_even(reader);
    struct recording_clock clock;
    recording_clock_begin(&clock, &recording->declaration, even);
    recording_clock_take(&clock, recording->time_s, recording->count);
    const int error = recording_check_whole(reader, clock.rows, recording_clock_is_batched(&clock), complaint);
    if (error)
        return error;
    if (recording_clock_looks_again(&clock, recording_stamp_unit(reader)))
        recording_clock_look(&clock, recording->time_s, recording->count);
    recording_clock_settle(&clock);
    recording->uniform = clock.uniform;
    recording->start_s = clock.start_s;
    recording->period_s = clock.period_s;
    for (size_t i = 0; even && i < recording->count; i++)
        recording->time_s[i] = clock.start_s + (double)i * clock.period_s;
    if (even)
        recording->declaration.clock_ppm = 1e6 * clock.uncertainty;
    for (size_t i = 0; i < recording->run_count; i++)
        recording->runs[i] = recording_clock_place(&clock, &recording->runs[i]);
    return 0;
}

/* On failure the caller clears what was read so far. */
static int load(struct recording_reader *reader, struct recording *recording, struct complaint *complaint)
{
    recording->channel_count = recording_channel_count(reader);
    memcpy(recording->columns, recording_columns(reader), recording->channel_count * sizeof *recording->columns);
    recording->declaration = *recording_declared(reader);
    utf8_copy(recording->read_as, sizeof recording->read_as, recording_read_as(reader));
    recording->displacement = calloc(recording->channel_count, sizeof *recording->displacement);
    if (recording->declaration.given)
        recording->flags = calloc(recording->channel_count, sizeof *recording->flags);
    if (!recording->displacement || (recording->declaration.given && !recording->flags)) {
        complaint_set(complaint, "memory is short");
        return -ENOMEM;
    }
    int error = read_rows(reader, recording, complaint);
    if (error)
        return error;
    recording->in_rows = recording_is_in_rows(reader);
    for (size_t c = 0; c < recording->channel_count; c++)
        recording->hole[c] = recording_hole_of(reader, c);
    drop_empty_flags(recording);
    return settle_time(reader, recording, complaint);
}

int recording_load(const char *path, const struct recording_manner *manner, struct recording *recording,
                   struct complaint *complaint)
{
    *recording = (struct recording){0};
    struct recording_reader *reader;
    int error = recording_open(path, manner, &reader, complaint);
    if (error)
        return error;
    error = load(reader, recording, complaint);
    recording_close(reader);
    if (error)
        recording_clear(recording);
    return error;
}

uint64_t recording_jump(const struct recording *recording, size_t run)
{
    const struct recording_run *here = &recording->runs[run];
    const size_t rows = run > 0 ? recording->run_rows[run] - recording->run_rows[run - 1] : 0;
    const uint64_t expected = run > 0 ? here[-1].first_index + rows : 0;
    return here->first_index > expected ? here->first_index - expected : 0;
}

void recording_clear(struct recording *recording)
{
    for (size_t c = 0; recording->displacement && c < recording->channel_count; c++)
        free(recording->displacement[c]);
    free(recording->displacement);
    free_flags(recording);
    free(recording->time_s);
    free(recording->runs);
    free(recording->run_rows);
    *recording = (struct recording){0};
}

/* The bits behind one that is taken out move up. */
static uint64_t without_bit(uint64_t bits, size_t bit)
{
    const uint64_t below = ((uint64_t)1 << bit) - 1;
    return (bits & below) | (bits >> 1 & ~below);
}

void recording_drop_channel(struct recording *recording, size_t channel)
{
    const size_t behind = recording->channel_count - channel - 1;
    free(recording->displacement[channel]);
    memmove(recording->displacement + channel, recording->displacement + channel + 1,
            behind * sizeof *recording->displacement);
    if (recording->flags) {
        free(recording->flags[channel]);
        memmove(recording->flags + channel, recording->flags + channel + 1, behind * sizeof *recording->flags);
    }
    memmove(recording->columns + channel, recording->columns + channel + 1, behind * sizeof *recording->columns);
    memmove(recording->hole + channel, recording->hole + channel + 1, behind * sizeof *recording->hole);
    for (size_t i = 0; i < recording->run_count; i++)
        recording->runs[i].broken = without_bit(recording->runs[i].broken, channel);
    recording->channel_count--;
}
