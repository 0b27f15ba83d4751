/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A record as a whole, without stream or pipeline: what `identify` requests and --offline have in common. It runs
 * the same segmenter and the same identification as a live channel. */

#include "pipeline/analysis.h"

#include "identify/decay/amplitude_range.h"

#include "proto/clock.h"
#include "report/kinds/kind_work.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Samples between two looks at the cancel flag. */
enum { ANALYSIS_CHUNK = 65536 };

/* The segmenter's context here: where its decays go. */
struct decay_list {
    const struct analysis_input *input;
    struct analysis *analysis;
};

static bool cancelled(const struct analysis_input *input)
{
    return input->cancel && atomic_load(input->cancel);
}

/* Counted when it is there: before that nobody knows how much it is, and one decay more is little. */
static int keep_result(const struct analysis_input *input, struct analysis *analysis, struct kept_result *result)
{
    if (input->charge && memory_charge_add(input->charge, kept_result_bytes(result)) != MEMORY_GRANTED)
        return -EDQUOT;
    if (analysis->count == analysis->capacity) {
        size_t capacity = analysis->capacity ? 2 * analysis->capacity : 8;
        struct kept_result **larger = realloc(analysis->results, capacity * sizeof *larger);
        if (!larger)
            return -ENOMEM;
        analysis->results = larger;
        analysis->capacity = capacity;
    }
    analysis->results[analysis->count++] = result;
    return 0;
}

/* The traces of a record, which borrow from it and from names: the columns of a table that was handed in stand in it
 * row by row. How many they are; 0: the form is of a later program. */
static size_t traces_of(const struct kept_decay *kept, const struct record_kind *kind,
                        char names[KIND_SENSORS_MOST][KIND_SENSOR_BYTES], struct record_trace traces[KIND_SENSORS_MOST])
{
    const struct decay_record *samples = &kept->decay->record;
    const struct kind_form *form = kind_form_named(kind, kept->origin.columns);
    const size_t sensors = record_sensors(&kept->origin, names);
    const size_t count = sensors > 0 ? sensors : form ? form->count : kind->form_count > 0 ? 0 : 1;
    double delay_s[KIND_SENSORS_MOST];
    record_delays(&kept->origin, count, delay_s);
    for (size_t i = 0; i < count; i++)
        traces[i] = (struct record_trace){
            .channel = sensors > 0 ? names[i] : kept->origin.channel,
            .quantity = trace_quantity(&kept->origin, form, i),
            .unit = trace_unit(&kept->origin, form, i),
            .values = samples->displacement + i,
            .time_s = samples->time_s ? samples->time_s + i : NULL,
            .flags = samples->flags ? samples->flags + i : NULL,
            .count = samples->count / count,
            .stride = count,
            .start_s = samples->start_s,
            .period_s = samples->period_s,
            .delay_s = delay_s[i],
            .resolution = samples->resolution,
            .noise = samples->noise,
        };
    return count;
}

static enum record_end record_end_of(enum decay_end ended_by)
{
    switch (ended_by) {
    case DECAY_END_NEW_EXCITATION:
        return RECORD_NEXT_MOTION;
    case DECAY_END_GAP:
        return RECORD_GAP;
    case DECAY_END_REST:
        return RECORD_REST;
    case DECAY_END_OTHER_STROKE:
        return RECORD_OTHER_STROKE;
    case DECAY_END_OTHER_PERIOD:
        return RECORD_OTHER_PERIOD;
    case DECAY_END_OTHER_MEAN_FORCE:
        return RECORD_OTHER_MEAN_FORCE;
    default:
        return RECORD_JUST_ENDS;
    }
}

