/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a client may still ask for: rings of results and events as the lines that told of them, and the latest raw
 * samples. All of it in memory, bounded in number and in bytes. */

#include "service/history.h"

#include "proto/json_value.h"
#include "proto/unrepeated.h"
#include "report/result_text.h"
#include "service/event_json.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where the entries of a ring stand; the entries themselves are in an array beside it. */
struct ring {
    size_t first, count, capacity;
    uint64_t gone_seq; /* the highest seq that was held, or should have been, and is not any more; 0: none */
};

/* One seq for all topics, three rings. */
struct history {
    char id[33];
    uint64_t next_seq;
    uint64_t stored_from; /* 0: no store */
    uint64_t stored_until;
    size_t bytes; /* of lines and summaries */
    struct ring results, events, decays;
    struct held_result *result;
    struct notice **event;
    struct kept_decay **decay; /* those whose raw samples are held, oldest first */
    size_t samples_bytes, samples_limit;
};

/* Position in the array of the entry that is `age` places younger than the oldest. */
static size_t place(const struct ring *ring, size_t age)
{
    return (ring->first + age) % ring->capacity;
}

/* Makes place for one entry at the young end, and tells where it stands. The caller has made room. */
static size_t ring_push(struct ring *ring)
{
    return place(ring, ring->count++);
}

/* Takes the oldest entry off, and tells where it stood. */
static size_t ring_pop(struct ring *ring)
{
    size_t oldest = ring->first;
    ring->first = place(ring, 1);
    ring->count--;
    return oldest;
}

/* A client that kept a seq over a restart must not take it for one of the new history. */
int history_draw_id(char id[33])
{
    uint64_t drawn[2];
    const int error = draw_unrepeated(drawn);
    if (error)
        return error;
    snprintf(id, 33, "%016" PRIx64 "%016" PRIx64, drawn[0], drawn[1]);
    return 0;
}

struct history *history_create(size_t entries, size_t samples_bytes)
{
    struct history *history = calloc(1, sizeof *history);
    if (!history)
        return NULL;
    size_t capacity = entries > 0 ? entries : 1;
    history->next_seq = 1;
    history->samples_limit = samples_bytes;
    history->results.capacity = history->events.capacity = history->decays.capacity = capacity;
    history->result = calloc(capacity, sizeof *history->result);
    history->event = calloc(capacity, sizeof(struct notice *));
    history->decay = calloc(capacity, sizeof(struct kept_decay *));
    if (!history->result || !history->event || !history->decay || history_draw_id(history->id) != 0) {
        history_destroy(history);
        return NULL;
    }
    return history;
}

/* Dropping is remembered as a seq, not as a flag: a client that asks from behind it misses nothing. */
static void drop_oldest_result(struct history *history)
{
    struct held_result *held = &history->result[ring_pop(&history->results)];
    history->results.gone_seq = held->notice->seq;
    history->bytes -= held->notice->length + strlen(held->summary);
    notice_release(held->notice);
    free(held->summary);
}

static void drop_oldest_event(struct history *history)
{
    struct notice *notice = history->event[ring_pop(&history->events)];
    history->events.gone_seq = notice->seq;
    history->bytes -= notice->length;
    notice_release(notice);
}

static void drop_oldest_decay(struct history *history)
{
    struct kept_decay *kept = history->decay[ring_pop(&history->decays)];
    history->samples_bytes -= decay_bytes(kept->decay);
    kept_decay_release(kept);
}

void history_destroy(struct history *history)
{
    if (!history)
        return;
    while (history->results.count > 0)
        drop_oldest_result(history);
    while (history->events.count > 0)
        drop_oldest_event(history);
    while (history->decays.count > 0)
        drop_oldest_decay(history);
    free(history->result);
    free(history->event);
    free(history->decay);
    free(history);
}

void history_resume(struct history *history, const char *id, uint64_t next_seq)
{
    snprintf(history->id, sizeof history->id, "%s", id);
    history->next_seq = next_seq;
    history->results.gone_seq = history->events.gone_seq = next_seq - 1;
}

const char *history_id(const struct history *history)
{
    return history->id;
}

uint64_t history_next_seq(const struct history *history)
{
    return history->next_seq;
}

uint64_t history_take_seq(struct history *history)
{
    return history->next_seq++;
}

/* Makes room for one entry of `bytes` in a ring. */
static void make_room(struct history *history, const struct ring *ring, size_t bytes)
{
    if (ring->count == ring->capacity && ring == &history->results)
        drop_oldest_result(history);
    if (ring->count == ring->capacity && ring == &history->events)
        drop_oldest_event(history);
    while (history->bytes + bytes > HISTORY_MAX_BYTES && history->results.count > 0)
        drop_oldest_result(history);
    while (history->bytes + bytes > HISTORY_MAX_BYTES && history->events.count > 0)
        drop_oldest_event(history);
    history->bytes += bytes;
}

/* Two revisions of a decay share its samples: they count once. */
static bool samples_are_held(const struct history *history, const struct kept_decay *kept)
{
    for (size_t i = 0; i < history->decays.count; i++)
        if (history->decay[place(&history->decays, i)] == kept)
            return true;
    return false;
}

/* Holds the samples of a decay as long as the limit allows; those of the oldest decays make way. */
static void hold_samples(struct history *history, struct kept_decay *kept)
{
    size_t bytes = decay_bytes(kept->decay);
    if (kept->id == 0 || bytes > history->samples_limit || samples_are_held(history, kept))
        return;
    if (history->decays.count == history->decays.capacity)
        drop_oldest_decay(history);
    while (history->decays.count > 0 && bytes > history->samples_limit - history->samples_bytes)
        drop_oldest_decay(history);
    history->decay[ring_push(&history->decays)] = kept_decay_reference(kept);
    history->samples_bytes += bytes;
}

