/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is known of a channel of a recording: out of the file, and out of the configuration. A recording of fricidctl
 * says enough that the results are those which the stream gave. */

#include "offline/recording_input.h"

#include "config/recorded_settings.h"
#include "report/kinds/record_kind.h"
#include "report/kinds/recording_sensors.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

static struct recorded_settings settings_of(const struct configuration *configuration,
                                            const struct recording *recording, const char *channel)
{
    const struct recording_declaration *declaration = &recording->declaration;
    const struct recorded_channel recorded = {.rig = declaration->rig,
                                              .channel = channel,
                                              .resolution = recording_facts(declaration, channel).resolution,
                                              .tells_gaps = declaration->tells_gaps};
    return recorded_settings(configuration, &recorded);
}

static struct decay_origin origin_of(const struct configuration *configuration,
                                     const struct physical_settings *physical, const char *path,
                                     const struct recording *recording, size_t channel, const struct record_kind *kind,
                                     double delay_s)
{
    const struct recording_column *column = &recording->columns[channel];
    const bool is_whole = record_kind_is_whole(kind);
    const struct decay_origin_names names = {.rig = "offline",
                                             .channel = column->name,
                                             .source_kind = source_kind_name(SOURCE_RECORDING),
                                             .device = path,
                                             .config_id = configuration->id,
                                             .unit = column->unit,
                                             .kind = is_whole ? kind->name : NULL,
                                             .quantity = is_whole ? samples_quantity(kind, column->unit) : NULL,
                                             .read_as = recording->read_as};
    struct decay_origin origin =
        decay_origin_make(&names, physical, recording->uniform ? 1.0 / recording->period_s : NAN);
    origin.delay_s = delay_s;
    origin.time_error_s = recording->declaration.given ? recording->declaration.time_error_s : NAN;
    decay_origin_add_clock(&origin, recording->declaration.clock_ppm);
    return origin;
}

/* A jump of the index says how much is missing; where it does not jump, the mark may. */
static struct analysis_run *runs_of(const struct recording *recording, size_t channel, double delay_s)
{
    struct analysis_run *runs = calloc(recording->run_count, sizeof *runs);
    for (size_t i = 0; runs && i < recording->run_count; i++) {
        const struct recording_run *run = &recording->runs[i];
        uint64_t jump = recording_jump(recording, i);
        runs[i] = (struct analysis_run){.first = recording->run_rows[i],
                                        .first_index = run->first_index,
                                        .origin_s = run->origin_s + delay_s,
                                        .period_s = run->period_s,
                                        .broken = i > 0 && (jump > 0 || (run->broken >> channel & 1)),
                                        .lost = jump > 0 ? jump : run->lost};
    }
    return runs;
}

/* Where the index is the time, gaps do no harm to it; a whole record has only its stamps then. */
int recording_input_make(struct recording_input *made, const struct configuration *configuration, const char *path,
                         const struct recording *recording, size_t channel, const char *said, bool cut)
{
    const char *name = recording->columns[channel].name;
    const struct record_kind *kind = recording_kind(recording, said, channel);
    const bool whole = cut || record_kind_is_whole(kind);
    const struct recorded_settings settings = settings_of(configuration, recording, name);
    double delay_s = recording_facts(&recording->declaration, name).delay_s;
    bool even = recording->uniform && (recording->run_count == 1 || !whole);
    *made = (struct recording_input){
        .origin = origin_of(configuration, &settings.physical, path, recording, channel, kind, delay_s)};
    made->input = (struct analysis_input){.displacement = recording->displacement[channel],
                                          .time_s = even ? NULL : recording->time_s,
                                          .flags = recording->flags ? recording->flags[channel] : NULL,
                                          .count = recording->count,
                                          .start_s = recording->start_s + delay_s,
                                          .period_s = recording->period_s,
                                          .whole = whole,
                                          .dated = recording->declaration.dated,
                                          .zero_at_ns = recording->declaration.zero_at_ns,
                                          .ladders_s = configuration->service.ladder_deadline_s > 0 ? INFINITY : 0,
                                          .segment = settings.segment,
                                          .origin = &made->origin};
    made->input.resolution = made->input.segment.resolution;
    made->runs = runs_of(recording, channel, delay_s);
    made->input.runs = made->runs;
    made->input.run_count = recording->run_count;
    return made->runs ? 0 : -ENOMEM;
}

static void copy_rows(struct recording_input *made, const struct recording *recording, const size_t *channels,
                      size_t count)
{
    for (size_t i = 0; i < recording->count; i++)
        for (size_t c = 0; c < count; c++) {
            made->samples[i * count + c] = recording->displacement[channels[c]][i];
            if (made->stamps)
                made->stamps[i * count + c] = recording->time_s[i];
            if (made->flags)
                made->flags[i * count + c] = recording->flags[channels[c]][i];
        }
}

int recording_input_join(struct recording_input *made, const struct recording *recording, const size_t *channels,
                         size_t count)
{
    if (count < 2)
        return 0;
    made->samples = calloc(count * recording->count + 1, sizeof *made->samples);
    made->stamps = made->input.time_s ? calloc(count * recording->count + 1, sizeof *made->stamps) : NULL;
    made->flags = made->input.flags ? calloc(count * recording->count + 1, sizeof *made->flags) : NULL;
    if (!made->samples || (made->input.time_s && !made->stamps) || (made->input.flags && !made->flags))
        return -ENOMEM;
    copy_rows(made, recording, channels, count);
    double delay_s[KIND_SENSORS_MOST];
    for (size_t c = 0; c < count && c < KIND_SENSORS_MOST; c++)
        delay_s[c] = recording_facts(&recording->declaration, recording->columns[channels[c]].name).delay_s;
    record_tell_delays(delay_s, count < KIND_SENSORS_MOST ? count : KIND_SENSORS_MOST, &made->origin);
    sensor_names(recording, channels, count, made->origin.columns, sizeof made->origin.columns);
    copy_text(made->origin.channel, sizeof made->origin.channel, made->origin.columns);
    made->input.displacement = made->samples;
    made->input.time_s = made->stamps;
    made->input.flags = made->flags;
    made->input.count = count * recording->count;
    return 0;
}

bool recording_input_limit(struct recording_input *made, double most, double least, struct complaint *complaint)
{
    const struct record_kind *kind = record_kind_named(made->origin.kind);
    const bool limited = most > 0 || least > 0;
    const bool room = segment_settings_limit(&made->input.segment, most, least) || made->input.whole;
    made->input.amplitude_most = most;
    made->input.amplitude_least = least;
    if (limited && record_kind_is_whole(kind))
        complaint_set(complaint,
                      "%s is a %s: --amplitude-max and --amplitude-min are said of free decays; --kind free_decay "
                      "takes it for one",
                      made->origin.channel, kind->name);
    else if (!room)
        complaint_set(complaint, "%s: %s", made->origin.channel, SEGMENT_NOTHING_LEFT);
    return room && !(limited && record_kind_is_whole(kind));
}

void recording_input_clear(struct recording_input *made)
{
    free(made->runs);
    free(made->samples);
    free(made->stamps);
    free(made->flags);
    *made = (struct recording_input){.runs = NULL};
}