/* left_for: as of a record_analysis. A kind that is not known is of a later program. */
static struct kept_result *analyse_record(struct kept_decay *kept, enum verdict left_for,
                                          const struct analysis_steps *steps, const atomic_bool *cancel)
{
    const struct kind_work *work = kind_work_named(kept->origin.kind);
    char names[KIND_SENSORS_MOST][KIND_SENSOR_BYTES];
    struct record_trace traces[KIND_SENSORS_MOST];
    const struct record_seen seen = {kept->decay->record.first_extremum_s, kept->decay->rest,
                                     record_end_of(kept->decay->ended_by), kept->origin.read_as};
    const struct record record = {traces, work ? traces_of(kept, work->kind, names, traces) : 0, &seen};
    const bool two_steps = work && work->kind->second_step && steps->more_follows;
    bool stopped = false;
    const struct identify_settings settings = {.physical = kept->origin.physical,
                                               .cancel = cancel,
                                               .ladder = steps->ladder,
                                               .earlier = steps->earlier,
                                               .more_follows = two_steps,
                                               .stopped = &stopped};
    struct identification none;
    identification_not_made(&none, left_for != VERDICT_OK ? left_for : VERDICT_NOT_COMPUTED);
    struct kept_result *result = kept_result_create(kept, 1, &none);
    if (!result || record.count == 0)
        return result;
    void *findings = kept_result_make_found(result, work->kind->section ? work->kind->section->size : 0);
    if (!findings) {
        kept_result_release(result);
        return NULL;
    }
    result->identification.verdict = work->analyse(&record, left_for, &settings, findings);
    result->identification.ladder_follows = two_steps && result->identification.verdict == VERDICT_OK;
    result->identification.ladder_stopped = stopped;
    if (result->found) {
        kind_searched_figures(work->kind, result->found, result->figure);
        result->model = kind_chosen_model(work->kind, result->found);
    }
    return result;
}

struct kept_result *identify_kept_decay(struct kept_decay *kept, const struct analysis_steps *steps,
                                        const atomic_bool *cancel)
{
    return analyse_record(kept, VERDICT_OK, steps, cancel);
}

struct kept_result *leave_kept_decay(struct kept_decay *kept, enum verdict verdict)
{
    const struct analysis_steps none = {.ladder = false};
    return analyse_record(kept, verdict, &none, NULL);
}

/* Releases that have no id are counted. */
static void remember(struct earlier_releases *earlier, const struct ladder *ladder)
{
    const uint64_t last = earlier->count > 0 ? earlier->release[earlier->count - 1].id : 0;
    earlier_releases_add(earlier, last + 1, ladder);
}

/* Takes the decay over. left_for: as of analyse_record(). */
static void identify_decay(const struct analysis_input *input, struct analysis *analysis, struct decay *decay,
                           enum verdict left_for)
{
    struct decay_origin origin = *input->origin;
    if (input->dated)
        origin.released_at_ns = decay_released_at_ns(input->zero_at_ns, decay->released_s);
    struct kept_decay *kept = kept_decay_create(&origin, decay);
    if (!kept) {
        decay_destroy(decay);
        analysis->error = -ENOMEM;
        return;
    }
    const struct analysis_steps steps = {.ladder = clock_monotonic_s() < analysis->ladders_until_s,
                                         .earlier = &analysis->earlier};
    struct kept_result *result = analyse_record(kept, left_for, &steps, input->cancel);
    kept_decay_release(kept);
    analysis->cut_short = analysis->cut_short || (cancelled(input) && result && !result->identification.ladder_stopped);
    if (result && result->identification.ladder)
        remember(&analysis->earlier, result->identification.ladder);
    analysis->error = result ? keep_result(input, analysis, result) : -ENOMEM;
    if (analysis->error)
        kept_result_release(result);
}

static void on_decay(void *context, struct decay *decay)
{
    struct decay_list *list = context;
    if (list->analysis->error)
        decay_destroy(decay);
    else
        identify_decay(list->input, list->analysis, decay, VERDICT_OK);
}

/* In chunks only to see whether to go on: the decays do not depend on how the samples are cut into calls. */
static void feed_run(struct segmenter *segmenter, const struct decay_list *list, const struct analysis_run *run,
                     size_t end)
{
    const struct analysis_input *input = list->input;
    if (run->broken)
        segmenter_gap(segmenter, run->lost);
    for (size_t done = run->first; done < end && !cancelled(input) && !list->analysis->error; done += ANALYSIS_CHUNK) {
        size_t left = end - done;
        segmenter_feed(segmenter, run->first_index + (done - run->first), input->displacement + done,
                       input->time_s ? input->time_s + done : NULL, input->flags ? input->flags + done : NULL,
                       left < ANALYSIS_CHUNK ? left : ANALYSIS_CHUNK, run->origin_s, run->period_s);
        list->analysis->fed = done + (left < ANALYSIS_CHUNK ? left : ANALYSIS_CHUNK);
    }
}

