/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "service/upload_marks.h"

#include "identify/decay/record.h"

#include <math.h>
#include <stdlib.h>

/* More than any stream can lose; sums of as many as there may be gaps stay exact. */
static const json_int_t most_lost = 1000000000000;

/* Whether a list holds numbers of samples below `count` in order. NULL does. */
static bool counts_up(const json_t *list, const char *name, size_t count, struct complaint *complaint)
{
    json_int_t before = -1;
    size_t i;
    json_t *element;
    json_array_foreach (list, i, element) {
        json_int_t sample = json_integer_value(element);
        if (!json_is_integer(element) || sample <= before || sample >= (json_int_t)count) {
            complaint_set(complaint, "%s must hold increasing numbers of samples of this piece, from 0 to %zu", name,
                          count - 1);
            return false;
        }
        before = sample;
    }
    return true;
}

/* How many samples are missing at each gap; `all`: together, also before. */
static bool lost_fit(const json_t *gaps, const json_t *lost, uint64_t *all, struct complaint *complaint)
{
    size_t i;
    json_t *element;
    bool fit = json_array_size(lost) == json_array_size(gaps);
    json_array_foreach (lost, i, element) {
        fit = fit && json_is_integer(element) && json_integer_value(element) >= 0 &&
              json_integer_value(element) <= most_lost;
        *all += fit ? (uint64_t)json_integer_value(element) : 0;
    }
    if (!fit)
        complaint_set(complaint,
                      "lost must hold, for each of gaps, how many samples are missing: an integer from 0 to %lld",
                      (long long)most_lost);
    return fit;
}

/* Behind all that is missing, the last sample of the longest record must still have a time of its own. */
static bool time_holds(const struct identify_request *request, uint64_t missing)
{
    double end = fabs(request->start_s) + request->period_s * ((double)missing + UPLOAD_MAX_SAMPLES);
    return end + request->period_s > end;
}

bool upload_marks_fit(const struct upload *upload, const json_t *params, size_t count, struct complaint *complaint)
{
    const struct identify_request *request = &upload->request;
    const json_t *gaps = json_object_get(params, "gaps"), *lost = json_object_get(params, "lost");
    uint64_t missing = 0;
    for (size_t i = 0; i < request->gap_count; i++)
        missing += request->gaps[i].lost;
    if (!counts_up(gaps, "gaps", count, complaint) || !lost_fit(gaps, lost, &missing, complaint) ||
        !counts_up(json_object_get(params, "clipped"), "clipped", count, complaint))
        return false;
    if (gaps && request->whole)
        complaint_set(complaint, "a whole record is one decay and has no gaps: send time stamps instead");
    else if (gaps && request->count == 0 && json_integer_value(json_array_get(gaps, 0)) == 0)
        complaint_set(complaint, "nothing can be missing before the first sample of a record");
    else if (!upload->time_stamped && !time_holds(request, missing))
        complaint_set(complaint, "lost does not give times that can be told apart");
    else
        return true;
    return false;
}

/* The first clipped sample brings flags for all that there is room for; make_room() keeps them as long as that. */
static enum memory_answer make_flags(struct upload *upload)
{
    struct identify_request *request = &upload->request;
    if (request->flags)
        return MEMORY_GRANTED;
    if (memory_charge_add(&upload->charge, upload->capacity) != MEMORY_GRANTED)
        return upload->charge.answer;
    request->flags = calloc(upload->capacity, 1);
    if (request->flags) {
        upload->sample_bytes += upload->capacity;
        return MEMORY_GRANTED;
    }
    memory_charge_remove(&upload->charge, upload->capacity);
    return MEMORY_TAKEN;
}

static enum memory_answer make_gaps(struct upload *upload, size_t more)
{
    struct identify_request *request = &upload->request;
    const size_t bytes = more * sizeof *request->gaps;
    if (more == 0)
        return MEMORY_GRANTED;
    if (memory_charge_add(&upload->charge, bytes) != MEMORY_GRANTED)
        return upload->charge.answer;
    struct request_gap *gaps = realloc(request->gaps, (request->gap_count + more) * sizeof *gaps);
    if (gaps) {
        request->gaps = gaps;
        upload->sample_bytes += bytes;
        return MEMORY_GRANTED;
    }
    memory_charge_remove(&upload->charge, bytes);
    return MEMORY_TAKEN;
}

enum jsonrpc_error upload_marks_take(struct upload *upload, const json_t *params, struct complaint *complaint)
{
    struct identify_request *request = &upload->request;
    const json_t *gaps = json_object_get(params, "gaps"), *lost = json_object_get(params, "lost");
    const json_t *clipped = json_object_get(params, "clipped");
    if (make_gaps(upload, json_array_size(gaps)) != MEMORY_GRANTED ||
        (clipped && make_flags(upload) != MEMORY_GRANTED)) {
        complaint_set(complaint, "too many records are being sent at the moment: try again later");
        return JSONRPC_BUSY;
    }
    for (size_t i = 0; i < json_array_size(gaps); i++)
        request->gaps[request->gap_count++] =
            (struct request_gap){request->count + (size_t)json_integer_value(json_array_get(gaps, i)),
                                 (uint64_t)json_integer_value(json_array_get(lost, i))};
    for (size_t i = 0; i < json_array_size(clipped); i++)
        request->flags[request->count + (size_t)json_integer_value(json_array_get(clipped, i))] = SAMPLE_CLIPPED;
    return 0;
}