/* The seq is taken first and never given back: what fails after it counts as gone. */
struct notice *history_add_result(struct history *history, struct kept_result *result)
{
    uint64_t seq = history_take_seq(history);
    bool written = result_text_make(result) == 0;
    struct notice *notice = written ? notice_of_result(result->document, seq, result->of->run) : NULL;
    char *summary = written ? text_with_numbers(result->summary, (struct result_numbers){seq, result->of->run}) : NULL;
    if (!notice || !summary) {
        /* No memory for it: the seq is used up all the same, and a client that asks from there learns that something
         * is missing. */
        history->results.gone_seq = seq;
        notice_release(notice);
        free(summary);
        return NULL;
    }
    make_room(history, &history->results, notice->length + strlen(summary));
    struct held_result *held = &history->result[ring_push(&history->results)];
    *held = (struct held_result){.notice = notice,
                                 .summary = summary,
                                 .id = result->of->id,
                                 .run_id = result->of->run,
                                 .revision = result->revision,
                                 .verdict = result->identification.verdict};
    memcpy(held->rig, result->of->origin.rig, sizeof held->rig);
    memcpy(held->channel, result->of->origin.channel, sizeof held->channel);
    hold_samples(history, result->of);
    return notice;
}

struct notice *history_add_event(struct history *history, const struct service_event *event)
{
    uint64_t seq = history_take_seq(history);
    json_t *params = json_pack("{s:o, s:o}", "seq", count_to_json(seq), "event", event_to_json(event));
    struct notice *notice = notice_create(TOPIC_EVENT, seq, "notify.event", params);
    if (!notice) {
        history->events.gone_seq = seq;
        return NULL;
    }
    make_room(history, &history->events, notice->length);
    history->event[ring_push(&history->events)] = notice;
    return notice;
}

uint64_t history_complete_from(const struct history *history, unsigned topics)
{
    uint64_t gone = 0;
    if (topics & TOPIC_RESULT)
        gone = history->results.gone_seq;
    if ((topics & TOPIC_EVENT) && history->events.gone_seq > gone)
        gone = history->events.gone_seq;
    return gone + 1;
}

void history_set_stored_from(struct history *history, uint64_t seq)
{
    history->stored_from = seq;
}

void history_set_stored_until(struct history *history, uint64_t seq)
{
    history->stored_until = seq;
}

uint64_t history_stored_until(const struct history *history)
{
    return history->stored_until;
}

uint64_t history_available_from(const struct history *history, unsigned topics)
{
    uint64_t held = history_complete_from(history, topics);
    return history->stored_from > 0 && history->stored_from < held ? history->stored_from : held;
}

/* The two rings keep their notices in different places. */
static struct notice *held_notice(const struct history *history, const struct ring *ring, size_t age)
{
    if (ring == &history->results)
        return history->result[place(ring, age)].notice;
    return history->event[place(ring, age)];
}

/* The oldest notice of a ring with a seq of at least from_seq: their seq increase, so the interval is halved. */
static struct notice *first_from(const struct history *history, const struct ring *ring, uint64_t from_seq)
{
    size_t low = 0, high = ring->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (held_notice(history, ring, middle)->seq < from_seq)
            low = middle + 1;
        else
            high = middle;
    }
    return low < ring->count ? held_notice(history, ring, low) : NULL;
}

/* Two sorted rings are merged by seq, one notice at a time: a replay holds no place of its own in either. */
struct notice *history_from(const struct history *history, unsigned topics, uint64_t from_seq)
{
    struct notice *result = NULL, *event = NULL;
    if (topics & TOPIC_RESULT)
        result = first_from(history, &history->results, from_seq);
    if (topics & TOPIC_EVENT)
        event = first_from(history, &history->events, from_seq);
    if (!result || !event)
        return result ? result : event;
    return result->seq < event->seq ? result : event;
}

size_t history_held(const struct history *history)
{
    return history->results.count + history->events.count;
}

const struct held_result *history_result(const struct history *history, size_t index)
{
    if (index >= history->results.count)
        return NULL;
    return &history->result[place(&history->results, history->results.count - 1 - index)];
}

/* A walk over all: a thousand entries at most by default, and only when somebody asks. */
const struct held_result *history_find(const struct history *history, uint64_t id, unsigned revision)
{
    const struct held_result *held, *found = NULL;
    for (size_t i = 0; (held = history_result(history, i)); i++) {
        if (held->id != id || (revision > 0 && held->revision != revision))
            continue;
        if (!found || held->revision > found->revision)
            found = held;
    }
    return found;
}

/* Parsed out of the line that went to the subscribers, so that `results.get` says exactly the same. */
json_t *held_result_to_json(const struct held_result *held)
{
    json_t *message = json_loadb(held->notice->line, held->notice->length, 0, NULL);
    json_t *result = json_object_get(json_object_get(message, "params"), "result");
    json_incref(result);
    json_decref(message);
    return result;
}

const struct kept_decay *history_samples(const struct history *history, uint64_t id)
{
    for (size_t i = 0; i < history->decays.count; i++) {
        const struct kept_decay *kept = history->decay[place(&history->decays, i)];
        if (kept->id == id)
            return kept;
    }
    return NULL;
}
