/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any samples, stamps and cuts through the segmenter, its decays and the samples as a whole through the identification,
 * and what these find into JSON. How a stream is cut into calls must not matter, and no sample may vanish. */
#include "fuzz_stream.h"

#include "pipeline/analysis.h"
#include "report/result_json.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What of a stream is identified: more inputs find more than long ones. */
enum { IDENTIFIED_DECAYS = 1, IDENTIFIED_SAMPLES = 300 };

/* How many times are compared, and how far they may be apart, s and relative: sums may be rounded in another order. */
enum { TIMES = 64 };
static const double same_time = 1e-9;

/* What a segmenter told, as a number that changes with every word of it, and the moments that it worked out. */
struct told {
    uint64_t words;
    double times[TIMES];
    size_t time_count;
    size_t decays, drops;
    uint64_t lost, announced;
    bool identify;
    const struct decay_origin *origin;
};

static void tell(struct told *told, uint64_t word)
{
    told->words = (told->words ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    told->words ^= told->words >> 29;
}

/* NAN is one word, whatever its bits. */
static void tell_number(struct told *told, double number)
{
    uint64_t word = 0;
    if (!isnan(number))
        memcpy(&word, &number, sizeof word);
    tell(told, word);
}

static void tell_time(struct told *told, double time_s)
{
    tell_number(told, isnan(time_s) ? 1.0 : 0.0);
    if (told->time_count < TIMES)
        told->times[told->time_count++] = time_s;
}

static bool same_times(const struct told *one, const struct told *other)
{
    bool same = one->time_count == other->time_count;
    for (size_t i = 0; same && i < one->time_count; i++) {
        double difference = fabs(one->times[i] - other->times[i]);
        same = !(difference > same_time * (1 + fabs(one->times[i])));
    }
    return same;
}

static void check_result(const struct kept_result *result)
{
    json_t *tree = result_to_json(result, 0), *summary = result_summary_to_json(result, 0);
    char *text = json_dumps(tree, JSON_COMPACT);
    fuzz_require(text && summary, "every result can be written as JSON");
    const struct identification *found = &result->identification;
    fuzz_require((found->verdict == VERDICT_OK) == (found->recommended != RECOMMENDED_NONE),
                 "ok means that a method is recommended");
    if (found->recommended == RECOMMENDED_FIT)
        fuzz_require(isfinite(found->fit.estimate[FIT_ZETA].value) && isfinite(found->fit.estimate[FIT_X_K].value) &&
                         found->fit.f_n_hz.value > 0,
                     "a recommended fit has figures");
    free(text);
    json_decref(tree);
    json_decref(summary);
}

static void on_decay(void *context, struct decay *decay)
{
    struct told *told = context;
    const struct decay_record *record = &decay->record;
    fuzz_require(record->count > 0 && record->period_s > 0, "a decay has samples and a period");
    tell(told, decay->first_index);
    tell(told, record->count);
    tell(told, decay->half_cycles);
    tell(told, decay->pretrigger_count);
    tell(told, (uint64_t)decay->ended_by);
    tell(told, decay->clipped_count);
    tell_time(told, decay->released_s);
    tell_time(told, record->first_extremum_s);
    for (size_t i = 0; i < record->count; i++) {
        fuzz_require(isfinite(record->displacement[i]), "the samples of a decay are finite");
        tell_number(told, record->displacement[i]);
    }
    if (!told->identify || record->count > IDENTIFIED_SAMPLES || told->decays++ >= IDENTIFIED_DECAYS) {
        decay_destroy(decay);
        return;
    }
    struct kept_decay *kept = kept_decay_create(told->origin, decay);
    struct kept_result *result = identify_kept_decay(kept, &(struct analysis_steps){0}, NULL);
    check_result(result);
    kept_result_release(result);
    kept_decay_release(kept);
}

static void on_dropped(void *context, enum drop_reason reason, double at_s)
{
    struct told *told = context;
    tell(told, (uint64_t)reason);
    tell_time(told, at_s);
    told->drops++;
}

static void on_hole(void *context, uint64_t lost, double at_s)
{
    struct told *told = context;
    tell(told, lost);
    tell_time(told, at_s);
    told->announced += lost;
}

/* The samples of a stream up to the next mark, or fewer. */
static size_t piece_until_mark(const struct stream *stream, size_t done, size_t mark, size_t most)
{
    size_t end = mark < stream->mark_count ? stream->marks[mark].before : stream->count;
    size_t left = end - done;
    return left < most ? left : most;
}

/* Whatever comes before the next sample; a cut is one by being there. */
static void obey_mark(struct segmenter *segmenter, const struct mark *mark, uint64_t *index, struct told *told)
{
    if (mark->kind == MARK_GAP) {
        segmenter_gap(segmenter, mark->amount);
        told->announced += mark->amount;
        *index += mark->amount;
    } else if (mark->kind == MARK_JUMP) {
        *index += mark->amount;
    }
}

/* Feeds the stream in pieces of at most `piece` samples. */
static void feed(struct segmenter *segmenter, const struct stream *stream, size_t piece, struct told *told)
{
    uint64_t index = stream->first_index;
    for (size_t done = 0, mark = 0; done < stream->count;) {
        while (mark < stream->mark_count && stream->marks[mark].before <= done)
            obey_mark(segmenter, &stream->marks[mark++], &index, told);
        size_t count = piece_until_mark(stream, done, mark, piece);
        segmenter_feed(segmenter, index, stream->displacement + done, stream->stamped ? stream->time_s + done : NULL,
                       stream->flagged ? stream->flags + done : NULL, count, stream->origin_s, stream->period_s);
        done += count;
        index += count;
    }
}

static struct told segment(const struct stream *stream, size_t piece, const struct decay_origin *origin, bool identify)
{
    struct told told = {.identify = identify, .origin = origin};
    const struct segment_listener listener = {
        .decay = on_decay, .dropped = on_dropped, .hole = on_hole, .context = &told};
    struct segmenter *segmenter = segmenter_create(&stream->settings, &listener);
    fuzz_require(segmenter != NULL, "there is memory for a segmenter");
    feed(segmenter, stream, piece, &told);
    segmenter_finish(segmenter, DECAY_END_END_OF_SOURCE);
    struct segment_state state;
    segmenter_state(segmenter, &state);
    fuzz_require(state.samples <= stream->count && stream->count <= state.samples + state.lost_samples,
                 "a sample is taken in or counted as lost");
    uint64_t drops = 0;
    for (size_t i = 0; i < DROP_REASONS; i++)
        drops += state.drops[i];
    fuzz_require(drops == told.drops, "every drop is told");
    tell(&told, state.samples);
    tell(&told, state.lost_samples);
    tell(&told, state.gaps);
    tell(&told, state.decays);
    segmenter_destroy(segmenter);
    return told;
}

static void identify_whole(const struct stream *stream, const struct decay_origin *origin)
{
    const struct analysis_input input = {.displacement = stream->displacement,
                                         .time_s = stream->stamped ? stream->time_s : NULL,
                                         .count =
                                             stream->count < IDENTIFIED_SAMPLES ? stream->count : IDENTIFIED_SAMPLES,
                                         .start_s = stream->origin_s,
                                         .period_s = stream->period_s,
                                         .resolution = stream->settings.resolution,
                                         .whole = true,
                                         .origin = origin};
    struct analysis analysis;
    fuzz_require(analyse(&input, &analysis) == 0, "an analysis ends well");
    fuzz_require(analysis.count == 1, "a whole record has one result");
    check_result(analysis.results[0]);
    analysis_clear(&analysis);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t count)
{
    static struct stream stream;
    struct physical_settings physical = physical_default_settings();
    const struct decay_origin_names names = {.rig = "rig",
                                             .channel = "channel",
                                             .source_kind = "simulated",
                                             .device = "device",
                                             .config_id = "0123456789abcdef",
                                             .unit = "mm"};
    physical.mass_kg = 1.92;
    physical.stiffness_n_per_m = 2310;
    physical.linearity_percent = 0.25;
    struct decay_origin origin = decay_origin_make(&names, &physical, 100);
    stream_read(&stream, (struct fuzz_input){bytes, count});
    if (stream.count == 0)
        return 0;
    struct told whole = segment(&stream, STREAM_MOST, &origin, stream.identify_decay);
    if (stream.piece < stream.count) {
        struct told pieces = segment(&stream, stream.piece, &origin, false);
        fuzz_require(whole.words == pieces.words && same_times(&whole, &pieces),
                     "how a stream is cut into calls does not matter");
    }
    if (stream.identify_whole)
        identify_whole(&stream, &origin);
    return 0;
}
