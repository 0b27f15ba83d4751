/* SPDX-License-Identifier: GPL-3.0-or-later */

#include "identify/ladder/joint_channel.h"

#include "identify/decay/decay_parameter.h"

#include <math.h>
#include <string.h>

/* --- what a channel brings --- */

/* The first extremum that is not before a time by more than half a half cycle. */
static size_t first_from(const struct joint_input *input, double time_s)
{
    size_t first = 0;
    while (first + 1 < input->extrema_count) {
        const double half_cycle_s = input->extrema[first + 1].time_s - input->extrema[first].time_s;
        if (!(input->extrema[first].time_s < time_s - 0.5 * half_cycle_s))
            break;
        first++;
    }
    return first;
}

/* How many usable samples the ladder had before an extremum. */
static size_t samples_before(const struct joint_input *input, size_t extremum)
{
    const struct decay_record *record = input->record;
    size_t count = 0;
    for (size_t i = 0; i < record->count; i++) {
        const double time_s = decay_record_time(record, i);
        count += time_s >= input->extrema[0].time_s && time_s < input->extrema[extremum].time_s &&
                 !(record->flags && record->flags[i]);
    }
    return count;
}

/* The channel's own ladder was climbed with the sensor's zero and the recorder's clock put right. */
static void put_right(const struct joint_input *input, size_t first, struct ladder_data *data)
{
    const struct clock_step *step = &input->ladder->clock_step;
    const struct zero_drift *drift = &input->ladder->zero_drift;
    if (drift->found)
        zero_line_remove(data, zero_drift_slope(data, drift, drift->change.value));
    if (!step->found)
        return;
    const size_t skipped = samples_before(input, first);
    const double lost = step->lost_s.value / data->unit_s;
    ladder_data_shift(data, step->sample > skipped ? step->sample - skipped : 0,
                      step->extremum > first ? step->extremum - first : 0, lost);
}

static void take_times_of(const struct ladder_data *reference, struct ladder_data *data)
{
    const double scale = data->unit_s / reference->unit_s;
    const double later = (data->origin_s - reference->origin_s) / reference->unit_s;
    for (size_t i = 0; i < data->count; i++)
        data->time[i] = later + scale * data->time[i];
    for (size_t n = 0; n < data->extrema; n++)
        data->extremum_time[n] = later + scale * data->extremum_time[n];
    data->unit_s = reference->unit_s;
    data->origin_s = reference->origin_s;
}

static void mirror(struct joint_channel_fit *channel)
{
    channel->sign = -1;
    for (size_t i = 0; i < channel->data.count; i++)
        channel->data.value[i] = -channel->data.value[i];
    for (size_t n = 0; n < channel->data.extrema; n++)
        channel->data.extremum_value[n] = -channel->data.extremum_value[n];
}

static enum verdict take_channel(const struct joint_input *input, double from_s, const struct ladder_data *reference,
                                 struct joint_channel_fit *channel)
{
    const size_t first = first_from(input, from_s);
    const double late_s = input->extrema[first].time_s - from_s;
    const enum verdict verdict =
        ladder_data_from(input->record, input->extrema + first, input->extrema_count - first, &channel->data);
    *channel = (struct joint_channel_fit){.data = channel->data, .sign = 1, .gain = 1, .is_reference = !reference};
    if (verdict != VERDICT_OK)
        return verdict;
    put_right(input, first, &channel->data);
    if (!(fabs(late_s) < 0.5 * M_PI * channel->data.unit_s))
        return VERDICT_NOT_ONE_DECAY;
    if (!reference)
        return VERDICT_OK;
    take_times_of(reference, &channel->data);
    if (channel->data.extremum_value[0] * reference->extremum_value[0] < 0)
        mirror(channel);
    return VERDICT_OK;
}