static void feed_all(struct segmenter *segmenter, const struct decay_list *list)
{
    const struct analysis_input *input = list->input;
    const struct analysis_run whole = {.origin_s = input->start_s, .period_s = input->period_s};
    size_t count = input->run_count > 0 ? input->run_count : 1;
    const struct analysis_run *runs = input->run_count > 0 ? input->runs : &whole;
    for (size_t i = 0; i < count; i++)
        feed_run(segmenter, list, &runs[i], i + 1 < count ? runs[i + 1].first : input->count);
    segmenter_finish(segmenter, DECAY_END_END_OF_SOURCE);
}

/* A resolution that came with the record counts more than the configured one. */
static int analyse_stream(const struct analysis_input *input, struct analysis *analysis)
{
    const struct kind_work *work = kind_work_named(input->origin->kind);
    struct decay_list list = {.input = input, .analysis = analysis};
    struct segment_listener listener = {.decay = on_decay, .context = &list};
    struct segment_settings settings = input->segment;
    if (input->resolution > 0)
        settings.resolution = input->resolution;
    struct segmenter *segmenter = work->finder(&settings, &listener);
    if (!segmenter)
        return -ENOMEM;
    feed_all(segmenter, &list);
    struct segment_state state;
    segmenter_state(segmenter, &state);
    memcpy(analysis->drops, state.drops, sizeof analysis->drops);
    segmenter_destroy(segmenter);
    return 0;
}

static int analyse_whole(const struct analysis_input *input, struct analysis *analysis)
{
    const struct decay_record whole = {.displacement = input->displacement,
                                       .time_s = input->time_s,
                                       .flags = input->flags,
                                       .count = input->count,
                                       .start_s = input->start_s,
                                       .period_s = input->period_s,
                                       .first_extremum_s = NAN,
                                       .resolution = input->resolution};
    const double most = input->amplitude_most > 0 ? input->amplitude_most : (double)NAN;
    const double least = input->amplitude_least > 0 ? input->amplitude_least : (double)NAN;
    const struct amplitude_range range = amplitude_range_of(&whole, most, least, input->cancel);
    const size_t first = range.samples.first, count = range.samples.last - first;
    analysis->fed = input->count;
    analysis->cut_short = range.verdict == VERDICT_CANCELLED;
    if (count == 0)
        return 0;
    struct decay *decay = decay_from_whole(input->displacement + first, input->time_s ? input->time_s + first : NULL,
                                           input->flags ? input->flags + first : NULL, count,
                                           decay_record_time(&whole, first), input->period_s, input->resolution);
    if (!decay)
        return -ENOMEM;
    decay->record.first_extremum_s = range.first_extremum_s;
    identify_decay(input, analysis, decay, range.verdict);
    return 0;
}

int analyse(const struct analysis_input *input, struct analysis *analysis)
{
    memset(analysis, 0, sizeof *analysis);
    if (input->earlier)
        analysis->earlier = *input->earlier;
    analysis->ladders_until_s = input->ladders_s > 0 ? clock_monotonic_s() + input->ladders_s : -INFINITY;
    const bool whole = input->whole || !kind_work_named(input->origin->kind)->finder;
    int error = whole ? analyse_whole(input, analysis) : analyse_stream(input, analysis);
    if (error)
        return error;
    if (cancelled(input) && (analysis->cut_short || analysis->fed < input->count))
        return -ECANCELED;
    return analysis->error;
}

void analysis_clear(struct analysis *analysis)
{
    for (size_t i = 0; i < analysis->count; i++)
        kept_result_release(analysis->results[i]);
    free(analysis->results);
    memset(analysis, 0, sizeof *analysis);
}
