/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The methods about the raw recorder: what it holds, and its rows, page by page. They only read, so everybody may. */

#include "proto/base64.h"
#include "proto/json_value.h"
#include "recorder/recorder.h"
#include "service/methods.h"
#include "service/service_state.h"
#include "service/session_state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Values in one answer: 32 KiB, so that the event loop is back in about a millisecond. */
enum { PIECE_VALUES = 4096 };

/* Rows that may be asked for. */
enum { MOST_ROWS = 16384 };

/* Longer than any ring holds. */
#define LONGEST_S 1e9

/* --- recorder.find --- */

static json_t *channel_of_ring(const struct rig_status *rig, const struct recorder_ring *ring, size_t i)
{
    const struct channel_status *channel = &rig->channels[ring->channels[i]];
    return json_pack("{s:o, s:o, s:s, s:o, s:o}", "name", text_to_json(channel->name), "unit",
                     text_to_json(channel->unit), "role", channel->role, "resolution",
                     number_to_json(channel->resolution), "delay_s", number_to_json(ring->delay_s[i]));
}

/* A ring; rows behind `from_s` are meant, of an even clock as many as fit into the time: half a period keeps rounding
 * from adding one or taking one away. NULL when memory is short. */
static json_t *ring_to_json(const struct rig_status *rig, const struct recorder_ring *ring, double from_s)
{
    const struct scan_ring *scans = ring->scans;
    json_t *channels = json_array();
    for (size_t i = 0; channels && i < ring->channel_count; i++)
        if (json_array_append_new(channels, channel_of_ring(rig, ring, i)) != 0) {
            json_decref(channels);
            return NULL;
        }
    uint64_t from = scan_ring_oldest(scans), next = scan_ring_next(scans);
    if (!isnan(from_s) && next > from) {
        double period_s = scan_ring_stamped(scans) ? 0 : scan_ring_piece(scans, next - 1, 1).period_s;
        from = scan_ring_at(scans, from_s + 0.5 * period_s);
    }
    return json_pack("{s:o, s:b, s:o, s:o, s:o, s:o}", "ring", count_to_json(ring->number), "stamped",
                     (int)scan_ring_stamped(scans), "oldest_row", count_to_json(scan_ring_oldest(scans)), "from_row",
                     count_to_json(from), "next_row", count_to_json(next), "channels", channels);
}

static json_t *rings_to_json(const struct rig_status *rig, double from_s)
{
    json_t *rings = json_array();
    for (size_t i = 0; rings && rig->recorder && i < recorder_ring_count(rig->recorder); i++) {
        const struct recorder_ring *ring = recorder_ring(rig->recorder, i);
        if (ring->scans && json_array_append_new(rings, ring_to_json(rig, ring, from_s)) != 0) {
            json_decref(rings);
            return NULL;
        }
    }
    return rings;
}

static json_t *recorder_rig_to_json(const struct rig_status *rig, double last_s)
{
    struct recorder_extent extent = {.latest_s = NAN, .held_s = NAN, .room_s = NAN};
    if (rig->recorder)
        extent = recorder_extent(rig->recorder);
    json_t *source =
        json_pack("{s:o, s:o}", "kind", text_to_json(rig->source_kind), "device", text_to_json(rig->device));
    bool flows = rig->condition != RIG_ENDED && rig->condition != RIG_FAILED;
    json_t *object = json_pack(
        "{s:o, s:o, s:b, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:n}", "rig", text_to_json(rig->name), "source",
        source, "flows", (int)flows, "tells_gaps", (int)rig->tells_gaps, "clock_ppm", number_to_json(rig->clock_ppm),
        "time_error_s", number_to_json(rig->stamps_error_s), "zero_at", time_to_json(rig->zero_at_ns), "latest_s",
        number_to_json(extent.latest_s), "held_s", number_to_json(extent.held_s), "room_s",
        number_to_json(extent.room_s), "rings", rings_to_json(rig, extent.latest_s - last_s), "reason");
    return with_reason(
        object,
        "nothing was recorded yet, or a recording does not tell how well its times are known, or when it was made");
}

static void run_find(struct call *call, const json_t *params)
{
    const struct service_backend *backend = &call_session(call)->service->backend;
    const struct daemon_status *daemon = backend->status(backend->context);
    const char *wanted = parameter_text(params, "rig", NULL);
    double last_s = parameter_number(params, "last_s", LONGEST_S);
    json_t *rigs = json_array();
    for (size_t r = 0; rigs && r < daemon->rig_count; r++) {
        const struct rig_status *rig = &daemon->rigs[r];
        if (wanted && strcmp(wanted, rig->name) != 0)
            continue;
        if (json_array_append_new(rigs, recorder_rig_to_json(rig, last_s)) != 0) {
            json_decref(rigs);
            rigs = NULL;
        }
    }
    if (wanted && rigs && json_array_size(rigs) == 0) {
        json_decref(rigs);
        call_fail(call, JSONRPC_NOT_FOUND, NULL, "there is no rig %s", wanted);
        return;
    }
    call_answer(call, json_pack("{s:o, s:o}", "last_s", number_to_json(daemon->recorder_last_s), "rigs", rigs));
}

/* --- recorder.read --- */

/* The ring of that number, and its rig; NULL: there is none, or none any more. */
static const struct recorder_ring *find_ring(const struct daemon_status *daemon, uint64_t number,
                                             const struct rig_status **rig)
{
    for (size_t r = 0; r < daemon->rig_count; r++) {
        *rig = &daemon->rigs[r];
        for (size_t i = 0; (*rig)->recorder && i < recorder_ring_count((*rig)->recorder); i++) {
            const struct recorder_ring *ring = recorder_ring((*rig)->recorder, i);
            if (ring->scans && ring->number == number)
                return ring;
        }
    }
    return NULL;
}