enum verdict joint_channels_from(const struct joint_input *inputs, size_t count, struct joint_channel_fit *channels)
{
    enum verdict verdict = VERDICT_OK;
    double from_s = -INFINITY;
    memset(channels, 0, count * sizeof *channels);
    for (size_t c = 0; c < count; c++) {
        if (inputs[c].extrema_count < LADDER_EXTREMA)
            return VERDICT_TOO_FEW_HALF_CYCLES;
        from_s = fmax(from_s, inputs[c].extrema[0].time_s);
    }
    for (size_t c = 0; c < count && verdict == VERDICT_OK; c++)
        verdict = take_channel(&inputs[c], from_s, c > 0 ? &channels[0].data : NULL, &channels[c]);
    return verdict;
}

void joint_channels_clear(struct joint_channel_fit *channels, size_t count)
{
    for (size_t c = 0; c < count; c++)
        ladder_data_clear(&channels[c].data);
}

/* --- a motion that is larger by a gain --- */

static double factor_of(const struct joint_channel_fit *channel, enum ladder_parameter parameter)
{
    return unit_of_kind(ladder_parameters[parameter].unit, channel->gain, 1);
}

void joint_parameters_to(const struct joint_channel_fit *channel, const double reference[LADDER_PARAMETERS],
                         double own[LADDER_PARAMETERS])
{
    for (enum ladder_parameter p = 0; p < LADDER_PARAMETERS; p++)
        own[p] = reference[p] * factor_of(channel, p);
    own[LADDER_BIAS] = channel->is_reference ? reference[LADDER_BIAS] : channel->bias;
}

void joint_parameters_from(const struct joint_channel_fit *channel, const double own[LADDER_PARAMETERS],
                           double reference[LADDER_PARAMETERS])
{
    for (enum ladder_parameter p = 0; p < LADDER_PARAMETERS; p++)
        reference[p] = own[p] / factor_of(channel, p);
}

/* The derivatives of the channel's parameters. */
static void derivatives_of(const struct joint_channel_fit *channel, double by[LADDER_PARAMETERS][JOINT_LOCAL])
{
    memset(by, 0, LADDER_PARAMETERS * sizeof *by);
    for (enum ladder_parameter p = 0; p < LADDER_PARAMETERS; p++) {
        const bool logarithmic = ladder_parameters[p].logarithmic;
        by[p][p] = logarithmic ? 1 : factor_of(channel, p);
        if (!channel->is_reference)
            by[p][JOINT_GAIN] = unit_kind_powers(ladder_parameters[p].unit).displacement *
                                (logarithmic ? 1 : channel->seen.parameters[p]) / channel->gain;
    }
    if (channel->is_reference)
        return;
    by[LADDER_BIAS][LADDER_BIAS] = by[LADDER_BIAS][JOINT_GAIN] = 0;
    by[LADDER_BIAS][JOINT_BIAS] = 1;
}

void joint_sums_from(const struct joint_channel_fit *channel, double matrix[LADDER_PARAMETERS][LADDER_PARAMETERS],
                     const double *gradient, struct joint_sums *sums)
{
    double by[LADDER_PARAMETERS][JOINT_LOCAL], half[LADDER_PARAMETERS][JOINT_LOCAL] = {{0}};
    derivatives_of(channel, by);
    *sums = (struct joint_sums){.gradient = {0}};
    for (size_t p = 0; p < LADDER_PARAMETERS; p++)
        for (size_t q = 0; q < LADDER_PARAMETERS; q++)
            for (size_t a = 0; a < JOINT_LOCAL; a++)
                half[p][a] += matrix[p > q ? p : q][p > q ? q : p] * by[q][a];
    for (size_t p = 0; p < LADDER_PARAMETERS; p++)
        for (size_t a = 0; a < JOINT_LOCAL; a++) {
            for (size_t b = 0; b < JOINT_LOCAL; b++)
                sums->matrix[a][b] += by[p][a] * half[p][b];
            sums->gradient[a] += gradient ? by[p][a] * gradient[p] : 0;
        }
}
