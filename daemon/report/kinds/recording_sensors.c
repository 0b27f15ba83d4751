/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Columns of a recording that sensors of one structure filled. */

#include "report/kinds/recording_sensors.h"

#include "proto/measured_unit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

const struct record_kind *recording_kind(const struct recording *recording, const char *said, size_t channel)
{
    const struct recording_column *column = &recording->columns[channel];
    return record_kind_of_samples(said, recording->declaration.given ? "" : column->name, column->unit);
}

static bool share_unit(const struct recording_column *first, const struct recording_column *second)
{
    return measured_units_agree((struct text_piece){first->unit, strlen(first->unit)},
                                (struct text_piece){second->unit, strlen(second->unit)});
}

/* A name with a comma would be two in the list of them. */
static bool goes_with(const struct recording *recording, const char *said, size_t channel, size_t other)
{
    const struct recording_column *first = &recording->columns[channel], *second = &recording->columns[other];
    const struct record_kind *kind = recording_kind(recording, said, channel);
    return kind && kind->several && recording_kind(recording, said, other) == kind && share_unit(first, second) &&
           !strchr(first->name, ',') && !strchr(second->name, ',');
}

/* Its place among those that go with it. */
static size_t place_of(const struct recording *recording, const char *said, size_t channel)
{
    size_t place = 0;
    for (size_t c = 0; c < channel; c++)
        place += goes_with(recording, said, channel, c);
    return place;
}

size_t sensors_together(const struct recording *recording, const char *said, size_t channel, size_t *room)
{
    size_t count = 0;
    if (place_of(recording, said, channel) % KIND_SENSORS_MOST != 0)
        return 0;
    room[count++] = channel;
    for (size_t c = channel + 1; c < recording->channel_count && count < KIND_SENSORS_MOST; c++)
        if (goes_with(recording, said, channel, c))
            room[count++] = c;
    return count;
}

static bool has_others(const struct recording *recording, const char *said, size_t channel)
{
    for (size_t c = 0; c < recording->channel_count; c++)
        if (c != channel && recording->hole[c] == 0 && goes_with(recording, said, channel, c))
            return true;
    return false;
}

static void tell_left_out(struct recording *recording, size_t channel)
{
    const size_t used = strlen(recording->read_as);
    snprintf(recording->read_as + used, sizeof recording->read_as - used,
             "%s%s left out, which has no finite number in %s %zu", used > 0 ? ", " : "",
             recording->columns[channel].name, recording->in_rows ? "row" : "line", recording->hole[channel]);
}

int recording_settle_holes(struct recording *recording, const char *file, const char *said, const char *only,
                           struct complaint *complaint)
{
    for (size_t c = recording->channel_count; c-- > 0;) {
        const bool wanted = !only || strcmp(only, recording->columns[c].name) == 0;
        if (recording->hole[c] == 0)
            continue;
        if (wanted && (only || !has_others(recording, said, c))) {
            complaint_set(complaint,
                          "%s:%s%zu: the value of %s is not a number, but missing, NaN or infinite; leave such rows "
                          "out, or the column",
                          file, recording->in_rows ? " row " : "", recording->hole[c], recording->columns[c].name);
            return -EBADMSG;
        }
        if (wanted)
            tell_left_out(recording, c);
        recording_drop_channel(recording, c);
    }
    return 0;
}

void sensor_names(const struct recording *recording, const size_t *channels, size_t count, char *text, size_t size)
{
    size_t used = 0;
    for (size_t c = 0; c < count && used < size; c++)
        used +=
            (size_t)snprintf(text + used, size - used, "%s%s", c > 0 ? "," : "", recording->columns[channels[c]].name);
}
