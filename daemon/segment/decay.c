/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The decay as it is handed from room to room: it owns a copy of its samples, which the stream may let go. */

#include "segment/decay.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const end_names[] = {
    [DECAY_END_REST] = "rest",
    [DECAY_END_NOISE_FLOOR] = "noise_floor",
    [DECAY_END_NEW_EXCITATION] = "new_excitation",
    [DECAY_END_CLIPPED] = "clipped",
    [DECAY_END_GAP] = "gap",
    [DECAY_END_STOP_BELOW] = "stop_below",
    [DECAY_END_MAX_LENGTH] = "max_length",
    [DECAY_END_RECONFIGURED] = "reconfigured",
    [DECAY_END_OTHER_STROKE] = "stroke",
    [DECAY_END_OTHER_PERIOD] = "period",
    [DECAY_END_OTHER_MEAN_FORCE] = "mean_force",
    [DECAY_END_END_OF_SOURCE] = "end_of_source",
};

const char *decay_end_name(enum decay_end end)
{
    return end_names[end];
}

size_t decay_bytes(const struct decay *decay)
{
    size_t samples = decay->pretrigger_count + decay->record.count;
    size_t each = sizeof(double) + (decay->time_s ? sizeof(double) : 0) + (decay->flags ? sizeof(uint8_t) : 0);
    return sizeof *decay + samples * each;
}

void decay_destroy(struct decay *decay)
{
    if (!decay)
        return;
    free(decay->displacement);
    free(decay->time_s);
    free(decay->flags);
    free(decay);
}

/* A copy of bytes, or NULL for no original; *ok turns false when memory is short. */
static void *copied(const void *original, size_t bytes, bool *ok)
{
    if (!original)
        return NULL;
    void *copy = malloc(bytes ? bytes : 1);
    if (copy)
        memcpy(copy, original, bytes);
    else
        *ok = false;
    return copy;
}

/* It counts the samples with one of these flags. Eight are looked at together, for hardly any has one. */
static size_t flagged_samples(const uint8_t *flags, size_t count, uint8_t which)
{
    size_t flagged = 0;
    for (size_t i = 0, next; flags && i < count; i = next) {
        uint64_t eight = UINT64_MAX;
        next = count - i < sizeof eight ? count : i + sizeof eight;
        if (next == i + sizeof eight)
            memcpy(&eight, flags + i, sizeof eight);
        for (; eight != 0 && i < next; i++)
            flagged += (flags[i] & which) != 0;
    }
    return flagged;
}

/* It makes one copy of everything, pre-trigger included; the record's pointers then point behind the pre-trigger. */
struct decay *decay_from_samples(const struct decay_samples *samples, size_t pretrigger_count)
{
    struct decay *decay = calloc(1, sizeof *decay);
    if (!decay)
        return NULL;
    assert(pretrigger_count <= samples->count);
    bool ok = true;
    size_t count = samples->count;
    /* Hardly any record has a flagged sample: then there is no array at all. */
    const uint8_t *flags = flagged_samples(samples->flags, count, UINT8_MAX) > 0 ? samples->flags : NULL;
    decay->displacement = copied(samples->displacement, count * sizeof(double), &ok);
    decay->time_s = copied(samples->time_s, count * sizeof(double), &ok);
    decay->flags = copied(flags, count, &ok);
    if (!ok) {
        decay_destroy(decay);
        return NULL;
    }
    size_t skip = decay->pretrigger_count = pretrigger_count;
    decay->record = (struct decay_record){
        .displacement = decay->displacement + skip,
        .time_s = decay->time_s ? decay->time_s + skip : NULL,
        .flags = decay->flags ? decay->flags + skip : NULL,
        .count = count - skip,
        .start_s = decay->time_s ? decay->time_s[skip] : samples->start_s + (double)skip * samples->period_s,
        .period_s = samples->period_s,
        /* Whoever cut the decay knows; a whole record leaves it to the fit. */
        .first_extremum_s = NAN,
    };
    decay->rest = (struct rest_observation){.position = NAN, .se = NAN};
    decay->released_s = NAN;
    /* Only the record counts: the pre-trigger may well be clipped while the hand pulls. */
    decay->clipped_count = flagged_samples(decay->record.flags, decay->record.count, SAMPLE_CLIPPED);
    return decay;
}

/* No segmenter followed such a record, so that half cycles, release and rest are left to the identification. */
struct decay *decay_from_whole(const double *displacement, const double *time_s, const uint8_t *flags, size_t count,
                               double start_s, double period_s, double resolution)
{
    const struct decay_samples samples = {displacement, time_s, flags, count, start_s, period_s};
    struct decay *decay = count ? decay_from_samples(&samples, 0) : NULL;
    if (!decay)
        return NULL;
    decay->record.resolution = resolution;
    if (time_s && count > 1)
        decay->record.period_s = (time_s[count - 1] - time_s[0]) / (double)(count - 1);
    decay->ended_by = DECAY_END_END_OF_SOURCE;
    return decay;
}
