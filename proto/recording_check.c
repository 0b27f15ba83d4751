/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What only a whole recording tells: whether its times can be what they are taken for. */

#include "proto/recording.h"

#include "proto/recording_state.h"
#include "proto/time_unit.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* The distances of rows at which a time without a unit is taken for seconds, s: a camera takes more pictures a second,
 * and ten thousand rows a second in milliseconds are further apart; an oscilloscope that keeps a million rows of ten
 * seconds has them further apart than the shortest, and a hundred rows a second in hours are nearer. */
#define LONGEST_ASSUMED_S 0.05
#define SHORTEST_ASSUMED_S 5e-6

/* The units in which the distance of rows would do, with what they make of it: "in ms 500 a second". */
static void list_units(double distance, char *list, size_t bytes)
{
    double last_s = 0;
    *list = '\0';
    for (size_t i = 0; time_unit_name_at(i); i++) {
        const char *name = time_unit_name_at(i);
        const double unit_s = time_unit_find(name, strlen(name))->seconds, distance_s = distance * unit_s;
        const size_t used = strlen(list);
        if (unit_s != last_s && distance_s >= SHORTEST_ASSUMED_S && distance_s <= LONGEST_ASSUMED_S)
            snprintf(list + used, bytes - used, "%s in %s they would come %.4g a second", used > 0 ? "," : ";", name,
                     1 / distance_s);
        last_s = unit_s;
    }
}

/* Spreadsheets count the days since 1900: these are dates from 1954 to 2119. */
static bool may_be_days(double first, double distance)
{
    const double distance_s = distance * 86400;
    return first > 20000 && first < 80000 && distance_s >= SHORTEST_ASSUMED_S && distance_s <= LONGEST_ASSUMED_S;
}

/* Milliseconds under the name "time" would be taken for seconds, and the frequency would come out a thousand times too
 * low. */
static int check_distance(const struct recording_reader *reader, uint64_t rows, struct complaint *complaint)
{
    const double distance_s = (reader->last.time_s - reader->first_s) / (double)(rows - 1);
    const bool much = distance_s > LONGEST_ASSUMED_S, configured = reader->header.configured;
    char units[160];
    if (!reader->header.assumed || (!much && distance_s >= SHORTEST_ASSUMED_S))
        return 0;
    if (may_be_days(reader->first_s, distance_s))
        snprintf(units, sizeof units, "; in days, as spreadsheets count them, they would come %.4g a second, which %s",
                 1 / (86400 * distance_s), configured ? "the key sample_rate_hz says" : "--rate says");
    else
        list_units(distance_s, units, sizeof units);
    return recording_lines_complain(
        &reader->lines, reader->header.line, -EBADMSG, complaint,
        "the time has no unit, and in seconds its rows would be %.3g s apart, which is %s for a vibration%s: say its "
        "unit with %s, or, where it counts the rows, how many come in a second with %s",
        distance_s, much ? "much" : "little", units, configured ? "the key time_unit" : "--time-unit UNIT",
        configured ? "the key sample_rate_hz" : "--rate HZ");
}

/* The share of the distance of rows to which times may be rounded: more could hide a change of the rate. */
static const double largest_rounding = 0.01;

/* Nanoseconds since 1970 have more digits than a double: text is read without rounding them, numbers of 64 bits in a
 * file may be doubles already. */
static int check_rounding(const struct recording_reader *reader, uint64_t rows, struct complaint *complaint)
{
    const double last_s = reader->last.time_s, distance_s = (last_s - reader->first_s) / (double)(rows - 1);
    const double epoch_s = reader->rounded ? reader->epoch.first.value * reader->epoch.unit_s : 0;
    const double largest_s = fmax(fmax(fabs(reader->first_s), fabs(last_s)), fabs(epoch_s));
    const double rounded_s = nextafter(largest_s, INFINITY) - largest_s;
    const struct recording_header *header = &reader->header;
    if (header->rate_hz > 0 || header->mean_rate || reader->marks.declaration.given ||
        !(distance_s > 0 && rounded_s > largest_rounding * distance_s))
        return 0;
    return recording_lines_complain(&reader->lines, 0, -EBADMSG, complaint,
                                    "the times are so far from 0 that they are rounded to %.2g s, which is much for "
                                    "rows that are %.3g s apart: let "
                                    "them begin near 0 or, where rows come evenly, say so with %s",
                                    rounded_s, distance_s, header->configured ? "the key mean_rate" : "--rate mean");
}

static int refuse_batches(const struct recording_reader *reader, struct complaint *complaint)
{
    return recording_lines_complain(
        &reader->lines, 0, -EBADMSG, complaint,
        "the time stamps come in batches, many nearly at once and then none for long: where "
        "rows come evenly, say so with %s, or how many a second with %s",
        reader->header.configured ? "the key mean_rate" : "--rate mean",
        reader->header.configured ? "the key sample_rate_hz" : "--rate HZ");
}

/* 998 and 1.002 may be a fraction apart, or four. */
static int check_thousands(const struct recording_reader *reader, struct complaint *complaint)
{
    const struct recording_header *header = &reader->header;
    const size_t channels = reader->points_told ? 0 : header->channel_count;
    const size_t channel = recording_thousands_find(&reader->thousands, channels);
    const char *decimal = header->configured ? "the key decimal says comma" : "--decimal comma says so";
    if (channel == channels)
        return 0;
    return recording_lines_complain(
        &reader->lines, 0, -EBADMSG, complaint,
        "the values of %s are whole numbers, or have three digits behind a point, as 1.002 has: where the point groups "
        "thousands, %s, and where it is a decimal mark, %s",
        header->columns[channel].name, decimal, header->configured ? "point" : "--decimal point");
}

int recording_check_whole(const struct recording_reader *reader, uint64_t rows, bool batched,
                          struct complaint *complaint)
{
    if (rows >= 2 && reader->header.mean_rate && !(reader->last.time_s > reader->first_s))
        return recording_lines_complain(&reader->lines, reader->lines.number, -EBADMSG, complaint,
                                        "the time stands still from the first row to the last: it has no mean rate");
    if (rows >= 2) {
        int error = check_distance(reader, rows, complaint);
        if (!error)
            error = check_rounding(reader, rows, complaint);
        if (!error)
            error = check_thousands(reader, complaint);
        return error || !batched ? error : refuse_batches(reader, complaint);
    }
    return recording_lines_complain(&reader->lines, reader->lines.number, -EBADMSG, complaint, "%s",
                                    rows == 0 ? "the file ends without a single row of numbers"
                                              : "the file ends after one row; a recording needs at least two");
}