/* A string of base64; NULL when memory is short. */
static json_t *packed(const void *bytes, size_t count)
{
    size_t length = base64_length(count);
    char *text = malloc(length + 1);
    if (!text)
        return NULL;
    base64_encode(bytes, count, text);
    json_t *string = json_stringn_nocheck(text, length);
    free(text);
    return string;
}

static json_t *packed_doubles(const double *values, size_t count)
{
    unsigned char bytes[8 * PIECE_VALUES];
    base64_pack_doubles(values, count, bytes);
    return packed(bytes, 8 * count);
}

/* Flags as long as there are none are nothing. */
static json_t *packed_flags(const uint8_t *flags, size_t count)
{
    bool any = false;
    for (size_t i = 0; flags && i < count && !any; i++)
        any = flags[i] != 0;
    return packed(flags, any ? count : 0);
}

/* What each channel has of a piece: a list of texts. */
static json_t *columns_of(const struct recorder_ring *ring, const struct scan_piece *piece, bool flags)
{
    json_t *list = json_array();
    for (size_t i = 0; list && i < ring->channel_count; i++) {
        json_t *column = flags ? packed_flags(scan_ring_flags(ring->scans, i, piece->row), piece->count)
                               : packed_doubles(scan_ring_values(ring->scans, i, piece->row), piece->count);
        if (json_array_append_new(list, column) != 0) {
            json_decref(list);
            list = NULL;
        }
    }
    return list;
}

static json_t *broken_channels(const struct recorder_ring *ring, const struct scan_piece *piece)
{
    json_t *list = json_array();
    for (size_t i = 0; list && i < ring->channel_count; i++)
        if (json_array_append_new(list, json_boolean(piece->broken >> i & 1)) != 0) {
            json_decref(list);
            list = NULL;
        }
    return list;
}

static json_t *piece_to_json(const struct recorder_ring *ring, const struct scan_piece *piece)
{
    json_t *time = piece->time_s ? packed_doubles(piece->time_s, piece->count) : json_string("");
    json_t *run =
        json_pack("{s:o, s:o, s:o, s:b, s:o, s:o}", "scan", count_to_json(piece->index), "origin_s",
                  number_to_json(piece->origin_s), "period_s", number_to_json(piece->period_s), "begins",
                  (int)piece->begins, "broken", broken_channels(ring, piece), "lost", count_to_json(piece->lost));
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o}", "row", count_to_json(piece->row), "count",
                     count_to_json(piece->count), "run", run, "time", time, "displacement",
                     columns_of(ring, piece, false), "flags", columns_of(ring, piece, true));
}

/* Rows that were overwritten meanwhile are told of, and passed over. */
static void run_read(struct call *call, const json_t *params)
{
    const struct service_backend *backend = &call_session(call)->service->backend;
    const struct daemon_status *daemon = backend->status(backend->context);
    const struct rig_status *rig;
    const struct recorder_ring *ring = find_ring(daemon, (uint64_t)parameter_integer(params, "ring", 0), &rig);
    if (!ring) {
        call_fail(call, JSONRPC_NOT_FOUND, NULL,
                  "there is no such ring any more: its rig was reconfigured or taken out, and what it held is gone");
        return;
    }
    size_t a_row = ring->channel_count + scan_ring_stamped(ring->scans);
    uint64_t wanted = (uint64_t)parameter_integer(params, "row", 0), oldest = scan_ring_oldest(ring->scans);
    size_t most = (size_t)parameter_integer(params, "count", MOST_ROWS);
    const struct scan_piece piece = scan_ring_piece(ring->scans, wanted < oldest ? oldest : wanted,
                                                    most < PIECE_VALUES / a_row ? most : PIECE_VALUES / a_row);
    bool flows = rig->condition != RIG_ENDED && rig->condition != RIG_FAILED;
    json_t *place = json_pack("{s:o, s:o, s:b, s:o}", "ring", count_to_json(ring->number), "next_row",
                              count_to_json(scan_ring_next(ring->scans)), "flows", (int)flows, "missed",
                              count_to_json(wanted < oldest ? oldest - wanted : 0));
    call_answer(call, joined(place, piece_to_json(ring, &piece)));
}

static const struct parameter find_parameters[] = {
    {.name = "rig", .type = PARAMETER_TEXT, .maximum = 63, .note = "all rigs if left out"},
    {.name = "last_s",
     .type = PARAMETER_NUMBER,
     .minimum = 0,
     .maximum = LONGEST_S,
     .unit = "s",
     .note = "from_row is to be where the last so many seconds begin; the oldest row if left out"},
};

static const struct parameter read_parameters[] = {
    {.name = "ring", .type = PARAMETER_INTEGER, .required = true, .minimum = 1, .maximum = PARAMETER_LARGEST},
    {.name = "row",
     .type = PARAMETER_INTEGER,
     .required = true,
     .minimum = 0,
     .maximum = PARAMETER_LARGEST,
     .note = "the first that is wanted"},
    {.name = "count",
     .type = PARAMETER_INTEGER,
     .minimum = 1,
     .maximum = MOST_ROWS,
     .note = "at most so many rows; fewer come where there are many channels, and before a gap"},
};

static const struct method methods[] = {
    {.name = "recorder.find", .parameters = PARAMETERS(find_parameters), .run = run_find, .asks = true},
    {.name = "recorder.read", .parameters = PARAMETERS(read_parameters), .run = run_read, .asks = true},
};

const struct method_group methods_about_recorder = {methods, sizeof methods / sizeof methods[0]};
