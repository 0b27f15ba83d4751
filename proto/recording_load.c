/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A whole recording in memory, for whoever identifies files; the daemon's recording source reads chunk by chunk
 * instead. */

#include "proto/recording.h"

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

/* Doubling keeps the copying in proportion to the length of the recording. */
static bool make_room(struct recording *recording, size_t *capacity)
{
    if (recording->count + ROWS <= *capacity)
        return true;
    size_t wanted = 2 * *capacity + ROWS;
    if (!grow(&recording->time_s, wanted))
        return false;
    for (size_t c = 0; c < recording->channel_count; c++)
        if (!grow(&recording->displacement[c], wanted))
            return false;
    *capacity = wanted;
    return true;
}

/* Rows go straight into the final arrays, behind those that are there. */
static int read_rows(struct recording_reader *reader, struct recording *recording, struct complaint *complaint)
{
    size_t capacity = 0;
    double *rows[RECORDING_MAX_CHANNELS];
    for (;;) {
        if (!make_room(recording, &capacity)) {
            complaint_set(complaint, "memory is short for a recording of more than %zu rows", recording->count);
            return -ENOMEM;
        }
        for (size_t c = 0; c < recording->channel_count; c++)
            rows[c] = recording->displacement[c] + recording->count;
        long got = recording_read(reader, ROWS, recording->time_s + recording->count, rows, complaint);
        if (got <= 0)
            return (int)got;
        recording->count += (size_t)got;
    }
}

/* On failure the caller clears what was read so far. */
static int load(struct recording_reader *reader, struct recording *recording, struct complaint *complaint)
{
    recording->channel_count = recording_channel_count(reader);
    memcpy(recording->columns, recording_columns(reader), recording->channel_count * sizeof *recording->columns);
    recording->displacement = calloc(recording->channel_count, sizeof *recording->displacement);
    if (!recording->displacement) {
        complaint_set(complaint, "memory is short");
        return -ENOMEM;
    }
    int error = read_rows(reader, recording, complaint);
    if (error)
        return error;
    error = recording_check_count(reader, recording->count, complaint);
    if (error)
        return error;
    recording->start_s = recording->time_s[0];
    recording->uniform =
        recording_is_uniform(recording->time_s, recording->count, recording_stamp_unit(reader), &recording->period_s);
    return 0;
}

int recording_load(const char *path, struct recording *recording, struct complaint *complaint)
{
    *recording = (struct recording){0};
    struct recording_reader *reader;
    int error = recording_open(path, &reader, complaint);
    if (error)
        return error;
    error = load(reader, recording, complaint);
    recording_close(reader);
    if (error)
        recording_clear(recording);
    return error;
}

void recording_clear(struct recording *recording)
{
    for (size_t c = 0; recording->displacement && c < recording->channel_count; c++)
        free(recording->displacement[c]);
    free(recording->displacement);
    free(recording->time_s);
    *recording = (struct recording){0};
}
