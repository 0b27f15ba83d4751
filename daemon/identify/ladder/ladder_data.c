/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ladder/ladder_data.h"

#include "identify/decay/decay_parameter.h"

#include <math.h>
#include <stdlib.h>

/* Half cycles whose lengths differ by more than this factor do not follow each other: one was missed, or is none. */
static const double LENGTHS_MOST = 1.5;

static bool follows(double length, double usual)
{
    return length < LENGTHS_MOST * usual && usual < LENGTHS_MOST * length;
}

static double length_to(const struct extremum *extrema, size_t n)
{
    return extrema[n].time_s - extrema[n - 1].time_s;
}

static bool reverses(const struct extremum *extrema, size_t n)
{
    const double swing = extrema[n].displacement - extrema[n - 1].displacement;
    const double swing_before = extrema[n - 1].displacement - extrema[n - 2].displacement;
    return swing * swing_before < 0;
}

/* Whether half cycles go on as before behind an odd one, as they do where the recorder's clock steps. */
static bool goes_on_behind(const struct extremum *extrema, size_t count, size_t n, double usual)
{
    return n + 1 < count && length_to(extrema, n) < 2 * usual && follows(length_to(extrema, n + 1), usual);
}

/* How many extrema follow each other half a cycle apart, on alternating sides; one length may be odd. */
static size_t regular(const struct extremum *extrema, size_t count)
{
    double usual = count > 1 ? length_to(extrema, 1) : 0;
    bool stepped = false;
    for (size_t n = 2; n < count; n++) {
        const bool even = follows(length_to(extrema, n), usual);
        if (!reverses(extrema, n) || (!even && (stepped || !goes_on_behind(extrema, count, n, usual))))
            return n;
        usual = even ? length_to(extrema, n) : usual;
        stepped = stepped || !even;
    }
    return count;
}

static bool make_room(size_t samples, size_t extrema, struct ladder_data *data)
{
    double **const arrays[] = {&data->time, &data->value, &data->extremum_time, &data->extremum_value, &data->height};
    bool made = true;
    for (size_t a = 0; a < sizeof arrays / sizeof arrays[0]; a++) {
        *arrays[a] = calloc(a < 2 ? samples + LADDER_PADDING : extrema, sizeof **arrays[a]);
        made = made && *arrays[a];
    }
    return made;
}

static void take_units(const struct extremum *extrema, size_t count, struct ladder_data *data)
{
    data->origin_s = extrema[0].time_s;
    data->unit_s = (extrema[count - 1].time_s - extrema[0].time_s) / ((double)(count - 1) * M_PI);
    data->origin = 0.25 * (extrema[0].displacement + 2 * extrema[1].displacement + extrema[2].displacement);
    data->unit = fabs(extrema[0].displacement - data->origin);
}

static void take_extrema(const struct extremum *extrema, size_t count, struct ladder_data *data)
{
    data->extrema = count;
    for (size_t n = 0; n < count; n++) {
        data->extremum_time[n] = (extrema[n].time_s - data->origin_s) / data->unit_s;
        data->extremum_value[n] = (extrema[n].displacement - data->origin) / data->unit;
    }
    for (size_t n = 0; n < count; n++) {
        const size_t before = n > 0 ? n - 1 : 0, behind = n + 1 < count ? n + 1 : n;
        const double swings = fabs(data->extremum_value[n] - data->extremum_value[before]) +
                              fabs(data->extremum_value[behind] - data->extremum_value[n]);
        data->height[n] = 0.5 * swings / (double)(behind - before);
    }
}

static void take_samples(const struct decay_record *record, double until_s, struct ladder_data *data)
{
    for (size_t i = 0; i < record->count; i++) {
        const double time_s = decay_record_time(record, i);
        if (time_s < data->origin_s || time_s > until_s || (record->flags && record->flags[i]))
            continue;
        data->time[data->count] = (time_s - data->origin_s) / data->unit_s;
        data->value[data->count++] = (record->displacement[i] - data->origin) / data->unit;
    }
}

enum verdict ladder_data_from(const struct decay_record *record, const struct extremum *extrema, size_t count,
                              struct ladder_data *data)
{
    const size_t used = regular(extrema, count);
    *data = (struct ladder_data){.count = 0};
    if (used < LADDER_EXTREMA)
        return VERDICT_TOO_FEW_HALF_CYCLES;
    take_units(extrema, used, data);
    if (!(data->unit > 0) || !(data->unit_s > 0))
        return VERDICT_NO_OSCILLATION;
    if (!make_room(record->count, used, data)) {
        ladder_data_clear(data);
        return VERDICT_NO_MEMORY;
    }
    take_extrema(extrema, used, data);
    take_samples(record, extrema[used - 1].time_s, data);
    if (data->count > 2 * LADDER_PARAMETERS)
        return VERDICT_OK;
    ladder_data_clear(data);
    return VERDICT_TOO_FEW_SAMPLES;
}

void ladder_data_clear(struct ladder_data *data)
{
    free(data->time);
    free(data->value);
    free(data->extremum_time);
    free(data->extremum_value);
    free(data->height);
    *data = (struct ladder_data){.count = 0};
}

void ladder_data_shift(struct ladder_data *data, size_t sample, size_t extremum, double by)
{
    for (size_t i = sample; i < data->count; i++)
        data->time[i] += by;
    for (size_t n = extremum; n < data->extrema; n++)
        data->extremum_time[n] += by;
}

double ladder_data_spacing(const struct ladder_data *data)
{
    return data->time[data->count - 1] / (double)(data->count - 1);
}

double ladder_parameter_unit(const struct ladder_data *data, enum ladder_parameter parameter)
{
    return unit_of_kind(ladder_parameters[parameter].unit, data->unit, data->unit_s);
}

static double parameter_origin(const struct ladder_data *data, enum ladder_parameter parameter)
{
    return parameter == LADDER_BIAS ? data->origin : parameter == LADDER_T0 ? data->origin_s : 0;
}

void ladder_to_record(const struct ladder_data *data, const double scaled[LADDER_PARAMETERS],
                      double parameters[LADDER_PARAMETERS])
{
    for (enum ladder_parameter p = 0; p < LADDER_PARAMETERS; p++)
        parameters[p] = parameter_origin(data, p) + scaled[p] * ladder_parameter_unit(data, p);
}

void ladder_from_record(const struct ladder_data *data, const double parameters[LADDER_PARAMETERS],
                        double scaled[LADDER_PARAMETERS])
{
    for (enum ladder_parameter p = 0; p < LADDER_PARAMETERS; p++)
        scaled[p] = (parameters[p] - parameter_origin(data, p)) / ladder_parameter_unit(data, p);
}
